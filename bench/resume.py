"""How long `--resume` takes until one can type, by the length of the session; and the list.

`python bench/resume.py [RUNS] [RECORDS…]` (more than 9 is a number of records) builds sessions of
5 KB a record: from the start of the process to the notice on the screen, memory then, and from
Enter to the request for the first prompt; the longest also as another program would write it, with
other key order and no counts, the first time; then `panto sessions` over 10,000 files.
BENCH_DIR says where the sessions are built.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import table
from chat_events import text_events
from checkout import PANTO, Home, peak_rss_kb
from floors import run_cost
from model_server import Answer, ModelServer
from row import Row, median_row
from session_file import place_of, write_session
from terminal import PROMPT, Terminal

COUNTS = (10, 10_000, 100_000)
FILES = 10_000


@dataclass
class Resumed:
    """Milliseconds to the notice and from Enter to the request; MB at the notice."""

    shown_ms: float
    asked_ms: float
    memory_mb: float


class Case:
    """A home with one session, resumed again and again as it was."""

    def __init__(self, root: Path, url: str, records: int, foreign: bool = False) -> None:
        """Build it."""
        self.home = Home(root)
        self.home.use_provider(url)
        self.path = place_of(self.home)
        write_session(self.path, self.home.work, records, foreign=foreign)
        self.length = self.path.stat().st_size
        with Terminal(self.home) as terminal:  # compiled files are kept from the first start
            terminal.until(PROMPT)
            terminal.quiet(1)

    def resume(self, server: ModelServer) -> Resumed:
        """Resume once, ask once."""
        with Terminal(self.home, ["--resume"]) as terminal:
            shown = terminal.until(b"resumed session", 120) - terminal.started
            memory = peak_rss_kb(terminal.pid) * 1024 / 1e6
            terminal.quiet(0.3)
            server.forget()  # a prompt may have made it compact, which is a request too
            typed = time.monotonic()
            terminal.write(b"x\r")
            asked = server.exchange(120).arrived - typed
            terminal.quiet(0.3)
        os.truncate(self.path, self.length)  # a prompt may have compacted it
        for kept in self.path.parent.glob(".*"):
            kept.unlink()
        return Resumed(shown * 1000, asked * 1000, memory)


def list_rows(folder: Path, runs: int) -> list[Row]:
    """How long the list of many sessions takes, the first time and then."""
    home = Home(folder / "list")
    for n in range(FILES):
        identity = f"0197a1b2-c3d4-7000-8000-{n:012x}"
        write_session(place_of(home, identity), home.work, 2, identity)
    command = [str(PANTO), "sessions"]
    run_cost([str(PANTO), "--version"], home.full_env(), home.work)
    times = [run_cost(command, home.full_env(), home.work).wall_ms for _ in range(runs + 1)]
    name = f"panto sessions over {FILES:,} files"
    first = Row("resume", f"{name}, the first time", times[0], "ms")
    return [median_row("resume", name, times[1:], "ms", at_most=300), first]


def resume_rows(found: dict[int, list[Resumed]], foreign: list[Resumed]) -> list[Row]:
    """The rows of the resumed sessions, each against the shortest."""
    rows, shortest = [], median(one.shown_ms for one in found[min(found)])
    for count, list_ in found.items():
        name, shown = f"resume of {count:,} records", [one.shown_ms for one in list_]
        bar = {"at_most_ratio": 1.5} if count > min(found) else {}
        row = median_row("resume", name, shown, "ms", at_most=300, **bar)
        row.floor, row.floor_value = f"{min(found)} records", shortest
        memory = [one.memory_mb for one in list_]
        asked = [one.asked_ms for one in list_]
        rows += [row, median_row("resume", f"{name}, memory", memory, "MB", at_most=150)]
        rows.append(median_row("resume", f"{name}, Enter to the request", asked, "ms"))
    shown = [one.shown_ms for one in foreign]
    name = f"resume of {max(found):,} records of another program"
    return [*rows, median_row("resume", name, shown, "ms")]


def measure(runs: int, counts: tuple[int, ...] = COUNTS) -> list[Row]:
    """The rows of this group."""
    found: dict[int, list[Resumed]] = {count: [] for count in counts}
    foreign = []
    answers = [Answer(text_events(["y"]))] * (runs * (len(counts) + 1) * 2)
    with (
        tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder,
        ModelServer(answers) as server,
    ):
        root = Path(folder)
        cases = {count: Case(root / str(count), server.url, count) for count in counts}
        for _ in range(runs):
            for count, case in cases.items():
                found[count].append(case.resume(server))
        for case in cases.values():
            case.path.unlink()
        other = Case(root / "foreign", server.url, max(counts), foreign=True)
        foreign = [other.resume(server) for _ in range(runs)]
        other.path.unlink()
        return resume_rows(found, foreign) + list_rows(root, runs)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    counts = tuple(number for number in numbers if number > 9)
    table.show(measure(next((n for n in numbers if n <= 9), 5), counts or COUNTS))
