"""The words after a measuring script: how many runs, and the main of each script."""

from __future__ import annotations

import sys
from collections.abc import Callable

import table
from row import Row

Measure = Callable[[int], list[Row]]


def main(measure: Measure, runs: int) -> None:
    """Measure one group and print its table; the first word says how many runs."""
    table.show(measure(int(sys.argv[1]) if len(sys.argv) > 1 else runs))
