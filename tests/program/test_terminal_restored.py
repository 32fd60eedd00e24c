"""However panto ends, the terminal is as it was: modes, echo, cursor, paste mode."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable

import pytest
from support.home import PANTO, Home
from support.processes import children, wait_gone
from support.provider import Provider
from support.tmux import Terminal


def settled_modes(terminal: Terminal) -> str:
    """The terminal's settings as stty and tmux tell them after panto has ended."""
    text = terminal.wait(r"left with[\s\S]*echo")
    assert terminal.cursor_is_shown()
    stty = text[text.index("left with"):]
    assert re.search(r"(?<!-)icanon", stty) and re.search(r"(?<!-)echo ", stty), stty
    assert re.search(r"(?<!-)isig", stty) and re.search(r"(?<!-)opost", stty), stty
    return text


def panto_pid(terminal: Terminal) -> int:
    [pid] = children(terminal.pid())
    return pid


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_panto_in_order(
    agent_home: Home, open_panto: Callable[..., Terminal], number: signal.Signals, code: int
) -> None:
    with Provider([]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("unsent")
        terminal.wait("unsent")
        os.kill(panto_pid(terminal), number)
        assert f"left with {code}" in settled_modes(terminal)


def test_term_while_a_command_runs_leaves_no_process(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    call = {"name": "std_shell", "id": "c1", "arguments": '{"command":"sleep 300.774"}'}
    with Provider([{"tool_calls": [call]}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("go")
        terminal.keys("Enter")
        terminal.wait("std.shell sleep")
        os.kill(panto_pid(terminal), signal.SIGTERM)
        assert "left with 143" in settled_modes(terminal)
        wait_gone("sleep 300.774", 2)


def test_an_error_of_panto_itself_is_shown_and_the_session_goes_on(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    extension = agent_home.config / "extensions/broken.lua"
    extension.parent.mkdir()
    extension.write_text(
        """
        local panto = require("panto")
        panto.ext.register_command { name = "break", description = "x", handler = function()
          require("luv").new_timer():start(1, 0, function() error("in a callback") end)
          panto.task.run(function() panto.task.sleep(1) error("in a task") end)
          error("in a command")
        end }
        """
    )
    with Provider([{"text": "Still here."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("/break")
        terminal.keys("Enter")
        terminal.wait(r"in\s+a\s+command")
        terminal.wait(r"in\s+a\s+task")
        terminal.wait(r"in\s+a\s+callback")
        terminal.type("hello")
        terminal.keys("Enter")
        terminal.wait("Still here.")
        terminal.keys("C-d")
        settled_modes(terminal)


def test_an_uncaught_error_in_the_main_task_leaves_the_terminal_as_it_was(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    extension = agent_home.config / "extensions/fatal.lua"
    extension.parent.mkdir()
    extension.write_text(
        """
        local panto = require("panto")
        panto.ext.register_command { name = "fatal", description = "x", handler = function()
          require("panto.base.ansi").clean = nil
          require("panto.tui.frame").change = function() error("the renderer broke") end
        end }
        """
    )
    with Provider([]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("/fatal")
        terminal.keys("Enter")
        time.sleep(0.3)
        terminal.type("x")
        text = settled_modes(terminal)
        assert "left with 70" in text
        assert re.search(r"(?m)^panto: .*the renderer broke", text), text
        assert "stack traceback" not in text
        # It stands below what was drawn, which is whole.
        frame, _, said = text.partition("panto: ")
        assert frame.count("─" * 20) >= 2 and "loop:m" in frame, text
        assert "─" not in said and "loop:m" not in said, text
        logs = (agent_home.root / "state/panto").glob("*.log")
        assert any("stack traceback" in log.read_text() for log in logs)


def test_suspend_gives_the_terminal_back_and_resume_takes_it_again(
    agent_home: Home,
) -> None:
    with Provider([]) as provider:
        agent_home.use_provider(provider.url)
        with Terminal(
            ["bash", "--norc", "-i"], folder=agent_home.work, env=agent_home.env()
        ) as terminal:
            terminal.type(f"PS1='shell> '; {PANTO}")
            terminal.keys("Enter")
            terminal.wait("›")
            terminal.type("kept draft")
            terminal.wait("› kept draft")
            terminal.keys("C-z")
            terminal.wait("Stopped")
            terminal.type("stty -a | tr ';' '\\n'; echo back")
            terminal.keys("Enter")
            text = terminal.wait(r"\nback\n")
            assert re.search(r"(?<!-)icanon", text), text
            terminal.type("fg")
            terminal.keys("Enter")
            terminal.wait("› kept draft")
            terminal.type(" and more")
            terminal.wait("› kept draft and more")
            terminal.keys("C-c", "C-c")
            terminal.wait("shell> $")


def test_after_a_kill_the_next_panto_works_and_reset_mends_the_shell(agent_home: Home) -> None:
    with Provider([]) as provider:
        agent_home.use_provider(provider.url)
        with Terminal(
            ["bash", "--norc", "-i"], folder=agent_home.work, env=agent_home.env()
        ) as terminal:
            start = f"PS1='shell> '; {PANTO}"
            for word in ("before", "after"):
                terminal.type(start)
                terminal.keys("Enter")
                terminal.wait("›")
                terminal.type(word)
                terminal.wait(rf"› {word}\s")
                [panto] = children(panto_pid(terminal))  # the shell's
                os.kill(panto, signal.SIGKILL)
                terminal.wait(f"› {word}Killed")
                start = f"clear; {PANTO}"
            terminal.type("reset")
            terminal.keys("Enter")
            terminal.wait(r"shell> \s*$")
            terminal.type("stty -a | tr ';' '\\n'; echo back")
            terminal.keys("Enter")
            text = terminal.wait(r"\nback\n")
            assert re.search(r"(?<!-)icanon", text) and re.search(r"(?<!-)echo\b", text), text
            assert terminal.cursor_is_shown()
