"""The floors P and L, and runs that take turns with them so that a drift of speed hits both."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from checkout import PYTHON

COMMANDS = {
    "P": [PYTHON, "-c", ""],
    "L": [PYTHON, "-c", "from lupa import lua54; lua54.LuaRuntime()"],
}
# Small, so that its own size does not count as the child's: a child begins as a copy of its parent.
PEAK = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
    file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
print(os.wait4(pid, 0)[2].ru_maxrss)
"""


@dataclass
class Cost:
    """What a whole process cost, its children that it waited for included."""

    wall_ms: float
    cpu_ms: float


def run_cost(command: list[str], env: Mapping[str, str], cwd: str | os.PathLike[str]) -> Cost:
    """Run a command to its end without input; fail when it fails."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True
    )
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(wall * 1000, cpu * 1000)


def peak_mb(command: list[str], env: Mapping[str, str]) -> float:
    """The most memory that a command has resident, in MB."""
    words = [PYTHON, "-I", "-S", "-c", PEAK, *command]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
    return int(done.stdout) * 1024 / 1e6


def in_turns(runs: int, measures: Mapping[str, Callable[[], Any]]) -> dict[str, list[Any]]:
    """Call each in turn, `runs` times; give the lists of what they returned."""
    found: dict[str, list[Any]] = {name: [] for name in measures}
    for _ in range(runs):
        for name, measure in measures.items():
            found[name].append(measure())
    return found


def floor_ms(name: str, env: Mapping[str, str], runs: int = 7) -> float:
    """The median wall time of a floor."""
    return statistics.median(run_cost(COMMANDS[name], env, "/").wall_ms for _ in range(runs))
