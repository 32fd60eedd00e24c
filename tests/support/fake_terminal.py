"""Drives a program in a pty as a terminal that answers what it is asked, and keeps what it gets.

It draws nothing: a test looks at the bytes. Answers are given in the order of the questions, and
what a test sends after them is read after them.
"""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from ptyprocess import PtyProcess

WAIT_S = 40.0

KITTY_QUERY = b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
# What a new kitty says: its version, the size of a cell, that it knows images, what it is.
NEW_KITTY = {
    b"\x1b[>0q": b"\x1bP>|kitty(0.35.2)\x1b\\",
    b"\x1b[16t": b"\x1b[6;20;10t",
    KITTY_QUERY: b"\x1b_Gi=31;OK\x1b\\",
    b"\x1b[c": b"\x1b[?62;c",
}
ITERM = {
    b"\x1b[>0q": b"\x1bP>|iTerm2 3.5.10\x1b\\",
    b"\x1b[16t": b"\x1b[6;20;10t",
    b"\x1b[c": b"\x1b[?62;4c",
}


class FakeTerminal:
    """One pty with one program in it."""

    def __init__(
        self,
        command: list[str],
        *,
        folder: Path,
        env: Mapping[str, str],
        answers: Mapping[bytes, bytes],
        cols: int = 80,
        rows: int = 30,
    ) -> None:
        """Starts `command`; each question in `answers` is answered at once."""
        self.answers = answers
        self._asked = re.compile(b"|".join(re.escape(question) for question in answers))
        self._written = bytearray()
        self.answered: list[bytes] = []
        self._child = PtyProcess.spawn(
            command, cwd=str(folder), env=dict(env), dimensions=(rows, cols)
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> FakeTerminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._child.terminate(force=True)
        self._reader.join(10)
        self._child.close(force=True)

    def _read(self) -> None:
        seen = 0
        while True:
            try:
                self._written += self._child.read(65536)
            except (EOFError, OSError):
                return
            for found in self._asked.finditer(bytes(self._written), seen):
                seen = found.end()
                self.send(self.answers[found[0]])
                self.answered.append(found[0])

    def send(self, data: bytes) -> None:
        """Sends bytes as if the terminal or a key had sent them."""
        with contextlib.suppress(OSError):
            self._child.write(data)

    def written(self) -> bytes:
        """All that the program has written so far."""
        return bytes(self._written)

    def resize(self, cols: int, rows: int) -> None:
        """Gives the terminal another size."""
        self._child.setwinsize(rows, cols)

    def wait_answered(self, questions: int) -> None:
        """Waits until so many questions were answered."""
        limit = time.monotonic() + WAIT_S
        while len(self.answered) < questions:
            if time.monotonic() > limit:
                raise AssertionError(f"asked only {self.answered}: {self.written()[-4000:]!r}")
            time.sleep(0.02)

    def wait(self, pattern: bytes, *, since: int = 0) -> bytes:
        """Waits until the pattern was written behind the first `since` bytes; all behind them."""
        limit = time.monotonic() + WAIT_S
        while not re.search(pattern, self.written()[since:]):
            if time.monotonic() > limit:
                raise AssertionError(f"{pattern!r} never came; the end: {self.written()[-4000:]!r}")
            time.sleep(0.02)
        return self.written()[since:]
