"""The scripts in examples/, run as their first lines say."""

from __future__ import annotations

import json
import subprocess
import threading
from typing import Any

from support.child import ROOT, Finished, run_bounded
from support.home import PANTO, Home
from support.provider import Provider

EXAMPLES = ROOT / "examples"


def example(home: Home, name: str, *words: str) -> Finished:
    return run_bounded(
        [PANTO, "lua", EXAMPLES / name, *words], env=home.full_env(), cwd=home.work, timeout_s=60
    )


def git(home: Home, *words: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.invalid"]
    subprocess.run(
        ["git", *who, *words], cwd=home.work, env=home.full_env(), check=True, capture_output=True
    )


def said(request: dict[str, Any]) -> str:
    return str(request["messages"][-1]["content"])


def test_the_commit_message_is_written_from_what_is_staged(home: Home) -> None:
    git(home, "init", "-q")
    (home.work / "a.txt").write_text("staged line\n")
    with Provider([{"text": "\nAdd a.txt\n\nIt was missing.\n"}]) as provider:
        home.use_provider(provider.url)
        empty = example(home, "commit_message.lua")
        git(home, "add", "a.txt")
        done = example(home, "commit_message.lua")
    assert (empty.code, empty.stderr) == (1, "nothing is staged\n")
    assert (done.code, done.stdout) == (0, "Add a.txt\n\nIt was missing.\n"), done.output
    assert "+staged line" in said(provider.requests[0].json)


def test_twenty_files_are_reviewed_by_twenty_agents_at_once(home: Home) -> None:
    names = [f"f{n}.lua" for n in range(20)]
    for name in names:
        (home.work / name).write_text(f"-- content of {name}\n")
    together = threading.Barrier(20, timeout=60)

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        last = request["messages"][-1]
        if last["role"] == "user":
            path = last["content"].removeprefix("Review ")
            call = {"id": "c", "name": "std_read", "arguments": json.dumps({"path": path})}
            return {"tool_calls": [call]}
        content = last["content"].split("content of ")[1].split()[0]
        return {"text": f"line 1: about {content}"}

    def first(request: dict[str, Any]) -> dict[str, Any]:
        return {**answer(request), "hold": Gate(together)}

    with Provider([first] * 20 + [answer] * 20) as provider:
        home.use_provider(provider.url)
        done = example(home, "review.lua", *names)
    assert done.code == 0, done.output
    for name in names:
        assert f"## {name}\n\nline 1: about {name}\n" in done.stdout


class Gate(threading.Event):
    """Is set for an answer as soon as twenty are asked for."""

    def __init__(self, barrier: threading.Barrier) -> None:
        super().__init__()
        threading.Thread(target=self._pass, args=(barrier,), daemon=True).start()

    def _pass(self, barrier: threading.Barrier) -> None:
        barrier.wait()
        self.set()


def test_the_nightly_job_reports_a_failure_and_keeps_its_session(home: Home) -> None:
    with Provider([{"text": "The disk is full."}]) as provider:
        home.use_provider(provider.url)
        well = example(home, "nightly.lua", "true")
        done = example(home, "nightly.lua", "echo broken thing; exit 3", "r.md")
    assert (well.code, well.stdout) == (0, "all is well\n"), well.output
    assert done.code == 1, done.output
    report = (home.work / "r.md").read_text()
    assert "The disk is full." in report
    assert "exit code 3" in said(provider.requests[0].json)
    assert "broken thing" in said(provider.requests[0].json)
    session = report.split("session ")[1].split(",")[0]
    assert list(home.sessions.rglob(f"{session}.jsonl"))


def test_a_program_can_be_the_provider(home: Home) -> None:
    done = example(home, "custom_provider.lua", "tail -n 2 | head -n 1", "What is it?")
    assert (done.code, done.stdout) == (0, "user: What is it?\n\n"), done.output
    broken = example(home, "custom_provider.lua", "cat >/dev/null; exit 7", "What is it?")
    assert broken.code == 1 and "exit code 7" in broken.stderr, broken.output


def test_the_eval_loop_counts_what_passes(home: Home) -> None:
    tasks = [
        {"id": "one", "prompt": "say yes", "expect": "yes"},
        {"id": "two", "prompt": "say no", "expect": "yes"},
    ]
    (home.work / "t.jsonl").write_text("".join(json.dumps(task) + "\n" for task in tasks))

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        usage = {"prompt_tokens": 1000, "completion_tokens": 0}
        return {"text": said(request).removeprefix("say "), "usage": usage}

    with Provider([answer, answer]) as provider:
        home.use_provider(provider.url)
        done = example(home, "eval.lua", "t.jsonl", "loop:m")
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.code == 1 and "1 of 2 passed" in done.stderr, done.output
    assert [(r["id"], r["passed"], r["answer"]) for r in results] == [
        ("one", True, "yes"),
        ("two", False, "no"),
    ]
    assert results[0]["cost"] == 0.001
