"""`make bench` writes a table and a JSON file with the same rows."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from support.child import Finished, run_bounded


def bench(*words: str | Path) -> Finished:
    return run_bounded([sys.executable, "bench", *words], timeout_s=120)


def test_a_group_becomes_rows_of_the_table_and_of_the_file(panto: Path, tmp_path: Path) -> None:
    del panto
    path = tmp_path / "results.json"
    done = bench("extras", "--runs", "1", "--json", path)
    assert done.code == 0, done.output
    found = json.loads(path.read_text())
    assert {"machine", "date", "commit", "rows"} == set(found)
    first = found["rows"][0]
    assert first["name"] == "20 handlers on a text delta"
    assert first["bar"] == "≤ 20 us"
    assert first["holds"] == (first["value"] <= 20)
    table = done.stdout.splitlines()
    assert table[0].split() == ["row", "figure", "min", "…", "max", "runs", "ratio", "bar", "holds"]
    assert [line.split("  ")[0] for line in table[1:]] == [row["name"] for row in found["rows"]]


def test_a_group_that_is_none_is_named(tmp_path: Path) -> None:
    done = bench("strat", "--json", tmp_path / "results.json")
    assert done.code == 2
    assert "no such group: strat" in done.stderr
