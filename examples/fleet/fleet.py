"""Runs a JSONL of tasks on many machines: each `panto run` in a git worktree, through Dask.

    pip install 'panto[fleet]'
    python examples/fleet/fleet.py tasks.jsonl results.jsonl --workers 3
    python examples/fleet/fleet.py tasks.jsonl results.jsonl --scheduler tcp://HOST:8786

With `--line N` it does one task, here, without Dask: parallel.sh and slurm.sh call that.

A task is `{"id": "…", "prompt": "…"}`, its result `{"id", "status", "text", "cost", "patch", …}`. A
worker that dies loses nothing: its tasks run again elsewhere. A result is appended once, under a
lock; started again, it runs only what has no result yet.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ATTEMPTS = 3
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def git(folder: str, *words: str) -> str:
    """Run git in a folder; its error is raised."""
    done = subprocess.run(
        ["git", "-C", folder, *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


@contextlib.contextmanager
def worktree(repository: str, commit: str) -> Iterator[str]:
    """Give a fresh checkout of a commit; two attempts at a task never share one."""
    folder = tempfile.mkdtemp(prefix="panto-fleet-")
    try:
        git(repository, "worktree", "add", "--quiet", "--detach", f"{folder}/tree", commit)
        yield f"{folder}/tree"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(RuntimeError):
            git(repository, "worktree", "prune")


def end_with(parent: int) -> None:
    """Have Linux end this process with the worker that started it, however that ends."""
    if LIBC:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def run_task(task: dict[str, Any], repository: str, commit: str, panto: list[str]) -> Any:
    """Do one task where this is called; what the model changed comes back as a patch."""
    me = os.getpid()
    with worktree(repository, commit) as folder:
        words = [*panto, "run", "--json", "--", str(task["prompt"])]
        done = subprocess.run(
            words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False, preexec_fn=lambda: end_with(me),
        )  # fmt: skip
        lines = done.stdout.splitlines()
        last = json.loads(lines[-1]) if lines else {}
        if last.get("type") != "done":
            raise RuntimeError(f"panto ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
        git(folder, "add", "--all")
        return {
            "id": task["id"],
            "status": last["status"],
            "text": last["text"],
            "cost": last["cost"],
            "session": last["session"],
            "patch": git(folder, "diff", "--cached", "--binary"),
            "worker": os.getpid(),
        }


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines; one whose writing was cut short is no line."""
    found = []
    for line in path.read_text().splitlines() if path.exists() else []:
        with contextlib.suppress(json.JSONDecodeError):
            found.append(json.loads(line))
    return found


def append(path: Path, result: dict[str, Any]) -> bool:
    """Append a task's result and make it durable, once; a torn last line is ended first."""
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if any(line["id"] == result["id"] for line in read_lines(path)):
            return False
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(json.dumps(result).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return True


def run_line(number: int, tasks: Path, results: Path, repository: str, panto: list[str]) -> None:
    """Run the task of one line (from 1), unless it has a result."""
    task = json.loads(tasks.read_text().splitlines()[number - 1])
    if all(result["id"] != task["id"] for result in read_lines(results)):
        commit = git(repository, "rev-parse", "HEAD").strip()
        append(results, run_task(task, repository, commit, panto))


def run_fleet(
    client: Any, tasks: Path, results: Path, repository: str, panto: list[str]
) -> list[str]:
    """Run every task without a result on the client's workers; give the ids that failed."""
    from distributed import as_completed

    commit = git(repository, "rev-parse", "HEAD").strip()
    known = {result["id"] for result in read_lines(results)}
    open_tasks = {task["id"]: task for task in read_lines(tasks) if task["id"] not in known}
    futures = {
        client.submit(run_task, task, repository, commit, panto, key=f"panto-{name}",
                      retries=ATTEMPTS - 1, pure=False): name
        for name, task in open_tasks.items()
    }  # fmt: skip
    failed = []
    for future in as_completed(list(futures)):
        name = futures[future]
        if future.status == "finished":
            append(results, future.result())
        else:
            failed.append(name)
            print(f"{name}: {future.exception()}", file=sys.stderr)
        future.release()
    return failed


def main() -> int:
    """Read the words, run the fleet; 1 when a task has no result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("tasks", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--scheduler", help="address of a running Dask scheduler")
    parser.add_argument(
        "--workers", type=int, default=3, help="processes here, without --scheduler"
    )
    parser.add_argument("--line", type=int, help="do this line's task alone, here")
    parser.add_argument("--repository", default=".", help="the git repository, on every machine")
    parser.add_argument("--panto", default="panto", help="the program, on every machine")
    words = parser.parse_args()
    repository, panto = os.path.abspath(words.repository), [words.panto]
    if words.line:
        run_line(words.line, words.tasks, words.results, repository, panto)
        return 0
    from distributed import Client

    here = {"n_workers": words.workers, "threads_per_worker": 1, "dashboard_address": None}
    with Client(words.scheduler) if words.scheduler else Client(**here) as client:
        failed = run_fleet(client, words.tasks, words.results, repository, panto)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
