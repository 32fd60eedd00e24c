"""Turn one scripted response into the events that a server of the messages API would send.

A raw event may stand among the response's `deltas`; thinking comes with SIGNATURE.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from . import provider_stream as stream

PATH = "/v1/messages"
SIGNATURE = "c2lnbmVkIGJ5IGxvb3BiYWNr"
STOPS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}
Event = dict[str, Any]


def events(response: stream.Response, request: Mapping[str, Any], body: bytes) -> Iterator[bytes]:
    """Yield the server-sent events of a streamed answer, each with its blank line."""
    for event in _events(response, request, body):
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def whole(response: stream.Response, request: Mapping[str, Any], body: bytes) -> bytes:
    """Give the same answer as one JSON object, for a request that does not stream."""
    message = _message(request, usage_of(response, body))
    message["content"] = [block for block, _ in _blocks(response)]
    message["stop_reason"] = stop_reason(response)
    return json.dumps(message).encode()


def stop_reason(response: stream.Response) -> str:
    """Say why the answer ends, in this API's words."""
    finish = stream.finish_reason(response)
    return STOPS.get(finish, finish)


def usage_of(response: stream.Response, body: bytes) -> dict[str, int]:
    """Give the scripted usage, in either API's names, or one that grows with the request."""
    counts = stream.usage_of(response, body)
    if "input_tokens" in counts:
        return counts
    cached = counts.get("prompt_tokens_details", {}).get("cached_tokens", 0)
    return {
        "input_tokens": counts["prompt_tokens"] - cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": cached,
        "output_tokens": counts["completion_tokens"],
    }


def _message(request: Mapping[str, Any], usage: Mapping[str, int]) -> Event:
    return {
        "id": "msg_loopback",
        "type": "message",
        "role": "assistant",
        "model": request.get("model", "fake"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }


def _blocks(response: stream.Response) -> Iterator[tuple[Event, list[Event]]]:
    """Yield each content block as it is at its end, and the deltas it comes in."""
    if response.get("thinking"):
        pieces = [
            {"type": "thinking_delta", "thinking": piece}
            for piece in stream.text_deltas(response["thinking"])
        ]
        signed = {"type": "signature_delta", "signature": SIGNATURE}
        block = {"type": "thinking", "thinking": response["thinking"], "signature": SIGNATURE}
        yield block, [*pieces, signed]
    extra = [piece for piece in response.get("deltas", ()) if isinstance(piece, str)]
    texts = stream.text_deltas(response.get("text", "")) + extra
    if texts:
        deltas = [{"type": "text_delta", "text": piece} for piece in texts]
        yield {"type": "text", "text": "".join(texts)}, deltas
    for index, call in enumerate(response.get("tool_calls", ())):
        yield _call(call, index)


def _call(call: Mapping[str, Any], index: int) -> tuple[Event, list[Event]]:
    arguments = call.get("arguments", "{}")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    middle = len(text) // 2
    try:
        value = json.loads(text or "{}")
    except ValueError:
        value = {}
    block = {"type": "tool_use", "id": call.get("id", f"toolu_{index}"), "name": call["name"]}
    pieces = ["", text[:middle], text[middle:]]
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return {**block, "input": value}, deltas


def _announced(block: Event) -> Event:
    empty = {"thinking": "", "signature": "", "text": "", "input": {}}
    return {key: empty.get(key, value) for key, value in block.items()}


def _events(response: stream.Response, request: Mapping[str, Any], body: bytes) -> Iterator[Event]:
    usage = usage_of(response, body)
    yield {"type": "message_start", "message": _message(request, {**usage, "output_tokens": 1})}
    yield {"type": "ping"}
    for index, (block, deltas) in enumerate(_blocks(response)):
        yield {"type": "content_block_start", "index": index, "content_block": _announced(block)}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield from (dict(event) for event in response.get("deltas", ()) if not isinstance(event, str))
    ending = {"stop_reason": stop_reason(response), "stop_sequence": None}
    yield {
        "type": "message_delta",
        "delta": ending,
        "usage": {"output_tokens": usage["output_tokens"]},
    }
    if response.get("done", True):
        yield {"type": "message_stop"}
