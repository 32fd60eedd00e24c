"""Drives a program in a real terminal: one tmux server of its own, a pane of a fixed size."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import time
from pathlib import Path
from types import TracebackType

WAIT_S = 15.0


class Terminal:
    """One pane that runs one program; its screen and scrollback can be read as text."""

    def __init__(
        self,
        command: list[str],
        *,
        folder: Path,
        env: dict[str, str] | None = None,
        cols: int = 100,
        rows: int = 30,
        extended_keys: bool = False,
    ) -> None:
        """Starts `command` in `folder` with `env` added; the pane stays when the program ends."""
        self.socket = f"panto-test-{os.getpid()}-{id(self):x}"
        words = ["env", *[f"{name}={value}" for name, value in (env or {}).items()], *command]
        script = f"{shlex.join(words)}; echo \"[left with $?]\"; stty -a | tr '\\n' ' ' ; sleep 60"
        self._tmux("-f", "/dev/null", "start-server", ";", "set", "-g", "history-limit", "50000",
                   ";", "set", "-s", "escape-time", "10", ";", "set", "-g", "status", "off",
                   ";", "set", "-s", "extended-keys", "on" if extended_keys else "off",
                   ";", "new-session", "-d", "-x", str(cols), "-y", str(rows),
                   "-c", str(folder), script)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            print("--- screen ---\n" + self.history())
        self.close()

    def _tmux(self, *words: str, data: bytes | None = None) -> str:
        done = subprocess.run(
            ["tmux", "-L", self.socket, *words],
            input=data,
            capture_output=True,
            timeout=20,
            check=False,
        )
        return done.stdout.decode("utf-8", "replace")

    def close(self) -> None:
        """Ends the pane's processes and the server."""
        self._tmux("kill-server")

    def keys(self, *names: str) -> None:
        """Presses keys by tmux's names: Enter, Escape, C-c, M-Enter, Up, …"""
        self._tmux("send-keys", *names)

    def type(self, text: str) -> None:
        """Types text letter by letter."""
        self._tmux("send-keys", "-l", text)

    def send(self, raw: bytes) -> None:
        """Sends raw bytes as if the terminal had sent them."""
        self._tmux("send-keys", "-H", *[f"{byte:02x}" for byte in raw])

    def paste(self, text: str, *, is_marked: bool = True) -> None:
        """Pastes through the terminal's bracketed paste, or as a terminal without that."""
        self._tmux("load-buffer", "-", data=text.encode())
        self._tmux("paste-buffer", *(["-p", "-r"] if is_marked else []))

    def resize(self, cols: int, rows: int) -> None:
        """Changes the size of the pane."""
        self._tmux("resize-window", "-x", str(cols), "-y", str(rows))

    def screen(self) -> str:
        """What is on the screen now, without styles."""
        return self._tmux("capture-pane", "-p")

    def history(self) -> str:
        """Scrollback and screen, wrapped lines joined."""
        return self._tmux("capture-pane", "-p", "-J", "-S", "-")

    def cursor(self) -> tuple[int, int]:
        """Column and row of the cursor, from 0."""
        x, y = self._tmux("display-message", "-p", "#{cursor_x} #{cursor_y}").split()
        return int(x), int(y)

    def cursor_is_shown(self) -> bool:
        """Whether the cursor is visible."""
        return self._tmux("display-message", "-p", "#{cursor_flag}").strip() == "1"

    def title(self) -> str:
        """The title that the program has given the pane."""
        return self._tmux("display-message", "-p", "#{pane_title}").strip()

    def clipboard(self) -> str:
        """What was copied last."""
        return self._tmux("show-buffer")

    def record(self, path: Path) -> None:
        """Writes what the program sends from now on to a file, as it is."""
        self._tmux("pipe-pane", f"cat > {shlex.quote(str(path))}")

    def pid(self) -> int:
        """The process of the pane (the shell around the program)."""
        return int(self._tmux("display-message", "-p", "#{pane_pid}"))

    def wait(self, pattern: str, *, timeout_s: float = WAIT_S, gone: bool = False) -> str:
        """Waits until the pattern is in scrollback or screen (or, with `gone`, off the screen)."""
        limit = time.monotonic() + timeout_s
        while True:
            text = self.screen() if gone else self.history()
            if bool(re.search(pattern, text)) is not gone:
                return text
            if time.monotonic() > limit:
                state = "still there" if gone else "never came"
                raise AssertionError(f"{pattern!r} {state}; the screen:\n{self.history()}")
            time.sleep(0.03)
