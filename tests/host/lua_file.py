"""Runs Lua text in panto's own interpreter, as a user's `panto lua` or as panto itself."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from support.child import Finished, run_bounded
from support.home import PANTO

AGENT = "import sys; from panto_host.main import run; run(sys.argv.pop(1))"


def as_interpreter(
    env: dict[str, str],
    *words: str,
    stdin: str | None = None,
    cwd: Path = Path("/"),
    timeout_s: float = 60,
) -> Finished:
    """``panto lua WORDS``."""
    command = [PANTO, "lua", *words]
    return run_bounded(command, env=env, stdin=stdin, cwd=cwd, timeout_s=timeout_s)


def agent_command(file: Path, *words: str) -> Sequence[str]:
    """The command that runs a Lua file in the place of panto's main.lua."""
    return [sys.executable, "-P", "-c", AGENT, str(file), *words]


def as_agent(env: dict[str, str], folder: Path, source: str, *words: str) -> Finished:
    """Runs source text in the place of main.lua, with an agent's signals and exit."""
    file = folder / "entry.lua"
    file.write_text(source)
    return run_bounded(agent_command(file, *words), env=env, cwd=folder)
