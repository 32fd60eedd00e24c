"""A real foot on a Wayland screen of its own: a headless sway, real keys, real pastes, pictures.

Debian: sway, foot, wtype, wl-clipboard, grim. Not cage: Debian 12's takes no virtual keyboard.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from support.display import wait_until

NEEDED = ("foot", "sway", "swaymsg", "wtype", "wl-copy", "grim", "runuser")
SWAY = "output HEADLESS-1 resolution 1000x620\ndefault_border none\nxwayland disable\n"
FOOT = """[main]
font=DejaVu Sans Mono:size=11
[key-bindings]
pipe-visible=[sh -c "cat > {text}.new; mv {text}.new {text}"] Control+Shift+F9
"""


def missing() -> list[str]:
    """The programs that are not installed here."""
    return [name for name in NEEDED if shutil.which(name) is None]


class Foot:
    """One compositor with one foot in it, which runs one program; as support.display.Display."""

    kind = "foot"

    def __init__(self, command: str, folder: Path, env: dict[str, str]) -> None:
        """Starts both; the shell command runs in `folder` with `env`."""
        # sway refuses to run as root, and its folder must be its user's.
        self.runtime = Path(tempfile.mkdtemp(prefix="sway"))
        (self.runtime / "config").write_text(SWAY)
        user = []
        if os.geteuid() == 0:
            shutil.chown(self.runtime, "nobody")
            user = ["runuser", "-u", "nobody", "--"]
        words = ["env", f"HOME={self.runtime}", f"XDG_RUNTIME_DIR={self.runtime}",
                 "WLR_BACKENDS=headless", "WLR_RENDERER=pixman", "WLR_LIBINPUT_NO_DEVICES=1",
                 "LIBSEAT_BACKEND=noop", "sway", "-c", str(self.runtime / "config")]
        self.server = subprocess.Popen([*user, *words], cwd="/", start_new_session=True,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        own = folder.parent / "xdg"
        own.mkdir(mode=0o700, exist_ok=True)
        kept = {k: v for k, v in os.environ.items() if k not in ("TMUX", "TMUX_PANE", "TERM")}
        self.env = {**kept, "XDG_RUNTIME_DIR": str(own), "LANG": "C.UTF-8",
                    "WAYLAND_DISPLAY": str(self._socket("wayland-[0-9]")),
                    "SWAYSOCK": str(self._socket("sway-ipc.*.sock"))}
        self.told = own / "told"
        settings = own / "foot.ini"
        settings.write_text(FOOT.format(text=self.told))
        self.terminal = subprocess.Popen(
            ["foot", "--config", str(settings), "sh", "-c", command], cwd=folder,
            env={**self.env, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: self.title() != "", "the window of foot")
        except AssertionError:
            self._end()
            raise

    def __enter__(self) -> Foot:
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
            child.wait(timeout=20)
        shutil.rmtree(self.runtime, ignore_errors=True)

    def _socket(self, pattern: str) -> Path:
        wait_until(lambda: any(self.runtime.glob(pattern)), f"sway's {pattern}")
        return next(self.runtime.glob(pattern))

    def _run(self, *words: str, data: bytes | None = None) -> str:
        done = subprocess.run(words, env=self.env, input=data, timeout=20, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return done.stdout.decode()

    def _press(self, *words: str) -> None:
        # wtype brings its own keyboard each time: keys are lost while it comes or goes.
        self._run("wtype", "-s", "80", *words, "-s", "80")

    def keys(self, *names: str) -> None:
        """Presses keys by X's names, such as shift+Return."""
        for name in names:
            *modifiers, key = name.split("+")
            held = [word for modifier in modifiers for word in ("-M", modifier)]
            left = [word for modifier in modifiers for word in ("-m", modifier)]
            self._press(*held, "-k", key, *left)

    def type(self, text: str) -> None:
        """Types text letter by letter."""
        self._press("-d", "15", text)

    def paste(self, data: bytes) -> None:
        """Puts bytes into the clipboard and presses the key for it."""
        subprocess.run(["wl-copy", "--type", "text/plain;charset=utf-8"], env=self.env, input=data,
                       check=True, timeout=20, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        self.keys("ctrl+shift+v")

    def resize(self, width: int, height: int) -> None:
        """Gives the screen, and so the window, another size, in pixels."""
        self._run("swaymsg", "output", "HEADLESS-1", "resolution", f"{width}x{height}")
        time.sleep(0.3)

    def title(self) -> str:
        """The window's title."""
        def find(node: dict[str, Any]) -> str:
            if node.get("app_id") == "foot":
                return str(node["name"])
            return next(filter(None, map(find, node.get("nodes", []))), "")

        return find(json.loads(self._run("swaymsg", "-t", "get_tree") or "{}"))

    def text(self) -> str:
        """What is on the screen; foot 1.13 can die of telling its scrollback."""
        self.told.unlink(missing_ok=True)
        self.keys("ctrl+shift+F9")
        wait_until(self.told.exists, "foot's text")
        return self.told.read_text()

    def picture(self, path: Path) -> None:
        """Saves what is on the screen."""
        time.sleep(0.2)
        self._run("grim", str(path))
