"""The host table: every primitive's name and function, and the seal that keeps it safe.

Only nil, booleans, numbers and byte strings cross, both ways. Nothing here raises into Lua,
keeps a Lua value, or calls Lua.
"""

from __future__ import annotations

import os
import sys

from panto_host import __version__
from panto_host.children import Children, system
from panto_host.files import Locks
from panto_host.inbox import Inbox
from panto_host.paths import Paths
from panto_host.terminal import Terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from panto_host.http import Http

    Primitive = Callable[..., Any]

INTEGER = 1 << 63


class Host:
    """What the process lends to Lua, and the state behind it."""

    def __init__(self, paths: Paths, words: list[str]) -> None:
        self.paths = paths
        self.terminal = Terminal()
        self.children = Children()
        self.interpreter = False
        self._words = words
        self._locks = Locks()
        self._inbox = Inbox()
        self._http: Http | None = None

    def primitives(self) -> dict[str, Primitive]:
        """Lists every function of ``panto.host`` by name."""
        terminal = self.terminal
        return {
            "argc": lambda: len(self._words),
            "argv": self._argv,
            "bootstrap": self._bootstrap,
            "exit": lambda code=0: self.leave(int(code)),
            "file_lock": lambda path, wait=False: self._locks.take(path, bool(wait)),
            "file_unlock": lambda identity: self._locks.drop(int(identity)),
            "http_cancel": lambda identity: self._worker().cancel(int(identity)),
            "http_resume": lambda identity: self._worker().resume(int(identity)),
            "http_start": self._http_start,
            "http_warm": lambda: self._worker().warm(),
            "inbox_fd": self._inbox_fd,
            "inbox_next": self._inbox.next,
            "isatty": lambda fd: os.isatty(int(fd)),
            "path": self._path,
            "popen_opened": lambda identity: self.children.opened(int(identity)),
            "popen_start": self.children.start,
            "popen_wait": lambda identity: self.children.wait(int(identity)),
            "signal_default": self._signal_default,
            "system": system,
            "term_on_restore": terminal.on_restore,
            "term_raw": terminal.raw,
            "term_restore": terminal.restore,
            "term_size": terminal.size,
            "term_write": terminal.write,
            "text_graphemes": _on_text("text_graphemes"),
            "text_width": _on_text("text_width"),
            "toml_to_json": _on_text("toml_to_json"),
            "version": lambda: __version__,
        }

    def leave(self, code: int, flush: bool = True) -> NoReturn:
        """Ends the process: terminal as it was, children ended, buffers written, no shutdown."""
        self.terminal.restore()
        self.terminal.unblock()
        if not self.interpreter:
            self.children.kill()
        if flush:
            _flush()
        os._exit(code & 0xFF)

    def _argv(self, index: int) -> bytes | None:
        position = int(index) - 1
        return os.fsencode(self._words[position]) if 0 <= position < len(self._words) else None

    def _path(self, name: bytes) -> bytes | None:
        value = getattr(self.paths, name.decode("ascii", "replace"), None)
        return os.fsencode(value) if isinstance(value, str) else None

    def _bootstrap(self, force: bool) -> int:
        from panto_host import rocks

        return rocks.bootstrap(self.paths, bool(force))

    def _worker(self) -> Http:
        if self._http is None:
            from panto_host.http import Http

            self._ignore_broken_pipes()
            self._http = Http(self._inbox.post)
        return self._http

    def _http_start(self, identity: int, spec: bytes, body: bytes | None = None) -> None:
        self._worker().start(int(identity), spec, body or b"")

    def _inbox_fd(self) -> int:
        self._ignore_broken_pipes()
        return self._inbox.fd()

    def _ignore_broken_pipes(self) -> None:
        """Whoever uses sockets must see EPIPE; a plain interpreter dies of it, like lua."""
        from _signal import SIG_IGN, SIGPIPE, signal

        signal(SIGPIPE, SIG_IGN)

    def _signal_default(self, name: bytes) -> tuple[bool | None, str | None]:
        import _signal

        number = getattr(_signal, name.decode("ascii", "replace").upper(), None)
        if not isinstance(number, int):
            return None, f"no signal {name!r}"
        _signal.signal(number, _signal.SIG_DFL)
        return True, None


def _on_text(name: str) -> Primitive:
    """Makes a function of ``text`` take bytes, imported at the first call."""

    def call(data: bytes) -> object:
        from panto_host import text

        return getattr(text, name)(data.decode("utf-8", "surrogateescape"))

    return call


def _flush() -> None:
    """Writes out what Python and every C stream still hold."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue
    try:
        import _ctypes

        program = _ctypes.dlopen(None, 0)  # type: ignore[arg-type]
        _ctypes.call_function(_ctypes.dlsym(program, "fflush"), (None,))
    except (ImportError, OSError, AttributeError):
        return


def seal(function: Primitive) -> Primitive:
    """Wraps a primitive so that it answers ``(True, scalars…)`` or ``(False, message)``."""

    def call(*arguments: object) -> tuple[object, ...]:
        try:
            result = function(*arguments)
            if isinstance(result, tuple):
                return (True, *[_scalar(value) for value in result])
            return (True, _scalar(result))
        except BaseException as error:
            message = f"{type(error).__name__}: {error}"
            return (False, message.encode("utf-8", "backslashreplace"))

    return call


def _scalar(value: object) -> object:
    """Lets through what Lua can hold by value; text becomes bytes."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if value is None or isinstance(value, bytes | bool | float):
        return value
    if isinstance(value, int) and -INTEGER <= value < INTEGER:
        return value
    raise TypeError(f"a {type(value).__name__} cannot cross into Lua")
