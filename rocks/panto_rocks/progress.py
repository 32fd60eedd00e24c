"""Tells how far a bootstrap has come: a line that counts on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TICK_SECONDS = 0.25
PLAIN_SECONDS = 10.0


def say(line: str) -> None:
    """Tells the user on standard error; names of files keep their bytes."""
    sys.stderr.buffer.write(line.encode("utf-8", "surrogateescape") + b"\n")
    sys.stderr.flush()


class Progress:
    """The step that is under way, and the lines that are said meanwhile, from any thread."""

    def __init__(self) -> None:
        dumb = os.environ.get("TERM", "dumb") == "dumb"
        self.is_live = not dumb and sys.stderr is not None and sys.stderr.isatty()
        self.lock = threading.Lock()
        self.line = ""

    def say(self, line: str) -> None:
        """Says a line for good; the counting one goes on below it."""
        with self.lock:
            self._clear()
            say(line)
            self._show(self.line)

    @contextmanager
    def step(self, what: str, state: Callable[[], str]) -> Iterator[None]:
        """Shows what is done, how far it is and for how long, until the block ends."""
        began, ended = time.monotonic(), threading.Event()

        def told() -> str:
            return f"{what}: {state()}, {time.monotonic() - began:.0f} s"

        def tick() -> None:
            while not ended.wait(TICK_SECONDS if self.is_live else PLAIN_SECONDS):
                if self.is_live:
                    with self.lock:
                        self._show(told())
                else:
                    say(told())

        if not self.is_live:
            say(what)
        ticker = threading.Thread(target=tick, daemon=True)
        ticker.start()
        try:
            yield
        finally:
            ended.set()
            ticker.join()
            with self.lock:
                self._clear()
                self.line = ""
        if self.is_live:
            say(told())

    def _show(self, line: str) -> None:
        self.line = line
        if line:
            self._clear()
            self._write(line[: self._columns() - 1])

    def _clear(self) -> None:
        if self.line:
            self._write("\r\x1b[K")

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(sys.stderr.fileno()).columns or 80
        except OSError:
            return 80

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
