"""A command that ignores TERM does not outlive panto, however that ends."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

from support.home import Home
from support.processes import wait_gone
from support.provider import Provider
from support.tmux import Terminal


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


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


def test_a_killed_panto_leaves_no_command_behind(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    command = "trap '' TERM; echo ready; while :; do sleep 0.3047; done"
    call = {"name": "std_shell", "id": "c1", "arguments": json.dumps({"command": command})}
    with Provider([{"tool_calls": [call]}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "go")
        terminal.wait("  ready")
        parent = terminal.pid()
        [child] = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        os.kill(int(child), signal.SIGKILL)
        terminal.wait("left with 137")
        wait_gone("sleep 0.3047", 1)
