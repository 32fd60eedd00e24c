"""Turn one scripted response into the chat completion chunks that a model server would send."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Response = Mapping[str, Any]
Script = Response | Callable[[dict[str, Any]], Response]

FIELDS = frozenset(
    {
        "text", "deltas", "tool_calls", "thinking", "thinking_field", "usage", "finish", "done",
        "delay_s", "wait_s", "stall_s", "stall_after", "chunk_bytes", "status", "error", "raw",
        "cut_after", "headers", "hold",
    }
)  # fmt: skip


def check(response: Response) -> Response:
    """Raise on a field that no response has: a misspelt one would silently do nothing."""
    unknown = set(response) - FIELDS
    if unknown:
        raise ValueError(f"unknown fields in a scripted response: {sorted(unknown)}")
    return response


def text_deltas(text: str) -> list[str]:
    """Split a text into words with their blanks, as models stream it."""
    words = text.split(" ")
    return [word + " " for word in words[:-1]] + words[-1:] if text else []


def call_deltas(call: Mapping[str, Any], index: int) -> Iterator[dict[str, Any]]:
    """Yield the deltas of one tool call: its head, then its arguments in two pieces."""
    arguments = call.get("arguments", "{}")
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments)
    head = {
        "index": index,
        "id": call.get("id", f"call_{index}"),
        "type": "function",
        "function": {"name": call["name"], "arguments": ""},
    }
    yield {"tool_calls": [head]}
    middle = len(arguments) // 2
    for piece in (arguments[:middle], arguments[middle:]):
        yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def deltas(response: Response) -> Iterator[dict[str, Any]]:
    """Yield every delta object of a response in order."""
    yield {"role": "assistant", "content": None}
    field = response.get("thinking_field", "reasoning_content")
    for piece in text_deltas(response.get("thinking", "")):
        yield {field: piece}
    for piece in text_deltas(response.get("text", "")):
        yield {"content": piece}
    for piece in response.get("deltas", ()):
        yield {"content": piece} if isinstance(piece, str) else dict(piece)
    for index, call in enumerate(response.get("tool_calls", ())):
        yield from call_deltas(call, index)


def finish_reason(response: Response) -> str:
    """Say why the answer ends: as scripted, else for its calls, else at its own end."""
    return str(response.get("finish", "tool_calls" if response.get("tool_calls") else "stop"))


def usage_of(response: Response, body: bytes) -> dict[str, Any]:
    """Give the scripted usage, or one that grows with the request as a real one does."""
    if "usage" in response:
        return dict(response["usage"])
    prompt, output = len(body) // 4, sum(1 for _ in deltas(response))
    return {"prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output}


def events(response: Response, request: Mapping[str, Any], body: bytes) -> Iterator[bytes]:
    """Yield the server-sent events of a streamed answer, each with its blank line."""
    base = {
        "id": "chatcmpl-loopback",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": request.get("model", "fake"),
    }

    def event(delta: Mapping[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return b"data: " + json.dumps({**base, "choices": [choice]}).encode() + b"\n\n"

    for delta in deltas(response):
        yield event(delta)
    yield event({}, finish_reason(response))
    if (request.get("stream_options") or {}).get("include_usage"):
        last = {**base, "choices": [], "usage": usage_of(response, body)}
        yield b"data: " + json.dumps(last).encode() + b"\n\n"
    if response.get("done", True):
        yield b"data: [DONE]\n\n"


def whole(response: Response, request: Mapping[str, Any], body: bytes) -> bytes:
    """Give the same answer as one JSON object, for a request that does not stream."""
    message: dict[str, Any] = {"role": "assistant", "content": response.get("text")}
    if response.get("tool_calls"):
        message["tool_calls"] = [
            {
                "id": call.get("id", f"call_{index}"),
                "type": "function",
                "function": {"name": call["name"], "arguments": _text(call.get("arguments", "{}"))},
            }
            for index, call in enumerate(response["tool_calls"])
        ]
    choice = {"index": 0, "message": message, "finish_reason": finish_reason(response)}
    answer = {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": 1700000000,
        "model": request.get("model", "fake"),
        "choices": [choice],
        "usage": usage_of(response, body),
    }
    return json.dumps(answer).encode()


def _text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)
