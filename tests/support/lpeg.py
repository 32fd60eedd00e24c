"""lpeg as a source rock: Debian's archive of it where apt reaches one, else a stand-in in C."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
import tomllib
import warnings
from pathlib import Path

from panto_rocks.apt import Apt
from support.child import ROOT
from support.rock_server import RockServer

ARCHIVE = ROOT / ".cache" / "lua-lpeg.orig.tar"
SHA256 = "4b155d67d2246c1ffa7ad7bc466c1ea899bbc40fef0257cc9c03cecbaed4352a"
VERSION = "1.1.0-1"


def _fetch(folder: Path) -> str:
    """Has the archive in the checkout's cache; answers "" or why it cannot be had."""
    if ARCHIVE.exists() and hashlib.sha256(ARCHIVE.read_bytes()).hexdigest() == SHA256:
        return ""
    folder.mkdir()
    pin = tomllib.loads((ROOT / "rocks" / "battery.toml").read_text())
    apt = Apt(pin["apt"]["suite"], str(folder / "apt"))
    problem = apt.fetch({"package": "lua-lpeg"}, str(folder))
    for path in folder.glob("lua-lpeg_*.orig.tar.*"):
        if hashlib.sha256(path.read_bytes()).hexdigest() == SHA256:
            ARCHIVE.parent.mkdir(exist_ok=True)
            shutil.move(path, ARCHIVE)
            return ""
    return problem or "apt has another one"


def add_lpeg(server: RockServer, folder: Path) -> bool:
    """Adds the rock, fetched by way of a folder; tells whether it is the real one."""
    problem = _fetch(folder)
    if problem:
        warnings.warn(f"SKIPPED the real lpeg: {problem}", stacklevel=1)
        server.add_c("lpeg")
        return False
    files: dict[str, str | bytes] = {}
    with tarfile.open(ARCHIVE) as tar:
        for member in tar:
            name = Path(member.name).name
            if member.isfile() and name.endswith((".c", ".h", "re.lua")):
                files[name] = tar.extractfile(member).read()  # type: ignore[union-attr]
    sources = ", ".join(f'"{name}"' for name in files if name.endswith(".c"))
    lpeg = f'{{ sources = {{ {sources} }}, incdirs = {{ "." }} }}'
    build = f'modules = {{ lpeg = {lpeg}, re = "re.lua" }}'
    server.add("lpeg", VERSION, files, build)
    return True
