"""lpeg as a source rock: Debian's archive of it where apt reaches one, else a stand-in in C."""

from __future__ import annotations

import tarfile
import tomllib
import warnings
from pathlib import Path

from panto_rocks.apt import Apt
from support.child import ROOT
from support.rock_server import RockServer


def add_lpeg(server: RockServer, folder: Path) -> bool:
    """Adds the rock; tells whether it is the real one."""
    folder.mkdir()
    pin = tomllib.loads((ROOT / "rocks" / "battery.toml").read_text())
    apt = Apt(pin["apt"]["suite"], str(folder / "apt"))
    problem = apt.fetch({"package": "lua-lpeg"}, str(folder))
    archive = next(folder.glob("lua-lpeg_*.orig.tar.*"), None)
    if archive is None:
        warnings.warn(f"SKIPPED the real lpeg: {problem}", stacklevel=1)
        server.add_c("lpeg")
        return False
    files: dict[str, str | bytes] = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            name = Path(member.name).name
            if member.isfile() and name.endswith((".c", ".h", "re.lua")):
                files[name] = tar.extractfile(member).read()  # type: ignore[union-attr]
    sources = ", ".join(f'"{name}"' for name in files if name.endswith(".c"))
    version = archive.name.split("_")[1].split(".orig")[0] + "-1"
    lpeg = f'{{ sources = {{ {sources} }}, incdirs = {{ "." }} }}'
    build = f'modules = {{ lpeg = {lpeg}, re = "re.lua" }}'
    server.add("lpeg", version, files, build)
    return True
