"""A terminal that stops reading holds nothing up: panto goes on, and ends when it is told to."""

from __future__ import annotations

import os
import re
import select
import signal
import time
from collections.abc import Callable, Iterator

import pyte
import pytest
from ptyprocess import PtyProcess
from support.home import PANTO, Home
from support.provider import Provider

WORDS = [f"w{number:05d}" for number in range(3000)]
DELTAS = [word + ("\n\n" if number % 10 == 9 else " ") for number, word in enumerate(WORDS)]
DELTAS.append("The end.")


class Stalled:
    """panto in a pty that is read only where a test says so."""

    def __init__(self, home: Home) -> None:
        env = {k: v for k, v in home.full_env().items() if k not in ("TMUX", "STY")}
        self.child = PtyProcess.spawn(
            [str(PANTO)], cwd=str(home.work), env={**env, "TERM": "xterm-256color"}
        )
        self.written = b""

    def read_until(self, wanted: bytes, seconds: float = 40) -> None:
        """Reads until the text has come."""
        limit = time.monotonic() + seconds
        while wanted not in self.written:
            assert time.monotonic() < limit, self.written[-2000:]
            if select.select([self.child.fd], [], [], 0.1)[0]:
                self.written += os.read(self.child.fd, 65536)

    def wait_full(self, seconds: float = 40) -> None:
        """Waits until nothing more goes into the pty."""
        limit, poll = time.monotonic() + seconds, select.poll()
        terminal = os.open(f"/proc/{self.child.pid}/fd/1", os.O_RDWR | os.O_NOCTTY)
        poll.register(terminal, select.POLLOUT)
        while poll.poll(0):
            assert time.monotonic() < limit, "the terminal takes all"
            time.sleep(0.05)
        os.close(terminal)

    def wait_end(self, seconds: float = 15) -> int:
        """Waits until panto is gone; its exit code. Nothing is read meanwhile."""
        limit = time.monotonic() + seconds
        while self.child.isalive():
            assert time.monotonic() < limit, "panto still runs"
            time.sleep(0.05)
        return int(self.child.exitstatus)


@pytest.fixture
def begin(agent_home: Home) -> Iterator[Callable[[], Stalled]]:
    """Starts panto, whose answer streams; the terminal is not read any more once it does."""
    opened: list[Stalled] = []
    with Provider([{"deltas": DELTAS, "delay_s": 0.001}]) as provider:
        agent_home.use_provider(provider.url)

        def start() -> Stalled:
            terminal = Stalled(agent_home)
            opened.append(terminal)
            terminal.read_until("›".encode())
            terminal.child.write(b"go\r")
            terminal.wait_full()
            return terminal

        yield start
        for terminal in opened:
            terminal.child.close(force=True)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_panto_though_the_terminal_takes_nothing(
    begin: Callable[[], Stalled], number: signal.Signals, code: int
) -> None:
    terminal = begin()
    os.kill(terminal.child.pid, number)
    assert terminal.wait_end() == code


def test_keys_are_heard_though_the_terminal_takes_nothing(begin: Callable[[], Stalled]) -> None:
    terminal = begin()
    terminal.child.write(b"\x03")
    time.sleep(0.1)  # two Ctrl+C in one piece are two all the same
    terminal.child.write(b"\x03")
    assert terminal.wait_end() == 0


def test_a_terminal_that_reads_again_gets_the_whole_answer(begin: Callable[[], Stalled]) -> None:
    terminal = begin()
    terminal.child.write(b"typed")
    terminal.read_until(b"The end.")
    terminal.read_until(b"typed")
    screen = pyte.HistoryScreen(80, 24, history=10000)
    pyte.ByteStream(screen).feed(terminal.written)
    above = ["".join(row[col].data for col in range(80)) for row in screen.history.top]
    assert re.findall(r"w\d{5}", "\n".join(above + screen.display)) == WORDS
