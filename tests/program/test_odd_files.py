"""Folders that refuse, files without an end, records of somebody else: told, and no trouble."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from support.child import run_bounded
from support.home import PANTO, Home
from support.provider import Provider
from support.tmux import Terminal


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


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
