"""Shell commands for io.popen and os.execute, started without the weight of subprocess."""

from __future__ import annotations

import os
from _signal import SIG_DFL, SIGPIPE, SIGTERM, SIGXFSZ, getsignal, valid_signals


class Children:
    """Commands that have begun and were not waited for yet; a command's number is its process."""

    def __init__(self) -> None:
        self._running: dict[int, int] = {}  # with this side's end of the pipe, or -1

    def start(self, command: bytes, mode: bytes) -> tuple[int | None, int | str | None]:
        """Starts ``sh -c command`` with a pipe, whose ``mode`` is ``r`` (read its output) or ``w``
        (write its input); returns a number and this side's descriptor."""
        reader, writer = os.pipe()
        mine, theirs, slot = (reader, writer, 1) if mode == b"r" else (writer, reader, 0)
        try:
            process = self._spawn(command, [(os.POSIX_SPAWN_DUP2, theirs, slot)], mine)
        except OSError as error:
            os.close(mine)
            return None, error.strerror
        finally:
            os.close(theirs)
        return process, mine

    def spawn(
        self, words: bytes, variables: bytes, folder: bytes, *files: int
    ) -> tuple[int | None, str | None]:
        """Starts a program in a session of its own; lists are joined by NUL bytes. Unlike a fork
        it copies nothing of this process."""
        actions = [(os.POSIX_SPAWN_DUP2, file, slot) for slot, file in enumerate(files)]
        environ = dict(pair.split(b"=", 1) for pair in variables.split(b"\0") if pair)
        argv, signals = words.split(b"\0"), valid_signals()
        here = -1
        try:
            here = os.open(".", getattr(os, "O_PATH", os.O_RDONLY))  # it may not be readable
            os.chdir(folder)
            process = os.posix_spawnp(
                argv[0], argv, environ, file_actions=actions, setsid=True, setsigdef=signals
            )
        except OSError as error:
            return None, error.strerror
        finally:
            if here >= 0:
                os.fchdir(here)
                os.close(here)
        self._running[process] = -1
        return process, None

    def opened(self, process: int) -> None:
        """Closes this side's descriptor, which Lua has opened anew, and hides Lua's from later
        commands, which would else keep the pipe open."""
        fd = self._running.get(process, -1)
        if fd < 0:
            return
        self._running[process] = -1
        pipe = os.fstat(fd)
        os.close(fd)
        for name in os.listdir("/dev/fd"):
            try:
                if os.path.samestat(os.fstat(int(name)), pipe):
                    os.set_inheritable(int(name), False)
            except OSError:
                continue  # the listing's own descriptor

    def wait(self, process: int, flags: int = 0) -> int | None:
        """Waits for a command's end and returns its raw wait status, once."""
        if process not in self._running:
            return None
        self.opened(process)
        done, status = os.waitpid(process, flags)
        if done:
            del self._running[done]
        return status if done else None

    def system(self, command: bytes) -> int | None:
        """Runs a command, waits, and returns its raw wait status. As the interpreter this is C's
        ``system``; elsewhere SIGPIPE is ignored, which the command must not inherit, and the
        loop's signal handlers must not be touched."""
        if getsignal(SIGPIPE) == SIG_DFL:
            return os.system(command)
        return self.wait(self._spawn(command, [], -1))

    def kill(self) -> None:
        """Ends whatever still runs."""
        for process in list(self._running):
            os.kill(process, SIGTERM)

    def _spawn(self, command: bytes, actions: list[tuple[int, int, int]], end: int) -> int:
        words, back = [b"sh", b"-c", command], [SIGPIPE, SIGXFSZ]
        process = os.posix_spawn("/bin/sh", words, os.environ, file_actions=actions, setsigdef=back)
        self._running[process] = end
        return process
