"""luv's own tests, from the source that the bootstrap fetched, pass under `panto lua`."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

from support.child import run_bounded
from support.home import PANTO
from support.rocks import RocksHome

# It sends SIGINT to a child 200 ms after starting it: too soon for a machine that is busy.
SOON, LATER = "timer_start(timer, 200,", "timer_start(timer, 3000,"


def test_luvs_own_tests_pass(built: RocksHome, tmp_path: Path) -> None:
    found = [path for path in built.cache.iterdir() if re.match(r"(lua-)?luv[-_]\d", path.name)]
    [archive] = found
    with tarfile.open(archive) as tar:
        tar.extraction_filter = staticmethod(lambda member, _: member)  # the archive is pinned
        tar.extractall(tmp_path)
    [folder] = [path for path in tmp_path.iterdir() if (path / "tests" / "run.lua").exists()]
    hasty = folder / "tests" / "test-signal.lua"
    assert SOON in hasty.read_text()
    hasty.write_text(hasty.read_text().replace(SOON, LATER))
    command = [PANTO, "lua", "tests/run.lua"]
    done = run_bounded(command, env=built.full_env(), cwd=folder, timeout_s=150)
    assert re.findall(r"(?m)^not ok \d+ (.*)$", done.stdout) == []
    assert done.code == 0, done.output[-2000:]
    assert done.stdout.endswith("# All tests passed\n")
    assert done.stdout.count("\nok ") > 140
