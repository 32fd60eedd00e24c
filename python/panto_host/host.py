"""The host table: every primitive's name and function, and the seal that keeps it safe.

Only nil, booleans, numbers and byte strings cross, both ways. Nothing here raises into Lua,
keeps a Lua value, or calls Lua.
"""

from __future__ import annotations

import gc
import os
import sys
from _thread import allocate_lock, start_new_thread
from functools import partial

from panto_host import __version__, rocks
from panto_host.children import Children
from panto_host.files import Locks, file_stamps
from panto_host.inbox import Inbox
from panto_host.interrupt import Interrupt
from panto_host.paths import Paths
from panto_host.terminal import Terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from panto_host.http import Http

    Primitive = Callable[..., Any]

# What httpx loads if it is there and panto has no use for; HTTP/2 is loaded when a server wants it.
UNUSED = ("httpx._main", "anyio", "trio", "httpcore._async.http2", "httpcore._sync.http2")


class Host:
    """What the process lends to Lua, and the state behind it."""

    def __init__(self, paths: Paths, words: list[str]) -> None:
        self.paths, self.words = paths, words
        self.terminal, self.children = Terminal(), Children()
        self.interpreter = False  # a plain `lua` leaves its commands running
        self._locks, self._inbox = Locks(), Inbox()
        self._http: Http | Exception | None = None
        self._http_calls: list[tuple[str, tuple[Any, ...]]] = []
        self._http_lock = allocate_lock()

    def primitives(self) -> dict[str, Primitive]:
        """Lists every function of ``panto.host`` by name."""
        terminal, children, interrupt = self.terminal, self.children, Interrupt()
        return {
            "argc": lambda: len(self.words),
            "argv": self._argv,
            "bootstrap": lambda force: rocks.bootstrap(self.paths, bool(force)),
            "child_spawn": children.spawn,
            "child_status": lambda process: children.wait(process, os.WNOHANG),
            "exit": self.leave,
            "file_lock": self._locks.take,
            "file_stamps": file_stamps,
            "file_unlock": self._locks.drop,
            "http_cancel": partial(self.tell_http, "cancel"),
            "http_resume": partial(self.tell_http, "resume"),
            "http_start": partial(self.tell_http, "start"),
            "http_warm": partial(self.tell_http, "warm"),
            "inbox_fd": self._inbox_fd,
            "inbox_next": self._inbox.next,
            "interrupt_arm": interrupt.arm,
            "interrupt_take": interrupt.take,
            "isatty": os.isatty,
            "path": self._path,
            "popen_opened": children.opened,
            "popen_start": children.start,
            "popen_wait": children.wait,
            "sha256": _sha256,
            "system": children.system,
            "term_on_restore": terminal.on_restore,
            "term_raw": terminal.raw,
            "term_restore": terminal.restore,
            "term_size": terminal.size,
            "term_write": terminal.write,
            "text_graphemes": _on_text("text_graphemes"),
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
        return os.fsencode(self.words[index - 1]) if 0 < index <= len(self.words) else None

    def _path(self, name: bytes) -> bytes | None:
        value = vars(self.paths).get(name.decode("ascii", "replace"))
        return None if value is None else os.fsencode(value)

    def _inbox_fd(self) -> int:
        """Whoever uses the inbox has sockets and must see EPIPE; a plain lua dies of SIGPIPE."""
        from _signal import SIG_IGN, SIGPIPE, signal

        signal(SIGPIPE, SIG_IGN)
        return self._inbox.fd()

    def tell_http(self, method: str, *arguments: object) -> None:
        """Calls HTTP, or has it called once a thread has loaded the library."""
        with self._http_lock:
            if self._http is None:
                if not self._http_calls:
                    self._inbox_fd()
                    start_new_thread(self._load_http, ())
                self._http_calls.append((method, arguments))
                return
        self._call_http(method, arguments)

    def _load_http(self) -> None:
        sys.modules.update(dict.fromkeys(UNUSED))  # type: ignore[arg-type]
        gc.disable()  # of what a library makes while it loads nothing becomes garbage
        try:
            from panto_host.http import Http

            http: Http | Exception = Http(self._inbox.post)
        except Exception as error:
            http = error
        gc.freeze()
        gc.enable()
        for name in UNUSED:
            del sys.modules[name]
        with self._http_lock:
            self._http = http
            for method, arguments in self._http_calls:
                self._call_http(method, arguments)

    def _call_http(self, method: str, arguments: tuple[Any, ...]) -> None:
        if not isinstance(self._http, Exception):
            getattr(self._http, method)(*arguments)
        elif method == "start":
            from json import dumps

            message = f"HTTP cannot be loaded: {type(self._http).__name__}: {self._http}"
            failure = dumps({"kind": "invalid", "message": message}).encode()
            self._inbox.post(arguments[0], "fail", failure)


def _on_text(name: str) -> Primitive:
    """Makes a function of ``text`` take bytes, imported at the first call."""

    def call(data: bytes) -> object:
        from panto_host import text

        return getattr(text, name)(data.decode("utf-8", "surrogateescape"))

    return call


def _sha256(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()


def _flush() -> None:
    """Writes out what Python and every C stream still hold."""
    import _ctypes

    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue
    program = _ctypes.dlopen(None, 0)  # type: ignore[arg-type]
    _ctypes.call_function(_ctypes.dlsym(program, "fflush"), (None,))


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
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        return value
    raise TypeError(f"a {type(value).__name__} cannot cross into Lua")
