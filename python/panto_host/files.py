"""Advisory file locks that one process at a time holds, and the stamps of many files at once."""

from __future__ import annotations

import os


class Locks:
    """Locks held by this process, by number; the kernel drops them when it ends."""

    def __init__(self) -> None:
        self._held: set[int] = set()

    def take(self, path: bytes, wait: bool = False) -> tuple[int | None, str | None]:
        """Locks a file, making it when absent; without ``wait`` a held lock is a failure."""
        import fcntl

        fd = -1
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError as error:
            if fd >= 0:
                os.close(fd)
            busy = isinstance(error, BlockingIOError)
            reason = "held by another process" if busy else error.strerror
            return None, f"{os.fsdecode(path)}: {reason}"
        self._held.add(fd)
        return fd, None

    def drop(self, identity: int) -> bool:
        """Releases a lock; an unknown number is no error."""
        if is_held := identity in self._held:
            self._held.remove(identity)
            os.close(identity)
        return is_held


def file_stamps(names: bytes) -> bytes:
    """Answers time and size of each of the files whose names NUL bytes divide, a line for each, as
    ``nanoseconds:bytes``; an empty line where there is none."""
    lines = []
    for name in names.split(b"\0"):
        try:
            stat = os.stat(name)
            lines.append(b"%d:%d" % (stat.st_mtime_ns, stat.st_size))
        except OSError:
            lines.append(b"")
    return b"\n".join(lines)
