"""Real terminals on a screen of their own: Xvfb, real key presses, real pastes, pictures."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

NEEDED = ("Xvfb", "xdotool", "xclip", "import")
WAIT_S = 30.0

COMMANDS = {
    "xterm": ["xterm", "-fa", "DejaVu Sans Mono", "-fs", "11", "-geometry", "100x30", "-e"],
    "kitty": ["kitty", "--config", "NONE", "-o", "confirm_os_window_close=0",
              "-o", "remember_window_size=no", "-o", "initial_window_width=1000",
              "-o", "initial_window_height=620", "-o", "font_size=11",
              "-o", "allow_remote_control=yes"],
}
PASTE_KEYS = {"xterm": "shift+Insert", "kitty": "ctrl+shift+v"}


def missing(kind: str) -> list[str]:
    """The programs that are not installed here."""
    return [name for name in (kind, *NEEDED) if shutil.which(name) is None]


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Waits until something holds."""
    limit = time.monotonic() + WAIT_S
    while not holds():
        if time.monotonic() > limit:
            raise AssertionError(f"never: {what}")
        time.sleep(0.05)


class Display:
    """One X server with one real terminal in it, which runs one program."""

    def __init__(self, kind: str, command: str, folder: Path, env: dict[str, str]) -> None:
        """Starts the server and the terminal; the shell command runs in `folder` with `env`."""
        self.kind = kind
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as number:
            name = ":" + number.readline().strip()
        runtime = folder.parent / "xdg"
        runtime.mkdir(mode=0o700, exist_ok=True)
        kept = {k: v for k, v in os.environ.items() if k not in ("TMUX", "TMUX_PANE", "TERM")}
        self.env = {**kept, "DISPLAY": name, "XDG_RUNTIME_DIR": str(runtime),
                    "LIBGL_ALWAYS_SOFTWARE": "1", "KITTY_DISABLE_WAYLAND": "1"}
        self.socket = f"unix:{runtime}/kitty"
        remote = ["--listen-on", self.socket] if kind == "kitty" else []
        self.terminal = subprocess.Popen(
            [*COMMANDS[kind], *remote, "sh", "-c", command], cwd=folder, env={**self.env, **env},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        try:
            self.window = self._window()
        except AssertionError:
            self._end()
            raise

    def __enter__(self) -> Display:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        for child in (self.terminal, self.server):
            child.terminate()
        for child in (self.terminal, self.server):
            child.wait(timeout=20)

    def _run(self, *words: str, data: bytes | None = None) -> str:
        done = subprocess.run(words, env=self.env, input=data, timeout=20, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return done.stdout.decode()

    def _window(self) -> str:
        found: list[str] = []

        def look() -> bool:
            found[:] = self._run("xdotool", "search", "--onlyvisible", "--class",
                                 self.kind).split()
            return bool(found)

        wait_until(look, f"a window of {self.kind}")
        self._run("xdotool", "windowfocus", "--sync", found[0])
        return found[0]

    def keys(self, *names: str) -> None:
        """Presses keys by X's names."""
        for name in names:
            self._run("xdotool", "key", "--clearmodifiers", name)
            time.sleep(0.05)

    def type(self, text: str) -> None:
        """Types text letter by letter."""
        self._run("xdotool", "type", "--delay", "15", text)

    def paste(self, data: bytes) -> None:
        """Puts bytes into the clipboard and presses the terminal's key for it."""
        for name in ("primary", "clipboard"):
            subprocess.run(["xclip", "-selection", name], env=self.env, input=data, check=True,
                           timeout=20, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.keys(PASTE_KEYS[self.kind])

    def resize(self, width: int, height: int) -> None:
        """Gives the window another size, in pixels."""
        self._run("xdotool", "windowsize", self.window, str(width), str(height))
        time.sleep(0.3)

    def title(self) -> str:
        """The window's title."""
        return self._run("xdotool", "getwindowname", self.window).strip()

    def text(self) -> str:
        """Scrollback and screen of kitty as text; xterm does not tell."""
        return self._run("kitty", "@", "--to", self.socket, "get-text", "--extent=all")

    def picture(self, path: Path) -> None:
        """Saves what is on the screen."""
        self._run("import", "-window", "root", "-trim", str(path))
