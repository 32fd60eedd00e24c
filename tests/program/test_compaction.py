"""Compaction in a real terminal, against a loopback provider that overflows where it hurts."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.home import Home
from support.provider import Provider
from support.tmux import Terminal
from test_request_types import judge
from test_sdk_anthropic import check

Open = Callable[..., Terminal]

OVERFLOW: dict[str, Any] = {
    "status": 400,
    "error": {
        "code": 400,
        "message": "request (41234 tokens) exceeds the available context size (40000 tokens)",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 41234,
        "n_ctx": 40000,
    },
}
SUMMARY = {
    "text": "## Goal\nCount the beans.\n## Done\nHalf of them.",
    "usage": {"prompt_tokens": 9, "completion_tokens": 9},
}
LONG = "All of it was looked at, word for word. " * 60
FULL = {"prompt_tokens": 30000, "completion_tokens": 10}
STYLES = ["openai_chat", "anthropic_messages", "openai_responses"]


def configure(
    home: Home,
    provider: Provider,
    *,
    style: str = "openai_chat",
    window: int = 40000,
    more: str = "",
) -> None:
    """One provider of a style, with a small window and little that is kept."""
    home.use_provider(provider.url, more=f"\n[compaction]\nkeep_verbatim = 300\n{more}")
    file = home.config / "config.toml"
    file.write_text(file.read_text().replace("openai_chat", style))
    window_line = f"context_window = {window}\n" if window else ""
    (home.config / "models.toml").write_text(
        f'[loop.m]\nmodel = "loop-model"\nmax_tokens = 1000\n{window_line}'
        '[loop.small]\nmodel = "small-model"\nmax_tokens = 500\n'
    )


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


def shell(id: str, command: str) -> dict[str, str]:
    return {"name": "std_shell", "id": id, "arguments": json.dumps({"command": command})}


def records(home: Home) -> list[dict[str, Any]]:
    (file,) = Path(home.sessions).rglob("*.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


def kinds(home: Home) -> list[str]:
    return [record["type"] for record in records(home)]


def said(body: bytes) -> str:
    """All that a request says, whatever its style."""
    request = json.loads(body)
    return json.dumps(request.get("messages") or request.get("input"), ensure_ascii=False)


def check_bodies(style: str, provider: Provider) -> None:
    """The official SDK's types allow every request, and calls have their results."""
    bodies = [json.loads(body) for body in provider.bodies]
    if style == "anthropic_messages":
        for body in bodies:
            check(body)
    else:
        assert judge(style, bodies) == [None] * len(bodies)


@pytest.mark.parametrize("style", STYLES)
def test_an_overflow_is_answered_with_one_compaction_and_the_request_again(
    agent_home: Home, open_panto: Open, style: str
) -> None:
    script = [{"text": LONG}, OVERFLOW, SUMMARY, {"text": "Here I am again."}, {"text": "Third."}]
    with Provider(script) as provider:
        configure(agent_home, provider, style=style, window=0)
        terminal = open_panto()
        ask(terminal, "count the beans please")
        terminal.wait("word for word")
        terminal.wait("esc to stop", gone=True)
        ask(terminal, "go on")
        screen = terminal.wait("Here I am again")
        assert "compacted" in screen and "Count the beans." in screen
        terminal.wait("esc to stop", gone=True)
        asked, repeated = said(provider.bodies[2]), said(provider.bodies[3])
        assert "<conversation>" in asked and "[user]" in asked
        assert "tools" not in json.loads(provider.bodies[2])
        assert "Count the beans." in repeated and "go on" in repeated and LONG not in repeated
        assert "count the beans please" in repeated
        ask(terminal, "third")
        terminal.wait("Third")
        terminal.wait("esc to stop", gone=True)
        assert provider.unused == 0
        check_bodies(style, provider)
    assert kinds(agent_home).count("compaction") == 1


