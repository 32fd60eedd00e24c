"""Runs `panto run` to its end: what it printed, and what it has cost."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass

from checkout import PANTO, Home


@dataclass
class Finished:
    """A run that went well. Moments are those of time.monotonic, in seconds."""

    said: bytes
    started: float
    ended: float
    cpu_s: float


def panto_run(home: Home, words: list[str]) -> Finished:
    """Run once; the CPU of the programs that it starts counts as its own."""
    started = time.monotonic()
    child = subprocess.Popen(
        [str(PANTO), "run", *words],
        env=home.full_env(), cwd=home.work,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert child.stdout
    said = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    ended = time.monotonic()
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, said[-500:]
    return Finished(said, started, ended, usage.ru_utime + usage.ru_stime)
