"""What every test shares: the program, a home with the rocks in it, a bounded child process."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PANTO = Path(sys.executable).with_name("panto")


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
    """Run a child in a session of its own; at the limit end its whole group and fail."""
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


def clean_environment(home: Path) -> dict[str, str]:
    """Give an environment in which nothing of the caller's configuration or keys is left."""
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
    }


@pytest.fixture(scope="session")
def panto() -> Path:
    """The program under test, as `make setup` leaves it beside this Python."""
    assert PANTO.exists(), f"{PANTO} is missing: run make setup"
    return PANTO


@pytest.fixture(scope="session")
def rocks_home(panto: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data home with the rocks in it, brought once; copy it, do not write into it."""
    found = os.environ.get("PANTO_HOME") or os.path.join(
        os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), "panto"
    )
    done = run_bounded([panto, "bootstrap"], timeout_s=170)
    assert done.code == 0, done.output
    copy = tmp_path_factory.mktemp("rocks_home")
    shutil.copytree(Path(found) / "rocks", copy / "rocks", symlinks=True)
    return copy


@pytest.fixture
def home(tmp_path: Path, rocks_home: Path) -> Path:
    """An empty home folder in which the rocks are already there: panto starts at once."""
    place = tmp_path / "home"
    shutil.copytree(rocks_home / "rocks", place / ".local/share/panto/rocks", symlinks=True)
    return place


@pytest.fixture
def panto_env(home: Path) -> dict[str, str]:
    """The environment of a panto with an empty home, no key and no configuration."""
    return clean_environment(home)
