"""What every test may ask for: the program with its rocks, and an empty home to run it in."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from support.child import run_bounded
from support.home import PANTO, Home

# A runner in the background hands on ignored signals; the programs under test must get them.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def panto() -> Path:
    """The program under test, its rocks brought in line once."""
    assert PANTO.exists(), f"{PANTO} is missing: run make setup"
    done = run_bounded([PANTO, "bootstrap"], timeout_s=170)
    assert done.code == 0, done.output
    return PANTO


@pytest.fixture
def home(tmp_path: Path, panto: Path) -> Home:
    """An empty home: no key, no configuration, no session, but the rocks."""
    return Home(tmp_path / "home")


@pytest.fixture
def panto_env(home: Home) -> dict[str, str]:
    """The whole environment of a panto in that empty home."""
    return home.full_env()
