"""What a start costs, against two floors measured in the same run.

`python bench/start.py [RUNS]` prints a table. P is `python -c ''`, L is Python with lupa and a Lua
state; a row's wall time and its CPU are medians of runs that take turns with the floors.
"""

from __future__ import annotations

import os
import pty
import resource
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.home import PANTO, Home  # noqa: E402

PYTHON = str(PANTO.parent / "python")
LUA_STATE = "from lupa import lua54; lua54.LuaRuntime()"
PROMPT = "›".encode()
Cost = tuple[float, float, int]
EXTENSION = """
return {{ name = "bench-{n}", activate = function()
  require("panto").ext.register_command {{
    name = "bench{n}", description = "x", handler = function() end,
  }}
end }}
"""


def child_cost(command: list[str], env: dict[str, str]) -> Cost:
    """Wall and CPU milliseconds of a whole process, and its peak memory in KiB."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall * 1000, cpu * 1000, 0


def read_until(fd: int, word: bytes, seen: bytes) -> bytes:
    """Reads the terminal until `word` has come; answers all that was read."""
    while word not in seen:
        if not select.select([fd], [], [], 20)[0]:
            raise SystemExit(f"{word!r} never came: {seen[-300:]!r}")
        seen += os.read(fd, 65536)
    return seen


def first_key(home: Home) -> Cost:
    """From the start of panto in a terminal until a typed key shows; CPU and memory then."""
    started = time.perf_counter()
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(home.work)
        os.execve(PANTO, [str(PANTO)], {**home.full_env(), "TERM": "xterm-256color"})
    read_until(fd, PROMPT, b"")
    os.write(fd, b"q")
    read_until(fd, b"q", b"")
    wall = time.perf_counter() - started
    cpu = int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6
    status = Path(f"/proc/{pid}/status").read_text()
    peak = int(status.split("VmRSS:")[1].split()[0])
    time.sleep(0.8)  # it keeps what it compiled for the next start
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(fd)
    return wall * 1000, cpu, peak


def idle(home: Home, seconds: float = 10) -> str:
    """CPU ticks, context switches and bytes of a panto that nobody uses."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(home.work)
        os.execve(PANTO, [str(PANTO)], {**home.full_env(), "TERM": "xterm-256color"})
    read_until(fd, PROMPT, b"")
    time.sleep(3)
    while select.select([fd], [], [], 0)[0]:
        os.read(fd, 65536)

    def read() -> tuple[int, int, int]:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text()
        switches = int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0])
        return int(fields[11]) + int(fields[12]), switches, int(status.split("VmRSS:")[1].split()[0])

    before = read()
    time.sleep(seconds)
    after = read()
    written = len(os.read(fd, 65536)) if select.select([fd], [], [], 0)[0] else 0
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(fd)
    return (
        f"{after[0] - before[0]} ticks of CPU, {after[1] - before[1]} wakeups, {written} bytes in "
        f"{seconds:.0f} s, {after[2] / 1024:.0f} MB"
    )


def build_home(root: Path) -> Home:
    """A home with 20 models and 10 extensions."""
    home = Home(root)
    home.use_provider("http://127.0.0.1:9/v1")
    models = home.config / "models.toml"
    models.write_text(models.read_text() + "".join(f"[loop.m{n}]\n" for n in range(19)))
    (home.config / "extensions").mkdir()
    for n in range(10):
        (home.config / "extensions" / f"e{n}.lua").write_text(EXTENSION.format(n=n))
    return home


def main(runs: int) -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory() as folder:
        home = build_home(Path(folder) / "h")
        env = home.full_env()
        first_key(home)
        rows: dict[str, Callable[[], Cost]] = {
            "P  python -c ''": lambda: child_cost([PYTHON, "-c", ""], env),
            "L  python + lupa + state": lambda: child_cost([PYTHON, "-c", LUA_STATE], env),
            "panto --version": lambda: child_cost([str(PANTO), "--version"], env),
            "panto help": lambda: child_cost([str(PANTO), "help"], env),
            "panto lua -e ''": lambda: child_cost([str(PANTO), "lua", "-e", ""], env),
            "panto lua, luv loaded": lambda: child_cost(
                [str(PANTO), "lua", "-e", 'require("luv")'], env
            ),
            "start until a key shows": lambda: first_key(home),
        }
        costs: dict[str, list[Cost]] = {name: [] for name in rows}
        for _ in range(runs):
            for name, measure in rows.items():
                costs[name].append(measure())
        floor = statistics.median(cost[0] for cost in costs["L  python + lupa + state"])
        floor_cpu = statistics.median(cost[1] for cost in costs["L  python + lupa + state"])
        print(f"{'':28}{'wall ms':>9}{'x L':>7}{'CPU ms':>9}{'x L':>7}{'MB':>6}")
        for name, list_ in costs.items():
            wall, cpu = (statistics.median(cost[at] for cost in list_) for at in (0, 1))
            peak = statistics.median(cost[2] for cost in list_) / 1024
            print(
                f"{name:28}{wall:9.1f}{wall / floor:7.2f}{cpu:9.1f}{cpu / floor_cpu:7.2f}"
                + (f"{peak:6.0f}" if peak else "")
            )
        print("idle:", idle(home))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
