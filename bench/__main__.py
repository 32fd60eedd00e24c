"""Measures the groups named (all without a name), prints one table and writes one JSON file.

`python bench [GROUP…] [--runs N] [--json FILE]`
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import extras
import file_tools
import idle
import json_rate
import parallel
import resume
import run_prompt
import shell_calls
import start
import stream_headless
import stream_tui
import table
import wheel
from checkout import ROOT
from floors import go_first
from row import Row

GROUPS: dict[str, tuple[Callable[[int], list[Row]], int]] = {
    "start": (start.measure, 15),
    "idle": (idle.measure, 10),
    "run": (run_prompt.measure, 15),
    "shell": (shell_calls.measure, 5),
    "headless": (stream_headless.measure, 7),
    "tui": (stream_tui.measure, 4),
    "resume": (resume.measure, 5),
    "files": (file_tools.measure, 5),
    "parallel": (parallel.measure, 5),
    "json": (json_rate.measure, 5),
    "extras": (extras.measure, 5),
    "wheel": (wheel.measure, 1),
}


def main() -> None:
    """Measure what the words say."""
    parser = argparse.ArgumentParser(prog="python bench", description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--runs", type=int, help="how often each is measured; for idle, seconds")
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results.json")
    words = parser.parse_args()
    groups = words.groups or list(GROUPS)
    if unknown := [name for name in groups if name not in GROUPS]:
        parser.error(f"no such group: {', '.join(unknown)}; there are {', '.join(GROUPS)}")
    go_first()
    before, rows, broken = table.machine(), [], []
    for name in groups:
        measure, runs = GROUPS[name]
        began = time.monotonic()
        try:
            rows += measure(words.runs or runs)
        except (Exception, SystemExit) as problem:  # the other groups are measured all the same
            broken.append(f"{name} could not be measured: {problem or type(problem).__name__}")
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    table.show(rows)
    table.write(words.json, rows, before)
    sys.exit("\n".join(broken) or 0)


if __name__ == "__main__":
    main()
