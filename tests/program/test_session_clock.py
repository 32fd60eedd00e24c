"""A clock that jumps back, in a session and between two: nothing is lost or reordered."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.child import run_bounded
from support.home import PANTO, Home
from support.provider import Provider

LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))

pytestmark = pytest.mark.skipif(not LIBRARIES, reason="SKIPPED: needs Debian's faketime")


class Conversation:
    """`panto run --input jsonl` under a clock that is set while it runs."""

    def __init__(self, home: Home, clock: Path, offset: str) -> None:
        self.clock = clock
        self.set(offset)
        env = home.full_env() | {
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(clock),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        self.child = subprocess.Popen(
            [PANTO, "run", "--input", "jsonl"],
            env=env, cwd=home.work, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def set(self, offset: str) -> None:
        """Sets the clock, as one write."""
        beside = self.clock.with_suffix(".new")
        beside.write_text(offset + "\n")
        beside.rename(self.clock)

    def ask(self, text: str) -> None:
        """Sends a prompt and waits for the end of its turn."""
        assert self.child.stdin and self.child.stdout
        self.child.stdin.write(json.dumps({"type": "prompt", "text": text}) + "\n")
        self.child.stdin.flush()
        for line in self.child.stdout:
            event = json.loads(line)
            if event["type"] == "done":
                assert event["status"] == "done", event
                return
        raise AssertionError("it ended without an answer")


@contextmanager
def conversation(home: Home, clock: Path, offset: str) -> Iterator[Conversation]:
    """Ends the program by the end of its input."""
    made = Conversation(home, clock, offset)
    try:
        yield made
        assert made.child.stdin
        made.child.stdin.close()
        assert made.child.wait(20) == 0
    finally:
        made.child.kill()
        made.child.wait()
        assert made.child.stdout
        made.child.stdout.close()


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def said(provider: Provider) -> list[str]:
    """What the last request told of the conversation."""
    messages = provider.requests[-1].json["messages"]
    return [message["content"] for message in messages if message["role"] != "system"]


def day_of(record: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(record["time"].replace("Z", "+00:00"))


def test_a_clock_that_jumps_back_loses_and_reorders_nothing(
    agent_home: Home, tmp_path: Path
) -> None:
    script = [{"text": f"answer {n}."} for n in range(1, 7)]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        with conversation(agent_home, tmp_path / "clock", "+1d") as talk:
            talk.ask("one")
            talk.set("-2d")
            talk.ask("two")
        (path,) = agent_home.sessions.glob("*/*.jsonl")
        identity = path.stem

        again = [PANTO, "run", "--resume", identity[:13], "three"]
        done = run_bounded(again, env=agent_home.full_env(), cwd=agent_home.work)
        assert done.code == 0, done.output
        assert said(provider) == ["one", "answer 1.", "two", "answer 2.", "three"]

        lines = records(path)[1:]
        now = datetime.now(UTC)
        days = [round((day_of(line) - now) / timedelta(days=1)) for line in lines]
        assert {1, -2, 0} <= set(days), days  # the clock did jump
        numbers = [int(line["id"]) for line in lines]
        assert numbers == sorted(set(numbers))
        assert [line["parent"] for line in lines[1:]] == [line["id"] for line in lines[:-1]]

        with conversation(agent_home, tmp_path / "clock", "-400d") as talk:
            talk.ask("another")
        listed = run_bounded(
            [PANTO, "sessions", "--json"], env=agent_home.full_env(), cwd=agent_home.work
        )
        found = json.loads(listed.stdout)
        # Last written first, by the files' own times, whatever the sessions' records say.
        assert [one["first_text"] for one in found] == ["another", "one"]
        assert found[0]["created"] < found[1]["created"]

        latest = [PANTO, "run", "--resume", identity, "four"]
        done = run_bounded(latest, env=agent_home.full_env(), cwd=agent_home.work)
        assert done.code == 0, done.output
        assert said(provider) == [
            "one",
            "answer 1.",
            "two",
            "answer 2.",
            "three",
            "answer 3.",
            "four",
        ]
