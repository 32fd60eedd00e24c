"""A panto that nobody uses, and its answer to a key: memory, CPU, wakeups, bytes, echo.

`python bench/idle.py [SECONDS]`; it is looked at 3 s after its start.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import options
from row import Row, median_row, percentile
from start import build_home, first_key
from terminal import PROMPT, Terminal

KEYS, BETWEEN_S = 300, 0.02
SETTLE_S = 3


def echoes(terminal: Terminal) -> list[float]:
    """Milliseconds from each of many keys until it stands on the screen."""
    found = []
    for n in range(KEYS):
        found.append(terminal.echo(chr(0x430 + n % 32).encode()) * 1000)
        time.sleep(BETWEEN_S)
        if n % 32 == 31:  # each letter is typed into a draft that does not have it
            terminal.write(b"\x15")
            terminal.quiet(0.1)
    return found


def measure(seconds: int) -> list[Row]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        home = build_home(Path(folder) / "h", 10)
        first_key(home, 0.8)
        with Terminal(home) as terminal:
            terminal.until(PROMPT)
            terminal.quiet(SETTLE_S)
            cpu, waits, terminal.written = terminal.cpu_ms(), terminal.wakeups(), 0
            time.sleep(seconds)
            cpu, waits = terminal.cpu_ms() - cpu, terminal.wakeups() - waits
            memory = terminal.memory_mb()
            terminal.read(0)
            written = terminal.written
            shown = echoes(terminal)
    time_of = f"idle for {seconds} s, "
    return [
        Row("idle", "idle, memory", memory, "MB", at_most=32),
        Row("idle", time_of + "CPU", cpu, "ms", at_most=0),
        Row("idle", time_of + "wakeups", waits, "times", at_most=0),
        Row("idle", time_of + "bytes written", written, "bytes", at_most=0),
        median_row("idle", "key to echo, idle", shown, "ms", at_most=0.6),
        Row("idle", "key to echo, idle, p99", percentile(shown, 0.99), "ms", at_most=2, runs=KEYS),
    ]


if __name__ == "__main__":
    options.main(measure, 10)
