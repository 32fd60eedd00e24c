"""`panto run hi`: from the process's start to the request's arrival, and to its exit; beside it the
least that a program can do which asks over httpx.

`python bench/run_prompt.py [RUNS]`
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

import options
from chat_events import text_events
from checkout import PYTHON, Home
from floors import COMMANDS, in_turns, run_cost
from model_server import Answer, ModelServer
from panto_run import panto_run
from row import Row, median_row

WARM = 2
BARE = """
import httpx, sys
with httpx.stream("POST", sys.argv[1], content=b"hi") as answer:
    for piece in answer.iter_bytes():
        print(piece)
"""


def ask(home: Home, server: ModelServer, words: list[str]) -> tuple[float, float, float]:
    """Run once: milliseconds to the request, to the exit, and of CPU."""
    run = panto_run(home, words)
    assert b"hello" in run.said, run.said
    arrived = server.exchange().arrived
    return (arrived - run.started) * 1000, (run.ended - run.started) * 1000, run.cpu_s * 1000


def ask_bare(home: Home, server: ModelServer) -> tuple[float, float]:
    """Run the floor once: milliseconds to the request, to the exit."""
    started = time.monotonic()
    subprocess.run(
        [PYTHON, "-c", BARE, server.url], env=home.full_env(), check=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    ended = time.monotonic()
    return (server.exchange().arrived - started) * 1000, (ended - started) * 1000


def measure(runs: int) -> list[Row]:
    """The rows of this group."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "h")
        answers = [Answer(text_events(["hello", " you"]))] * (2 * runs + WARM)
        with ModelServer(answers) as server:
            home.use_provider(server.url)
            for _ in range(WARM):  # compiled files are kept from the first
                ask(home, server, ["hi"])
            found = in_turns(runs, {
                "L": lambda: run_cost(COMMANDS["L"], home.full_env(), "/").wall_ms,
                "bare": lambda: ask_bare(home, server),
                "ask": lambda: ask(home, server, ["hi"]),
            })  # fmt: skip
    arrived, ended, cpu = zip(*found["ask"], strict=True)
    bare_arrived, bare_ended = zip(*found["bare"], strict=True)
    lua = {"floor": "L", "floor_value": median_row("", "", found["L"], "").value}
    rows = [
        median_row("run", "bare httpx, to the request's arrival", bare_arrived, "ms", **lua),
        median_row("run", "bare httpx, to the exit", bare_ended, "ms", **lua),
    ]
    floors = [{"floor": "bare httpx", "floor_value": row.value} for row in rows]
    name = "panto run hi, to the "
    return [
        *rows,
        median_row("run", name + "request's arrival", arrived, "ms", at_most=100, **floors[0]),
        median_row("run", name + "exit", ended, "ms", at_most=125, **floors[1]),
        median_row("run", "panto run hi, CPU", cpu, "ms"),
    ]


if __name__ == "__main__":
    options.main(measure, 15)
