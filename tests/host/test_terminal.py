"""The terminal in a real pty: raw while it should be, and as it was however panto ends."""

from __future__ import annotations

import os
import select
import signal
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from host.lua_file import agent_command
from ptyprocess import PtyProcess

FAREWELL = b"\x1b[?2004l\x1b[?25h"
PREPARE = """
  local host = require("panto.host")
  assert(host.term_raw())
  host.term_on_restore("\\27[?2004l\\27[?25h")
  host.term_write("raw!\\n")
"""


class Screen:
    """A panto entry file running in a pty, and what it has written."""

    def __init__(self, env: dict[str, str], folder: Path, source: str) -> None:
        file = folder / "entry.lua"
        file.write_text(source)
        self.child = PtyProcess.spawn(
            list(agent_command(file)), env=env, cwd=str(folder), dimensions=(31, 97)
        )
        self.before = self.mode()
        self.written = b""

    def mode(self) -> list[object]:
        """The terminal's mode, as seen from its other side."""
        return termios.tcgetattr(self.child.fd)

    def read_until(self, text: bytes, seconds: float = 20) -> None:
        """Reads until the text has come."""
        deadline = time.monotonic() + seconds
        while text not in self.written:
            assert time.monotonic() < deadline, self.written
            self._read()

    def end(self, seconds: float = 20) -> int:
        """Reads to the end; the exit code, or minus the signal."""
        deadline = time.monotonic() + seconds
        while self.child.isalive():
            assert time.monotonic() < deadline, self.written
            self._read()
        while select.select([self.child.fd], [], [], 0)[0] and self._read():
            pass
        code = self.child.exitstatus
        return code if code is not None else -self.child.signalstatus

    def _read(self) -> bool:
        if select.select([self.child.fd], [], [], 0.05)[0]:
            try:
                part = os.read(self.child.fd, 65536)
            except OSError:
                return False
            self.written += part
            return bool(part)
        return False


@pytest.fixture
def start(panto_env: dict[str, str], tmp_path: Path) -> Iterator[object]:
    screens: list[Screen] = []

    def begin(source: str) -> Screen:
        screens.append(Screen(panto_env, tmp_path, source))
        return screens[-1]

    yield begin
    for screen in screens:
        screen.child.close(force=True)


def is_raw(mode: list[object]) -> bool:
    flags = mode[3]
    assert isinstance(flags, int)
    return not flags & (termios.ECHO | termios.ICANON | termios.ISIG)


@pytest.mark.parametrize(
    ("ending", "code", "said"),
    [
        ("return 3", 3, b""),
        ("require('panto.host').exit(4)", 4, b""),
        ("os.exit(5)", 5, b""),
        ("error('oh no')", 70, b"oh no (traceback in "),
        ("error('', 0)", 70, b"an error without a message (traceback in "),
        ("error({})", 70, b"(error object is a table value)"),
        ("local function f() return f() + 1 end f()", 70, b"stack overflow"),
        ("string.rep('x', 1 << 40)", 70, b"too large"),
        ("coroutine.yield()", 70, b"outside a coroutine"),
    ],
)
def test_every_way_out_gives_the_terminal_back(
    start: object, ending: str, code: int, said: bytes
) -> None:
    screen = start(PREPARE + "io.read('l') " + ending)  # type: ignore[operator]
    screen.read_until(b"raw!\r\n")
    assert is_raw(screen.mode())
    screen.child.write(b"\n")
    assert screen.end() == code
    assert screen.mode() == screen.before
    assert screen.written.count(FAREWELL) == 1
    assert said in screen.written
    if said:
        assert screen.written.index(FAREWELL) < screen.written.index(said)
        assert b"stack traceback" not in screen.written


@pytest.mark.parametrize(
    "busy",
    [
        "while true do end",
        "io.read('l')",
        "local uv = require('luv') uv.new_timer():start(1e6, 0, print) uv.run()",
        "os.execute('sleep 30')",
        "local s = ('x'):rep(1 << 16) while true do require('panto.host').text_graphemes(s) end",
    ],
)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_gives_the_terminal_back_whatever_lua_does(
    start: object, busy: str, number: signal.Signals
) -> None:
    screen = start(PREPARE + busy)  # type: ignore[operator]
    screen.read_until(b"raw!\r\n")
    time.sleep(0.1)
    os.kill(screen.child.pid, number)
    assert screen.end(5) == 128 + number
    assert screen.mode() == screen.before
    assert screen.written.endswith(FAREWELL)


def test_a_signal_that_luv_watches_is_luvs(start: object) -> None:
    screen = start(  # type: ignore[operator]
        PREPARE
        + """
        local uv = require("luv")
        local watcher = uv.new_signal()
        watcher:start("sigterm", function() print("caught") host.exit(9) end)
        print("watching")
        uv.run()
        """
    )
    screen.read_until(b"watching")
    os.kill(screen.child.pid, signal.SIGTERM)
    assert screen.end() == 9
    assert b"caught" in screen.written
    assert screen.mode() == screen.before


