"""The provider client over real HTTP: panto's own interpreter against the loopback provider."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.child import ROOT, run_bounded
from support.provider import Provider

KEY = "sk-loopback-secret"


@pytest.fixture
def ask(panto: Path, panto_env: dict[str, str]) -> Any:
    """Give a function that asks a provider once and returns the client's items."""

    def run(provider: Provider, key: str = KEY, idle_ms: int = 20000) -> list[dict[str, Any]]:
        script = ROOT / "tests/support/ask.lua"
        command: list[str | Path] = [panto, "lua", script, provider.url, key, str(idle_ms)]
        done = run_bounded(command, env=panto_env, timeout_s=60)
        assert done.code == 0, done.output
        assert KEY not in done.output
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def types(items: list[dict[str, Any]]) -> list[str]:
    """Name each kind of item once, in order."""
    names = [item["type"] for item in items]
    return [name for index, name in enumerate(names) if index == 0 or names[index - 1] != name]


def text(items: list[dict[str, Any]]) -> str:
    """Join the text of what came after the last restart."""
    start = max((i for i, item in enumerate(items) if item["type"] == "restart"), default=0)
    return "".join(item.get("delta", "") for item in items[start:] if item["type"] == "text_delta")


def test_text_calls_and_usage_arrive_whole_from_one_byte_chunks(ask: Any) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}
    usage_details = {"prompt_tokens_details": {"cached_tokens": 5}}
    calls = [{"id": "call_a", "name": "std_read", "arguments": '{"path":"ä"}'}]
    response = {
        "thinking": "hm",
        "text": "Grüße",
        "tool_calls": calls,
        "usage": {**usage, **usage_details},
        "chunk_bytes": 1,
    }
    with Provider([response], api_key=KEY) as provider:
        items = ask(provider)
    assert types(items) == [
        "thinking_delta", "text_delta", "tool_call_start", "tool_call_delta", "tool_call_end",
        "usage", "stop",
    ]  # fmt: skip
    assert text(items) == "Grüße"
    assert items[-2]["usage"] == {"input": 4, "output": 4, "cache_read": 5, "cache_write": 0}
    sent = provider.requests[0]
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.json["messages"][0] == {"role": "system", "content": "be brief"}
    assert sent.json["stream_options"] == {"include_usage": True}


def test_a_wrong_key_is_told_once_and_names_the_variable(ask: Any) -> None:
    with Provider([], api_key="another") as provider:
        items = ask(provider)
    message = "loop: 401 bad key (Incorrect API key provided): check LOOP_KEY"
    assert [item["message"] for item in items] == [message]
    assert len(provider.requests) == 1


def test_a_broken_connection_is_tried_again_without_its_text(ask: Any) -> None:
    script: list[dict[str, Any]] = [
        {"text": "one two three four", "cut_after": 500},
        {"text": "whole"},
    ]
    with Provider(script) as provider:
        items = ask(provider)
    assert types(items) == ["text_delta", "retry", "restart", "text_delta", "usage", "stop"]
    assert text(items) == "whole"
    assert items[-1]["at_ms"] >= 1500
    assert provider.bodies[0] == provider.bodies[1]


def test_silence_is_an_error_that_is_tried_again(ask: Any) -> None:
    with Provider([{"text": "a b", "stall_s": 30}, {"text": "there"}]) as provider:
        items = ask(provider, idle_ms=600)
        assert provider.requests[0].left.wait(5)
    assert next(item for item in items if item["type"] == "retry")["message"].startswith("loop: no")
    assert text(items) == "there"


def test_the_wait_is_as_long_as_the_server_asks(ask: Any) -> None:
    slow = {"status": 429, "error": {"message": "m"}, "headers": {"retry-after-ms": "300"}}
    with Provider([slow, {"text": "now"}]) as provider:
        items = ask(provider)
    assert items[0]["wait_ms"] == 300
    assert items[-1]["at_ms"] - items[0]["at_ms"] >= 290


def test_no_server_at_all_is_one_clear_line(ask: Any) -> None:
    with Provider([]) as provider:
        pass
    items = ask(provider)
    assert types(items) == ["retry", "error"]
    assert items[-1]["kind"] == "transport"
    assert provider.url in items[-1]["message"]


def test_an_answer_that_is_no_stream_is_read_or_named(ask: Any) -> None:
    page = {"raw": "<html><h1>Sign in</h1></html>", "headers": {"Content-Type": "text/html"}}
    answer = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
    whole = {"raw": json.dumps(answer)}
    script: list[dict[str, Any]] = [page, whole]
    with Provider(script) as provider:
        failed = ask(provider)
        good = ask(provider)
    assert failed[-1]["kind"] == "invalid"
    assert "Sign in" in failed[-1]["message"]
    assert text(good) == "hi"
