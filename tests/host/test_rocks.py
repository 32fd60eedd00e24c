"""The rocks tree: built once from nothing, kept while it is right, renewed when it is not."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path
from statistics import median

import pytest
from panto_host import rocks
from panto_host.paths import Paths
from support.child import ROOT, Finished, run_bounded
from support.home import PANTO
from support.rocks import RocksHome, tiny_server

Cold = tuple[RocksHome, Finished, float]


def test_an_empty_home_is_ready_in_under_a_minute(cold: Cold) -> None:
    home, done, seconds = cold
    assert seconds < 60
    assert home.loads()
    assert home.leftovers == []
    assert "building luv" in done.stderr
    assert done.stdout == ""


def test_a_home_is_given_the_base_layer(cold: Cold) -> None:
    home = cold[0].root
    assert (home / "config.toml").read_text() == (ROOT / "rocks" / "config.toml").read_text()
    assert (home / "agent" / "extensions").is_dir()
    assert (home / "agent" / "tools").is_dir()
    bundled = ROOT / "lua" / "panto" / "app" / "SYSTEM.md"
    assert (home / "agent" / "SYSTEM.md").read_text() == bundled.read_text()


def test_a_second_bootstrap_does_no_work(built: RocksHome) -> None:
    before = built.tree.stat().st_ino, (built.tree / "bin" / "lua").stat().st_mtime_ns
    done = built.bootstrap()
    assert done.code == 0, done.output
    assert "building" not in done.stderr
    assert before == (built.tree.stat().st_ino, (built.tree / "bin" / "lua").stat().st_mtime_ns)


def test_a_start_finds_out_in_well_under_a_millisecond(built: RocksHome) -> None:
    paths = Paths({**os.environ, "PANTO_HOME": str(built.root)})
    seconds = []
    for _ in range(200):
        began = time.perf_counter()
        assert rocks.ready(paths)
        seconds.append(time.perf_counter() - began)
    assert median(seconds) < 0.0005


def test_the_look_at_the_stamp_loads_nothing_heavy() -> None:
    chunk = (
        "import sys\nfrom panto_host.paths import Paths\nfrom panto_host import rocks\n"
        "import os\nrocks.ready(Paths(os.environ))\nprint(*sys.modules)\n"
    )
    done = run_bounded([sys.executable, "-S", "-c", chunk], env=_source_env())
    assert done.code == 0, done.output
    heavy = {"json", "re", "subprocess", "hashlib", "tomllib", "tarfile", "httpx", "ctypes"}
    assert heavy.isdisjoint(done.stdout.split())


def test_a_start_without_rocks_brings_them(empty: RocksHome) -> None:
    command = [PANTO, "lua", "-e", 'print(require("luv").version_string())']
    done = run_bounded(command, env=empty.full_env(), timeout_s=150)
    assert (done.code, done.stdout) == (0, "1.50.0\n"), done.output
    assert "building luv" in done.stderr
    again = run_bounded(command, env=empty.full_env())
    assert (again.code, again.stdout, again.stderr) == (0, "1.50.0\n", "")


def test_luarocks_works_as_the_manual_says_and_its_rocks_survive_all_but_force(
    built: RocksHome, tmp_path: Path
) -> None:
    server = tiny_server(tmp_path / "tiny")
    done = built.luarocks("install", "tiny", PANTO_ROCKS_SERVER=str(server))
    assert done.code == 0, done.output
    _assert_tiny(built)

    done = built.call("bootstrap", TEST_PINS=str(_other_pins(tmp_path)))
    assert done.code == 0, done.output
    assert "building luv" in done.stderr
    _assert_tiny(built)
    listed = built.luarocks("list", "--porcelain").stdout
    assert [line.split()[:2] for line in listed.splitlines()] == [
        ["luv", "1.48.0-2"],
        ["tiny", "1.0-1"],
    ]

    done = built.bootstrap("--force")
    assert done.code == 0, done.output
    assert built.loads()
    assert "tiny" not in built.luarocks("list", "--porcelain").stdout
    assert built.leftovers == []


def test_a_home_may_have_blanks_and_other_letters(empty: RocksHome, tmp_path: Path) -> None:
    home = RocksHome(tmp_path / "ein Haus für Möwen ☂", empty.cache, empty.objects)
    done = home.bootstrap()
    assert done.code == 0, done.output
    assert home.loads()
    server = tiny_server(tmp_path / "tiny")
    done = home.luarocks("install", "tiny", PANTO_ROCKS_SERVER=str(server))
    assert done.code == 0, done.output
    _assert_tiny(home)


def test_a_home_may_have_quotes_and_dollars(empty: RocksHome, tmp_path: Path) -> None:
    home = RocksHome(tmp_path / 'it\'s "$5" `a`', empty.cache, empty.objects)
    done = home.bootstrap()
    assert done.code == 0, done.output
    assert home.loads()


def test_another_python_rewrites_the_launcher_and_builds_nothing(
    built: RocksHome, tmp_path: Path
) -> None:
    other = tmp_path / "other python"
    other.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    other.chmod(0o755)
    luv = (built.tree / "lib/lua/5.4/luv.so").stat()
    done = built.call("bootstrap", TEST_PYTHON=str(other))
    assert done.code == 0, done.output
    assert "building" not in done.stderr
    assert str(other) in (built.tree / "bin" / "lua").read_text()
    assert (built.tree / "lib/lua/5.4/luv.so").stat().st_ino == luv.st_ino
    assert built.loads()


def test_an_edited_file_of_the_base_layer_is_left_alone(built: RocksHome) -> None:
    config, system = built.root / "config.toml", built.root / "agent" / "SYSTEM.md"
    config.write_text("# mine\n")
    system.unlink()
    assert built.bootstrap().code == 0
    assert config.read_text() == "# mine\n"
    assert system.exists()


def test_a_file_that_an_earlier_panto_wrote_is_renewed(built: RocksHome, tmp_path: Path) -> None:
    pins = _other_pins(tmp_path)
    (pins / "config.toml").write_text("# the next release's\n")
    assert built.call("bootstrap", TEST_PINS=str(pins)).code == 0
    assert (built.root / "config.toml").read_text() == "# the next release's\n"


def test_rocks_installed_by_luarocks_run_without_unzip(built: RocksHome, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "ls"):
        (tools / name).symlink_to(shutil.which(name) or "")
    (tmp_path / "one.txt").write_text("hello")
    shutil.make_archive(str(tmp_path / "a b"), "zip", tmp_path, "one.txt")
    place = tmp_path / "out"
    place.mkdir()
    command = [built.tree / "libexec" / "unzip", tmp_path / "a b.zip"]
    done = run_bounded(command, env={"PATH": str(tools)}, cwd=place)
    assert done.code == 0, done.output
    assert (place / "one.txt").read_text() == "hello"


def _assert_tiny(home: RocksHome) -> None:
    done = run_bounded([home.tree / "bin" / "tiny-say", "a b"], env=home.full_env())
    assert (done.code, done.stdout) == (0, "hello from C\ta b\n"), done.output


def _other_pins(folder: Path) -> Path:
    """The pin of another release: same sources, another layout."""
    pins = folder / "pins"
    shutil.copytree(ROOT / "rocks", pins, dirs_exist_ok=True)
    text = (pins / "battery.toml").read_text()
    (pins / "battery.toml").write_text(text.replace("layout = ", "layout = 10"))
    return pins


def _source_env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "python")}


@pytest.mark.parametrize("name", ["bootstrap", "ensure"])
def test_a_rebuild_that_fails_leaves_the_old_tree_in_use(
    built: RocksHome, tmp_path: Path, name: str
) -> None:
    pins = _other_pins(tmp_path)
    done = built.call(name, TEST_PINS=str(pins), PANTO_CACHE=str(tmp_path / "no-cache"))
    assert done.code == (1 if name == "bootstrap" else 0)
    assert "could not get" in done.stderr
    assert built.loads()
    assert built.leftovers == []
