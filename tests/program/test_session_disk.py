"""A disk that is full, a folder that cannot be written: told once, and the conversation goes on."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.child import run_bounded
from support.home import PANTO, Home
from support.provider import Provider

LONG = "A long answer. " * 3000


@contextmanager
def small_disk(place: Path, options: str) -> Iterator[None]:
    """Mount a tmpfs; skip where that is not allowed."""
    place.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"SKIPPED: no tmpfs can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def talk(home: Home, *prompts: str, first: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    lines = "".join(json.dumps({"type": "prompt", "text": text}) + "\n" for text in prompts)
    done = run_bounded(
        [*first, PANTO, "run", "--input", "jsonl"],
        env=home.full_env(),
        cwd=home.work,
        stdin=lines,
    )
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert events, done.output
    return events


def check_goes_on(events: list[dict[str, Any]], provider: Provider, word: str) -> None:
    """The problem is told once, every prompt is answered, and nothing said before is forgotten."""
    errors = [e for e in events if e["type"] == "error"]
    assert len(errors) == 1, errors
    assert "is not saved from here on" in errors[0]["message"] and word in errors[0]["message"]
    answered = [e for e in events if e["type"] == "done"]
    assert [e["status"] for e in answered] == ["done"] * 4
    last = json.loads(provider.bodies[-1])["messages"]
    roles = [m["role"] for m in last if m["role"] != "system"]
    assert roles == ["user", "assistant"] * 3 + ["user"]


def test_a_full_disk_is_told_and_the_conversation_goes_on(agent_home: Home) -> None:
    script = [{"text": LONG}] * 5
    with small_disk(agent_home.sessions, "size=128k"), Provider(script) as provider:
        agent_home.use_provider(provider.url)
        events = talk(agent_home, "a", "b", "c", "d")
        check_goes_on(events, provider, "no space left")
        path = next(agent_home.sessions.glob("*/*.jsonl"))
        kinds = [json.loads(line)["type"] for line in path.read_text().splitlines()]
        assert kinds[0] == "session" and kinds.count("message") >= 2


def test_a_folder_that_cannot_be_written_is_told(agent_home: Home) -> None:
    with small_disk(agent_home.sessions, "ro"), Provider([{"text": "x"}] * 4) as provider:
        agent_home.use_provider(provider.url)
        events = talk(agent_home, "a", "b", "c", "d")
        check_goes_on(events, provider, "read-only file system")
        assert all(e.get("session") is None for e in events if e["type"] == "done")


def test_a_file_that_may_grow_no_further_is_told(agent_home: Home) -> None:
    """As a full disk, where none can be mounted: the system refuses what goes beyond 64 KB."""
    with Provider([{"text": LONG}] * 5) as provider:
        agent_home.use_provider(provider.url)
        limit = ("sh", "-c", 'ulimit -f 128; exec "$@"', "sh")
        events = talk(agent_home, "a", "b", "c", "d", first=limit)
        check_goes_on(events, provider, "file too large")
    path = next(agent_home.sessions.glob("*/*.jsonl"))
    kinds = [json.loads(line)["type"] for line in path.read_text().splitlines()]
    assert kinds[0] == "session" and kinds.count("message") == 3


def test_sessions_where_no_folder_can_be_made_are_told(agent_home: Home) -> None:
    """As a read-only folder, where none can be mounted."""
    agent_home.sessions.write_text("a file, not a folder")
    with Provider([{"text": "x"}] * 4) as provider:
        agent_home.use_provider(provider.url)
        events = talk(agent_home, "a", "b", "c", "d")
        check_goes_on(events, provider, "is not a directory")
