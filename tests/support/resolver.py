"""A second panto process that resolves credentials when it is told to."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from support.home import PANTO, REPO, Home

SCRIPT = Path(__file__).with_name("resolve.lua")


class Resolver:
    """One long-lived `panto lua` on a home; a context manager."""

    def __init__(self, home: Home) -> None:
        """Start it and wait until it has read the configuration."""
        self.child = subprocess.Popen(
            [PANTO, "lua", SCRIPT, REPO],
            cwd=home.work,
            env=home.full_env(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._line() == "ready"

    def __enter__(self) -> Resolver:
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        for pipe in (self.child.stdin, self.child.stdout):
            if pipe:
                pipe.close()
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait(10)

    def _line(self) -> str:
        assert self.child.stdout
        return self.child.stdout.readline().decode().rstrip("\n")

    def ask(self) -> None:
        """Tell it to resolve now; `answer` reads what came of it."""
        assert self.child.stdin
        self.child.stdin.write(b"\n")
        self.child.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """The credential as JSON without its scheme, or {message}."""
        value: dict[str, Any] = json.loads(self._line())
        assert "message" in value or value.pop("scheme") == "bearer"
        return value

    def get(self) -> dict[str, Any]:
        """Resolve once."""
        self.ask()
        return self.answer()
