"""The loopback provider's responses API is judged by the official SDK."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import openai
import pytest
from support.child import ROOT, run_bounded
from support.provider import Provider

TOOL: Any = {
    "type": "function",
    "name": "look",
    "parameters": {"type": "object", "properties": {}},
    "strict": False,
}


def client_for(provider: Provider) -> openai.OpenAI:
    """Give an SDK client that does not retry."""
    return openai.OpenAI(base_url=provider.url, api_key="k-1234", max_retries=0, timeout=20)


def ask(provider: Provider, **options: Any) -> Any:
    """Stream one answer through the SDK's own accumulator and return the final response."""
    with client_for(provider).responses.stream(model="fake", input="hi", **options) as stream:
        kinds = [event.type for event in stream]
        assert kinds[0] == "response.created"
        return stream.get_final_response()


def test_the_sdk_reads_reasoning_text_calls_and_usage() -> None:
    usage = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    calls = [
        {"id": "call_a", "name": "look", "arguments": {"at": "a"}},
        {"id": "call_b", "name": "look", "arguments": '{"at":"b"}'},
    ]
    script = {"thinking": "hm so", "text": "Grüße", "tool_calls": calls, "usage": usage}
    with Provider([{**script, "chunk_bytes": 1}]) as provider:
        answer = ask(provider, tools=[TOOL])
    kinds = [item.type for item in answer.output]
    assert kinds == ["reasoning", "message", "function_call", "function_call"]
    assert answer.output_text == "Grüße"
    assert answer.output[0].summary[0].text == "hm so"
    assert [json.loads(item.arguments) for item in answer.output[2:]] == [{"at": "a"}, {"at": "b"}]
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (11, 3)
    assert answer.status == "completed"


def test_the_sdk_reads_an_answer_that_is_not_streamed() -> None:
    with Provider([{"text": "whole"}]) as provider:
        answer = client_for(provider).responses.create(model="fake", input="hi")
    assert answer.output_text == "whole"


def test_the_sdk_sees_an_answer_that_ended_early() -> None:
    with Provider([{"text": "half", "finish": "length"}]) as provider:
        events = list(client_for(provider).responses.create(model="fake", input="hi", stream=True))
    last: Any = events[-1]
    assert last.type == "response.incomplete"
    assert last.response.incomplete_details.reason == "max_output_tokens"


def test_the_sdk_raises_the_error_of_a_status() -> None:
    error = {"message": "no", "type": "t", "code": "c"}
    with (
        Provider([{"status": 429, "error": error}]) as provider,
        pytest.raises(openai.RateLimitError, match="no"),
    ):
        ask(provider)


def test_panto_reads_what_the_sdk_reads(panto: Path, panto_env: dict[str, str]) -> None:
    calls = [{"id": "call_a", "name": "std_read", "arguments": '{"path":"ä"}'}]
    script = {"thinking": "hm so", "text": "Grüße", "tool_calls": calls, "chunk_bytes": 1}
    lost = {"status": 500, "error": {"message": "try again"}, "headers": {"retry-after-ms": "1"}}
    with Provider([lost, script], api_key="sk-loop") as provider:
        words = [ROOT / "tests/support/ask.lua", provider.url, "sk-loop", "20000"]
        command: list[str | Path] = [panto, "lua", *words, "openai_responses"]
        done = run_bounded(command, env=panto_env, timeout_s=60)
    assert done.code == 0, done.output
    items = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [kind for kind, _ in groupby(items, lambda item: item["type"])]
    assert kinds == [
        "retry", "thinking_delta", "opaque", "text_delta", "tool_call_start", "tool_call_delta",
        "tool_call_end", "usage", "stop",
    ]  # fmt: skip
    assert "".join(item["delta"] for item in items if item["type"] == "text_delta") == "Grüße"
    assert items[-1]["reason"] == "tool_use"
    assert provider.requests[1].path == "/v1/responses"
