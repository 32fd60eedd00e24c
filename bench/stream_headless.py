"""20,000 deltas through `panto run`: the CPU of the whole process, its start included.

`python bench/stream_headless.py [RUNS]`; the floor is Python's json over the same events.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

import options
from chat_events import DELTAS, END, deltas, text_events
from checkout import Home
from floors import in_turns
from model_server import Answer, ModelServer
from panto_run import panto_run
from row import Row, median_row


def decode_floor_s(events: list[bytes]) -> float:
    """CPU of decoding the events with Python's json: how fast the machine is just now."""
    bodies = [event[6:] for event in events[:-1]]
    start = time.process_time()
    for body in bodies:
        json.loads(body)
    return time.process_time() - start


def run_once(home: Home) -> tuple[float, float]:
    """Seconds of CPU and of wall time of one run."""
    run = panto_run(home, ["go"])
    assert run.said.rstrip().endswith(END.encode()), run.said[-200:]
    return run.cpu_s, run.ended - run.started


def measure(runs: int) -> list[Row]:
    """The rows of this group."""
    events = text_events(deltas())
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "h")
        with ModelServer([Answer(events)] * (runs + 1)) as server:
            home.use_provider(server.url)
            run_once(home)
            found = in_turns(runs, {
                "json.loads": lambda: decode_floor_s(events),
                "run": lambda: run_once(home),
            })  # fmt: skip
    cpu, wall = zip(*found["run"], strict=True)
    floor = median_row("", "", found["json.loads"], "").value
    name = f"{DELTAS:,} deltas headless, "
    return [
        median_row("headless", name + "CPU", cpu, "s", at_most=0.6,
                   floor="json.loads", floor_value=floor),
        median_row("headless", name + "wall", wall, "s"),
    ]  # fmt: skip


if __name__ == "__main__":
    options.main(measure, 5)
