"""20,000 deltas of Markdown with code in a terminal of 120 x 40: as fast as it comes, and paced.

`python bench/stream_tui.py [RUNS] [flat|paced|both]`: CPU of the whole process, bytes written,
memory, and how long a key typed meanwhile takes to show. The floor is Python's json over the same
events. BENCH_EXTENSION names a Lua file to load as an extension (to profile from inside),
BENCH_HOOK a shell command to run beside it, PID in it being panto's.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import table
from chat_events import DELTAS, END, deltas, text_events
from checkout import Home
from model_server import Answer, ModelServer
from row import Row, median_row, percentile
from stream_headless import decode_floor_s
from terminal import PROMPT, Terminal

PACED_S = 20.0
BETWEEN_KEYS_S = 0.06
LETTERS = [chr(0x430 + n) for n in range(32)]  # none stands in the answer


@dataclass
class Stream:
    """One run: CPU from the process's start and from Enter on, seconds, bytes, MB, milliseconds."""

    cpu_s: float
    turn_cpu_s: float
    wall_s: float
    written: int
    memory_mb: float
    grown_mb: float
    echoes_ms: list[float] = field(default_factory=list)


def open_home(root: Path, url: str) -> Home:
    """A home whose provider is the server, with the extension to profile with."""
    home = Home(root)
    home.use_provider(url)
    if extension := os.environ.get("BENCH_EXTENSION"):
        (home.config / "extensions").mkdir()
        (home.config / "extensions" / "bench.lua").write_text(Path(extension).read_text())
    return home


def type_letters(terminal: Terminal, echoes: list[float]) -> None:
    """Type one letter after the other while the answer streams; empty the draft in between."""
    count = 0
    while END.encode() not in terminal.tail:
        letter = LETTERS[count % len(LETTERS)].encode()
        count += 1
        kept = terminal.tail
        echoes.append(terminal.echo(letter) * 1000)
        terminal.tail = kept[-100:] + terminal.tail
        if count % len(LETTERS) == 0:
            terminal.write(b"\x15")
        until = time.monotonic() + BETWEEN_KEYS_S
        while (left := until - time.monotonic()) > 0:
            terminal.read(left)


def stream(paced: bool) -> Stream:
    """Run the program once."""
    answers = [Answer(text_events(deltas()), PACED_S if paced else 0)]
    with tempfile.TemporaryDirectory() as folder, ModelServer(answers) as server:
        home = open_home(Path(folder) / "h", server.url)
        with Terminal(home) as terminal:  # compiled files are kept from the first start
            terminal.until(PROMPT)
            terminal.quiet(1)
        with Terminal(home) as terminal:
            terminal.until(PROMPT)
            terminal.quiet(0.5)
            start_cpu, start_mb, terminal.written = terminal.cpu_ms(), terminal.memory_mb(), 0
            terminal.write(b"go\r")
            if hook := os.environ.get("BENCH_HOOK"):
                subprocess.Popen(hook.replace("PID", str(terminal.pid)), shell=True)
            began, echoes = time.monotonic(), []
            if paced:
                type_letters(terminal, echoes)
            terminal.until(END.encode(), 90)
            wall = time.monotonic() - began
            terminal.quiet(0.3)
            cpu, memory = terminal.cpu_ms(), terminal.memory_mb()
            return Stream(
                cpu / 1000, (cpu - start_cpu) / 1000, wall, terminal.written, memory,
                memory - start_mb, echoes,
            )  # fmt: skip


def flat_rows(runs: int) -> list[Row]:
    """The rows of an answer that comes as fast as it can."""
    events, found, floors = text_events(deltas()), [], []
    for _ in range(runs):
        floors.append(decode_floor_s(events))
        found.append(stream(paced=False))
    name = f"{DELTAS:,} deltas in the terminal, "
    size = len("".join(deltas()).encode())
    written = [one.written / 1000 for one in found]
    return [
        median_row("tui", name + "CPU", [one.cpu_s for one in found], "s", at_most=1.0,
                   floor="json.loads", floor_value=median(floors)),
        median_row("tui", name + "CPU of the turn alone", [one.turn_cpu_s for one in found], "s"),
        median_row("tui", name + "wall", [one.wall_s for one in found], "s"),
        median_row("tui", name + "bytes", written, "KB", at_most_ratio=5,
                   floor="the text", floor_value=size / 1000),
        median_row("tui", name + "memory", [one.memory_mb for one in found], "MB"),
    ]  # fmt: skip


def paced_rows(runs: int) -> list[Row]:
    """The rows of an answer that is spread over twenty seconds."""
    found = [stream(paced=True) for _ in range(runs)]
    name = f"the same over {PACED_S:.0f} s, "
    keys = [ms for one in found for ms in one.echoes_ms]
    late = percentile(keys, 0.99)
    return [
        median_row("tui", name + "CPU", [one.cpu_s for one in found], "s", at_most=2.5),
        median_row("tui", name + "bytes", [one.written / 1e6 for one in found], "MB", at_most=0.5),
        median_row("tui", name + "memory grown", [one.grown_mb for one in found], "MB"),
        median_row("tui", "key to echo, while it streams", keys, "ms", at_most=1),
        Row("tui", "key to echo, while it streams, p99", late, "ms", at_most=8, runs=len(keys)),
    ]


def measure(runs: int, wanted: str = "both") -> list[Row]:
    """The rows of this group."""
    rows = flat_rows(runs) if wanted in ("flat", "both") else []
    return rows + (paced_rows(max(1, runs // 2)) if wanted in ("paced", "both") else [])


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.isdigit()]
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    table.show(measure(numbers[0] if numbers else 3, words[0] if words else "both"))
