"""The loopback provider's messages API is judged by the official SDK before panto meets it."""

from __future__ import annotations

from typing import Any

import anthropic
import pytest
from support.provider import Provider
from support.provider_anthropic import SIGNATURE

TOOL: Any = {"name": "look", "input_schema": {"type": "object"}}
ASK: Any = {"model": "fake", "max_tokens": 50, "messages": [{"role": "user", "content": "hi"}]}


def client_for(provider: Provider, key: str = "k-1234") -> anthropic.Anthropic:
    """Give an SDK client that does not retry."""
    url = provider.url.removesuffix("/v1")
    return anthropic.Anthropic(base_url=url, api_key=key, max_retries=0, timeout=20)


def ask(provider: Provider, **options: Any) -> Any:
    """Stream one answer through the SDK's own accumulator and return the final message."""
    with client_for(provider).messages.stream(**ASK, **options) as stream:
        return stream.get_final_message()


def test_the_sdk_reads_text_thinking_and_usage() -> None:
    usage = {"input_tokens": 11, "output_tokens": 3, "cache_read_input_tokens": 7}
    script = {"thinking": "hm, well", "text": "Grüße aus der Ferne", "usage": usage}
    with Provider([{**script, "chunk_bytes": 1}]) as provider:
        answer = ask(provider)
    assert [block.type for block in answer.content] == ["thinking", "text"]
    assert (answer.content[0].thinking, answer.content[0].signature) == ("hm, well", SIGNATURE)
    assert answer.content[1].text == "Grüße aus der Ferne"
    assert answer.stop_reason == "end_turn"
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (11, 3)
    assert answer.usage.cache_read_input_tokens == 7


def test_the_sdk_reads_several_tool_calls() -> None:
    calls = [
        {"id": "toolu_a", "name": "look", "arguments": {"at": "a"}},
        {"id": "toolu_b", "name": "look", "arguments": '{"at":"b"}'},
    ]
    with Provider([{"text": "Looking.", "tool_calls": calls}]) as provider:
        answer = ask(provider, tools=[TOOL])
    found = [block for block in answer.content if block.type == "tool_use"]
    assert [block.id for block in found] == ["toolu_a", "toolu_b"]
    assert [block.input for block in found] == [{"at": "a"}, {"at": "b"}]
    assert answer.stop_reason == "tool_use"


def test_the_sdk_reads_an_answer_that_is_not_streamed() -> None:
    with Provider([{"text": "whole", "finish": "length"}]) as provider:
        answer = client_for(provider).messages.create(**ASK)
    assert answer.content[0].text == "whole"
    assert answer.stop_reason == "max_tokens"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, anthropic.BadRequestError),
        (401, anthropic.AuthenticationError),
        (429, anthropic.RateLimitError),
        (529, anthropic.InternalServerError),
    ],
)
def test_the_sdk_raises_the_error_of_a_status(status: int, expected: type[Exception]) -> None:
    error = {"message": "no", "type": "overloaded_error"}
    with (
        Provider([{"status": status, "error": error}]) as provider,
        pytest.raises(expected, match="no"),
    ):
        ask(provider)


def test_the_sdk_raises_an_error_in_the_middle_and_a_cut() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    script = [{"text": "half", "deltas": [error]}, {"text": "never whole", "cut_after": 300}]
    with Provider(script) as provider:
        with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
            ask(provider)
        with pytest.raises(Exception, match=r"peer closed|Connection error"):
            ask(provider)


def test_a_wrong_key_is_an_error_and_the_right_one_is_taken() -> None:
    with Provider([{"text": "in"}], api_key="k-1234") as provider:
        assert ask(provider).content[0].text == "in"
        with pytest.raises(anthropic.AuthenticationError):
            client_for(provider, "wrong").messages.create(**ASK)
