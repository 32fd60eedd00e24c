"""Two costs of the inside: an event with twenty handlers, a query over a large list of files.

`python bench/extras.py [RUNS]`
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import options
from checkout import Home
from in_lua import figures
from row import Row, median_row

PATHS = 20_000


def measure(runs: int) -> list[Row]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "h")
        found = [figures(home, "extras.lua", [PATHS]) for _ in range(runs)]

    def row(figure: str, name: str, unit: str, at_most: float) -> Row:
        samples = [one[figure] for one in found]
        return median_row("extras", name, samples, unit, at_most=at_most)

    name = f"a query over {PATHS:,} paths"
    return [
        row("handlers_us", "20 handlers on a text delta", "us", 20),
        row("query_ms", name, "ms", 100),
        row("longest_ms", f"{name}, the longest", "ms", 100),
    ]


if __name__ == "__main__":
    options.main(measure, 5)
