"""Double the work, the cost at most doubles: counted in instructions and bytes, not in seconds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.child import ROOT, run_bounded

FOLDER = ROOT / "tests" / "support" / "growth"
QUADRATIC = ("instructions", "allocated", "walked", "io")
# Of what is too little to be told from what any call costs.
SLACK = {"instructions": 3000, "allocated": 20_000, "walked": 5000, "io": 5000, "written": 1000}
NOISE = 1.15


def cases() -> list[tuple[str, str]]:
    """Every case of every file, by the names that stand in their tables."""
    found = []
    for path in sorted(FOLDER.glob("*.lua")):
        _, table, body = path.read_text().rpartition("\nreturn {")
        if table and path.stem != "quadratic":
            found += [(path.stem, name) for name in re.findall(r"^  (\w+) = ", body, re.M)]
    return found


def cost(panto: Path, env: dict[str, str], file: str, case: str) -> dict[str, tuple[float, float]]:
    """What N and 2 N took, by what was counted."""
    words = [panto, "lua", FOLDER / "run.lua", file, case]
    done = run_bounded(words, env=env, timeout_s=120)
    assert done.code == 0, done.output
    lines = [line.split() for line in done.stdout.splitlines()]
    return {what: (float(one), float(two)) for what, one, two in lines}


def grown(costs: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """What grew by more than the case's own limit allows."""
    most = costs.pop("most")[0] * NOISE
    return {
        what: (one, two) for what, (one, two) in costs.items() if two > most * one + SLACK[what]
    }


@pytest.mark.parametrize(("file", "case"), cases())
def test_twice_the_work_costs_at_most_twice(
    file: str, case: str, panto: Path, panto_env: dict[str, str]
) -> None:
    costs = cost(panto, panto_env, file, case)
    assert costs["instructions"][0] > 0
    assert grown(costs) == {}


@pytest.mark.parametrize("what", QUADRATIC)
def test_work_that_grows_as_the_square_is_found(
    what: str, panto: Path, panto_env: dict[str, str]
) -> None:
    assert what in grown(cost(panto, panto_env, "quadratic", what))
