"""Ctrl+C in the interpreter's conversation: ends the running chunk with an error, not the process.

Python's handlers wait for Python code to run, which a loop in Lua never does. But the signal's
number is written into a pipe at once; a thread reads it and sets a hook in the Lua state, which is
what lua's own handler does too. The hook is Lua's ``lua_error``.
"""

from __future__ import annotations

import os
from _thread import start_new_thread

ALL_EVENTS = 0b1111  # LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT


class Interrupt:
    """The watch over SIGINT; nothing happens before ``arm``."""

    def __init__(self) -> None:
        self._state = 0
        self._taken = self._is_watched = False

    def arm(self, state: bytes) -> None:
        """Has the next SIGINT end what Lua runs; ``state`` is the address of the main thread.

        A second one before the next ``arm`` ends the process.
        """
        from _signal import SIGINT, set_wakeup_fd, signal

        self._state, self._taken = int(state, 16), False
        if not self._is_watched:
            reader, writer = os.pipe()
            os.set_blocking(writer, False)
            set_wakeup_fd(writer, warn_on_full_buffer=False)
            start_new_thread(self._watch, (reader, SIGINT))
            self._is_watched = True
        signal(SIGINT, lambda *_: None)

    def take(self) -> bool:
        """Tells whether SIGINT came since ``arm``, once."""
        taken, self._taken = self._taken, False
        return taken

    def _watch(self, reader: int, number: int) -> None:
        from ctypes import CDLL, c_void_p, cast

        library = CDLL(None)
        raise_error = cast(library.lua_error, c_void_p)
        while os.read(reader, 1):
            self._taken = True
            library.lua_sethook(c_void_p(self._state), raise_error, ALL_EVENTS, 1)
            library.signal(number, None)
