"""The repository's tracked and new files, for the rules that read all of them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lua_source import LuaSource

ROOT = Path(__file__).resolve().parents[2]
MADE = {".venv", ".cache", "__pycache__", "build", "dist", "node_modules"}


@cache
def paths() -> tuple[str, ...]:
    """List the files that git has or would take, below the root; without git all of them."""
    if not (ROOT / ".git").exists():
        return tuple(sorted(_walk()))
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=30,
    ).stdout.decode()
    return tuple(sorted(p for p in listed.split("\0") if p and (ROOT / p).is_file()))


def _walk() -> Iterator[str]:
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in MADE and "_cache" not in name]
        for name in names:
            yield str((Path(folder) / name).relative_to(ROOT))


@cache
def lua_sources() -> tuple[LuaSource, ...]:
    """Parse every Lua file of the repository once."""
    return tuple(
        LuaSource(path, (ROOT / path).read_text("utf-8", "replace"))
        for path in paths()
        if path.endswith(".lua")
    )


def python_sources(under: str) -> dict[str, str]:
    """Give the text of each Python file below a folder, by its path."""
    return {
        path: (ROOT / path).read_text("utf-8")
        for path in paths()
        if path.startswith(under) and path.endswith(".py")
    }


@cache
def texts() -> dict[str, str]:
    """Give every file that is text, by its path."""
    found = {}
    for path in paths():
        data = (ROOT / path).read_bytes()
        if b"\0" not in data[:4096]:
            found[path] = data.decode("utf-8", "replace")
    return found
