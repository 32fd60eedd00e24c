"""kill -9 at random moments of a tool-heavy session: each resume has all that was shown as done.

`PANTO_KILLS=300` kills so many times; without it the test is quick.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support.child import ROOT, run_bounded
from support.home import PANTO, Home
from support.pairing import RESULTS
from support.provider import Provider

KILLS = int(os.environ.get("PANTO_KILLS", "12"))
SESSIONS = min(10, max(2, KILLS // 10))
SEED = int(os.environ.get("PANTO_SEED", str(random.randrange(10**6))))


class Rounds:
    """A model that never stops calling tools, three at once, some of them slow."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)
        self.asked: set[str] = set()

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        """Give the next round."""
        self.asked.add([m["content"] for m in request["messages"] if m["role"] == "user"][-1])
        ids = [f"k{next(self.numbers)}" for _ in range(3)]
        inputs = [
            ("std_write", {"path": f"{ids[0]}.txt", "content": "line\n" * 200}),
            ("std_shell", {"command": f"sleep 0.0{random.randrange(10)}; seq 50; echo {ids[1]}"}),
            ("std_edit", {"path": "notes.txt", "old_text": "a", "new_text": "b"}),
        ]
        calls = [
            {"id": id, "name": name, "arguments": json.dumps(arguments)}
            for id, (name, arguments) in zip(ids, inputs, strict=True)
        ]
        return {"thinking": "hm. " * 50, "text": f"Round of {ids[0]}.", "tool_calls": calls}


class Victim:
    """One session, in a home of its own, that is killed again and again."""

    def __init__(self, root: Path, provider: Provider, rounds: Rounds, seed: int) -> None:
        self.rounds = rounds
        self.home = Home(root)
        self.home.use_provider(provider.url)
        models = self.home.config / "models.toml"
        models.write_text('[loop.m]\nmodel = "loop-model"\n')
        (self.home.work / "notes.txt").write_text("a\n")
        self.shown: dict[str, str] = {}
        self.prompts: list[str] = []
        self.random = random.Random(seed)

    def live(self, number: int) -> None:
        """Start or resume, let it work, kill it at a random moment of its life."""
        prompt = f"prompt {number} of {self.home.root.name}"
        words = ["--resume", "--", prompt] if self.files() else [prompt]
        log = self.home.root / f"out-{number}"
        with log.open("wb") as out:
            child = subprocess.Popen(
                [PANTO, "run", "--json", *words],
                cwd=self.home.work,
                env=self.home.full_env(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
            try:
                self.wait_for_work(prompt, log, child)
                time.sleep(self.random.random() * 0.1)
            finally:
                child.kill()
                child.wait()
        self.prompts.append(prompt)
        self.take(log.read_text(errors="replace"))

    def wait_for_work(self, prompt: str, log: Path, child: subprocess.Popen[bytes]) -> None:
        """Wait for the turn, or for the request and some results; how many, chance decides."""
        early, results = self.random.random() < 0.1, self.random.randrange(12)
        end = time.monotonic() + 60
        while prompt not in self.rounds.asked or log.read_bytes().count(b'"tool_result"') < results:
            assert child.poll() is None, log.read_text()
            assert time.monotonic() < end, f"no turn began: {log.read_text()}"
            if early and b"turn_start" in log.read_bytes():
                return
            time.sleep(0.01)

    def take(self, output: str) -> None:
        """Note what was shown as finished, in whole lines."""
        for line in output.split("\n")[:-1]:
            event = json.loads(line) if line.startswith("{") else {}
            if event.get("type") == "tool_result":
                self.shown[event["id"]] = event["output"]

    def files(self) -> list[Path]:
        """The session's file, once there is one."""
        return list(self.home.sessions.glob("*/*.jsonl"))


def check_requests(provider: Provider) -> None:
    """Each request must be one that the API takes."""
    for request in provider.requests:
        if len(request.body) == int(request.headers.get("content-length", "0")) > 0:
            RESULTS["openai_chat"](request.json)  # others were cut by the kill
    assert len(provider.bodies) > KILLS / 2


def check_sessions(victims: list[Victim]) -> None:
    """Each session must hold what was shown, and encode to a valid request in every style."""
    by_file = {str(victim.files()[0]): victim for victim in victims}
    script = ROOT / "tests/support/encode_session.lua"
    encoded = run_bounded(
        [PANTO, "lua", script, ",".join(RESULTS), *by_file], env=victims[0].home.full_env()
    )
    assert encoded.code == 0, encoded.output
    lines = encoded.stdout.splitlines()
    assert len(lines) == len(victims) * len(RESULTS)
    for line in lines:
        item = json.loads(line)
        victim = by_file[item["file"]]
        results = RESULTS[item["style"]](json.loads(item["body"]))
        for id, output in victim.shown.items():
            assert results.get(id) == output, f"{item['style']}: {id} is lost or changed"
        for prompt in victim.prompts[:-1]:
            assert prompt in item["body"], f"{item['style']}: {prompt!r} is lost"


@pytest.mark.timeout(120 + 10 * KILLS)
def test_nothing_that_was_shown_is_lost_by_a_kill(tmp_path: Path, panto: Path) -> None:
    print(f"{KILLS} kills of {SESSIONS} sessions, PANTO_SEED={SEED}")
    rounds = Rounds()
    with Provider([rounds] * 100_000) as provider:
        victims = [Victim(tmp_path / f"v{i}", provider, rounds, SEED + i) for i in range(SESSIONS)]

        def live_all(index: int) -> None:
            for number in range(index, KILLS, SESSIONS):
                victims[index].live(number)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(live_all, range(SESSIONS)))
        check_requests(provider)
    check_sessions(victims)
    torn = sum(len(list(v.home.sessions.glob("*/*.torn-*"))) for v in victims)
    print(f"{sum(len(v.shown) for v in victims)} results were shown, {torn} lines were torn")
