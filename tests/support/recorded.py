"""Recorded streams of a wire style, replayed in Lua: each recording with what came out.

The recordings are looked for in $PANTO_CASES, else in ../shared/cases beside the repository.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
from pathlib import Path
from typing import Any

from support.child import ROOT, run_bounded

CASES = Path(os.environ.get("PANTO_CASES") or ROOT.parent / "shared" / "cases")
SEED, CUTS = 20260, 20
Pair = tuple[dict[str, Any], dict[str, Any]]


def read(path: Path) -> list[dict[str, Any]]:
    """Give the recordings of a file."""
    text = gzip.decompress(path.read_bytes()).decode()
    return [json.loads(line) for line in text.split("\n") if line]


def replay(recorded: list[dict[str, Any]], folder: Path, script: str, *words: str) -> list[Pair]:
    """Replay every recording once: whole, byte by byte, and cut at places that SEED chooses."""
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in recorded))
    lua: list[str | Path] = [ROOT / ".venv/bin/panto", "lua"]
    if not Path(lua[0]).exists():
        plain = shutil.which("lua5.4")
        assert plain, "neither .venv/bin/panto nor lua5.4 is here"
        lua = [plain]
    program = [*lua, ROOT / "tests/support" / script, ROOT, path, str(SEED), str(CUTS)]
    done = run_bounded([*program, *words], timeout_s=150)
    assert done.code == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [case["id"] for case in recorded] == [result["id"] for result in results]
    return list(zip(recorded, results, strict=True))
