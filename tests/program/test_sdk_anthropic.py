"""What panto sends as anthropic_messages is held against the request types of the official SDK."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from support.child import ROOT, run_bounded
from support.histories import THOUGHTS, conversation, switched, user
from support.typed_dicts import problems

STYLE = "anthropic_messages"
TOOLS = [
    {
        "name": "std_read",
        "description": "reads",
        "schema": {
            "type": "object",
            "properties": {"path": {"type": "string"}},
            "required": ["path"],
        },
    }
]
KNOBS: list[dict[str, Any]] = [
    {},
    {"thinking": "enabled", "thinking_interleaved": True},
    {"thinking": "adaptive", "effort": "xhigh"},
]


def encode_all(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Let panto encode requests, each given by its messages, knobs and effort; give the bodies."""
    provider = {"name": STYLE, "style": STYLE, "base_url": "http://127.0.0.1:1"}
    full = []
    for case in cases:
        model = {"alias": "m", "model": "claude-x", "max_tokens": 64000, **case.get("knobs", {})}
        request = {"system": "be brief", "tools": TOOLS, "messages": case["messages"]}
        if "effort" in case:
            request["effort"] = case["effort"]
        full.append({"style": STYLE, "request": request, "provider": provider, "model": model})
    command: list[str | Path] = [ROOT / ".venv/bin/panto", "lua", ROOT / "tests/support/encode.lua"]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(full, file)
        file.flush()
        done = run_bounded([*command, ROOT, file.name], timeout_s=30)
    assert done.code == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def encode(messages: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
    """Let panto encode one request and give its body."""
    return encode_all([{"messages": messages, **options}])[0]


def check(body: dict[str, Any]) -> None:
    """Fail unless the SDK's types and the API's rules about order allow the body."""
    assert problems(body, MessageCreateParamsStreaming) == []
    roles = [message["role"] for message in body["messages"]]
    assert roles == [("user", "assistant")[index % 2] for index in range(len(roles))]
    ids = []
    for before, message in zip([None, *body["messages"]], body["messages"], strict=False):
        blocks = message["content"]
        assert blocks
        assert all(block["text"].strip() for block in blocks if block["type"] == "text")
        made = [block["id"] for block in blocks if block["type"] == "tool_use"]
        ids += made
        if before is not None and before["role"] == "assistant":
            asked = [block["id"] for block in before["content"] if block["type"] == "tool_use"]
            kinds = [block["type"] for block in blocks]
            given = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
            assert given == asked
            assert kinds[: len(asked)] == ["tool_result"] * len(asked)
    assert len(set(ids)) == len(ids)
    assert all(name.replace("_", "").replace("-", "").isalnum() for name in ids)


@pytest.mark.parametrize("style", sorted(THOUGHTS))
def test_a_conversation_of_each_style_can_be_sent(style: str) -> None:
    body = encode(conversation(style))
    check(body)
    kinds = [block["type"] for message in body["messages"] for block in message["content"]]
    kept = 2 if style == STYLE else 0
    assert kinds.count("thinking") == kinds.count("redacted_thinking") == kept
    assert (kinds.count("tool_use"), kinds.count("tool_result")) == (3, 3)
    first = body["messages"][2]["content"]
    assert [block.get("is_error", False) for block in first[:3]] == [False, True, False]
    assert [part["type"] for part in first[0]["content"]] == ["text", "image"]


@pytest.mark.parametrize("knobs", KNOBS)
def test_a_conversation_of_all_styles_can_be_sent(knobs: dict[str, Any]) -> None:
    body = encode(switched(), knobs=knobs)
    check(body)
    assert body.get("thinking", {}).get("type", "none") == knobs.get("thinking", "none")


def test_every_effort_can_be_sent() -> None:
    messages = conversation(STYLE)
    cases = [
        {"messages": messages, "effort": effort, "knobs": {"thinking": thinking}}
        for effort in ("off", "minimal", "low", "medium", "high")
        for thinking in ("disabled", "enabled", "adaptive")
    ]
    bodies = encode_all(cases)
    assert len(bodies) == len(cases)
    for body in bodies:
        check(body)


def test_the_judge_sees_what_is_wrong() -> None:
    body = encode([user({"type": "text", "text": "hi"})])
    assert problems(body, MessageCreateParamsStreaming) == []
    for spoil in (
        {"max_tokens": "many"},
        {"surprise": 1},
        {"thinking": {"type": "enabled"}},
        {"messages": [{"role": "user", "content": [{"type": "text"}]}]},
        {"messages": [{"role": "tool", "content": "x"}]},
        {"messages": [{"role": "user", "content": [{"type": "thinking", "thinking": "x"}]}]},
    ):
        assert problems({**body, **spoil}, MessageCreateParamsStreaming) != [], spoil
    del body["max_tokens"]
    assert problems(body, MessageCreateParamsStreaming) == ["$.max_tokens: missing"]
