"""Turns the fetched archives into a whole rocks tree in its own folder, luv built and tried."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable

from panto_host.rocks import read

from panto_rocks.fetch import RocksError, Table
from panto_rocks.progress import Progress

BUILD_SECONDS = 900
CHECK = """
local luv = require("luv")
local fired = false
local timer = luv.new_timer()
timer:start(1, 0, function() fired = true; timer:close() end)
luv.run()
assert(fired, "a luv timer did not fire")
"""
OURS = ("include", "luarocks", "etc", "libexec", "stamp.toml")


def find_compiler() -> str:
    """Answers the C compiler's command after trying it on one line; raises RocksError."""
    named, tried = os.environ.get("CC", ""), []
    for command in [named] if named else ["gcc", "cc", "clang"]:
        words = [*shlex.split(command), "-x", "c", "-c", "-o", "/dev/null", "-"]
        try:
            done = subprocess.run(words, input=b"#include <stdio.h>\n", capture_output=True)
        except OSError as error:
            tried.append(f"{command}: {error.strerror}")
            continue
        if done.returncode == 0:
            return command
        tried.append(f"{command}: " + done.stderr.decode("utf-8", "replace").strip()[-200:])
    mend = "install one (Debian: apt install gcc libc6-dev; macOS: xcode-select --install)"
    mend += " or set CC"
    raise RocksError("no working C compiler, and panto compiles the luv rock", tried, mend)


