"""One cold bootstrap for all the tests of the rocks; the others copy its tree or its downloads."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.child import Finished
from support.rocks import RocksHome, cold_start


@pytest.fixture(scope="session")
def cold(tmp_path_factory: pytest.TempPathFactory) -> tuple[RocksHome, Finished, float]:
    """A home bootstrapped from nothing: the home, what was said, the seconds that it took."""
    home, done, seconds = cold_start(tmp_path_factory.mktemp("cold"))
    assert done.code == 0, done.output
    return home, done, seconds


@pytest.fixture
def built(cold: tuple[RocksHome, Finished, float], tmp_path: Path) -> RocksHome:
    """A home of the test's own that has the rocks."""
    return cold[0].copy(tmp_path / "built")


@pytest.fixture
def empty(cold: tuple[RocksHome, Finished, float], tmp_path: Path) -> RocksHome:
    """A home of the test's own that has nothing, with a full cache elsewhere."""
    return RocksHome(tmp_path / "empty", cold[0].cache, cold[0].objects)
