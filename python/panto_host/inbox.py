"""What other threads have to say, in order: a queue and a pipe that wakes Lua's loop."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import deque


class Inbox:
    """The only way up from Python to Lua: threads post, Lua takes.

    The read end of a pipe becomes readable while messages wait; one byte lies in it however
    many there are.
    """

    def __init__(self) -> None:
        from _thread import allocate_lock
        from collections import deque

        self._queue: deque[tuple[int, str, bytes]] = deque()
        self._lock = allocate_lock()
        self._signalled = False
        self._reader = -1
        self._writer = -1

    def fd(self) -> int:
        """Returns the pipe end that Lua polls, making the pipe at the first call."""
        with self._lock:
            if self._reader < 0:
                self._reader, self._writer = os.pipe()
                os.set_blocking(self._reader, False)
                os.set_blocking(self._writer, False)
                if self._queue:
                    self._ring()
        return self._reader

    def post(self, identity: int, kind: str, data: bytes) -> None:
        """Adds one message; may be called from any thread and never blocks."""
        with self._lock:
            self._queue.append((identity, kind, data))
            if self._writer >= 0 and not self._signalled:
                self._ring()

    def next(self) -> tuple[int, str, bytes] | None:
        """Takes the oldest message, or empties the pipe and returns None."""
        with self._lock:
            if self._queue:
                return self._queue.popleft()
            if self._signalled:
                self._signalled = False
                os.read(self._reader, 16)
        return None

    def _ring(self) -> None:
        self._signalled = True
        os.write(self._writer, b"!")