@pytest.mark.parametrize("style", STYLES)
def test_the_context_is_compacted_between_tool_rounds_and_extensions_see_it(
    agent_home: Home, open_panto: Open, style: str
) -> None:
    folder = agent_home.work / ".panto/extensions"
    folder.mkdir(parents=True)
    (folder / "watch.lua").write_text(
        'return { name = "watch", activate = function()\n'
        '  require("panto").ext.on("compaction", function(e)\n'
        '    io.write("[seen] " .. e.name .. " " .. (e.summary:match("Count[^\\n]*")) .. "\\n")\n'
        "  end)\nend }\n"
    )
    agent_home.trust()
    (agent_home.work / "beans.txt").write_text("bean\n" * 20)
    read = {"name": "std_read", "id": "r1", "arguments": '{"path": "beans.txt"}'}
    hold = threading.Event()
    script = [
        {"tool_calls": [read], "usage": {"prompt_tokens": 500, "completion_tokens": 9}},
        {"text": "Now the rest.", "tool_calls": [shell("c1", "seq 900")], "usage": FULL},
        {**SUMMARY, "hold": hold},
        {"text": "All counted.", "usage": {"prompt_tokens": 900, "completion_tokens": 10}},
        {"text": "Peas too.", "usage": {"prompt_tokens": 900, "completion_tokens": 10}},
    ]
    with Provider(script) as provider:
        configure(agent_home, provider, style=style)
        terminal = open_panto()
        ask(terminal, "count")
        terminal.wait("compacting")
        assert "75%" in terminal.screen()
        ask(terminal, "and the peas")
        hold.set()
        screen = terminal.wait("Peas too")
        terminal.wait("esc to stop", gone=True)
        assert "[seen] compaction Count the beans." in screen
        assert " 2%" in terminal.screen()
        assert len(provider.bodies) == 5
        request = said(provider.bodies[3])
        assert "Count the beans." in request and "std_shell" in request and "899" in request
        assert "<files_read>\\nbeans.txt\\n</files_read>" in request
        assert "and the peas" not in request and "and the peas" in said(provider.bodies[4])
        check_bodies(style, provider)
    assert kinds(agent_home).count("compaction") == 1


def test_a_second_overflow_stops_the_turn_with_a_message(
    agent_home: Home, open_panto: Open
) -> None:
    script = [{"text": LONG}, OVERFLOW, SUMMARY, OVERFLOW]
    with Provider(script) as provider:
        configure(agent_home, provider)
        terminal = open_panto()
        ask(terminal, "count")
        terminal.wait("word for word")
        terminal.wait("esc to stop", gone=True)
        ask(terminal, "go on")
        terminal.wait("too long for loop-model")
        terminal.wait("esc to stop", gone=True)
        assert len(provider.bodies) == 4


def test_an_overflow_with_nothing_to_compact_says_so(agent_home: Home, open_panto: Open) -> None:
    with Provider([OVERFLOW]) as provider:
        configure(agent_home, provider)
        terminal = open_panto()
        ask(terminal, "count")
        terminal.wait("nothing in it that could be summarised")
        terminal.wait("esc to stop", gone=True)
        assert len(provider.bodies) == 1


def test_an_overflow_of_the_compaction_itself_is_asked_again_with_less(
    agent_home: Home, open_panto: Open
) -> None:
    script = [{"text": LONG}, OVERFLOW, OVERFLOW, SUMMARY, {"text": "Here again."}]
    with Provider(script) as provider:
        configure(agent_home, provider, window=0)
        terminal = open_panto()
        ask(terminal, "count")
        terminal.wait("word for word")
        terminal.wait("esc to stop", gone=True)
        ask(terminal, "go on")
        terminal.wait("Here again")
        assert len(provider.bodies[3]) < len(provider.bodies[2])


def test_empty_and_endless_summaries_fail_and_the_third_failure_stops_the_turn(
    agent_home: Home, open_panto: Open
) -> None:
    endless = {"deltas": ["and so on " * 1000] * 20}
    step = {"tool_calls": [shell("c1", "echo hi")], "usage": FULL}
    script = [{"text": LONG}, step, {"text": " "}, step, endless, step, {"text": ""}]
    with Provider(script) as provider:
        configure(agent_home, provider)
        terminal = open_panto()
        ask(terminal, "count")
        terminal.wait("word for word")
        terminal.wait("esc to stop", gone=True)
        ask(terminal, "go on")
        screen = terminal.wait(r"Compaction failed 3\s+times in a row")
        terminal.wait("esc to stop", gone=True)
        assert "the summary was empty" in screen and "did not come to an end" in screen
        assert len(provider.bodies) == 7
    assert "compaction" not in kinds(agent_home)


