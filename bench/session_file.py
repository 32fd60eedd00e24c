"""Sessions as panto writes them, of any length: with results of 12 KB, or of shell calls only."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from checkout import Home

WORDS = "the quick brown fox jumps over the lazy dog, again and again; "
IDENTITY = "0197a1b2-c3d4-7000-8000-000000000001"
STAMP = "2026-01-01T00:00:00.000Z"
Message = dict[str, Any]


def _turn_message(n: int, command: str, output: str) -> Message:
    """Of a turn of ten messages: a question, four calls with their results, an answer."""
    place = (n - 1) % 10
    if place == 0:
        text = f"question {n}: " + WORDS * 3
        return {"content": [{"text": text, "type": "text"}], "role": "user"}
    if place == 9:
        return {"content": [{"text": f"answer {n}", "type": "text"}], "role": "assistant"}
    if place % 2:
        value = {"command": command}
        call = {"id": f"c{n}", "name": "std_shell", "type": "tool_call"}
        call |= {"arguments": json.dumps(value), "input": value}  # type: ignore[dict-item]
        return {"content": [call], "role": "assistant", "stop_reason": "tool_use"}
    return {
        "content": [{"text": output, "type": "text"}], "is_error": False, "role": "tool",
        "tool_call_id": f"c{n - 1}", "tool_name": "std_shell",
    }  # fmt: skip


def long_message(n: int) -> Message:
    """Messages with results of 12 KB: 5 KB a record on average."""
    return _turn_message(n, WORDS * 2, WORDS * 190)


def small_message(n: int) -> Message:
    """Messages of shell calls such as the measured turn's own."""
    return _turn_message(n, "echo hi", "hi")


def write_session(
    path: Path,
    cwd: Path,
    records: int,
    identity: str = IDENTITY,
    message: Callable[[int], Message] = long_message,
    foreign: bool = False,
) -> None:
    """Write a session of so many message records as panto does, or as another program would."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        header = {"created": STAMP, "cwd": str(cwd), "id": identity, "type": "session"}
        file.write(json.dumps({**header, "version": 1}) + "\n")
        for n in range(1, records + 1):
            parent = f'"{n - 1}"' if n > 1 else "null"
            body = json.dumps(message(n), separators=(",", ":"))
            if foreign:
                line = f'{{"type": "message", "message": {body}, "id": "{n}", "parent": {parent}}}'
                file.write(line + "\n")
                continue
            using = '"using":{"model":"loop:m"},' if (n - 1) % 10 == 0 else ""
            using += '"totals":{"input":1,"output":1},' if n % 2 == 0 else ""
            file.write(
                f'{{"id":"{n}","parent":{parent},"time":"{STAMP}","type":"message","n":{n},'
                f'{using}"message":{body}}}\n'
            )


def place_of(home: Home, identity: str = IDENTITY) -> Path:
    """Where panto looks for a session of the home's working folder."""
    return home.sessions / str(home.work).replace("/", "+") / f"{identity}.jsonl"
