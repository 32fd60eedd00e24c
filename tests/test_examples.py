"""Every example extension has a spec, and the specs hold in `panto test`."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import pytest
from support.child import ROOT, Finished, run_bounded
from support.home import Home

FOLDER = ROOT / "examples" / "extensions"
EXAMPLES = sorted(p for p in FOLDER.glob("*.lua") if not p.stem.endswith("_spec"))


@cache
def run_all(folder: Path) -> Finished:
    """All specs in one panto, once."""
    env = {**Home(folder).full_env(), "MCP_PYTHON": sys.executable}
    return run_bounded([ROOT / ".venv/bin/panto", "test", FOLDER], env=env, timeout_s=150)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, panto: Path) -> Finished:
    return run_all(tmp_path_factory.mktemp("examples") / "home")


def test_there_are_at_least_a_dozen() -> None:
    assert len(EXAMPLES) >= 12


def test_all_specs_hold_and_none_is_left_out(done: Finished) -> None:
    assert done.code == 0, done.output
    tally = re.search(r"(\d+) passed, 0 failed, (\d+) pending", done.stdout)
    assert tally, done.output
    assert int(tally[1]) >= len(EXAMPLES)
    assert tally[2] == "0", f"some were left out:\n{done.stdout}"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_has_a_spec(example: Path, done: Finished) -> None:
    spec = example.with_name(f"{example.stem}_spec.lua")
    assert spec.exists()
    told = done.stdout.partition(f"{spec.name}\n")[2].splitlines()
    assert told and told[0].startswith("  ✓ "), done.output


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_stands_in_the_list(example: Path) -> None:
    listed = (ROOT / "examples" / "README.md").read_text()
    assert f"(extensions/{example.name})" in listed
