"""Rows into the table on the terminal and the JSON file."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from checkout import ROOT
from row import Row

COLUMNS = ("row", "figure", "min … max", "runs", "ratio", "bar", "holds")


def number(value: float | None) -> str:
    """Three digits that mean something."""
    if value is None:
        return ""
    if value >= 100 or value == 0:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def cells(row: Row) -> tuple[str, ...]:
    """The words of a row, a column each."""
    spread = f"{number(row.low)} … {number(row.high)}" if row.low is not None else ""
    ratio = f"{number(row.ratio)} x {row.floor}" if row.ratio is not None else ""
    holds = {True: "yes", False: "NO", None: ""}[row.holds]
    figure = f"{number(row.value)} {row.unit}"
    return row.name, figure, spread, str(row.runs), ratio, row.bar, holds


def show(rows: Iterable[Row]) -> None:
    """Print the table, its columns as wide as they need to be."""
    lines = [COLUMNS, *(cells(row) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(COLUMNS))]
    for line in lines:
        padded = [word.ljust(width) for word, width in zip(line, widths, strict=True)]
        print("  ".join(padded).rstrip())
    for row in rows:
        if row.note:
            print(f"{row.name}: {row.note}")


def machine() -> dict[str, object]:
    """Where and on what the figures were taken."""
    cpu = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
    return {
        "system": platform.platform(),
        "processor": cpu[0].split(":")[1].strip() if cpu else platform.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load": os.getloadavg()[0],
    }


def commit() -> str:
    """The commit that was measured, marked when the tree differs from it."""
    words = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def write(path: Path, rows: Sequence[Row], before: dict[str, object]) -> None:
    """Write the JSON file; `before` is the machine as it was at the start."""
    found = {
        "machine": before,
        "date": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "commit": commit(),
        "rows": [row.plain() for row in rows],
    }
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
