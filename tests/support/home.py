"""A home of its own for a panto under test: folders, environment, provider configuration."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
PANTO = REPO / ".venv" / "bin" / "panto"


@cache
def rocks_folder() -> Path:
    """The folder of the rocks tree that this checkout's panto uses (brought in line if need be)."""
    done = subprocess.run(
        [PANTO, "lua", "-e", 'io.write(require("panto.host").path("rocks_tree"))'],
        stdout=subprocess.PIPE,
        timeout=300,
        check=True,
    )
    return Path(done.stdout.decode()).parent


@dataclass
class Home:
    """Folders below `root`, and the environment that makes panto use them."""

    root: Path
    extra: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder in (self.data, self.config, self.work):
            folder.mkdir(parents=True)
        (self.data / "rocks").symlink_to(rocks_folder())

    @property
    def data(self) -> Path:
        """Data home: the base layer."""
        return self.root / "data"

    @property
    def config(self) -> Path:
        """Config home: the user layer."""
        return self.root / "config" / "panto"

    @property
    def work(self) -> Path:
        """The folder in which panto is started."""
        return self.root / "work"

    @property
    def sessions(self) -> Path:
        """Where the sessions are written."""
        return self.root / "sessions"

    def env(self) -> dict[str, str]:
        """The environment for panto; no key of the machine's own gets in."""
        return {
            "HOME": str(self.root),
            "PANTO_HOME": str(self.data),
            "PANTO_SESSION_DIR": str(self.sessions),
            "XDG_CONFIG_HOME": str(self.root / "config"),
            "XDG_STATE_HOME": str(self.root / "state"),
            "XDG_DATA_HOME": str(self.root / "xdg-data"),
            "OPENAI_API_KEY": "",
            "ANTHROPIC_API_KEY": "",
            "LANG": "C.UTF-8",
            **self.extra,
        }

    def full_env(self) -> dict[str, str]:
        """The whole environment for a child that is started without a shell."""
        return {**os.environ, **self.env()}

    def use_provider(self, url: str, *, key: str = "sk-loopback", more: str = "") -> None:
        """Writes a user layer whose only provider is the loopback one at `url` (with /v1)."""
        (self.config / "config.toml").write_text(
            f'[auth.loop]\nkey = "{key}"\n\n'
            f'[providers.loop]\nstyle = "openai_chat"\nbase_url = "{url}"\nauth = "loop"\n\n'
            f'[defaults]\nmodel = "loop:m"\n{more}'
        )
        (self.config / "models.toml").write_text(
            '[loop.m]\nmodel = "loop-model"\ncontext_window = 100000\n'
            "input = 1.0\noutput = 2.0\ncache_read = 0.1\ncache_write = 1.0\n"
        )

    def trust(self) -> None:
        """Accepts the project layer as it is now; to be called after its files are written."""
        subprocess.run(
            [PANTO, "trust"],
            cwd=self.work,
            env=self.full_env(),
            stdout=subprocess.DEVNULL,
            timeout=30,
            check=True,
        )

    def write(self, name: str, text: str) -> Path:
        """Writes a file below `root` (such as `work/.panto/tools/a.lua`), parents made."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path
