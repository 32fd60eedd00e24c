"""The terminal's raw mode, size and output, and its way back to what it was."""

from __future__ import annotations

import os


class Terminal:
    """Standard input and output as a terminal; restores what it changed."""

    def __init__(self) -> None:
        self._saved: list[int | list[bytes | int]] | None = None
        self._farewell = b""
        self._blocking = [fd for fd in range(3) if os.get_blocking(fd)]

    def raw(self) -> tuple[bool | None, str | None]:
        """Switches input to raw keys (no echo, no signals); output keeps newline translation."""
        import termios
        import tty

        try:
            before = termios.tcgetattr(0)
            tty.setraw(0, termios.TCSANOW)
            mode = termios.tcgetattr(0)
            mode[1] |= termios.OPOST | termios.ONLCR
            termios.tcsetattr(0, termios.TCSANOW, mode)
        except termios.error as error:
            return None, f"standard input: {error.args[-1]}"
        self._saved = self._saved or before
        return True, None

    def restore(self) -> bool:
        """Gives the terminal back as it was before ``raw``, after the bytes of ``on_restore``; does
        nothing when it is not raw, never raises and never hangs."""
        saved, self._saved = self._saved, None
        if saved is None:
            return False
        import termios
        from _signal import SIG_BLOCK, SIG_SETMASK, SIGTTOU, pthread_sigmask

        mask = pthread_sigmask(SIG_BLOCK, [SIGTTOU])  # in the background it would stop us
        try:
            if self._farewell and _is_writable(1, 500):
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
        for fd in self._blocking:
            try:
                os.set_blocking(fd, True)
            except OSError:
                continue

    def write(self, data: bytes) -> tuple[bool | None, str | None]:
        """Writes all of ``data`` to standard output; gives up once nothing goes for a second."""
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(1, view) :]
            except OSError as error:
                if not (isinstance(error, BlockingIOError) and _is_writable(1, 1000)):
                    return None, error.strerror
        return True, None

    def size(self) -> tuple[int, int] | None:
        """Returns columns and rows, or nothing when no standard stream is a terminal."""
        for fd in (1, 0, 2):
            try:
                columns, rows = os.get_terminal_size(fd)
            except OSError:
                continue
            if columns > 0 and rows > 0:
                return columns, rows
        return None


def _is_writable(fd: int, wait_ms: int) -> bool:
    import select

    poller = select.poll()
    poller.register(fd, select.POLLOUT)
    return bool(poller.poll(wait_ms))
