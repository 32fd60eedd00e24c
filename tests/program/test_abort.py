"""Esc in the middle of things: soon back at the prompt, nothing left behind, a valid request."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from support.home import Home
from support.processes import living, wait_gone
from support.provider import Provider
from support.tmux import Terminal


def shell(id: str, command: str, **more: Any) -> dict[str, str]:
    return {"name": "std_shell", "id": id, "arguments": json.dumps({"command": command, **more})}


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


def press_escape_and_time(terminal: Terminal) -> float:
    """Seconds from Esc until the prompt is at rest again."""
    terminal.keys("Escape")
    started = time.monotonic()
    terminal.wait("Stopped", timeout_s=10)
    terminal.wait("esc to stop", gone=True, timeout_s=10)
    return time.monotonic() - started


def check_valid(body: bytes) -> list[dict[str, Any]]:
    """Every call of the request is answered, in order, by exactly one result."""
    messages: list[dict[str, Any]] = json.loads(body)["messages"]
    open_calls: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert open_calls.pop(0) == message["tool_call_id"]
            continue
        assert not open_calls
        open_calls = [entry["id"] for entry in message.get("tool_calls") or []]
        if message["role"] == "assistant":
            assert message.get("content") or message.get("tool_calls")
    assert not open_calls
    return messages


def test_esc_in_a_stream_keeps_the_partial_text(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider(
        [{"deltas": ["Once upon", " a time"], "stall_s": 30, "stall_after": 3}, {"text": "Next."}]
    ) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "tell")
        terminal.wait("Once upon a time")
        assert press_escape_and_time(terminal) < 1.0
        assert "Once upon a time" in terminal.history()
        assert provider.requests[0].left.wait(5), "the connection was not closed"
        ask(terminal, "go on")
        terminal.wait("Next.")
        messages = check_valid(provider.bodies[1])
        assert messages[2]["content"].startswith("Once upon a time")


def test_esc_ends_a_running_command_and_its_children(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider(
        [{"tool_calls": [shell("c1", "sleep 300.771 & sleep 300.771")]}, {"text": "Next."}]
    ) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "wait long")
        terminal.wait("std.shell sleep")
        while len(living("sleep 300.771")) < 3:
            time.sleep(0.05)
        assert press_escape_and_time(terminal) < 1.0
        wait_gone("sleep 300.771", 1)
        ask(terminal, "go on")
        terminal.wait("Next.")
        messages = check_valid(provider.bodies[1])
        assert "abort" in messages[-2]["content"]


def test_esc_kills_a_command_that_ignores_term(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    stubborn = "trap '' TERM; echo ready; while :; do sleep 0.3037; done"
    with Provider([{"tool_calls": [shell("c1", stubborn)]}, {"text": "Next."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "be stubborn")
        terminal.wait("  ready")
        assert press_escape_and_time(terminal) < 3.9
        wait_gone("sleep 0.3037", 1)
        ask(terminal, "go on")
        terminal.wait("Next.")
        check_valid(provider.bodies[1])


def test_esc_gives_queued_text_back_to_the_editor(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider([{"tool_calls": [shell("c1", "sleep 300.772")]}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "wait long")
        terminal.wait("std.shell sleep")
        ask(terminal, "one more thing")
        terminal.wait("queued")
        press_escape_and_time(terminal)
        terminal.wait("queued", gone=True)
        assert "› one more thing" in terminal.screen()
        wait_gone("sleep 300.772", 2)


def test_ctrl_c_stops_first_then_clears_then_leaves(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider([{"tool_calls": [shell("c1", "sleep 300.773")]}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "wait long")
        terminal.wait("std.shell sleep")
        terminal.keys("C-c")
        terminal.wait("Stopped")
        time.sleep(1.1)
        terminal.type("a draft")
        terminal.wait("› a draft")
        terminal.keys("C-c")
        terminal.wait("› a draft", gone=True)
        time.sleep(1.1)
        terminal.keys("C-c")
        terminal.wait("left with 0")
        wait_gone("sleep 300.773", 2)


def test_ctrl_d_leaves_only_on_an_empty_draft(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider([]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("ab")
        terminal.keys("C-d")
        terminal.keys("Left", "C-d")
        terminal.wait(r"› a\s*\n")
        terminal.keys("BSpace", "C-d")
        terminal.wait("left with 0")
