"""Runs each Lua spec file in panto's own interpreter, one test a file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.child import ROOT, Finished, run_bounded

SPECS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "spec").rglob("*_spec.lua"))


def run_spec(panto: Path, spec: str, env: dict[str, str]) -> Finished:
    return run_bounded([panto, "lua", "spec/support/run.lua", spec], env=env, timeout_s=120)


@pytest.mark.parametrize("spec", SPECS)
def test_the_spec_holds(spec: str, panto: Path, panto_env: dict[str, str]) -> None:
    done = run_spec(panto, spec, panto_env)
    assert done.code == 0, f"{spec} failed:\n{done.output}"
    tally = re.search(r"^(\d+) success", done.stdout, re.M)
    assert tally, f"{spec} printed no tally:\n{done.output}"
    assert int(tally[1]) > 0, f"{spec} tested nothing"


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("assert.are.equal(1, 2)", "1 failure"),
        ("error('broken')", "1 error"),
        ("os.exit(3)", ""),
    ],
    ids=["a wrong value", "a raised error", "an early exit"],
)
def test_a_failing_spec_fails(
    body: str, word: str, tmp_path: Path, panto: Path, panto_env: dict[str, str]
) -> None:
    spec = tmp_path / "broken_spec.lua"
    spec.write_text(f"describe('x', function() it('breaks', function() {body} end) end)\n")
    done = run_spec(panto, str(spec), panto_env)
    assert done.code == 1, done.output
    assert word in done.output


def test_more_failures_than_an_exit_code_holds_still_fail(
    tmp_path: Path, panto: Path, panto_env: dict[str, str]
) -> None:
    spec = tmp_path / "many_spec.lua"
    spec.write_text("for i = 1, 256 do it('n' .. i, function() assert(false) end) end\n")
    assert run_spec(panto, str(spec), panto_env).code == 1
