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


def run() -> NoReturn:
    """Runs panto with the words of the command line and ends the process."""
    if sys.platform == "win32":
        sys.stderr.write("panto: Windows is not supported; run panto inside WSL\n")
        sys.exit(2)
    try:
        host = Host(Paths(os.environ), sys.argv[1:])
        host.leave(_main(host, sys.argv[1] if len(sys.argv) > 1 else ""))
    except KeyboardInterrupt:
        os._exit(130)


def _main(host: Host, word: str) -> int:
    sys.setswitchinterval(0.0005)
    if word not in ROCKLESS and "PANTO_ROCKS_TREE" not in os.environ:
        code = _ensure_rocks(host.paths)
        if code:
            return code
    if word == "lua":
        _be_interpreter(host)
    from panto_host.runtime import Runtime

    runtime = Runtime(host)
    code, message, traceback = runtime.run(os.path.join(host.paths.lua_root, "panto", "main.lua"))
    if message:
        host.terminal.leave()
        _report(host.paths, message, traceback)
    return code


def _ensure_rocks(paths: Paths) -> int:
    try:
        from panto_host import rocks
    except ImportError:
        return 0
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


def _report(paths: Paths, message: str, traceback: str) -> None:
    """Tells the user in one line and the log in full."""
    import time

    log = os.path.join(paths.state_home, "panto.log")
    line = message.splitlines()[0] if message else "unknown error"
    try:
        os.makedirs(paths.state_home, mode=0o700, exist_ok=True)
        with open(log, "a", encoding="utf-8") as stream:
            stream.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {traceback}\n")
        line += f" (traceback in {log})"
    except OSError:
        line += f"\n{traceback}"
    sys.stderr.write(f"panto: {line}\n")