def test_it_is_given_back_in_between_and_taken_again(start: object) -> None:
    screen = start(  # type: ignore[operator]
        PREPARE
        + """
        io.read("l")
        host.term_restore() host.term_restore()
        print("paused")
        io.read("l")
        host.term_raw() host.term_raw()
        print("again")
        io.read("l")
        """
    )
    screen.read_until(b"raw!")
    screen.child.write(b"\n")
    screen.read_until(b"paused")
    assert screen.mode() == screen.before
    screen.child.write(b"\n")
    screen.read_until(b"again")
    assert is_raw(screen.mode())
    screen.child.write(b"\n")
    assert screen.end() == 0
    assert screen.mode() == screen.before
    assert screen.written.count(FAREWELL) == 2


@pytest.mark.parametrize("writer", ["host.term_write", "write_term"])
def test_a_terminal_that_luv_made_non_blocking_gets_every_byte_and_is_mended(
    start: object, writer: str
) -> None:
    screen = start(  # type: ignore[operator]
        PREPARE
        + """
        local uv = require("luv")
        local poll = uv.new_poll(0)
        poll:start("r", function() end)
        local function write_term(bytes)
          poll:stop()
          local t = require("panto.sys.term").open()
          t:write(bytes)
          t:close()
          host.term_raw()
        end
        WRITER(("0123456789"):rep(30000) .. "|")
        poll:stop()
        host.term_restore()
        os.execute("dd bs=1 count=1 2>&1; echo read it")
        """.replace("WRITER", writer)
    )
    screen.read_until(b"|")
    assert screen.written.count(b"0123456789") == 30000
    time.sleep(0.3)
    screen.child.write(b"\n")
    screen.read_until(b"read it")
    assert b"temporarily unavailable" not in screen.written
    assert screen.end() == 0


def test_a_terminal_that_is_gone_is_written_to_once_and_ends_the_input(
    start: object, tmp_path: Path
) -> None:
    screen = start(  # type: ignore[operator]
        f"""
        local uv = require("luv")
        local t = require("panto.sys.term").open()
        local write, count = uv.fs_write, 0
        uv.fs_write = function(...)
          count = count + 1
          return write(...)
        end
        require("panto.sys.signal").on("sighup", function()
          t.poll:stop()
          t:write("lost")
          t:write("lost too")
          local file = assert(io.open("{tmp_path}/told", "w"))
          file:write(count, " ", t.events:poll().type)
          file:close()
          t:close()
          require("panto.host").exit(0)
        end)
        t:write("ready")
        count = 0
        uv.new_timer():start(30000, 0, print)
        uv.run()
        """
    )
    screen.read_until(b"ready")
    os.close(screen.child.fd)
    screen.child.closed = True
    deadline = time.monotonic() + 10
    told = tmp_path / "told"
    while not (told.exists() and told.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert told.read_text() == "1 eof"


def test_an_answer_that_is_on_its_way_is_read_before_the_terminal_is_given_back(
    start: object,
) -> None:
    screen = start(  # type: ignore[operator]
        """
        local t = require("panto.sys.term").open()
        t:write("where?")
        t:read_until("%d+;%d+R", 20000)
        t:write("there")
        local before = require("luv").hrtime()
        t:read_until("%d+;%d+R", 50)
        assert(require("luv").hrtime() - before < 10e9)
        t:close()
        local read = ""
        for event in function() return t.events:poll() end do
          read = read .. event.data
        end
        print(("%q"):format(read))
        """
    )
    screen.read_until(b"where?")
    screen.child.write(b"\x1b[3")
    time.sleep(0.1)
    screen.child.write(b";4Rtyped")
    screen.read_until(b"there")
    assert screen.end() == 0
    assert b'"\\27[3;4Rtyped"' in screen.written


def test_size_and_kind_are_known(start: object) -> None:
    screen = start(  # type: ignore[operator]
        """
        local host = require("panto.host")
        print(host.term_size())
        print(host.isatty(0), host.isatty(1), host.isatty(99))
        io.read("l")
        print(host.term_size())
        """
    )
    screen.read_until(b"97\t31\r\ntrue\ttrue\tfalse\r\n")
    screen.child.setwinsize(10, 20)
    screen.child.write(b"\n")
    screen.read_until(b"20\t10\r\n")


def test_a_closed_terminal_does_not_hang_the_end(start: object) -> None:
    screen = start(PREPARE + "require('luv').sleep(500) return 0")  # type: ignore[operator]
    screen.read_until(b"raw!")
    os.close(screen.child.fd)
    screen.child.closed = True
    deadline = time.monotonic() + 10
    while True:
        pid, _ = os.waitpid(screen.child.pid, os.WNOHANG)
        if pid:
            break
        assert time.monotonic() < deadline
        time.sleep(0.05)
    screen.child.terminated = True
