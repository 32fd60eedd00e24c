"""`panto lua` in a terminal: lines are edited, kept and completed while the luv loop runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from support.home import PANTO, Home
from support.tmux import Terminal

Open = Callable[..., Terminal]


@pytest.fixture
def open_lua(agent_home: Home) -> Iterator[Open]:
    """Starts `panto lua` in a terminal; all are closed at the end."""
    with ExitStack() as stack:

        def start(*words: str) -> Terminal:
            command = [str(PANTO), "lua", *words]
            terminal = Terminal(command, folder=agent_home.work, env=agent_home.env())
            stack.enter_context(terminal)
            terminal.wait("(?m)^> ")
            return terminal

        yield start


def enter(terminal: Terminal, line: str) -> None:
    terminal.type(line)
    terminal.keys("Enter")


def test_values_are_printed_and_open_lines_go_on(open_lua: Open) -> None:
    lua = open_lua()
    assert lua.history().startswith("Lua 5.4.8  Copyright (C) 1994-2025 Lua.org, PUC-Rio\n> ")
    enter(lua, "6 * 7, 'two'")
    lua.wait("42\ttwo|42 +two")
    enter(lua, "for i = 1, 2 do")
    enter(lua, "io.write(i, '.') end")
    lua.wait(r">> io.write\(i, '\.'\) end\n1\.2\.")
    enter(lua, "_PROMPT = 'mine: '")
    enter(lua, "error('oh')")
    lua.wait(r"(?m)^mine: error\('oh'\)\nstdin:1: oh\nstack traceback:")
    lua.wait(r"\[C\]: in \?\nmine: ")
    enter(lua, "os.exit(5)")
    lua.wait("left with 5")


def test_a_timer_fires_while_a_line_is_being_typed(open_lua: Open) -> None:
    lua = open_lua()
    enter(lua, "T = require('luv').new_timer() T:start(200, 0, function() print('tick') end)")
    lua.type("'half a li")
    lua.wait(r"tick\n> 'half a li")
    enter(lua, "ne'")
    lua.wait(r"(?m)^half a line$")


def test_tab_completes_globals_fields_and_modules(open_lua: Open) -> None:
    lua = open_lua()
    lua.type("coro")
    lua.keys("Tab")
    lua.type(".isy")
    lua.keys("Tab")
    lua.type("()")
    lua.keys("Enter")
    lua.wait(r"> coroutine\.isyieldable\(\)\nfalse")
    enter(lua, "s = 'text'")
    lua.type("s:upp")
    lua.keys("Tab")
    lua.type("()")
    lua.keys("Enter")
    lua.wait("(?m)^TEXT$")
    lua.type("require('panto.base.bas")
    lua.keys("Tab")
    lua.wait(r"require\('panto\.base\.base64")
    lua.keys("C-u")
    lua.type("table.")
    lua.keys("Tab")
    lua.wait("(?s)concat.*insert.*unpack")


def test_history_is_kept_across_runs(open_lua: Open) -> None:
    first = open_lua()
    enter(first, "kept = 'from before'")
    first.keys("C-d")
    first.wait("left with 0")
    second = open_lua()
    second.keys("Up")
    second.wait(r"> kept = 'from before'")
    second.keys("Enter")
    enter(second, "kept")
    second.wait("(?m)^from before$")


def test_ctrl_c_ends_a_tight_loop_but_not_the_conversation(open_lua: Open) -> None:
    lua = open_lua("-i", "-e", "T = setmetatable({}, { __gc = function() print('closed') end })")
    lua.type("given up")
    lua.keys("C-c")
    for _ in range(2):
        enter(lua, "print('go') while true do pcall(function() while true do end end) end")
        lua.wait("(?m)^go$(?s:.)*")
        lua.keys("C-c")
        lua.wait(r"interrupted!\nstack traceback:\n(?s:.)*\n> $|interrupted!(?s:.)*> \n")
    enter(lua, "'still ' .. 'here'")
    lua.wait("(?m)^still here$")
    lua.keys("C-d")
    lua.wait("closed\n(?s:.)*left with 0")
