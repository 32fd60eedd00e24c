"""Homes with rocks in them: one bootstrapped from nothing, the others built from its downloads."""

from __future__ import annotations

import os
import shutil
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from support.child import ROOT, Finished, run_bounded
from support.home import PANTO

CACHED_CC = ROOT / "tests" / "support" / "cached_cc"
# Runs a bootstrap whose pin and Python may be other ones than this checkout's.
CHILD = """
import os, sys
from panto_host import rocks
from panto_host.paths import Paths
paths = Paths(os.environ)
paths.rocks_pins = os.environ.get("TEST_PINS", paths.rocks_pins)
paths.python = os.environ.get("TEST_PYTHON", paths.python)
sys.exit(rocks.bootstrap(paths, *([False] if sys.argv[1] == "bootstrap" else [])))
"""


@dataclass
class RocksHome:
    """A data home and the environment that bootstraps it without the network."""

    root: Path
    cache: Path
    objects: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def tree(self) -> Path:
        """The rocks tree."""
        return self.root / "rocks" / "lua-5.4.8"

    @property
    def leftovers(self) -> list[str]:
        """What a bootstrap left beside the tree."""
        return sorted(p.name for p in self.tree.parent.glob(".*") if p.name != ".lua-5.4.8.lock")

    def full_env(self, **more: str) -> dict[str, str]:
        """The whole environment of a child."""
        own = {
            "HOME": str(self.root.parent),
            "PANTO_HOME": str(self.root),
            "PANTO_CACHE": str(self.cache),
            "PANTO_SOURCES": "none",
            "PANTO_TEST_OBJECTS": str(self.objects),
            "CC": str(CACHED_CC),
        }
        return {**os.environ, **own, **self.env, **more}

    def bootstrap(self, *words: str, **more: str) -> Finished:
        """Runs `panto bootstrap`."""
        command = [PANTO, "bootstrap", *words]
        return run_bounded(command, env=self.full_env(**more), timeout_s=150)

    def call(self, function: str, **more: str) -> Finished:
        """Has the tree built ("bootstrap") or brought in line at a start ("ensure").

        TEST_PINS names another pin, TEST_PYTHON another Python.
        """
        command = [sys.executable, "-c", CHILD, function]
        return run_bounded(command, env=self.full_env(**more), timeout_s=150)

    def lua(self, chunk: str, **more: str) -> Finished:
        """Runs a chunk with the tree's own lua."""
        return run_bounded([self.tree / "bin" / "lua", "-e", chunk], env=self.full_env(**more))

    def luarocks(self, *words: str, **more: str) -> Finished:
        """Runs luarocks as the manual says."""
        call = ", ".join(f'"{word}"' for word in words)
        chunk = f'arg[0]="luarocks"; require("luarocks.cmd").run_command({call})'
        return self.lua(chunk, **more)

    def loads(self) -> bool:
        """Tells whether luv loads from the tree, whatever Python says about it."""
        done = self.lua('print(require("luv").version_string())')
        return done.code == 0 and done.stdout.startswith("1.50")

    def copy(self, root: Path) -> RocksHome:
        """A second home with the same rocks, downloads and objects; its launcher is its own."""
        shutil.copytree(self.root, root, symlinks=True, ignore=shutil.ignore_patterns("cache"))
        other = RocksHome(root, self.cache, self.objects)
        relocate(other.tree, str(self.root), str(root))
        return other


def relocate(tree: Path, old: str, new: str) -> None:
    """Lets a copied tree live where it is now; its files name the old data home."""
    for name in ("bin/lua", "bin/luarocks", "etc/luarocks/config-5.4.lua", "libexec/wget"):
        file = tree / name
        file.write_text(file.read_text().replace(old, new))


def cold_start(folder: Path) -> tuple[RocksHome, Finished, float]:
    """Bootstraps an empty home with an empty cache, as on a bare machine; seconds come last."""
    objects = folder / "objects"
    objects.mkdir()
    home = RocksHome(folder / "home", folder / "home" / "cache", objects)
    del (env := home.full_env())["PANTO_SOURCES"]
    del env["PANTO_CACHE"]
    began = time.monotonic()
    done = run_bounded([PANTO, "bootstrap"], env=env, timeout_s=170)
    return home, done, time.monotonic() - began


def tiny_server(folder: Path) -> Path:
    """A rocks server with one rock of our own: a C module and a script, packed by luarocks."""
    source = folder / "tiny-1.0"
    source.mkdir(parents=True)
    (source / "tiny.c").write_text(
        "#include <lua.h>\n#include <lauxlib.h>\n"
        'static int hello(lua_State *L) { lua_pushliteral(L, "hello from C"); return 1; }\n'
        "int luaopen_tiny(lua_State *L) { lua_pushcfunction(L, hello); return 1; }\n"
    )
    (source / "tiny-say").write_text('print(require("tiny")(), ...)\n')
    (source / "tiny-1.0-1.rockspec").write_text(
        'package = "tiny"\nversion = "1.0-1"\n'
        f'source = {{ url = "file://{folder}/tiny-1.0.tar.gz" }}\n'
        'build = { type = "builtin", modules = { tiny = { "tiny.c" } },\n'
        '  install = { bin = { "tiny-say" } } }\n'
    )
    shutil.make_archive(str(source), "gztar", folder, "tiny-1.0")
    server = folder / "server"
    server.mkdir()
    shutil.copy(source / "tiny-1.0-1.rockspec", server)
    (server / "manifest-5.4").write_text(
        "commands = {} modules = {}\n"
        'repository = { tiny = { ["1.0-1"] = { { arch = "rockspec" } } } }\n'
    )
    return server
