"""Turn one scripted response into the events that a server of the responses API would send."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from . import provider_stream as stream

PATH = "/v1/responses"
Event = dict[str, Any]


def events(response: stream.Response, request: Mapping[str, Any], body: bytes) -> Iterator[bytes]:
    """Yield the server-sent events of a streamed answer, each with its blank line."""
    for number, event in enumerate(_events(response, request, body)):
        name, data = event["type"], json.dumps({**event, "sequence_number": number})
        yield f"event: {name}\ndata: {data}\n\n".encode()


def whole(response: stream.Response, request: Mapping[str, Any], body: bytes) -> bytes:
    """Give the same answer as one JSON object, for a request that does not stream."""
    return json.dumps(list(_events(response, request, body))[-1]["response"]).encode()


def _events(response: stream.Response, request: Mapping[str, Any], body: bytes) -> Iterator[Event]:
    frame = {
        "id": "resp_loopback",
        "object": "response",
        "created_at": 1700000000,
        "model": request.get("model", "fake"),
        "error": None,
        "incomplete_details": None,
        "instructions": request.get("instructions"),
        "metadata": {},
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": request.get("tools", []),
        "top_p": 1.0,
    }
    started = {**frame, "status": "in_progress", "output": [], "usage": None}
    yield {"type": "response.created", "response": started}
    yield {"type": "response.in_progress", "response": started}
    output: list[Event] = []
    for index, (item, pieces) in enumerate(_items(response)):
        at = {"output_index": index, "item_id": item["id"]}
        yield {
            "type": "response.output_item.added",
            "output_index": index,
            "item": _announced(item),
        }
        yield from _pieces(item, pieces, at)
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
        output.append(item)
    finish = stream.finish_reason(response)
    reason = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(finish)
    status = "incomplete" if reason else "completed"
    last = {**frame, "status": status, "output": output, "usage": _usage(response, body)}
    if reason:
        last["incomplete_details"] = {"reason": reason}
    yield {"type": f"response.{status}", "response": last}


def _items(response: stream.Response) -> Iterator[tuple[Event, list[str]]]:
    """Yield each output item as it is at its end, and the pieces it comes in."""
    if response.get("thinking"):
        pieces = stream.text_deltas(response["thinking"])
        yield (
            {
                "type": "reasoning",
                "id": "rs_loopback",
                "summary": [{"type": "summary_text", "text": response["thinking"]}],
                "encrypted_content": "c2VhbGVk",
            },
            pieces,
        )
    extra = [piece for piece in response.get("deltas", ()) if isinstance(piece, str)]
    pieces = stream.text_deltas(response.get("text", "")) + extra
    if pieces:
        part = {"type": "output_text", "text": "".join(pieces), "annotations": []}
        yield (
            {
                "type": "message",
                "id": "msg_loopback",
                "role": "assistant",
                "status": "completed",
                "content": [part],
            },
            pieces,
        )
    for index, call in enumerate(response.get("tool_calls", ())):
        arguments = call.get("arguments", "{}")
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments)
        middle = len(arguments) // 2
        yield (
            {
                "type": "function_call",
                "id": f"fc_loopback_{index}",
                "call_id": call.get("id", f"call_{index}"),
                "name": call["name"],
                "arguments": arguments,
                "status": "completed",
            },
            [arguments[:middle], arguments[middle:]],
        )


def _announced(item: Event) -> Event:
    empty = {"message": {"content": []}, "reasoning": {"summary": []}}
    started = {**item, **empty.get(item["type"], {"arguments": ""})}
    if "status" in started:
        started["status"] = "in_progress"
    return started


def _pieces(item: Event, pieces: list[str], at: Event) -> Iterator[Event]:
    if item["type"] == "message":
        yield from _text(item["content"][0], pieces, at)
    elif item["type"] == "reasoning":
        yield from _summary(item["summary"][0], pieces, at)
    else:
        name = "response.function_call_arguments"
        for piece in pieces:
            yield {"type": f"{name}.delta", **at, "delta": piece}
        done = {"name": item["name"], "arguments": item["arguments"]}
        yield {"type": f"{name}.done", **at, **done}


def _text(part: Event, pieces: list[str], at: Event) -> Iterator[Event]:
    at = {**at, "content_index": 0}
    yield {"type": "response.content_part.added", **at, "part": {**part, "text": ""}}
    for piece in pieces:
        yield {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []}
    yield {"type": "response.output_text.done", **at, "text": part["text"], "logprobs": []}
    yield {"type": "response.content_part.done", **at, "part": part}


def _summary(part: Event, pieces: list[str], at: Event) -> Iterator[Event]:
    at = {**at, "summary_index": 0}
    name = "response.reasoning_summary"
    yield {"type": f"{name}_part.added", **at, "part": {**part, "text": ""}}
    for piece in pieces:
        yield {"type": f"{name}_text.delta", **at, "delta": piece}
    yield {"type": f"{name}_text.done", **at, "text": part["text"]}
    yield {"type": f"{name}_part.done", **at, "part": part}


def _usage(response: stream.Response, body: bytes) -> Event:
    counts = stream.usage_of(response, body)
    details = counts.get("prompt_tokens_details", {})
    thought = counts.get("completion_tokens_details", {})
    return {
        "input_tokens": counts["prompt_tokens"],
        "input_tokens_details": {"cached_tokens": details.get("cached_tokens", 0)},
        "output_tokens": counts["completion_tokens"],
        "output_tokens_details": {"reasoning_tokens": thought.get("reasoning_tokens", 0)},
        "total_tokens": counts["prompt_tokens"] + counts["completion_tokens"],
    }
