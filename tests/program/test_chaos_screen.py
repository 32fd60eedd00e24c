"""Faults as a person sees them, in a real terminal: the wait is visible, Esc ends it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from support.chaos import Chaos, answer, broken, passed
from support.home import Home
from support.provider import Provider
from support.tmux import Terminal

CALL = {"id": "call_1", "name": "std_shell", "arguments": '{"command": "echo ran >> runs.txt"}'}


def use(home: Home, url: str, style: str) -> None:
    """Write a user layer whose only provider speaks this style."""
    home.use_provider(url)
    config = home.config / "config.toml"
    config.write_text(config.read_text().replace("openai_chat", style))


def ask(terminal: Terminal, text: str) -> None:
    """Send a line."""
    terminal.type(text)
    terminal.keys("Enter")


def texts(home: Home) -> list[str]:
    """The texts of the session's assistant messages."""
    (file,) = home.sessions.rglob("*.jsonl")
    records: list[dict[str, Any]] = [json.loads(line) for line in file.read_text().splitlines()]
    messages = [record["message"] for record in records if record["type"] == "message"]
    said = [message for message in messages if message["role"] == "assistant"]
    return [part["text"] for message in said for part in message["content"] if "text" in part]


def test_a_cut_answer_and_a_busy_server_are_told_and_leave_no_trace_in_the_session(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    busy = answer(529, '{"error":{"message":"Overloaded"}}', {"retry-after-ms": "1500"})
    script = [{"text": "I will run it.", "tool_calls": [CALL]}] * 2 + [{"text": "It ran once."}]
    with Provider(script) as provider, Chaos(provider.url) as chaos:
        cut = broken("reset", b"event: response.completed")
        use(agent_home, chaos.plan("x", busy, cut, passed), "openai_responses")
        terminal = open_panto()
        ask(terminal, "run it")
        terminal.wait(r"529 overloaded \(Overloaded\)")
        terminal.wait("cannot reach")
        terminal.wait(r"It ran once\.")
        terminal.wait("esc to stop", gone=True)
        screen = terminal.history()
        # What is in the scrollback stays there; that it does not count is said.
        kept, told, rest = screen.partition("The answer broke off; it starts again.")
        assert told or screen.count("I will run it.") == 1, screen
        assert kept.count("I will run it.") <= 1
        assert rest.count("I will run it.") <= 1
        assert screen.count("It ran once.") == 1
        assert (agent_home.work / "runs.txt").read_text() == "ran\n"
        assert texts(agent_home) == ["I will run it.", "It ran once."]
        assert chaos.seen["x"] == 4


def test_esc_ends_the_wait_for_the_next_attempt(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    slow = answer(429, '{"error":{"message":"slow down"}}', {"retry-after": "90"})
    with Provider([{"text": "Here again."}]) as provider, Chaos(provider.url) as chaos:
        use(agent_home, chaos.plan("x", slow), "anthropic_messages")
        terminal = open_panto()
        ask(terminal, "hi")
        terminal.wait(r"429 too many requests \(slow down\)")
        terminal.wait(r"trying again in 90 s \(attempt 2 of 5\)")
        terminal.keys("Escape")
        started = time.monotonic()
        terminal.wait(r"Stopped\.")
        assert time.monotonic() - started < 10
        assert chaos.seen["x"] == 1
        ask(terminal, "and now?")
        terminal.wait(r"Here again\.")
        assert chaos.seen["x"] == 2
