"""A real model on this machine, in all three styles: it calls a real tool and answers from it.

Deselected unless asked for: `pytest -m local_model tests/program/test_local_model.py`.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
    """Write a user layer with the local model in each style; this one is the default."""
    config, models = f'[auth.local]\nkey = "none"\n\n[defaults]\nmodel = "{style}:qwen"\n', ""
    for name in STYLES:
        config += f'\n[providers.{name}]\nstyle = "{name}"\nbase_url = "{url}"\nauth = "local"\n'
        models += f'[{name}.qwen]\nmodel = "qwen"\ncontext_window = 8192\nmax_tokens = 400\n'
    (home.config / "config.toml").write_text(config)
    (home.config / "models.toml").write_text(models)


def messages_of(home: Home) -> list[dict[str, Any]]:
    """The messages of the one session."""
    (file,) = home.sessions.rglob("*.jsonl")
    records: list[dict[str, Any]] = [json.loads(line) for line in file.read_text().splitlines()]
    return [record["message"] for record in records if record["type"] == "message"]


@contextmanager
def new_session(home: Home) -> Iterator[Terminal]:
    """Open panto in a new session; what is on the screen at its end is printed."""
    shutil.rmtree(home.sessions, ignore_errors=True)
    with Terminal([str(PANTO)], folder=home.work, env=home.env()) as terminal:
        terminal.wait("›")
        yield terminal
        print(terminal.history())


def turn(terminal: Terminal, text: str) -> str:
    """Ask, wait for the end of the turn, give what is on the screen then."""
    terminal.type(text)
    terminal.keys("Enter")
    terminal.wait("esc to stop")
    terminal.wait("esc to stop", gone=True, timeout_s=ANSWER_S)
    return terminal.history()


def ask(home: Home, text: str) -> str:
    """Ask in a new session."""
    with new_session(home) as terminal:
        return turn(terminal, text)


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


def test_it_answers_from_a_history_that_other_styles_have_made(
    server: LocalModel, garden: Home
) -> None:
    use(garden, server.url, STYLES[0])
    with new_session(garden) as terminal:
        turn(terminal, "Read the file README.md and tell me the secret word in it.")
        for style in STYLES[1:]:
            terminal.type(f"/model {style}:qwen")
            terminal.keys("Enter")
            terminal.wait(f"{style}:qwen")
            turn(terminal, "Say the secret word once more, without any tool.")
    messages = messages_of(garden)
    styles = [message["style"] for message in messages if message["role"] == "assistant"]
    assert list(dict.fromkeys(styles)) == STYLES
    assert not [message for message in messages if message.get("stop_reason") == "error"]
    last = messages[-1]
    assert "marigold" in "".join(part.get("text", "") for part in last["content"]).lower(), last


@pytest.mark.parametrize("style", STYLES)
def test_esc_ends_the_work_of_the_server_too(server: LocalModel, garden: Home, style: str) -> None:
    use(garden, server.url, style)
    before = server.log.read_text().count("cancel task")
    with new_session(garden) as terminal:
        terminal.type("Write a story of two hundred words about a gardener. Use no tool.")
        terminal.keys("Enter")
        terminal.wait(r"esc to stop")
        terminal.wait(r"(?i)gardener[^.]*\n(?s:.*)esc to stop", timeout_s=ANSWER_S)
        terminal.keys("Escape")
        terminal.wait(r"Stopped\.", timeout_s=60)
    end = time.monotonic() + 60
    while server.log.read_text().count("cancel task") == before:
        assert time.monotonic() < end, "the server still works for nobody"
        time.sleep(0.1)
    last = messages_of(garden)[-1]
    assert (last["role"], last["aborted"]) == ("assistant", True)


def test_a_window_that_is_smaller_than_panto_was_told_is_noticed(
    server: LocalModel, garden: Home
) -> None:
    use(garden, server.url, STYLES[0])
    models = garden.config / "models.toml"
    models.write_text(models.read_text().replace("8192", "100000"))
    line = "The gardener waters the roses, the lilies and the marigolds every single morning.\n"
    (garden.work / "diary.txt").write_text(line * 600)
    with new_session(garden) as terminal:
        terminal.type("Read the file diary.txt and say what the gardener does.")
        terminal.keys("Enter")
        terminal.wait("conversation up to here was compacted", timeout_s=ANSWER_S)
        # What is left is still minutes of reading: not waited for.
        terminal.keys("Escape")
        terminal.wait(r"Stopped\.", timeout_s=60)
    assert "exceeds the available context size" in server.log.read_text()
