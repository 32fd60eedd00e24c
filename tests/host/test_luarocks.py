"""luarocks inside panto's interpreter: by the one-liner, by its launcher, by the rocks' scripts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.child import Finished, run_bounded
from support.home import PANTO
from support.lpeg import add_lpeg
from support.rock_server import RockServer
from support.rocks import RocksHome

ONE_LINER = 'arg[0]="luarocks"; require("luarocks.cmd").run_command("install","lpeg")'


@pytest.fixture
def server(tmp_path: Path) -> RockServer:
    """A rocks server with one rock in C."""
    server = RockServer(tmp_path / "server")
    server.add_c("tiny")
    return server


@pytest.fixture
def url(server: RockServer) -> Iterator[str]:
    """Where it can be reached."""
    with server.serve() as url:
        yield url


def luarocks(home: RocksHome, server: str | Path, *words: str, **more: str) -> Finished:
    """Runs the tree's own launcher of luarocks."""
    env = home.full_env(PANTO_ROCKS_SERVER=str(server), **more)
    return run_bounded([home.tree / "bin" / "luarocks", *words], env=env)


def test_a_rock_in_c_comes_over_http_and_goes_again(built: RocksHome, url: str) -> None:
    found = luarocks(built, url, "search", "tiny")
    assert "1.0-1 (src)" in found.stdout, found.output
    done = luarocks(built, url, "install", "tiny")
    assert done.code == 0, done.output
    assert built.lua('print(require("tiny").hello())').stdout == "hello from C\n"
    script = run_bounded([built.tree / "bin" / "tiny-say", "a b"], env=built.full_env())
    assert (script.code, script.stdout) == (0, "hello from C\ta b\n"), script.output
    listed = luarocks(built, url, "list", "--porcelain").stdout
    assert "tiny\t1.0-1\tinstalled" in listed
    shown = luarocks(built, url, "show", "tiny")
    assert "The tiny of a test." in shown.stdout
    done = luarocks(built, url, "remove", "tiny")
    assert done.code == 0, done.output
    assert not (built.tree / "bin" / "tiny-say").exists()
    assert "tiny" not in luarocks(built, url, "list", "--porcelain").stdout
    assert built.loads()


def test_a_machine_without_wget_and_curl_downloads_too(
    built: RocksHome, url: str, tmp_path: Path
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for program in [*Path("/bin").iterdir(), *Path("/usr/bin").iterdir()]:
        here = programs / program.name
        if here.name not in ("wget", "curl", "unzip") and not here.is_symlink():
            here.symlink_to(program)
    built.env["PATH"] = str(programs)
    done = luarocks(built, url, "install", "tiny")
    assert done.code == 0, done.output
    assert built.lua('print(require("tiny").hello())').stdout == "hello from C\n"
    done = luarocks(built, url, "install", "nowhere")
    assert done.code == 1 and "No results matching" in done.stderr, done.output


def test_a_rock_comes_from_a_folder(built: RocksHome, server: RockServer) -> None:
    done = luarocks(built, server.folder, "install", "tiny")
    assert done.code == 0, done.output
    assert built.lua('print(require("tiny").hello())').stdout == "hello from C\n"


def test_the_one_liner_installs_lpeg_for_panto_lua(
    built: RocksHome, server: RockServer, url: str, tmp_path: Path
) -> None:
    is_real = add_lpeg(server, tmp_path / "lpeg")
    env = built.full_env(PANTO_ROCKS_SERVER=url)
    done = run_bounded([PANTO, "lua", "-e", ONE_LINER], env=env)
    assert done.code == 0, done.output
    call = 'match("a" * lpeg.P("b")^0 * -1, "abb")' if is_real else "hello()"
    chunk = f'local lpeg = require("lpeg") print(lpeg.{call})'
    done = run_bounded([PANTO, "lua", "-e", chunk], env=env)
    assert done.stdout == ("4\n" if is_real else "hello from C\n"), done.output


def test_what_cannot_be_found_fails_and_leaves_the_tree(built: RocksHome, url: str) -> None:
    done = luarocks(built, url, "install", "nowhere")
    assert done.code == 1
    assert "No results matching query" in done.stderr
    assert luarocks(built, url, "nosuchcommand").code != 0
    assert built.loads()


def test_nothing_is_written_outside_the_tree(
    built: RocksHome, server: RockServer, tmp_path: Path
) -> None:
    user = tmp_path / "user"
    (user / ".luarocks").mkdir(parents=True)
    config = f'rocks_trees = {{ "{user}/elsewhere" }}\ncheck_certificates = false\n'
    (user / ".luarocks" / "config-5.4.lua").write_text(config)
    more = {"HOME": str(user), "LUAROCKS_CONFIG": str(user / ".luarocks" / "config-5.4.lua")}
    more |= {"XDG_CACHE_HOME": str(user / "cache")}
    before = _files(user), _files(Path("/var/cache/luarocks"))
    with server.serve() as url:
        done = luarocks(built, url, "install", "tiny", **more)
        assert done.code == 0, done.output
        checks = luarocks(built, url, "config", "check_certificates", **more)
    assert checks.stdout.strip() == "true"
    assert before == (_files(user), _files(Path("/var/cache/luarocks")))
    assert (built.tree / "lib" / "lua" / "5.4" / "tiny.so").exists()


def test_a_server_with_a_certificate_of_its_own_is_not_trusted(
    built: RocksHome, server: RockServer, tmp_path: Path
) -> None:
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl here to make a certificate")
    pem = tmp_path / "own.pem"
    words = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1 -addext"
    made = run_bounded(
        ["openssl", *words.split(), "subjectAltName=IP:127.0.0.1", "-keyout", pem, "-out",
         tmp_path / "cert.pem"],
    )  # fmt: skip
    assert made.code == 0, made.output
    pem.write_text(pem.read_text() + (tmp_path / "cert.pem").read_text())
    with server.serve(pem) as url:
        done = luarocks(built, url, "install", "tiny")
    assert done.code == 1
    assert "tiny" not in luarocks(built, server.folder, "list", "--porcelain").stdout


def _files(folder: Path) -> list[str]:
    return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)
