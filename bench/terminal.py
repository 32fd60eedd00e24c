"""panto in a pseudo terminal: started, read, typed into, and what it has cost so far."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from checkout import PANTO, Home

PROMPT = "›".encode()
COLS, ROWS = 120, 40


class Terminal:
    """The program and the terminal's side of its pty; a context manager that kills it."""

    def __init__(self, home: Home, words: Sequence[str] = ()) -> None:
        """Start panto in the home's working folder."""
        env = {**home.full_env(), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.started = time.monotonic()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
            os.chdir(home.work)
            os.execve(PANTO, [str(PANTO), *words], env)
        self.written = 0
        self.tail = b""

    def read(self, timeout_s: float) -> bytes:
        """Read what is there now or comes within the time."""
        if not select.select([self.fd], [], [], timeout_s)[0]:
            return b""
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            raise SystemExit(f"panto has ended: {self.tail[-2000:]!r}") from None
        self.written += len(data)
        self.tail = (self.tail + data)[-20_000:]
        return data

    def until(self, wanted: bytes, timeout_s: float = 30) -> float:
        """Read until a text stands in the tail; give the moment."""
        end = time.monotonic() + timeout_s
        while wanted not in self.tail:
            if time.monotonic() > end:
                raise SystemExit(f"{wanted!r} never came: {self.tail[-2000:]!r}")
            self.read(0.5)
        return time.monotonic()

    def echo(self, key: bytes, timeout_s: float = 2) -> float:
        """Type a key that stands nowhere yet; give the seconds until it was shown."""
        self.tail = b""
        typed = time.monotonic()
        os.write(self.fd, key)
        return self.until(key, timeout_s) - typed

    def quiet(self, seconds: float) -> None:
        """Read until nothing has come for so long."""
        while self.read(seconds):
            pass

    def write(self, data: bytes) -> None:
        """Type, and read meanwhile what the program writes."""
        while data:
            _, writable, _ = select.select([self.fd], [self.fd], [], 0.05)
            if writable:
                data = data[os.write(self.fd, data[:4096]) :]
            self.read(0)

    def cpu_ms(self) -> float:
        """The CPU that all its threads have taken, in milliseconds."""
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6

    def wakeups(self) -> int:
        """How often its threads have waited for something."""
        total = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            status = (task / "status").read_text()
            total += int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0])
        return total

    def memory_mb(self) -> float:
        """What it has resident now."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def __enter__(self) -> Terminal:
        """Nothing more to do: it runs."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Kill the program."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)
