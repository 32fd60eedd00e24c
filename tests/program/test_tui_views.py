"""What a conversation looks like: Markdown, folded results, what resume shows again."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from support.home import Home
from support.provider import Provider
from support.tmux import Terminal

Opener = Callable[..., Terminal]


def call(number: int, name: str, **arguments: Any) -> dict[str, str]:
    """A tool call of the scripted model."""
    return {"id": f"c{number}", "name": name, "arguments": json.dumps(arguments)}


def rounds(home: Home) -> list[dict[str, Any]]:
    """A turn with thinking and one call of each kind, then its answer."""
    (home.work / "a.lua").write_text("local one = 1\nlocal two = 2\n")
    calls = [
        call(1, "std_shell", command="seq 1 20"),
        call(2, "std_shell", command="echo hi; exit 3"),
        call(3, "std_edit", path=str(home.work / "a.lua"), old_text="= 2", new_text="= 22"),
        call(4, "std_write", path="b.txt", content="first\nsecond\n"),
        call(5, "std_shell", command="true"),
    ]
    return [
        {"thinking": "one\ntwo\nthree", "text": "Look.", "tool_calls": calls},
        {"text": "# Done\n\n- **all** of it\n\n```lua\nlocal x = 1\n```\n\nThe end."},
    ]


def after(terminal: Terminal, mark: str) -> str:
    """Everything that stands behind the last place of a text."""
    time.sleep(0.3)
    return terminal.history().rsplit(mark, 1)[1]


def test_results_show_what_counts_and_are_folded(agent_home: Home, open_panto: Opener) -> None:
    """Tails, exit codes in titles, diffs without a head, what was written, Markdown."""
    with Provider(rounds(agent_home)) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto(cols=80, rows=40)
        terminal.type("go")
        terminal.keys("Enter")
        terminal.wait("The end")
        text = terminal.history()
    assert "● std.shell seq 1 20\n  … 15 earlier lines (ctrl+o shows them)\n  16\n" in text
    assert (
        "● std.shell echo hi; exit 3 · exit 3\n  hi\n● std.edit a.lua\n  @@ -1,2 +1,2 @@\n" in text
    )
    assert "  -local two = 2\n  +local two = 22\n" in text
    assert "● std.write b.txt · created, 2 lines\n  first\n  second\n" in text
    assert "● std.shell true\n  (no output)\n" in text
    assert "exit code 0" not in text and "+++" not in text
    assert "\nDone\n\n• all of it\n\n  local x = 1\n\nThe end.\n" in text


def test_ctrl_o_and_ctrl_t_show_once_more_what_was_folded(
    agent_home: Home, open_panto: Opener
) -> None:
    """Each folded result and thought of the last turn comes once, whole; then a word."""
    with Provider(rounds(agent_home)) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto(cols=80, rows=40)
        terminal.type("go")
        terminal.keys("Enter")
        terminal.wait("The end")
        terminal.wait("working", gone=True)
        terminal.keys("C-o")
        terminal.wait(r"  14\n  15\n  16\n")
        shown = after(terminal, "The end.")
        assert shown.count("● std.") == 1 and "ctrl+o" not in shown
        terminal.keys("C-o")
        terminal.wait("No folded result is left")
        terminal.keys("C-t")
        terminal.wait(r"∴ Thinking\n  one\n  two\n  three")
        terminal.keys("C-t")
        terminal.wait("No folded thinking is left")
        assert after(terminal, "The end.").count("● std.") == 1


def test_ctrl_o_still_shows_what_was_folded_before_a_turn_of_words_only(
    agent_home: Home, open_panto: Opener
) -> None:
    with Provider([*rounds(agent_home), {"text": "Only words."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto(cols=80, rows=40)
        terminal.type("go")
        terminal.keys("Enter")
        terminal.wait("The end")
        terminal.wait("working", gone=True)
        terminal.type("more")
        terminal.keys("Enter")
        terminal.wait("Only words")
        terminal.wait("working", gone=True)
        terminal.keys("C-o")
        terminal.wait(r"  14\n  15\n  16\n")
        shown = after(terminal, "Only words.")
        assert shown.count("● std.") == 1 and "ctrl+o" not in shown


def test_a_resumed_conversation_says_how_its_answers_ended(
    agent_home: Home, open_panto: Opener
) -> None:
    """A stopped answer and one that was cut are marked as they were."""
    script: list[Any] = [
        {"text": "half of it", "stall_s": 60, "stall_after": 3},
        {"text": "cut off", "finish": "length"},
    ]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("one")
        terminal.keys("Enter")
        terminal.wait("half")
        terminal.keys("Escape")
        terminal.wait("Stopped")
        terminal.type("two")
        terminal.keys("Enter")
        terminal.wait("limit of output tokens")
        terminal.keys("C-d")
        terminal.wait("left with 0")
        terminal = open_panto("--resume")
        text = terminal.wait("resumed session")
    assert re.search(r"half.*\n\n! Stopped\.\n\n› two\n\ncut off\n\n! The answer was cut", text)


def test_the_frame_stays_at_the_bottom(agent_home: Home, open_panto: Opener) -> None:
    """Neither the end of a turn nor a cleared draft leaves empty rows below the footer."""
    script = [{"text": "\n\n".join(f"paragraph {n}" for n in range(20))}]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto(cols=60, rows=16)
        terminal.type("go")
        terminal.keys("Enter")
        terminal.wait("paragraph 19")
        terminal.wait("working", gone=True)
        assert "loop:m" in terminal.screen().split("\n")[15]
        terminal.paste("\n".join(f"line {n}" for n in range(6)))
        terminal.wait("line 5")
        terminal.keys("C-c")
        terminal.wait("line 5", gone=True)
        rows = terminal.screen().split("\n")
        assert "loop:m" in rows[15] and rows[13].startswith("›")
        for cols, height in [(20, 6), (10, 3), (60, 16)]:
            terminal.resize(cols, height)
            time.sleep(0.5)
            shown = terminal.screen()
            assert shown.count("›") == 1, shown
