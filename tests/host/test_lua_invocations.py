"""`panto lua` and Debian's lua5.4 given the same words: same output, same complaints, same end."""

from __future__ import annotations

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from host.lua_invocations import FILES, TABLE, Invocation
from support.child import Finished, run_bounded
from support.home import PANTO, Home

WORKERS = 3

# Where the two may differ, and why; what stays comparable is still compared.
DEVIATIONS = {
    "-l mod-v2 -e print(mod and mod.v)": "5.4.4 does not yet drop the suffix of mod-v2; 5.4.8 does",
    "-lmod-v2 -e print(mod and mod.v)": "5.4.4 does not yet drop the suffix of mod-v2; 5.4.8 does",
    "overflow.lua": "some of the million levels are the interpreter's own: another number skipped",
    "-e print(debug.getinfo(1, 'l').currentline, debug.getinfo(2), debug.getinfo(3))":
        "below the chunk are levels of the interpreter, which getinfo tells of",
}  # fmt: skip
# Debian's 5.4.4 pops the message of a chunk that the input's end leaves open; 5.4.8 shows it.
OPEN_AT_END = re.compile(r"stdin:1: .* near <eof>")
# Debian builds lua with LUA_COMPAT_5_3, lupa does not.
COMPATIBLE = re.compile(r" (?:atan2|cosh|sinh|tanh|frexp|ldexp|log10|pow)\b")

pytestmark = pytest.mark.skipif(
    not shutil.which("lua5.4"), reason="there is no lua5.4 here to compare with"
)


@dataclass(frozen=True)
class Pair:
    """What both interpreters did with an invocation, made comparable."""

    invocation: Invocation
    lua: Finished
    panto: Finished

    def difference(self) -> str:
        """Says where they differ, or nothing."""
        if self.lua == self.panto:
            return ""
        lines = [f"\n$ {self.invocation}"]
        for name in ("code", "stdout", "stderr"):
            one, other = getattr(self.lua, name), getattr(self.panto, name)
            if one != other and (name == "code" or str(self.invocation) not in DEVIATIONS):
                lines.append(f"  {name} of lua   {one!r}\n  {name} of panto {other!r}")
        return "\n".join(lines) if len(lines) > 1 else ""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts that the table names."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "sub").mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text + "\n")
    return folder


@pytest.mark.parametrize("group", list(TABLE))
def test_panto_lua_does_what_lua_does(home: Home, folder: Path, group: str) -> None:
    env = {k: v for k, v in home.full_env().items() if not k.startswith("LUA_")}

    def both(invocation: Invocation) -> Pair:
        lua, panto = (
            run_bounded(
                [*command, *invocation.words],
                env={**env, **invocation.env},
                cwd=folder,
                stdin=invocation.stdin,
            )
            for command in (["lua5.4"], [PANTO, "lua"])
        )
        return Pair(invocation, _plain(lua, invocation), _plain(panto, None))

    with ThreadPoolExecutor(WORKERS) as pool:
        differences = [pair.difference() for pair in pool.map(both, TABLE[group])]
    assert not any(differences), "".join(differences)


def test_the_table_is_long_and_each_deviation_is_in_it() -> None:
    names = [str(invocation) for group in TABLE.values() for invocation in group]
    assert len(names) == len(set(names)) >= 80
    assert set(DEVIATIONS) <= set(names)


def _plain(done: Finished, debian: Invocation | None) -> Finished:
    """Takes out what differs by nature: addresses, the release, the program's own name."""
    out, err = done.stdout, done.stderr
    out = re.sub(r"0x[0-9a-f]+", "0x", out)
    out = re.sub(r"\S+/rocks/lua-5\.4\.8/bin/lua\b", "lua", out)
    err = OPEN_AT_END.sub("(null)", err) if "> " in out else err
    if debian:
        out = out.replace("5.4.4", "5.4.8").replace("1994-2022", "1994-2025")
        out = COMPATIBLE.sub("", out).replace("lua5.4", "lua")
        out = _without_echo(out, debian)
        err = err.replace("lua5.4", "lua")
    return Finished(done.code, out, err)


def _without_echo(out: str, invocation: Invocation) -> str:
    """Debian's lua reads a conversation through readline, which repeats what it reads."""
    if "-i" not in invocation.words:
        return out
    at = 0
    for line in invocation.stdin.splitlines(keepends=True):
        found = re.compile(r"(?:> |p |q )" + re.escape(line)).search(out, at)
        if found:
            at = found.start() + 2
            out = out[:at] + out[found.end() :]
    return out
