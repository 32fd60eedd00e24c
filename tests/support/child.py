"""A command in, its exit code and output out; it never outlives its limit, nor does its group."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Finished:
    """A child that has ended: its exit code (negative for a signal) and what it wrote."""

    code: int
    stdout: str
    stderr: str

    @property
    def output(self) -> str:
        """Both streams, for a failing test's message."""
        return self.stdout + self.stderr


def run_bounded(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path = ROOT,
    stdin: str | None = None,
    timeout_s: float = 60,
) -> Finished:
    """Run a child in a session of its own; at the limit end its whole group and fail the test."""
    child = subprocess.Popen(
        [str(word) for word in command],
        cwd=cwd,
        env=None if env is None else dict(env),
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        stdout, stderr = child.communicate(stdin, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        _end_group(child.pid)
        stdout, stderr = child.communicate(timeout=10)
        pytest.fail(f"{command[0]} did not end within {timeout_s} s:\n{stdout}{stderr}")
    finally:
        _end_group(child.pid)
    return Finished(child.returncode, stdout, stderr)


def _end_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
