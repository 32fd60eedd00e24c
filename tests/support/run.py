"""`panto run` as a child: finished, or still running with pipes; its lines judged by the schema."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import jsonschema
from support.child import ROOT, Finished, run_bounded
from support.home import PANTO, Home

SCHEMA = json.loads((ROOT / "docs/run-events.schema.json").read_text())
USAGE = {"prompt_tokens": 100, "completion_tokens": 10}


def shell(command: str, name: str = "c1") -> dict[str, Any]:
    """A response that calls the shell once."""
    call = {"id": name, "name": "std_shell", "arguments": json.dumps({"command": command})}
    return {"tool_calls": [call], "usage": USAGE}


def run(home: Home, *words: str, stdin: str | None = None) -> Finished:
    return run_bounded(
        [PANTO, "run", *words], env=home.full_env(), cwd=home.work, stdin=stdin, timeout_s=60
    )


def check(lines: str) -> list[dict[str, Any]]:
    """Decode the lines; every one must be what the schema says."""
    events = [json.loads(line) for line in lines.splitlines()]
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for event in events:
        validator.validate(event)
    return events


@contextmanager
def started(home: Home, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A running `panto run` with pipes, ended in any case."""
    child = subprocess.Popen(
        [PANTO, "run", *words],
        env=home.full_env(),
        cwd=home.work,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield child
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
        child.communicate(timeout=10)


def read_until(stream: IO[str] | None, kind: str) -> list[dict[str, Any]]:
    """Read lines up to the first event of a kind."""
    assert stream
    events = []
    for line in stream:
        events.append(json.loads(line))
        if events[-1]["type"] == kind:
            return events
    raise AssertionError(f"no {kind} among {[event['type'] for event in events]}")


def send(child: subprocess.Popen[str], **message: str) -> None:
    assert child.stdin
    child.stdin.write(json.dumps(message) + "\n")
    child.stdin.flush()


def wait_for(condition: Any, timeout_s: float = 30) -> None:
    limit = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.02)
