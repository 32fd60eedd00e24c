"""What other threads have to say, in order: a queue and a pipe that wakes Lua's loop."""

from __future__ import annotations

import os
from _thread import allocate_lock
from collections import deque


class Inbox:
    """The only way up from Python to Lua; while messages wait, one byte lies in the pipe."""

    def __init__(self) -> None:
        self._queue: deque[tuple[int, str, bytes]] = deque()
        self._lock = allocate_lock()
        self._pipe = (-1, -1)
        self._rung = False

    def fd(self) -> int:
        """Returns the pipe end that Lua polls, making the pipe at the first call."""
        with self._lock:
            if self._pipe[0] < 0:
                self._pipe = os.pipe()
                self._ring()
        return self._pipe[0]

    def post(self, identity: int, kind: str, data: bytes) -> None:
        """Adds one message; may be called from any thread and never blocks."""
        with self._lock:
            self._queue.append((identity, kind, data))
            self._ring()

    def next(self) -> tuple[int, str, bytes, bool] | None:
        """Takes the oldest message and says whether more wait; when none does, empties the pipe."""
        with self._lock:
            message = self._queue.popleft() if self._queue else None
            if self._rung and not self._queue:
                self._rung = False
                os.read(self._pipe[0], 1)
            return (*message, bool(self._queue)) if message else None

    def _ring(self) -> None:
        if self._queue and not self._rung and self._pipe[1] >= 0:
            self._rung = True
            os.write(self._pipe[1], b"!")
