"""The floors P and L, and runs that take turns with them so that a drift of speed hits both."""

from __future__ import annotations

import contextlib
import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkout import PYTHON

COMMANDS = {
    "P": [PYTHON, "-c", ""],
    "L": [PYTHON, "-c", "from lupa import lua54; lua54.LuaRuntime()"],
}


@dataclass
class Cost:
    """What a whole process cost, its children that it waited for included."""

    wall_ms: float
    cpu_ms: float


def go_first() -> None:
    """Take precedence over what else the machine does, for this process and those it starts."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -15)


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
    """The most memory a command has had resident when it was last looked at before its end.

    What wait4 gives would count this process too: a child begins with its parent's peak.
    """
    child = subprocess.Popen(
        command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    status, peak = Path(f"/proc/{child.pid}/status"), 0
    while child.poll() is None:
        words = status.read_text().partition("VmHWM:")[2].split()
        peak = max(peak, int(words[0]) if words else 0)
    return peak * 1024 / 1e6


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
