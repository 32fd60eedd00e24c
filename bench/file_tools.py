"""`std.read` of the last page of a 50 MB file and `std.edit` in a 5 MB file, against reading it.

`python bench/file_tools.py [RUNS]`; each is done in a file of half the size too: twice the file
is to cost at most twice.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import options
from checkout import Home
from floors import in_turns
from in_lua import figures
from row import Row, lowest_row, median_row

Figures = list[dict[str, float]]
LINE = "line %07d of a file that is long, with words that one may look for and others\n"


def write_lines(path: Path, megabytes: float) -> int:
    """Write a file of so many MB; give its number of lines."""
    lines = int(megabytes * 1e6 / len(LINE % 0))
    with path.open("w") as file:
        for start in range(0, lines, 10000):
            file.write("".join(LINE % n for n in range(start, min(lines, start + 10000))))
        file.write("the last line\n")
    return lines + 1


def read_once(home: Home, path: Path, lines: int) -> dict[str, float]:
    """The last page of a file."""
    return figures(home, "file_tools.lua", ["read", path, lines - 500])


def edit_once(home: Home, path: Path, lines: int) -> dict[str, float]:
    """One line in the middle of a file; the next time it is changed back."""
    line = LINE % (lines // 2)
    changed = line.replace("long", "tall")
    old, new = (line, changed) if line in path.read_text() else (changed, line)
    return figures(home, "file_tools.lua", ["edit", path, old, new])


def measure(runs: int) -> list[Row]:
    """The rows of this group."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "h")
        for what, megabytes, once in (("read", 50, read_once), ("edit", 5, edit_once)):
            costs = {}
            for size in (megabytes / 2, megabytes):
                path = Path(folder) / f"{what}{size}.txt"
                lines = write_lines(path, size)
                once(home, path, lines)
                costs[size] = in_turns(
                    runs, {"tool": lambda p=path, n=lines, f=once: f(home, p, n)}
                )["tool"]
            rows += rows_of(what, costs[megabytes / 2], costs[megabytes])
    return rows


def rows_of(what: str, half: Figures, whole: Figures) -> list[Row]:
    """A tool's row against reading the file, and against half the file."""
    name = "last page of a 50 MB file" if what == "read" else "one line of a 5 MB file"
    name = f"std.{what}, {name}"
    times = [one["tool_wall"] * 1000 for one in whole]
    plain = median_row("", "", [one["plain_wall"] * 1000 for one in whole], "").value
    halves = min(one["tool_cpu"] * 1000 for one in half)
    cpu = [one["tool_cpu"] * 1000 for one in whole]
    return [
        median_row("files", name, times, "ms", at_most_ratio=3, floor="reading it",
                   floor_value=plain),
        lowest_row("files", f"{name}, CPU", cpu, "ms", at_most_ratio=2.2, floor="half the file",
                   floor_value=halves),
    ]  # fmt: skip


if __name__ == "__main__":
    options.main(measure, 5)
