"""`panto local` for real: the pinned model fetched, llama.cpp compiled, a tool called, all ended.

Deselected unless asked for: `pytest -s -m local_model tests/program/test_local_real.py`. It fetches
1.2 GB and compiles for minutes; PANTO_LOCAL_DATA names a data home to be used, and kept.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from support.child import run_bounded
from support.home import PANTO, Home
from support.tmux import Terminal

pytestmark = [pytest.mark.local_model, pytest.mark.timeout(9000)]
BRING_S, ANSWER_S = 7200, 900


def test_it_is_brought_calls_a_tool_and_ends_with_panto(agent_home: Home) -> None:
    home = agent_home
    if data := os.environ.get("PANTO_LOCAL_DATA"):
        home.extra["PANTO_HOME"] = data
    (home.work / "README.md").write_text("# Garden\n\nThe secret word is marigold.\n")
    began = time.monotonic()
    made = run_bounded(
        [PANTO, "local", "--own", "--yes"],
        env=home.full_env(), cwd=home.work, timeout_s=BRING_S,
    )  # fmt: skip
    print(f"{made.stdout}{made.stderr}({time.monotonic() - began:.0f} s)")
    assert made.code == 0 and "panto uses it now" in made.stdout, made.output
    folder = Path(home.env()["PANTO_HOME"]) / "local"
    for path in sorted(folder.iterdir()):
        print(f"{path.stat().st_size:>12}  {path.name}")
    with Terminal([str(PANTO)], folder=home.work, env=home.env()) as terminal:
        terminal.wait("›")
        began = time.monotonic()
        terminal.type("Read the file README.md and tell me the secret word in it.")
        terminal.keys("Enter")
        terminal.wait("esc to stop")
        terminal.wait("esc to stop", gone=True, timeout_s=ANSWER_S)
        print(f"{terminal.history().rstrip()}\n({time.monotonic() - began:.0f} s)")
        assert (folder / "socket").exists()
    end = time.monotonic() + 60
    while (folder / "socket").exists():
        assert time.monotonic() < end, "the server outlives panto"
        time.sleep(0.1)
    (file,) = home.sessions.rglob("*.jsonl")
    records = [json.loads(line) for line in file.read_text().splitlines()]
    messages = [record["message"] for record in records if record["type"] == "message"]
    calls = [part["name"] for m in messages for part in m["content"] if part["type"] == "tool_call"]
    assert calls[:1] == ["std_read"], messages
    last = messages[-1]
    assert last["role"] == "assistant" and last["stop_reason"] == "stop", last
    assert "marigold" in "".join(part.get("text", "") for part in last["content"]).lower(), last
