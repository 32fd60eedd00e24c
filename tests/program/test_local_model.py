"""A real model on this machine, in all three styles: it calls a real tool and answers from it.

Deselected unless asked for: `pytest -m local_model tests/program/test_local_model.py`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from support import local_model
from support.home import PANTO, Home
from support.local_model import LocalModel
from support.tmux import Terminal

pytestmark = [pytest.mark.local_model, pytest.mark.timeout(900)]
STYLES = ["openai_chat", "anthropic_messages", "openai_responses"]
# A quiet machine reads sixty tokens of a prompt a second, a busy one five.
ANSWER_S = 600


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalModel]:
    """The model's server, or a skip that says what is missing."""
    reason = local_model.missing()
    if reason:
        pytest.skip(f"SKIPPED local model: {reason}")
    with LocalModel(tmp_path_factory.mktemp("model")) as running:
        yield running


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """One home for all: the server need not read the same system prompt again."""
    home = Home(tmp_path_factory.mktemp("garden") / "h")
    (home.work / "README.md").write_text("# Garden\n\nThe secret word is marigold.\n")
    for number in range(6):
        (home.work / f"leaf{number}.txt").write_text("green\n")
    return home


def use(home: Home, url: str, style: str) -> None:
    """Write a user layer whose only provider is the local model in this style."""
    (home.config / "config.toml").write_text(
        f'[auth.local]\nkey = "none"\n\n[providers.local]\nstyle = "{style}"\n'
        f'base_url = "{url}"\nauth = "local"\n\n[defaults]\nmodel = "local:qwen"\n'
    )
    (home.config / "models.toml").write_text(
        '[local.qwen]\nmodel = "qwen"\ncontext_window = 8192\nmax_tokens = 400\n'
    )


def messages_of(home: Home) -> list[dict[str, Any]]:
    """The messages of the one session."""
    (file,) = home.sessions.rglob("*.jsonl")
    records: list[dict[str, Any]] = [json.loads(line) for line in file.read_text().splitlines()]
    return [record["message"] for record in records if record["type"] == "message"]


def ask(home: Home, text: str) -> str:
    """Ask in a new session, wait for the end of the turn, give what is on the screen then."""
    shutil.rmtree(home.sessions, ignore_errors=True)
    with Terminal([str(PANTO)], folder=home.work, env=home.env()) as terminal:
        terminal.wait("›")
        terminal.type(text)
        terminal.keys("Enter")
        terminal.wait("esc to stop")
        terminal.wait("esc to stop", gone=True, timeout_s=ANSWER_S)
        screen = terminal.history()
        print(screen)
        return screen


def check(messages: list[dict[str, Any]], tool: str, word: str) -> None:
    """The tool was called, gave the word, and the last answer has it."""
    calls = [
        part
        for message in messages
        if message["role"] == "assistant"
        for part in message["content"]
        if part["type"] == "tool_call"
    ]
    assert tool in [call["name"] for call in calls], calls
    results = [message for message in messages if message["role"] == "tool"]
    assert any(word in json.dumps(message["content"]) for message in results), results
    last = messages[-1]
    assert last["role"] == "assistant" and last["stop_reason"] == "stop", last
    assert word in "".join(part.get("text", "") for part in last["content"]).lower(), last
    assert all(message["usage"]["output"] > 0 for message in messages if "usage" in message)


@pytest.mark.parametrize("style", STYLES)
def test_it_reads_a_file_and_answers(server: LocalModel, garden: Home, style: str) -> None:
    use(garden, server.url, style)
    screen = ask(garden, "Read the file README.md and tell me the secret word in it.")
    assert "std.read README.md" in screen
    check(messages_of(garden), "std_read", "marigold")


@pytest.mark.parametrize("style", STYLES)
def test_it_runs_a_command_and_answers(server: LocalModel, garden: Home, style: str) -> None:
    use(garden, server.url, style)
    screen = ask(garden, "Run the shell command `ls | wc -l` and tell me the number it prints.")
    assert "std.shell" in screen
    check(messages_of(garden), "std_shell", "7")
