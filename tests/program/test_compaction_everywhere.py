"""Overflows at each point of a conversation, and a conversation that is compacted twenty times."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.child import run_bounded
from support.home import PANTO, Home
from support.pairing import RESULTS
from support.provider import Provider
from test_compaction import (
    FULL,
    LONG,
    OVERFLOW,
    SUMMARY,
    check_bodies,
    configure,
    kinds,
    said,
    shell,
)
from test_request_types import judge

READ = {"name": "std_read", "id": "r1", "arguments": '{"path": "beans.txt"}'}
STEPS: list[dict[str, Any]] = [
    {"text": LONG, "tool_calls": [READ]},
    {"tool_calls": [shell("c1", "seq 900"), shell("c2", "seq 901 1800")]},
    {"text": LONG},
    {"tool_calls": [shell("c3", "seq 500")]},
    {"text": LONG},
    {"text": "The end."},
]
PROMPTS = ["count the beans please", "and the peas", "at last"]
BROKEN_OFF = (
    'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Half a wo"}}]}\n\n'
    f"data: {json.dumps({'error': OVERFLOW['error']})}\n\n"
)


class Narrow:
    """A model that refuses its `at`th step once as too long; `how` says in which way."""

    def __init__(self, at: int, how: str) -> None:
        self.at, self.how = at, how
        self.step = self.refusals = self.summaries = 0

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        """Give the next step, or a summary."""
        if "tools" not in request:
            self.summaries += 1
            return OVERFLOW if self.how == "the summary too" and self.summaries == 1 else SUMMARY
        if self.step == self.at and not self.refusals:
            self.refusals += 1
            return {"raw": BROKEN_OFF} if self.how == "within an answer" else OVERFLOW
        self.step += 1
        return STEPS[self.step - 1] if self.step <= len(STEPS) else {"text": "More."}


def talk(home: Home, *words: str, prompts: list[str]) -> list[dict[str, Any]]:
    lines = "".join(json.dumps({"type": "prompt", "text": text}) + "\n" for text in prompts)
    done = run_bounded(
        [PANTO, "run", "--input", "jsonl", *words],
        env=home.full_env(),
        cwd=home.work,
        stdin=lines,
        timeout_s=120,
    )
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert events, done.output
    return events


@pytest.mark.parametrize("how", ["before an answer", "within an answer", "the summary too"])
def test_an_overflow_at_any_point_ends_in_a_valid_conversation(agent_home: Home, how: str) -> None:
    (agent_home.work / "beans.txt").write_text("a bean\n" * 500)
    bodies: list[dict[str, Any]] = []
    for at in range(len(STEPS)):
        model = Narrow(at, how)
        with Provider([model] * 30) as provider:
            configure(agent_home, provider, window=0)
            events = talk(agent_home, prompts=PROMPTS)
            bodies += [json.loads(body) for body in provider.bodies]
        ended = [e["status"] for e in events if e["type"] == "done"]
        errors = [e["message"] for e in events if e["type"] == "error"]
        assert model.refusals == 1
        if at == 0:
            assert ended == ["error", "done", "done"]
            assert len(errors) == 1 and "nothing in it that could be summarised" in errors[0]
        else:
            assert ended == ["done"] * 3 and not errors, (at, errors)
        last = json.dumps(bodies[-1]["messages"])
        assert all(text in last for text in PROMPTS)
        assert "Half a wo" not in last
    assert judge("openai_chat", bodies) == [None] * len(bodies)
    for body in bodies:
        RESULTS["openai_chat"](body)


class Filling:
    """A model that writes a file in each turn and finds its window full at the turn's end."""

    def __init__(self) -> None:
        self.answers = 0

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        """Give the next answer, or a summary."""
        if "tools" not in request:
            return SUMMARY
        self.answers += 1
        if self.answers % 2 == 0:
            return {"text": LONG, "usage": FULL}
        path = f"file-{self.answers // 2}.txt"
        content = {"name": "std_write", "id": f"w{self.answers}"}
        content["arguments"] = json.dumps({"path": path, "content": "x"})
        return {"tool_calls": [content], "usage": {"prompt_tokens": 900, "completion_tokens": 9}}


def test_twenty_compactions_keep_the_first_request_and_the_files(agent_home: Home) -> None:
    with Provider([Filling()] * 200) as provider:
        configure(agent_home, provider)
        prompts = ["count the beans please", *(f"go on, part {i}" for i in range(1, 22))]
        events = talk(agent_home, prompts=prompts)
        assert [e["status"] for e in events if e["type"] == "done"] == ["done"] * 22
        assert kinds(agent_home).count("compaction") >= 20
        talk(agent_home, "--resume", prompts=["and once more"])
        for body in (provider.bodies[-3], provider.bodies[-1]):
            text = said(body)
            assert "count the beans please" in text
            assert all(f"file-{i}.txt" in text for i in range(22))
            assert "part 5" not in text
        check_bodies("openai_chat", provider)
