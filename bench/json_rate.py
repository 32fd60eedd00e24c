"""How many MB of JSON a second are decoded and encoded in Lua, on the lines of session files.

`python bench/json_rate.py [RUNS]`; the floor is Python's json, which is C, on the same lines.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

import options
from chat_events import deltas, text_events
from checkout import Home
from floors import in_turns
from in_lua import figures
from row import Row, median_row
from session_file import long_message, place_of, small_message, write_session


def floor_s(path: Path) -> dict[str, float]:
    """The seconds of CPU that Python takes for the lines."""
    lines = path.read_text().splitlines()
    before = time.process_time()
    values = [json.loads(line) for line in lines]
    between = time.process_time()
    for value in values:
        json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return {"decode": between - before, "encode": time.process_time() - between}


def write_files(home: Home, folder: Path) -> dict[str, Path]:
    """The files whose lines are read, by what they are."""
    long, small, events = place_of(home), folder / "small.jsonl", folder / "events.jsonl"
    write_session(long, home.work, 4000, message=long_message)
    write_session(small, home.work, 20000, message=small_message)
    events.write_bytes(b"".join(item[6:-1] for item in text_events(deltas())[:-1]))
    return {
        "a session of tool results": long,
        "a session of small messages": small,
        "a model's events": events,
    }


def measure(runs: int) -> list[Row]:
    """The rows of this group."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "h")
        for name, path in write_files(home, Path(folder)).items():
            size = path.stat().st_size / 1e6
            found = in_turns(runs, {
                "lua": lambda path=path: figures(home, "json_rate.lua", [path]),
                "python": lambda path=path: floor_s(path),
            })  # fmt: skip
            for what in ("decode", "encode"):
                rates = [size / one[what] for one in found["lua"]]
                floor = median_row("", "", [size / one[what] for one in found["python"]], "").value
                bar = 25 if "session" in name else None
                rows.append(
                    median_row("json", f"JSON {what}, {name}", rates, "MB/s", at_least=bar,
                               floor="Python's json", floor_value=floor)
                )  # fmt: skip
    return rows


if __name__ == "__main__":
    options.main(measure, 5)
