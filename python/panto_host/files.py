"""Advisory file locks that one process at a time holds."""

from __future__ import annotations

import os


class Locks:
    """Locks held by this process, by number; the kernel drops them when it ends."""

    def __init__(self) -> None:
        self._held: dict[int, int] = {}
        self._next = 0

    def take(self, path: bytes, wait: bool) -> tuple[int | None, str | None]:
        """Locks a file, making it when absent; without ``wait`` a held lock is a failure."""
        import fcntl

        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            return None, f"{os.fsdecode(path)}: {os.strerror(error.errno or 0)}"
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            os.close(fd)
            return None, f"{os.fsdecode(path)}: held by another process"
        except OSError as error:
            os.close(fd)
            return None, f"{os.fsdecode(path)}: {os.strerror(error.errno or 0)}"
        self._next += 1
        self._held[self._next] = fd
        return self._next, None

    def drop(self, identity: int) -> bool:
        """Releases a lock; an unknown number is no error."""
        fd = self._held.pop(identity, None)
        if fd is None:
            return False
        os.close(fd)
        return True
