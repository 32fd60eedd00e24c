"""Runs a Lua script in `panto lua` and reads the figures it prints, one `name value` a line."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from checkout import PANTO, ROOT, Home

SCRIPTS = ROOT / "bench" / "lua"


def figures(home: Home, script: str, words: Sequence[str | Path | int]) -> dict[str, float]:
    """Run a script of bench/lua and give its figures."""
    done = subprocess.run(
        [str(PANTO), "lua", str(SCRIPTS / script), *[str(word) for word in words]],
        env=home.full_env(), cwd=home.work, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    pairs = (line.split(" ") for line in done.stdout.splitlines())
    return {name: float(value) for name, value in pairs}
