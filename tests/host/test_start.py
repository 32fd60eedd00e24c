"""What a start costs and where panto looks for things."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import panto_host
import pytest
from host.lua_file import as_agent, as_interpreter
from panto_host.paths import Paths
from support.child import run_bounded
from support.home import PANTO, REPO, Home

HEAVY = {
    "asyncio", "ctypes", "dataclasses", "enum", "httpx", "json", "platformdirs", "re", "socket",
    "ssl", "subprocess", "threading", "tomllib", "typing", "wcwidth", "lupa.lua55", "signal",
}  # fmt: skip


def test_the_start_path_imports_nothing_heavy(panto_env: dict[str, str], tmp_path: Path) -> None:
    spy = (
        "import sys, os\n"
        "from panto_host import host, main\n"
        "leave = host.Host.leave\n"
        "def spy(self, code, flush=True):\n"
        "    os.write(2, '\\n'.join(sys.modules).encode())\n"
        "    leave(self, code, flush)\n"
        "host.Host.leave = spy\n"
        "sys.argv = ['panto', 'help']\n"
        "main.run()\n"
    )
    bare = run_bounded([sys.executable, "-c", "import sys; print('\\n'.join(sys.modules))"])
    done = run_bounded([sys.executable, "-P", "-c", spy], env=panto_env)
    assert done.code == 0, done.output
    loaded = set(done.stderr.split()) - set(bare.stdout.split())
    assert loaded & HEAVY == set()


def test_http_is_loaded_without_an_event_loop_a_command_line_and_http2(
    panto_env: dict[str, str],
) -> None:
    spy = (
        "import sys\n"
        "from panto_host.host import Host\n"
        "Host(None, [])._load_http()\n"
        "print(*sys.modules, sep='\\n')\n"
    )
    done = run_bounded([sys.executable, "-P", "-c", spy], env=panto_env)
    assert done.code == 0, done.output
    assert "httpx" in done.stdout.split()
    # Nor is a module's absence left behind: whoever wants one of them gets it.
    unused = {"asyncio", "anyio", "click", "h2", "httpcore._sync.http2", "httpx._main", "rich"}
    assert unused & set(done.stdout.split()) == set()


def test_help_takes_less_than_three_bare_pythons(panto_env: dict[str, str]) -> None:
    def seconds(*command: str) -> float:
        began = time.perf_counter()
        subprocess.run(command, env=panto_env, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - began

    ratios = []
    for _ in range(4):
        bare, whole = [], []
        for _ in range(7):
            bare.append(seconds(sys.executable, "-c", ""))
            whole.append(seconds(str(PANTO), "help"))
        ratios.append(min(whole) / min(bare))
    assert statistics.median(ratios) < 3, ratios


def test_the_version_is_told() -> None:
    assert run_bounded([PANTO, "--version"]).stdout.strip().endswith(panto_host.__version__)


def test_python_m_is_the_same_program(panto_env: dict[str, str]) -> None:
    command = [sys.executable, "-P", "-m", "panto_host", "lua", "-e", "print(...)", "-"]
    assert run_bounded(command, env=panto_env, stdin="print('same')").stdout == "\nsame\n"


def test_a_lupa_in_the_working_folder_is_not_imported_by_the_launcher(
    panto_env: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "lupa.py").write_text("raise SystemExit('hijacked')")
    (tmp_path / "json.py").write_text("raise SystemExit('hijacked')")
    launcher = Path(panto_env["PANTO_HOME"]) / "rocks" / "lua-5.4.8" / "bin" / "lua"
    done = run_bounded([launcher, "-e", "print(6 * 7)"], env=panto_env, cwd=tmp_path)
    assert (done.code, done.stdout) == (0, "42\n"), done.output


def test_an_uncaught_error_is_one_line_and_its_traceback_is_in_the_log(
    home: Home, tmp_path: Path
) -> None:
    done = as_agent(
        home.full_env(), tmp_path, "local function inner()\n error('oh\\nsecond')\nend\ninner()"
    )
    assert done.code == 70
    log = home.root / "state" / "panto" / "panto.log"
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("panto: ")
    assert done.stderr.endswith(f"entry.lua:2: oh (traceback in {log})\n")
    text = log.read_text()
    assert "second\nstack traceback:" in text
    assert "in upvalue 'inner'" in text or "in local 'inner'" in text
    assert log.stat().st_mode & 0o077 == 0


def test_a_missing_or_broken_program_is_told_too(panto_env: dict[str, str], tmp_path: Path) -> None:
    done = as_agent(panto_env, tmp_path, "x = = 1")
    assert done.code == 70
    assert "unexpected symbol" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_state_home_may_be_unwritable(panto_env: dict[str, str], tmp_path: Path) -> None:
    env = {**panto_env, "XDG_STATE_HOME": "/dev/null"}
    done = as_agent(env, tmp_path, "error('oh')")
    assert done.code == 70
    assert "oh" in done.stderr


def test_words_reach_lua_as_they_were(panto_env: dict[str, str], tmp_path: Path) -> None:
    source = """
      local host = require("panto.host")
      for i = 0, host.argc() + 1 do print(host.argv(i)) end
    """
    done = as_agent(panto_env, tmp_path, source, "a b", "", "é")
    assert done.stdout == "nil\na b\n\né\nnil\n"


def test_interrupted_before_lua_runs_it_is_silent(panto_env: dict[str, str]) -> None:
    code = (
        "import os, signal, sys\n"
        "from panto_host import main\n"
        "main._be_interpreter = lambda host: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.argv = ['panto', 'lua']\n"
        "main.run()\n"
    )
    done = run_bounded([sys.executable, "-P", "-c", code], env=panto_env)
    assert (done.code, done.output) == (130, "")


def test_the_xdg_folders_and_their_defaults() -> None:
    paths = Paths({"HOME": "/home/u"})
    assert paths.data_home == "/home/u/.local/share/panto"
    assert paths.config_home == "/home/u/.config/panto"
    assert paths.state_home == "/home/u/.local/state/panto"
    assert paths.sessions == "/home/u/.local/share/panto/sessions"
    assert paths.rocks_tree == "/home/u/.local/share/panto/rocks/lua-5.4.8"
    paths = Paths({
        "HOME": "/home/u", "XDG_DATA_HOME": "/d/", "XDG_CONFIG_HOME": "/c",
        "XDG_STATE_HOME": "relative", "PANTO_HOME": "/p", "PANTO_SESSION_DIR": "/s",
    })  # fmt: skip
    assert (paths.data_home, paths.config_home, paths.sessions) == ("/p", "/c/panto", "/s")
    assert paths.state_home == "/home/u/.local/state/panto"
    assert Paths({"HOME": "/h", "PANTO_HOME": "/p"}).sessions == "/h/.local/share/panto/sessions"
    assert Paths({"HOME": "/h", "PANTO_HOME": "rel"}).data_home == os.path.abspath("rel")


def test_without_a_home_the_account_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    paths = Paths({})
    assert paths.data_home.endswith("/.local/share/panto")
    assert paths.config_home.endswith("/.config/panto")
    assert paths.state_home.endswith("/.local/state/panto")
    assert paths.data_home.startswith("/")


def test_the_programs_own_lua_is_found_wherever_it_is_started(
    panto_env: dict[str, str], tmp_path: Path
) -> None:
    source = 'print(require("panto.host").path("lua_root"))'
    shown = as_interpreter(panto_env, "-e", source, cwd=tmp_path).stdout.strip()
    assert (Path(shown) / "panto" / "main.lua").is_file()


def test_windows_is_told_in_one_line(panto_env: dict[str, str]) -> None:
    code = (
        "import sys; sys.platform = 'win32'; import _signal; del _signal.SIGPIPE\n"
        "from panto_host.main import run; run()"
    )
    done = run_bounded([sys.executable, "-P", "-c", code], env=panto_env)
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr == "panto: Windows is not supported; run panto inside WSL\n"


def test_the_wheel_carries_its_lua_and_runs_without_the_checkout(
    panto_env: dict[str, str], tmp_path: Path
) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation",
             "-w", tmp_path, REPO]  # fmt: skip
    done = run_bounded(build, timeout_s=120)
    if "hatchling" in done.stderr:
        pytest.skip("hatchling is not installed here")
    assert done.code == 0, done.output
    wheel = next(tmp_path.glob("panto-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n"
        "from panto_host.main import run; run()"
    )
    show = 'print(require("panto.host").path("lua_root"), require("luv").version_string())'
    done = run_bounded([sys.executable, "-P", "-c", code, "lua", "-e", show], env=panto_env)
    assert done.code == 0, done.output
    assert done.stdout.startswith(f"{tmp_path}/site/panto_host/share/lua\t1.")
    assert (tmp_path / "site" / "panto_host" / "share" / "rocks" / "battery.toml").is_file()
