"""A bootstrap that is killed, crowded, starved or lied to: whole or nothing, and a clear word."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from support.child import Finished, run_bounded
from support.home import PANTO
from support.rocks import RocksHome

STEPS = ["locked", "fetched", "unpacked", "built", "checked", "stamped", "swapped"]
UPSTREAM = {"www.lua.org", "luarocks.org", "github.com"}
SHORTEST_HOST = re.compile(r"\b(?:[a-z0-9-]+\.)+(?:org|com|net|io)\b")


@pytest.mark.parametrize("step", STEPS)
def test_killed_on_an_empty_home_it_leaves_no_tree_or_a_whole_one(
    empty: RocksHome, step: str
) -> None:
    assert empty.bootstrap(PANTO_TEST_KILL_AT=step).code == -9
    assert empty.tree.exists() == (step == "swapped")
    assert not empty.tree.exists() or empty.loads()


@pytest.mark.parametrize("step", STEPS)
def test_killed_while_replacing_it_leaves_a_tree_that_loads(built: RocksHome, step: str) -> None:
    assert built.bootstrap("--force", PANTO_TEST_KILL_AT=step).code == -9
    assert built.loads()
    assert built.bootstrap().code == 0
    assert built.loads()
    assert built.leftovers == []


def test_a_tree_that_was_only_set_aside_comes_back(built: RocksHome) -> None:
    built.tree.rename(built.tree.parent / ".lua-5.4.8.old-1")
    (built.tree.parent / ".lua-5.4.8.new-1" / "lib").mkdir(parents=True)
    done = built.bootstrap()
    assert done.code == 0, done.output
    assert "building" not in done.stderr
    assert built.loads()
    assert built.leftovers == []


def test_of_three_at_once_one_builds_and_two_wait(empty: RocksHome) -> None:
    children = [
        subprocess.Popen(
            [PANTO, "bootstrap"],
            env=empty.full_env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    said = [child.communicate(timeout=150)[1] for child in children]
    assert [child.returncode for child in children] == [0, 0, 0], said
    assert sum("building luv" in text for text in said) == 1
    assert sum("waiting for another" in text for text in said) == 2
    assert empty.loads()


def test_twenty_starts_go_on_while_the_tree_is_replaced(built: RocksHome) -> None:
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    force = subprocess.Popen([PANTO, "bootstrap", "--force"], env=built.full_env(), **quiet)
    command = [PANTO, "lua", "-e", 'io.write(require("luv").version_string())']
    starts = []
    while force.poll() is None or len(starts) < 20:
        starts.append(run_bounded(command, env=built.full_env()))
        assert (starts[-1].code, starts[-1].output) == (0, "1.50.0")
    force.communicate(timeout=60)
    assert force.returncode == 0
    assert built.loads()
    assert built.leftovers == []


@pytest.mark.parametrize("damage", ["corrupt", "truncated"])
def test_a_damaged_download_is_fetched_again(empty: RocksHome, tmp_path: Path, damage: str) -> None:
    cache = tmp_path / "cache"
    shutil.copytree(empty.cache, cache)
    file = next(path for path in cache.iterdir() if path.name.startswith("luarocks"))
    data = bytearray(file.read_bytes())
    if damage == "corrupt":
        data[1000] ^= 255
    file.write_bytes(data if damage == "corrupt" else data[:1000])
    done = empty.bootstrap(PANTO_CACHE=str(cache), PANTO_SOURCES="url,apt")
    assert done.code == 0, done.output
    assert "is damaged" in done.stderr
    assert file.stat().st_size == len(data)
    assert empty.loads()


def test_no_source_at_all_fails_with_one_paragraph(empty: RocksHome, tmp_path: Path) -> None:
    began = time.monotonic()
    done = empty.bootstrap(PANTO_CACHE=str(tmp_path / "cache"))
    assert time.monotonic() - began < 10
    _assert_paragraph(done, "could not get", "PANTO_SOURCES", "check the network")
    assert not empty.tree.exists()
    assert empty.leftovers == []


def test_no_network_fails_within_seconds_with_one_paragraph(
    empty: RocksHome, tmp_path: Path
) -> None:
    _skip_unless_works("unshare", "-n", "true")
    env = empty.full_env(PANTO_CACHE=str(tmp_path / "cache"))
    del env["PANTO_SOURCES"]
    began = time.monotonic()
    done = run_bounded(["unshare", "-n", PANTO, "bootstrap"], env=env)
    assert time.monotonic() - began < 20
    _assert_paragraph(done, "could not get", "Tried: www.lua.org", "check the network")
    assert set(SHORTEST_HOST.findall(done.output)) <= UPSTREAM
    assert not empty.tree.exists()


def test_no_network_is_no_trouble_with_the_downloads_at_hand(empty: RocksHome) -> None:
    _skip_unless_works("unshare", "-n", "true")
    env = empty.full_env(PANTO_SOURCES="url,apt,pip")
    done = run_bounded(["unshare", "-n", PANTO, "bootstrap"], env=env, timeout_s=150)
    assert done.code == 0, done.output
    assert empty.loads()


def test_no_compiler_is_said_before_anything_is_fetched(empty: RocksHome, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    done = empty.bootstrap(CC="/nonexistent/cc", PANTO_CACHE=str(cache), PANTO_SOURCES="url,apt")
    _assert_paragraph(done, "no working C compiler", "/nonexistent/cc: No such file", "apt install")
    assert "fetching" not in done.stderr
    assert list(cache.iterdir()) == []


def test_a_compiler_that_fails_shows_where_to_read(empty: RocksHome, tmp_path: Path) -> None:
    broken = tmp_path / "broken-cc"
    broken.write_text('#!/bin/sh\n[ "$1" = -x ] && exit 0\necho "cannot compile" >&2\nexit 1\n')
    broken.chmod(0o755)
    cache = tmp_path / "cache"
    shutil.copytree(empty.cache, cache)
    done = empty.bootstrap(CC=str(broken), PANTO_CACHE=str(cache))
    _assert_paragraph(done, "luarocks could not build luv", "luv-build.log")
    assert "cannot compile" in (cache / "luv-build.log").read_text()
    assert empty.leftovers == []


def test_an_unwritable_home_is_named(empty: RocksHome) -> None:
    for home in ("/dev/null/panto", "/proc/panto"):
        done = empty.bootstrap(PANTO_HOME=home)
        _assert_paragraph(done, f"cannot write {home}", "set PANTO_HOME")


def test_a_full_disk_keeps_the_old_tree(built: RocksHome, tmp_path: Path) -> None:
    _skip_unless_works("unshare", "-m", "true")
    small = tmp_path / "small"
    small.mkdir()
    script = (
        'mount -t tmpfs -o size=2600k none "$1" && cp -r "$2"/. "$1" && "$3" bootstrap --force\n'
        'code=$?; "$3" lua -e \'print(require("luv").version_string())\'; exit $code'
    )
    command = ["unshare", "-m", "sh", "-c", script, "sh", small, built.root, PANTO]
    done = run_bounded(command, env=built.full_env(PANTO_HOME=str(small)), timeout_s=150)
    if "mount" in done.stderr:
        pytest.skip("no tmpfs may be mounted here")
    _assert_paragraph(done, "panto bootstrap: ", "To do: ")
    assert done.stdout == "1.50.0\n"


def _assert_paragraph(done: Finished, *parts: str) -> None:
    """It failed, and its last line says what was wanted, what was tried and what to do."""
    assert done.code == 1, done.output
    assert "Traceback" not in done.output
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("panto bootstrap: ")
    for part in parts:
        assert part in last


def _skip_unless_works(*command: str) -> None:
    if os.name != "posix" or not shutil.which(command[0]):
        pytest.skip(f"there is no {command[0]} here")
    if run_bounded(command).code:
        pytest.skip(f"{command[0]} is not allowed here")


def test_a_home_that_lua_cannot_search_is_refused(empty: RocksHome, tmp_path: Path) -> None:
    done = empty.bootstrap(PANTO_HOME=str(tmp_path / "a;b"))
    _assert_paragraph(done, "search paths cannot hold", "set PANTO_HOME")


def test_each_source_that_fails_is_told_with_the_one_asked_next(
    empty: RocksHome, tmp_path: Path
) -> None:
    _skip_unless_works("unshare", "-n", "true")
    env = empty.full_env(PANTO_CACHE=str(tmp_path / "cache"))
    env["PANTO_SOURCES"] = "url,apt"
    done = run_bounded(["unshare", "-n", PANTO, "bootstrap"], env=env)
    told = r"(?m)^luarocks\.org did not give luarocks 3\.8\.0 \([^\n]{1,60}\): asking apt$"
    assert re.search(told, done.stderr), done.output
    assert re.search(r"(?m)^apt did not give luarocks 3\.8\.0 \([^:\n]+\)$", done.stderr)
    assert "\x1b" not in done.stderr


def test_on_a_terminal_the_seconds_and_files_are_counted(empty: RocksHome) -> None:
    command = f'"{PANTO}" bootstrap'
    words = ["script", "-qec", command, "/dev/null"]
    done = run_bounded(words, env=empty.full_env(TERM="xterm"), timeout_s=150)
    assert done.code == 0, done.output
    # A carriage return reads as a line end here.
    counted = [line for line in done.stdout.splitlines() if "building luv" in line]
    pattern = r"\x1b\[Kbuilding luv with \S+: 36 of 36 files, \d+ s"
    assert len(counted) > 1 and re.fullmatch(pattern, counted[-1]), done.output
    assert done.stdout.splitlines()[-1].startswith("the rocks are ready in "), done.output
