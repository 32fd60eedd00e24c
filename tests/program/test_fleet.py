"""examples/fleet on a real Dask cluster of three local workers, one of which is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from support.child import ROOT
from support.home import PANTO, Home
from support.provider import Provider

distributed = pytest.importorskip("distributed", reason="pip install 'panto[fleet]'")
sys.path.insert(0, str(ROOT / "examples/fleet"))

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


@pytest.mark.timeout(170)
def test_a_killed_worker_loses_nothing_and_results_come_once(
    home: Home, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fleet

    tasks, results = home.root / "tasks.jsonl", home.root / "results.jsonl"
    tasks.write_text("".join(json.dumps({"id": n, "prompt": n}) + "\n" for n in TASKS))
    fleet.append(results, {"id": "t0", "status": "done", "text": "was done before", "worker": 0})
    with results.open("a") as file:
        file.write('{"id": "t1", "sta')  # the writing of a result was cut short
    for name, value in home.full_env().items():
        monkeypatch.setenv(name, value)
    with Provider([answer] * 60) as provider:
        home.use_provider(provider.url)
        cluster = distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        )
        with cluster, distributed.Client(cluster) as client:
            pids = list(client.run(os.getpid).values())
            killer = threading.Thread(target=kill_when_busy, args=(provider, pids[0]))
            killer.start()
            failed = fleet.run_fleet(client, tasks, results, str(repository), [str(PANTO)])
            killer.join(60)
    lines = fleet.read_lines(results)
    assert failed == []
    assert sorted(line["id"] for line in lines) == TASKS, "each has one result"
    new = [line for line in lines if line["id"] != "t0"]
    assert all(line["text"] == f"did {line['id']}" for line in new)
    assert all(f"+{line['id']}\n" in line["patch"] for line in new)
    assert not list(repository.glob("*.txt")), "the repository itself is as it was"


def kill_when_busy(provider: Provider, pid: int) -> None:
    """Kill one worker as soon as some tasks run."""
    limit = time.monotonic() + 60
    while len(provider.requests) < 3 and time.monotonic() < limit:
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
