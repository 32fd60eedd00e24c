"""The loopback provider is judged by the official SDK before panto is tested against it."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from support.provider import Provider

ROOT = Path(__file__).resolve().parents[2]
TOOL: Any = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}


def client_for(provider: Provider) -> openai.OpenAI:
    """Give an SDK client that does not retry."""
    return openai.OpenAI(base_url=provider.url, api_key="k-1234", max_retries=0, timeout=20)


def ask(provider: Provider, **options: Any) -> Any:
    """Stream one answer through the SDK's own accumulator and return the final completion."""
    with client_for(provider).chat.completions.stream(
        model="fake",
        messages=[{"role": "user", "content": "hi"}],
        stream_options={"include_usage": True},
        **options,
    ) as stream:
        return stream.get_final_completion()


def test_the_sdk_reads_text_and_usage() -> None:
    usage = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    with Provider([{"text": "Grüße aus der Ferne", "usage": usage, "chunk_bytes": 1}]) as provider:
        answer = ask(provider)
    assert answer.choices[0].message.content == "Grüße aus der Ferne"
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage.prompt_tokens == 11
    assert json.loads(provider.bodies[0])["messages"] == [{"role": "user", "content": "hi"}]


def test_the_sdk_reads_several_tool_calls() -> None:
    calls = [
        {"id": "call_a", "name": "look", "arguments": {"at": "a"}},
        {"id": "call_b", "name": "look", "arguments": '{"at":"b"}'},
    ]
    with Provider([{"text": "Looking.", "tool_calls": calls}]) as provider:
        answer = ask(provider, tools=[TOOL])
    found = answer.choices[0].message.tool_calls
    assert [call.id for call in found] == ["call_a", "call_b"]
    assert [json.loads(call.function.arguments) for call in found] == [{"at": "a"}, {"at": "b"}]
    assert answer.choices[0].finish_reason == "tool_calls"


def test_the_sdk_reads_an_answer_that_is_not_streamed() -> None:
    with Provider([{"text": "whole"}]) as provider:
        answer = client_for(provider).chat.completions.create(
            model="fake", messages=[{"role": "user", "content": "hi"}]
        )
    assert answer.choices[0].message.content == "whole"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
    ],
)
def test_the_sdk_raises_the_error_of_a_status(status: int, expected: type[Exception]) -> None:
    error = {"message": "no", "type": "t", "code": "c"}
    with (
        Provider([{"status": status, "error": error}]) as provider,
        pytest.raises(expected, match="no"),
    ):
        ask(provider)


def test_the_sdk_sees_a_cut_stream_as_a_broken_connection() -> None:
    with Provider([{"text": "never whole", "cut_after": 300}]) as provider:
        stream = client_for(provider).chat.completions.create(
            model="fake", messages=[{"role": "user", "content": "hi"}], stream=True
        )
        with pytest.raises((openai.APIConnectionError, httpx.TransportError)):
            list(stream)


def test_a_wrong_key_and_an_ended_script_are_errors() -> None:
    with Provider([], api_key="right") as provider, pytest.raises(openai.AuthenticationError):
        ask(provider)
    with Provider([]) as provider, pytest.raises(openai.BadRequestError, match="no response left"):
        ask(provider)


def test_a_client_that_leaves_is_noticed_during_a_stall() -> None:
    with Provider([{"text": "slow answer", "stall_s": 60}]) as provider:
        stream = client_for(provider).chat.completions.create(
            model="fake", messages=[{"role": "user", "content": "hi"}], stream=True
        )
        next(iter(stream))
        stream.close()
        assert provider.requests[0].left.wait(5)


def test_it_lists_its_models() -> None:
    with Provider(models=["one", "two"]) as provider:
        assert [model.id for model in client_for(provider).models.list()] == ["one", "two"]


def test_it_runs_as_a_program_and_prints_its_url(tmp_path: Path) -> None:
    script, log = tmp_path / "script.json", tmp_path / "log"
    script.write_text(json.dumps([{"text": "from a file"}]))
    words = ["--script", str(script), "--port", "0", "--seconds", "20", "--log", str(log)]
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.support.provider", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        url = child.stdout.readline().strip()
        request = urllib.request.Request(f"{url}/chat/completions", data=b'{"stream": true}')
        with urllib.request.urlopen(request, timeout=10) as answer:
            body = answer.read()
    finally:
        child.kill()
        child.wait(10)
    assert b"[DONE]" in body
    assert log.read_bytes() == b'{"stream": true}\n'