class Builder:
    """Makes trees from one pin for one Python and one compiler; luarocks' output goes to a log."""

    def __init__(
        self, pin: Table, pins: str, python: str, cc: str, log: str, progress: Progress
    ) -> None:
        self.pin, self.pins, self.python, self.cc, self.log = pin, pins, python, cc, log
        self.progress, self.files = progress, 0

    def build(
        self,
        got: dict[str, tuple[str, Table]],
        tree: str,
        final: str,
        old: str,
        mark: Callable[[str], None],
    ) -> None:
        """Fills `tree` for a later life at `final`; the rocks of the tree `old` come along."""
        if old:
            shutil.copytree(old, tree, symlinks=True)
            for name in OURS:
                remove(os.path.join(tree, name))
        work = os.path.join(tree, ".build")
        luarocks = os.path.join(tree, "luarocks", "luarocks")
        places = {"lua": f"{tree}/include", "luarocks": luarocks, "luv": work}
        for source in self.pin["source"]:
            archive, one = got[source["name"]]
            place = places.get(source["name"], os.path.join(work, source["name"]))
            _unpack(source, archive, one["root"], place)
        os.rename(f"{luarocks}/cmd.lua", f"{luarocks}/cmd_real.lua")
        shutil.copyfile(f"{self.pins}/luarocks_cmd.lua", f"{luarocks}/cmd.lua")
        self.write_programs(tree, tree)
        mark("unpacked")
        rockspec = self._write_rockspec(work)
        call = f'require("luarocks.cmd").run_command("make", {_lua_string(rockspec)}, "--force")'
        start = os.path.getsize(self.log) if os.path.exists(self.log) else 0
        with self.progress.step(f"building luv with {self.cc}", lambda: self._compiled(start)):
            chunk = 'arg[0] = "luarocks"; ' + call
            self._run_lua(tree, chunk, work, "luarocks could not build luv")
        mark("built")
        self.check(tree)
        remove(work)
        self.write_programs(tree, final)
        mark("checked")

    def _compiled(self, start: int) -> str:
        """How many of the files luarocks has named in the log, from a place in it on."""
        return f"{read(self.log)[start:].count(b'.c -o ')} of {self.files} files"

    def check(self, tree: str) -> None:
        """Runs a luv timer with the tree's own lua; raises RocksError."""
        self._run_lua(tree, CHECK, tree, "luv does not run")

    def write_programs(self, tree: str, final: str) -> None:
        """Writes the files that name places, for a tree that will be run at `final`."""
        system = os.uname()
        values = {
            "PYTHON": shlex.quote(self.python),
            "TREE": shlex.quote(final),
            "LUA_TREE": _lua_string(final),
            "CC": _lua_string(self.cc),
            "UNZIP": _lua_string(shlex.quote(final + "/libexec/unzip")),
            "WGET": _lua_string(shlex.quote(final + "/libexec/wget")),
            "SYSTEM": {"Darwin": "macosx"}.get(system.sysname, system.sysname.lower()),
            "PROCESSOR": system.machine,
        }
        for name, template in (
            ("bin/lua", "launcher.sh.in"),
            ("bin/luarocks", "luarocks.sh.in"),
            ("libexec/luarocks.lua", "luarocks.lua"),
            ("libexec/unzip", "unzip.sh.in"),
            ("libexec/wget", "wget.sh.in"),
            ("libexec/download.py", "download.py"),
            ("luarocks/luarocks/core/hardcoded.lua", "luarocks_hardcoded.lua.in"),
            ("etc/luarocks/config-5.4.lua", "luarocks_config.lua.in"),
        ):
            mode = 0o755 if template.endswith(".sh.in") else 0o644
            self._fill(template, os.path.join(tree, name), values, mode)

    def _write_rockspec(self, work: str) -> str:
        platform = self.pin["platform"].get(sys.platform)
        if platform is None:
            raise RocksError(f"no recipe to build luv on {sys.platform}", [], "use Linux or macOS")
        files = [f"libuv/src/{name}.c" for name in self.pin["libuv"]["sources"]]
        units = self.pin["libuv"]["unix"] + platform["sources"]
        files += [f"libuv/src/unix/{name}.c" for name in units]
        self.files = len(files) + 1  # and luv.c
        values = {
            "VERSION": self.pin["version"],
            "SOURCES": ", ".join(f'"{file}"' for file in files),
            "DEFINES": ", ".join(f'"{one}"' for one in platform["defines"]),
        }
        name = f"luv-{self.pin['version']}.rockspec"
        self._fill("luv.rockspec.in", os.path.join(work, name), values)
        self._fill("compat-5.3.h", os.path.join(work, "compat", "compat-5.3.h"), {})
        return name

    def _fill(self, template: str, path: str, values: dict[str, str], mode: int = 0o644) -> None:
        """Writes a template with each @NAME@ replaced, in one step."""
        with open(os.path.join(self.pins, template), encoding="utf-8") as file:
            text = file.read()
        for name, value in values.items():
            text = text.replace(f"@{name}@", value)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
        os.chmod(path + ".new", mode)
        os.replace(path + ".new", path)

    def _run_lua(self, tree: str, chunk: str, cwd: str, failure: str) -> None:
        """Runs a chunk with the tree's lua, its output to the log; its end goes into the error."""
        env = {k: v for k, v in os.environ.items() if not k.startswith(("LUA_", "LUAROCKS_"))}
        env["CC"] = self.cc
        with open(self.log, "ab") as log:
            start = log.tell()
            try:
                code = subprocess.call(
                    [f"{tree}/bin/lua", "-e", chunk], cwd=cwd, env=env,
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=BUILD_SECONDS,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                code = 1
        if code:
            with open(self.log, "rb") as file:
                file.seek(start)
                said = " ".join(file.read().decode("utf-8", "replace")[-300:].split())
            raise RocksError(
                failure, [f"{self.cc}, and the last words were: {said}"], f"read {self.log}"
            )


def remove(path: str) -> None:
    """Removes a file or a whole folder, silently when it is not there."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.unlink(path)


def _unpack(source: Table, archive: str, root: str, place: str) -> None:
    """Writes the wanted files of an archive below `place`, then compares their digest."""
    keep, drop = tuple(source["keep"]), tuple(source["drop"])
    lines = []
    with tarfile.open(archive) as tar:
        for member in tar:
            path = member.name.partition("/")[2]
            name = path.removeprefix(root)
            if not path.startswith(root) or not name.startswith(keep) or not member.isfile():
                continue
            data = tar.extractfile(member)
            if data is None or ".." in name or (drop and name.startswith(drop)):
                continue
            content = data.read()
            lines.append(f"{name}\0{hashlib.sha256(content).hexdigest()}\n")
            path = os.path.join(place, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
    if hashlib.sha256("".join(sorted(lines)).encode()).hexdigest() != source["digest"]:
        tried = [f"{archive} has other files than the pinned ones"]
        raise RocksError(f"cannot use {source['what']}", tried, "correct rocks/battery.toml")


def _lua_string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
