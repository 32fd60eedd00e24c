"""Turns the bundled base layer into files of the data home, without touching what a user edited."""

from __future__ import annotations

import hashlib
import os

from panto_host.paths import Paths
from panto_host.rocks import read


def write_home(paths: Paths) -> None:
    """Writes config.toml and agent/ where absent or still as an earlier panto wrote them.

    ``.generated`` remembers the digests of what was written.
    """
    home = paths.data_home
    for name in ("agent/extensions", "agent/tools"):
        os.makedirs(f"{home}/{name}", exist_ok=True)
    known = set(read(f"{home}/.generated").split())
    written = set()
    for name, bundled in (
        ("config.toml", f"{paths.rocks_pins}/config.toml"),
        ("agent/SYSTEM.md", f"{paths.lua_root}/panto/app/SYSTEM.md"),
    ):
        old, new = read(f"{home}/{name}"), read(bundled)
        ours = _digest(old) in known or not os.path.lexists(f"{home}/{name}")
        if new and new != old and ours:
            _write(f"{home}/{name}", new)
        written.add(_digest(new))
    if not written <= known:
        _write(f"{home}/.generated", b"".join(digest + b"\n" for digest in known | written))


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def _write(path: str, content: bytes) -> None:
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.replace(path + ".new", path)
