"""The terminal's raw mode, size and output, and its way back to what it was."""

from __future__ import annotations

import os

Termios = list[int | list[bytes | int]]


class Terminal:
    """Standard input and output as a terminal; restores what it changed."""

    def __init__(self) -> None:
        self._saved: Termios | None = None
        self._farewell = b""
        self._blocking = [_is_blocking(fd) for fd in range(3)]

    def raw(self) -> tuple[bool | None, str | None]:
        """Switches input to raw keys (no echo, no signals); output keeps newline translation."""
        import termios

        try:
            before = termios.tcgetattr(0)
        except termios.error as error:
            return None, f"standard input: {error.args[-1]}"
        mode = [list(part) if isinstance(part, list) else part for part in before]
        iflag, oflag, cflag, lflag = (int(flag) for flag in before[:4])
        mode[0] = iflag & ~(
            termios.BRKINT | termios.ICRNL | termios.INPCK | termios.ISTRIP | termios.IXON
        )
        mode[1] = oflag | termios.OPOST | termios.ONLCR
        mode[2] = cflag | termios.CS8
        mode[3] = lflag & ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
        control = mode[6]
        assert isinstance(control, list)
        control[termios.VMIN], control[termios.VTIME] = 1, 0
        if self._saved is None:
            self._saved = before
        try:
            termios.tcsetattr(0, termios.TCSANOW, mode)
        except termios.error as error:
            return None, f"standard input: {error.args[-1]}"
        return True, None

    def restore(self) -> bool:
        """Gives the terminal back as it was before ``raw``, after the bytes of ``on_restore``.

        Does nothing when it is not raw; never raises and never hangs.
        """
        saved, self._saved = self._saved, None
        if saved is None:
            return False
        import termios
        from _signal import SIG_BLOCK, SIG_SETMASK, SIGTTOU, pthread_sigmask

        mask = pthread_sigmask(SIG_BLOCK, [SIGTTOU])  # in the background it would stop us
        try:
            if self._farewell and _writable(1, 0.5):
                os.write(1, self._farewell)
            termios.tcsetattr(0, termios.TCSANOW, saved)
        except (OSError, termios.error):
            return False  # the terminal is gone
        finally:
            self.unblock()
            pthread_sigmask(SIG_SETMASK, mask)
        return True

    def on_restore(self, data: bytes) -> None:
        """Sets what is written whenever the terminal is given back, however the process ends."""
        self._farewell = data

    def unblock(self) -> None:
        """Makes the standard streams wait again where a loop has made them non-blocking."""
        for fd, blocking in enumerate(self._blocking):
            if blocking and not _is_blocking(fd):
                try:
                    os.set_blocking(fd, True)
                except OSError:
                    continue

    def write(self, data: bytes) -> tuple[bool | None, str | None]:
        """Writes all of ``data`` to standard output, waiting where the terminal is slow."""
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(1, view) :]
            except BlockingIOError:
                _writable(1, 1.0)
            except OSError as error:
                return None, os.strerror(error.errno or 0)
        return True, None

    def size(self) -> tuple[int | None, int | None]:
        """Returns columns and rows, or nothing when no standard stream is a terminal."""
        for fd in (1, 0, 2):
            try:
                columns, rows = os.get_terminal_size(fd)
            except OSError:
                continue
            if columns > 0 and rows > 0:
                return columns, rows
        return None, None


def _is_blocking(fd: int) -> bool:
    try:
        return os.get_blocking(fd)
    except OSError:
        return False


def _writable(fd: int, seconds: float) -> bool:
    import select

    poller = select.poll()
    poller.register(fd, select.POLLOUT)
    return bool(poller.poll(seconds * 1000))
