"""argv in, exit code out: paths, rocks, runtime, then lua/panto/main.lua has the word."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from panto_host.host import Host

ROCKLESS = ("help", "--help", "-h", "--version", "bootstrap")
SOFTWARE_FAILURE = 70


def run(entry: str = "panto/main.lua") -> NoReturn:
    """Runs a file of the program's Lua with the words of the command line; ends the process."""
    if sys.platform == "win32":
        sys.stderr.write("panto: Windows is not supported; run panto inside WSL\n")
        sys.exit(2)
    _fill_standard_files()
    from panto_host.host import Host
    from panto_host.paths import Paths

    host = Host(Paths(os.environ), sys.argv[1:])
    try:
        code = _main(host, entry)
    except KeyboardInterrupt:
        code = 128 + 2
    except BaseException as error:
        from traceback import format_exc

        code = _report(host, f"{type(error).__name__}: {error}", format_exc())
    host.leave(code)


def _fill_standard_files() -> None:
    """A standard file that is closed would become whatever is opened next."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def _main(host: Host, entry: str) -> int:
    sys.setswitchinterval(0.0005)
    word = host.words[0] if host.words else ""
    if word not in ROCKLESS and "PANTO_ROCKS_TREE" not in os.environ:
        from panto_host import rocks

        if code := 0 if rocks.ready(host.paths) else rocks.bootstrap(host.paths):
            return code
    if word == "lua":
        _be_interpreter(host)
    else:
        _watch_signals(host)
    if word == "run":
        host.tell_http("warm", b"")  # it takes as long to load as all else
    from panto_host.runtime import Runtime

    code, message, traceback = Runtime(host).run(os.path.join(host.paths.lua_root, entry))
    return _report(host, message, traceback) if message else code


def _be_interpreter(host: Host) -> None:
    """Lets Ctrl+C and a broken pipe end ``panto lua`` at once, as they end lua."""
    from _signal import SIG_DFL, SIGINT, SIGPIPE, signal

    host.interpreter = True
    signal(SIGINT, SIG_DFL)
    signal(SIGPIPE, SIG_DFL)


def _watch_signals(host: Host) -> None:
    """Ends panto on a signal that Lua's loop has not taken over, whatever Lua is busy with: the
    signal's number goes through a pipe to a thread. A handler would wait for Python code to run."""
    import _signal as signals
    from _thread import start_new_thread

    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signals.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in (signals.SIGHUP, signals.SIGINT, signals.SIGTERM):
        if signals.getsignal(number) != signals.SIG_IGN:
            signals.signal(number, lambda *_: None)
            signals.siginterrupt(number, False)  # a read that is interrupted would look like an end
    start_new_thread(lambda: host.leave(128 + os.read(reader, 1)[0], flush=False), ())


def _report(host: Host, message: str, traceback: str) -> int:
    """Gives the terminal back and tells the user in one line, the log in full."""
    import time

    if host.terminal.restore():
        os.write(1, b"\x1b[999B\r\n")  # below all that was drawn
    folder = host.paths.state_home
    line = message.split("\n")[0]
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        fd = os.open(f"{folder}/panto.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(fd, "a", encoding="utf-8", errors="replace") as stream:
            stream.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {traceback}\n")
        line += f" (traceback in {folder}/panto.log)"
    except OSError as error:
        line += f" (no traceback: {folder}/panto.log: {error.strerror})"
    sys.stderr.write(f"panto: {line}\n")
    return SOFTWARE_FAILURE
