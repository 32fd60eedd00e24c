"""argv in, exit code out: paths, rocks, runtime, then lua/panto/main.lua has the word."""

from __future__ import annotations

import os
import sys

from panto_host.host import Host
from panto_host.paths import Paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

ROCKLESS = frozenset(["help", "--help", "-h", "--version", "bootstrap"])
SOFTWARE_FAILURE = 70


def run(entry: str = "panto/main.lua") -> NoReturn:
    """Runs panto with the words of the command line and ends the process.

    ``entry`` is the Lua file that gets the word, below the program's Lua folder.
    """
    if sys.platform == "win32":
        sys.stderr.write("panto: Windows is not supported; run panto inside WSL\n")
        sys.exit(2)
    host = Host(Paths(os.environ), sys.argv[1:])
    code = SOFTWARE_FAILURE
    try:
        code = _main(host, sys.argv[1] if len(sys.argv) > 1 else "", entry)
    except KeyboardInterrupt:
        code = 128 + 2
    except BaseException as error:
        from traceback import format_exc

        _report(host, f"{type(error).__name__}: {error}", format_exc())
    host.leave(code)


def _main(host: Host, word: str, entry: str) -> int:
    sys.setswitchinterval(0.0005)
    if word not in ROCKLESS and "PANTO_ROCKS_TREE" not in os.environ:
        code = _ensure_rocks(host.paths)
        if code:
            return code
    if word == "lua":
        _be_interpreter(host)
    else:
        _watch_signals(host)
    from panto_host.runtime import Runtime

    runtime = Runtime(host)
    code, message, traceback = runtime.run(os.path.join(host.paths.lua_root, entry))
    if message:
        _report(host, message, traceback)
    elif host.interpreter:
        runtime.close()
    return code


def _ensure_rocks(paths: Paths) -> int:
    from panto_host import rocks

    return 0 if rocks.ready(paths) else rocks.ensure(paths, _progress)


def _progress(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _be_interpreter(host: Host) -> None:
    """Lets Ctrl+C and a broken pipe end ``panto lua`` at once, as they end lua."""
    from _signal import SIG_DFL, SIGINT, SIGPIPE, signal

    host.interpreter = True
    signal(SIGINT, SIG_DFL)
    signal(SIGPIPE, SIG_DFL)


def _watch_signals(host: Host) -> None:
    """Ends panto on a signal that Lua's loop has not taken over, whatever Lua is busy with.

    Python's own handlers wait for Python code to run; but the number of the signal is written
    into a pipe at once, and a thread reads that.
    """
    from _signal import SIG_IGN, SIGHUP, SIGINT, SIGTERM, getsignal, set_wakeup_fd, signal
    from _thread import start_new_thread

    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    def watch() -> None:
        host.leave(128 + os.read(reader, 1)[0], flush=False)

    set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in (SIGHUP, SIGINT, SIGTERM):
        if getsignal(number) != SIG_IGN:
            signal(number, lambda *_: None)
    start_new_thread(watch, ())


def _report(host: Host, message: str, traceback: str) -> None:
    """Gives the terminal back and tells the user in one line, the log in full."""
    import time

    host.terminal.restore()
    folder = host.paths.state_home
    line = message.splitlines()[0] if message else "unknown error"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(f"{folder}/panto.log", "a", encoding="utf-8") as stream:
            stream.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {traceback}\n")
        line += f" (traceback in {folder}/panto.log)"
    except OSError:
        line += f"\n{traceback}"
    sys.stderr.write(f"panto: {line}\n")
