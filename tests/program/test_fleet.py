"""examples/fleet on real engines, where a worker is killed: Dask, GNU parallel, Slurm."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from support.child import ROOT, run_bounded
from support.home import PANTO, Home
from support.processes import living
from support.provider import Provider
from support.slurm import slurm_cluster

FLEET = ROOT / "examples/fleet"
sys.path.insert(0, str(FLEET))

TASKS = [f"t{n}" for n in range(5)]


@pytest.fixture
def repository(home: Home) -> Path:
    for words in (
        ["init", "-q"],
        ["-c", "user.name=A", "-c", "user.email=a@example.invalid", "commit", "-q",
         "--allow-empty", "-m", "start"],
    ):  # fmt: skip
        subprocess.run(["git", *words], cwd=home.work, env=home.full_env(), check=True)
    return home.work


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Write a file named as the task, slowly, then say its name."""
    last = request["messages"][-1]
    name = next(m["content"] for m in request["messages"] if m["role"] == "user")
    if last["role"] == "user":
        arguments = json.dumps({"command": f"sleep 0.5; echo {name} > {name}.txt"})
        return {"tool_calls": [{"id": "c", "name": "std_shell", "arguments": arguments}]}
    return {"text": f"did {name}"}


@pytest.fixture
def files(home: Home, repository: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Five tasks; of the results one is there and the writing of another was cut short."""
    import fleet

    tasks, results = home.root / "tasks.jsonl", home.root / "results.jsonl"
    tasks.write_text("".join(json.dumps({"id": n, "prompt": n}) + "\n" for n in TASKS))
    fleet.append(results, {"id": "t0", "status": "done", "text": "was done before", "worker": 0})
    with results.open("a") as file:
        file.write('{"id": "t1", "sta')
    for name, value in {**home.full_env(), "PANTO": str(PANTO)}.items():
        monkeypatch.setenv(name, value)
    return tasks, results


def check_results(results: Path, repository: Path) -> None:
    """Each task has one result, with its patch; the repository is as it was."""
    import fleet

    lines = fleet.read_lines(results)
    assert sorted(line["id"] for line in lines) == TASKS
    new = [line for line in lines if line["id"] != "t0"]
    assert all(line["text"] == f"did {line['id']}" for line in new)
    assert all(f"+{line['id']}\n" in line["patch"] for line in new)
    assert not list(repository.glob("*.txt"))


@pytest.mark.timeout(170)
def test_a_killed_dask_worker_loses_nothing_and_results_come_once(
    home: Home, repository: Path, files: tuple[Path, Path]
) -> None:
    import fleet

    distributed = pytest.importorskip("distributed", reason="pip install 'panto[fleet]'")
    with Provider([answer] * 60) as provider:
        home.use_provider(provider.url)
        cluster = distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        )
        with cluster, distributed.Client(cluster) as client:
            pids = list(client.run(os.getpid).values())
            with killed_when_busy(provider, lambda: pids[0]):
                failed = fleet.run_fleet(client, *files, str(repository), [str(PANTO)])
    assert failed == []
    check_results(files[1], repository)


@pytest.mark.timeout(170)
@pytest.mark.skipif(not shutil.which("parallel"), reason="GNU parallel is not installed")
def test_a_killed_worker_of_gnu_parallel_loses_nothing_and_results_come_once(
    home: Home, repository: Path, files: tuple[Path, Path]
) -> None:
    command = [FLEET / "parallel.sh", *files, "--jobs", "2"]
    with Provider([answer] * 60) as provider:
        home.use_provider(provider.url)
        with killed_when_busy(provider, lambda: worker_of(files[0])):
            done = run_bounded(command, cwd=repository, timeout_s=150)
        assert done.code == 0, done.output
        check_results(files[1], repository)
        asked = len(provider.requests)
        again = run_bounded(command, cwd=repository, timeout_s=60)
        assert again.code == 0, again.output
        assert len(provider.requests) == asked, "what has a result is not run again"


def test_what_a_killed_worker_runs_ends_with_it(
    home: Home, repository: Path, files: tuple[Path, Path]
) -> None:
    held = json.dumps({"command": "sleep 100"})
    call = {"tool_calls": [{"id": "c", "name": "std_shell", "arguments": held}]}
    with Provider([call]) as provider:
        home.use_provider(provider.url)
        words = [sys.executable, FLEET / "fleet.py", *files, "--line", "3", "--panto", PANTO]
        worker = subprocess.Popen(words, cwd=repository)
        limit = time.monotonic() + 60
        while not provider.requests and time.monotonic() < limit:
            time.sleep(0.02)
        of_worker = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
        (panto,) = map(int, of_worker.read_text().split())
        worker.kill()
        worker.wait()
        while is_alive(panto) and time.monotonic() < limit:
            time.sleep(0.02)
        left = is_alive(panto)
        if left:
            os.kill(panto, signal.SIGKILL)
    assert not left


def is_alive(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.slurm
@pytest.mark.timeout(400)
def test_a_killed_worker_of_a_slurm_array_loses_nothing_and_results_come_once(
    home: Home, repository: Path, files: tuple[Path, Path], tmp_path: Path
) -> None:
    with Provider([answer] * 60) as provider, slurm_cluster(tmp_path / "slurm"):
        home.use_provider(provider.url)
        with killed_when_busy(provider, lambda: worker_of(files[0])):
            command = [FLEET / "slurm.sh", *files, "--wait"]
            run_bounded(command, cwd=repository, timeout_s=300)
    check_results(files[1], repository)


def worker_of(tasks: Path) -> int:
    """A process that does one of the tasks."""
    [*_, pid] = (pid for pid in living(f"{tasks} ") if is_python(pid))
    return pid


def is_python(pid: int) -> bool:
    return Path(f"/proc/{pid}/comm").read_text().startswith("python")


@contextmanager
def killed_when_busy(provider: Provider, pid: Callable[[], int]) -> Iterator[None]:
    """Kills one worker as soon as some tasks run; it must have come to that."""
    killed = []

    def kill() -> None:
        limit = time.monotonic() + 100
        while len(provider.requests) < 3 and time.monotonic() < limit:
            time.sleep(0.02)
        killed.append(pid())
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    yield
    killer.join(120)
    assert killed