def test_esc_leaves_everything_as_it_was_and_gives_back_what_was_typed(
    agent_home: Home, open_panto: Open
) -> None:
    script = [{"text": LONG}, {**SUMMARY, "hold": threading.Event()}, {"text": "Second."}]
    with Provider(script) as provider:
        configure(agent_home, provider)
        terminal = open_panto()
        ask(terminal, "/compact")
        terminal.wait("nothing to compact")
        ask(terminal, "count")
        terminal.wait("word for word")
        terminal.wait("esc to stop", gone=True)
        before = records(agent_home)
        ask(terminal, "/compact")
        terminal.wait("compacting")
        ask(terminal, "typed meanwhile")
        terminal.wait(r"typed meanwhile\n\s+queued")
        terminal.keys("Escape")
        terminal.wait("compacting", gone=True)
        terminal.wait("queued", gone=True)
        assert records(agent_home) == before
        assert provider.requests[1].left.wait(5)
        terminal.keys("Enter")
        terminal.wait("Second")
        request = said(provider.bodies[2])
        assert LONG in request and "typed meanwhile" in request and "Half of them" not in request


def test_compact_by_hand_with_another_model_makes_room_and_is_resumed(
    agent_home: Home, open_panto: Open
) -> None:
    script = [
        {"text": LONG, "usage": {"prompt_tokens": 20000, "completion_tokens": 500}},
        {"text": "Short.", "usage": {"prompt_tokens": 21000, "completion_tokens": 5}},
        SUMMARY,
        {"text": "Fine."},
        {"text": "Resumed."},
    ]
    with Provider(script) as provider:
        configure(agent_home, provider, more='model = "loop:small"\n')
        terminal = open_panto()
        ask(terminal, "count the beans please")
        terminal.wait("word for word")
        terminal.wait("esc to stop", gone=True)
        ask(terminal, "more")
        terminal.wait("Short")
        terminal.wait("53%")
        ask(terminal, "/compact mind the peas")
        terminal.wait("compacted: 21k tokens")
        terminal.wait(r"\b[2-4]%")
        request = json.loads(provider.bodies[2])
        assert request["model"] == "small-model" and request["max_tokens"] == 500
        assert "mind the peas" in said(provider.bodies[2])
        ask(terminal, "/compact")
        terminal.wait("nothing to compact")
        ask(terminal, "fine?")
        terminal.wait("Fine")
        terminal.wait("esc to stop", gone=True)
        terminal.keys("C-d")
        terminal.wait("left with 0")
        again = open_panto("--resume")
        ask(again, "resumed?")
        again.wait("Resumed")
        before, after = (json.loads(body)["messages"] for body in provider.bodies[3:5])
        assert after[: len(before)] == before
        assert "count the beans please" in before[1]["content"]
    assert kinds(agent_home).count("compaction") == 1


def test_the_prompt_of_a_layer_wins_and_old_outputs_are_trimmed_first(
    agent_home: Home, open_panto: Open
) -> None:
    (agent_home.work / ".panto").mkdir()
    (agent_home.work / ".panto/COMPACTION.md").write_text("Write three haikus.\n")
    agent_home.trust()
    script = [
        {"tool_calls": [shell("c1", "seq 20000")]},
        {"text": LONG, "usage": FULL},
        {
            "text": "Trimmed, not compacted.",
            "usage": {"prompt_tokens": 3000, "completion_tokens": 9},
        },
        {"text": "Still trimmed."},
        SUMMARY,
    ]
    with Provider(script) as provider:
        configure(agent_home, provider)
        terminal = open_panto()
        ask(terminal, "count")
        terminal.wait("word for word")
        terminal.wait("esc to stop", gone=True)
        ask(terminal, "go on")
        screen = terminal.wait("Trimmed, not compacted")
        terminal.wait("esc to stop", gone=True)
        assert "Old tool outputs are left out" in screen
        assert "left out to save room" in said(provider.bodies[2])
        assert "19999" not in said(provider.bodies[2])
        terminal.keys("C-d")
        terminal.wait("left with 0")
        again = open_panto("--resume")
        ask(again, "and now?")
        again.wait("Still trimmed")
        again.wait("esc to stop", gone=True)
        before, after = (json.loads(body)["messages"] for body in provider.bodies[2:4])
        assert after[: len(before)] == before
        ask(again, "/compact")
        again.wait("compacted: ")
        assert "three haikus" in provider.bodies[4].decode()
