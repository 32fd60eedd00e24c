"""`panto run hi`: from the process's start to the request's arrival, and to its exit.

`python bench/run_prompt.py [RUNS]`
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import options
from chat_events import text_events
from checkout import Home
from floors import COMMANDS, in_turns, run_cost
from model_server import Answer, ModelServer
from panto_run import panto_run
from row import Row, median_row

WARM = 2


def ask(home: Home, server: ModelServer, words: list[str]) -> tuple[float, float, float]:
    """Run once: milliseconds to the request, to the exit, and of CPU."""
    run = panto_run(home, words)
    assert b"hello" in run.said, run.said
    arrived = server.exchange().arrived
    return (arrived - run.started) * 1000, (run.ended - run.started) * 1000, run.cpu_s * 1000


def measure(runs: int) -> list[Row]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "h")
        answers = [Answer(text_events(["hello", " you"]))] * (runs + WARM)
        with ModelServer(answers) as server:
            home.use_provider(server.url)
            for _ in range(WARM):  # compiled files are kept from the first
                ask(home, server, ["hi"])
            found = in_turns(runs, {
                "L": lambda: run_cost(COMMANDS["L"], home.full_env(), "/").wall_ms,
                "ask": lambda: ask(home, server, ["hi"]),
            })  # fmt: skip
    arrived, ended, cpu = zip(*found["ask"], strict=True)
    floor = {"floor": "L", "floor_value": median_row("", "", found["L"], "").value}
    name = "panto run hi, to the "
    return [
        median_row("run", name + "request's arrival", arrived, "ms", at_most=100, **floor),
        median_row("run", name + "exit", ended, "ms", at_most=125, **floor),
        median_row("run", "panto run hi, CPU", cpu, "ms"),
    ]


if __name__ == "__main__":
    options.main(measure, 15)
