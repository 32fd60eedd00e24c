"""Shell commands for io.popen and os.execute, started without the weight of subprocess."""

from __future__ import annotations

import os
from _signal import SIG_DFL, SIGPIPE, SIGTERM, SIGXFSZ, getsignal


class Children:
    """Commands begun by ``popen_start`` and not waited for yet."""

    def __init__(self) -> None:
        self._running: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        self._next = 0

    def start(self, command: bytes, mode: bytes) -> tuple[int | None, int | str]:
        """Starts ``sh -c command`` with a pipe; returns a number and this side's descriptor.

        ``mode`` is ``r`` (read its output) or ``w`` (write its input).
        """
        reader, writer = os.pipe()
        mine, theirs, slot = (reader, writer, 1) if mode == b"r" else (writer, reader, 0)
        try:
            process = _spawn(command, [(os.POSIX_SPAWN_DUP2, theirs, slot)])
        except OSError as error:
            os.close(mine)
            return None, os.strerror(error.errno or 0)
        finally:
            os.close(theirs)
        self._next += 1
        self._running[self._next] = process
        self._ends[self._next] = mine
        return self._next, mine

    def opened(self, identity: int) -> None:
        """Closes this side's descriptor after Lua has opened it anew, and hides Lua's from
        later commands, which would else keep the pipe open."""
        fd = self._ends.pop(identity, None)
        if fd is None:
            return
        pipe = os.fstat(fd)
        os.close(fd)
        for name in os.listdir("/dev/fd"):
            try:
                if os.path.samestat(os.fstat(int(name)), pipe):
                    os.set_inheritable(int(name), False)
            except OSError:
                continue  # the listing's own descriptor

    def wait(self, identity: int) -> int | None:
        """Waits for the command's end and returns its raw wait status."""
        self.opened(identity)
        process = self._running.pop(identity, None)
        return None if process is None else os.waitpid(process, 0)[1]

    def kill(self) -> None:
        """Ends whatever still runs."""
        for process in list(self._running.values()):
            try:
                os.kill(process, SIGTERM)
            except OSError:
                continue


def system(command: bytes) -> int:
    """Runs a command, waits, and returns its raw wait status.

    As the interpreter this is C's ``system``. Elsewhere SIGPIPE is ignored, which the command
    must not inherit, and the loop's signal handlers must not be touched.
    """
    if getsignal(SIGPIPE) == SIG_DFL:
        return os.system(command)
    return os.waitpid(_spawn(command, []), 0)[1]


def _spawn(command: bytes, actions: list[tuple[int, int, int]]) -> int:
    return os.posix_spawn(
        "/bin/sh",
        [b"sh", b"-c", command],
        os.environ,
        file_actions=actions,
        setsigdef=[SIGPIPE, SIGXFSZ],
    )
