"""Adversities the real program goes through: sizes that change, folders that refuse, odd files."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from support.child import run_bounded
from support.home import PANTO, Home
from support.processes import wait_gone
from support.provider import Provider
from support.tmux import Terminal


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


def test_a_streamed_answer_is_whole_after_the_window_was_lower_and_higher_in_turn(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    words = [f"w{number:03d} yada yada yadayada. " for number in range(160)]
    with Provider([{"deltas": [*words, "\nEND-MARK"], "delay_s": 0.01}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "go")
        for word, rows in [(30, 8), (50, 30), (70, 8), (90, 30), (110, 8), (130, 30)]:
            terminal.wait(f"w{word:03d}")
            terminal.resize(100, rows)
        terminal.wait("END-MARK")
        shown = "".join(terminal.history().split())
        assert [word for word in words if word[:4] not in shown] == []


def test_a_session_that_cannot_be_written_is_told_and_not_offered(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    agent_home.sessions.write_text("a file where the folder should be")
    with Provider([{"text": "An answer."}, {"text": "Another one."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "one")
        terminal.wait("An answer.")
        terminal.wait("is not saved from here on")
        ask(terminal, "two")
        terminal.wait("Another one.")
        terminal.keys("C-d")
        assert "--resume" not in terminal.wait("left with 0")


def test_a_foreign_record_in_a_session_is_left_out_and_told(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider([{"text": "First."}, {"text": "Second."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "one")
        terminal.wait("First.")
        terminal.keys("C-d")
        terminal.wait("left with 0")
        [file] = agent_home.sessions.rglob("*.jsonl")
        record = {
            "id": "x",
            "parent": "4",
            "time": "t",
            "type": "message",
            "message": {"role": "r"},
        }
        with file.open("a") as out:
            out.write(json.dumps(record) + "\n")
        terminal = open_panto("--resume")
        terminal.wait("1 message is broken in the file")
        ask(terminal, "two")
        terminal.wait("Second.")
        roles = [message["role"] for message in json.loads(provider.bodies[1])["messages"]]
        assert roles == ["system", "user", "assistant", "user"]


def test_a_configuration_file_without_an_end_is_named(agent_home: Home) -> None:
    (agent_home.config / "config.toml").symlink_to("/dev/zero")
    started = time.monotonic()
    with Terminal([str(PANTO)], folder=agent_home.work, env=agent_home.env()) as terminal:
        assert "config.toml" in terminal.wait("left with 2")
    assert time.monotonic() - started < 10


def test_a_folder_that_was_removed_is_named_and_no_error(agent_home: Home) -> None:
    gone = agent_home.work / "gone"
    gone.mkdir()
    script = f'cd "{gone}" && rmdir "{gone}" && exec "{PANTO}" sessions'
    done = run_bounded(["sh", "-c", script], env=agent_home.full_env(), timeout_s=20)
    assert (done.code, done.stdout.strip()) == (0, f"no sessions for {gone}"), done.output


def test_two_quick_ctrl_c_leave_no_command_behind(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    command = "trap '' TERM; echo ready; while :; do sleep 0.3041; done"
    call = {"name": "std_shell", "id": "c1", "arguments": json.dumps({"command": command})}
    with Provider([{"tool_calls": [call]}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "go")
        terminal.wait("  ready")
        terminal.keys("C-c")
        terminal.keys("C-c")
        terminal.wait("left with 0", timeout_s=5)
        wait_gone("sleep 0.3041", 1)


def test_what_a_tool_leaves_for_the_screen_may_hold_itself(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    tools = agent_home.config / "tools"
    tools.mkdir()
    (tools / "ring.lua").write_text(
        'return { name = "ring", description = "", handler = function()\n'
        "  local ring = {}\n  ring.one, ring.other = ring, ring\n"
        '  return { text = "made", details = ring }\nend }\n'
    )
    call = {"name": "ring", "id": "c1", "arguments": "{}"}
    with Provider([{"tool_calls": [call]}, {"text": "The end."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "go")
        terminal.wait("The end.", timeout_s=10)
