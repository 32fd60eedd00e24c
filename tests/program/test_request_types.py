"""What panto sends is accepted by the official SDK's own request types, with nothing besides."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.child import ROOT, run_bounded

STYLES = ("openai_chat", "openai_responses")
IMAGE = {"type": "image", "media_type": "image/png", "data": "QQ=="}
TOOL = {
    "name": "std_read",
    "description": "Reads a file.",
    "schema": {"type": "object", "properties": {"path": {"type": "string"}}},
}


def text(words: str) -> dict[str, Any]:
    """Give a text part."""
    return {"type": "text", "text": words}


def call(name: str, arguments: str) -> dict[str, Any]:
    """Give a tool call part, without decoded input when the arguments are no JSON."""
    part = {"type": "tool_call", "id": name, "name": "std_read", "arguments": arguments}
    try:
        return {**part, "input": json.loads(arguments)}
    except ValueError:
        return part


def result(name: str, *parts: Any, is_error: bool = False) -> dict[str, Any]:
    """Give a tool message."""
    return {
        "role": "tool",
        "tool_call_id": name,
        "tool_name": "std_read",
        "content": list(parts),
        "is_error": is_error,
    }


SEALED: dict[str, list[dict[str, Any]]] = {
    "openai_chat": [
        {"type": "thinking", "text": "hm", "field": "reasoning_content"},
    ],
    "openai_responses": [
        {"type": "thinking", "text": "hm", "field": "summary"},
        {
            "type": "opaque",
            "style": "openai_responses",
            "value": {
                "type": "reasoning",
                "id": "rs_1",
                "summary": [{"type": "summary_text", "text": "hm"}],
                "encrypted_content": "c2VhbGVk",
            },
        },
        {
            "type": "opaque",
            "style": "openai_responses",
            "value": {
                "type": "web_search_call",
                "id": "ws_1",
                "status": "completed",
                "action": {"type": "search", "query": "x", "queries": ["x"]},
            },
        },
    ],
    "anthropic_messages": [
        {"type": "thinking", "text": "hm", "signature": "sig"},
        {
            "type": "opaque",
            "style": "anthropic_messages",
            "value": {"type": "redacted_thinking", "data": "x"},
        },
    ],
}


def assistant(style: str, *parts: Any, **more: Any) -> dict[str, Any]:
    """Give an answer of a style, with what that style keeps of thinking before it."""
    content = [*SEALED[style], *parts]
    return {"role": "assistant", "content": content, "style": style, "provider": style, **more}


def histories(origin: str) -> dict[str, list[dict[str, Any]]]:
    """Give conversations as an API of this style left them, by what they hold."""
    calls = [call("call_1", '{"path":"a"}'), call("call_2", ""), call("call_3", '{"path":')]
    user = {"role": "user", "content": [text("hi")]}
    return {
        "text": [user, assistant(origin, text("hello")), user],
        "images": [{"role": "user", "content": [text("see"), IMAGE]}],
        "nothing": [{"role": "user", "content": []}],
        "parallel calls": [
            user,
            assistant(origin, text("looking"), *calls),
            result("call_1", text("found"), IMAGE),
            result("call_2"),
            result("call_3", text("no JSON"), is_error=True),
        ],
        "calls without words": [
            user,
            assistant(origin, calls[0]),
            result("call_1", text("found")),
            assistant(origin, {**text("so"), "field": "final_answer"}),
            user,
        ],
        "thinking only": [user, assistant(origin), user],
        "aborted": [user, assistant(origin, text("half"), aborted=True), user],
        "lost result": [user, assistant(origin, calls[0]), user],
    }


def encode(cases: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """Encode each case with panto's own codec."""
    path = folder / "cases.json"
    path.write_text(json.dumps(cases))
    lua: list[str | Path] = [ROOT / ".venv/bin/panto", "lua"]
    if not Path(lua[0]).exists():
        plain = shutil.which("lua5.4")
        assert plain, "neither .venv/bin/panto nor lua5.4 is here"
        lua = [plain]
    done = run_bounded([*lua, ROOT / "tests/support/encode.lua", ROOT, path], timeout_s=30)
    assert done.code == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def judge(style: str, bodies: list[dict[str, Any]]) -> list[str | None]:
    """Let the SDK's types judge bodies, in a process of their own."""
    done = subprocess.run(
        [sys.executable, ROOT / "tests/support/sdk_types.py", style],
        input="\n".join(json.dumps(body) for body in bodies),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("style", STYLES)
def test_the_sdk_accepts_every_history_from_every_style(style: str, tmp_path: Path) -> None:
    cases, names = [], []
    for origin in SEALED:
        for name, messages in histories(origin).items():
            for effort in ("default", "high", "off"):
                names.append((origin, name, effort))
                cases.append(
                    {
                        "style": style,
                        "request": {
                            "system": "sys",
                            "messages": messages,
                            "tools": [TOOL],
                            "effort": effort,
                        },
                        "provider": {"name": style, "style": style, "base_url": "http://x/v1"},
                        "model": {"alias": "m", "model": "wire", "max_tokens": 100},
                    }
                )
    bodies = encode(cases, tmp_path)
    assert len(bodies) == len(names)
    wrong = [(n, v) for n, v in zip(names, judge(style, bodies), strict=True) if v]
    assert wrong == []


def test_the_judge_sees_what_is_wrong() -> None:
    chat = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}]}
    responses = {"model": "m", "stream": True, "input": []}
    assert judge("openai_chat", [chat, {**chat, "colour": 1}])[0] is None
    assert all(
        judge(
            "openai_chat",
            [
                {**chat, "colour": 1},
                {**chat, "messages": [{"role": "tool", "content": "no id"}]},
                {**chat, "messages": [{"role": "user", "content": [{"type": "image"}]}]},
            ],
        )
    )
    half = {"type": "function_call", "name": "x", "arguments": "{}"}
    more = {"type": "message", "role": "user", "colour": 1, "content": "x"}
    odd = {"type": "message", "role": "user", "content": [{"type": "text", "text": "x"}]}
    found = judge(
        "openai_responses", [responses, *({**responses, "input": [i]} for i in (half, more, odd))]
    )
    assert found[0] is None
    assert all(found[1:])
