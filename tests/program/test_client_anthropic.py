"""The provider client as anthropic_messages: panto's interpreter against the loopback provider."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.child import ROOT, run_bounded
from support.provider import Provider
from support.provider_anthropic import SIGNATURE

KEY = "sk-ant-loopback-secret"


@pytest.fixture
def ask(panto: Path, panto_env: dict[str, str]) -> Any:
    """Give a function that asks a provider once and returns the client's items."""

    def run(provider: Provider, url: str | None = None) -> list[dict[str, Any]]:
        script = ROOT / "tests/support/ask.lua"
        words = [url or provider.url, KEY, "20000", "anthropic_messages"]
        done = run_bounded([panto, "lua", script, *words], env=panto_env, timeout_s=60)
        assert done.code == 0, done.output
        assert KEY not in done.output
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def kinds(items: list[dict[str, Any]]) -> list[str]:
    """Name each kind of item once, in order."""
    names = [item["type"] for item in items]
    return [name for index, name in enumerate(names) if index == 0 or names[index - 1] != name]


@pytest.mark.parametrize("end", ["/v1", "", "/v1/messages", "/v1/"])
def test_a_whole_answer_arrives_from_any_form_of_the_base_url(ask: Any, end: str) -> None:
    calls = [{"id": "toolu_a", "name": "std_read", "arguments": '{"path":"ä"}'}]
    usage = {"input_tokens": 4, "output_tokens": 6, "cache_read_input_tokens": 5}
    response = {"thinking": "hm", "text": "Grüße", "tool_calls": calls, "usage": usage}
    with Provider([{**response, "chunk_bytes": 1}], api_key=KEY) as provider:
        items = ask(provider, provider.url.removesuffix("/v1") + end)
    assert kinds(items) == [
        "usage", "thinking_delta", "thinking_signature", "text_delta", "tool_call_start",
        "tool_call_delta", "tool_call_end", "usage", "stop",
    ]  # fmt: skip
    assert items[-2]["usage"] == {"input": 4, "output": 6, "cache_read": 5, "cache_write": 0}
    assert next(i for i in items if i["type"] == "thinking_signature")["signature"] == SIGNATURE
    sent = provider.requests[0]
    assert sent.path == "/v1/messages"
    assert sent.headers["x-api-key"] == KEY
    assert "authorization" not in sent.headers
    assert sent.headers["anthropic-version"] == "2023-06-01"
    assert sent.json["system"][0]["text"] == "be brief"


def test_an_error_in_the_middle_is_tried_again_without_its_text(ask: Any) -> None:
    overloaded = {"type": "overloaded_error", "message": "Overloaded"}
    script: list[dict[str, Any]] = [
        {"text": "half", "deltas": [{"type": "error", "error": overloaded}]},
        {"text": "whole"},
    ]
    with Provider(script) as provider:
        items = ask(provider)
    assert kinds(items)[-6:] == ["retry", "restart", "usage", "text_delta", "usage", "stop"]
    assert "overloaded" in next(item for item in items if item["type"] == "retry")["message"]
    assert provider.bodies[0] == provider.bodies[1]


@pytest.mark.parametrize(
    ("status", "kind", "message", "attempts"),
    [
        (529, "overloaded", "Overloaded", 2),
        (400, "overflow", "prompt is too long: 200001 tokens > 200000 maximum", 1),
        (400, "quota", "Your credit balance is too low to access the Anthropic API.", 1),
        (400, "bad_request", "messages.0: odd", 1),
        (401, "auth", "invalid x-api-key", 1),
    ],
)
def test_an_error_is_known_for_what_it_is(
    ask: Any, status: int, kind: str, message: str, attempts: int
) -> None:
    types = {529: "overloaded_error", 400: "invalid_request_error", 401: "authentication_error"}
    error = {"type": types[status], "message": message}
    soon = {"retry-after-ms": "10"}
    script = [{"status": status, "error": error, "headers": soon}] * attempts
    with Provider(script) as provider:
        items = ask(provider)
    assert (items[-1]["type"], items[-1]["kind"]) == ("error", kind)
    assert message in items[-1]["message"]
    assert len(provider.requests) == attempts
