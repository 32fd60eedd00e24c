"""Conversations as panto keeps them, of any style, for what is sent to be judged by an SDK."""

from __future__ import annotations

from typing import Any

Message = dict[str, Any]
IMAGE = {"type": "image", "media_type": "image/png", "data": "aGVsbG8="}


def text(words: str) -> Message:
    """Give a text part."""
    return {"type": "text", "text": words}


def user(*parts: Message) -> Message:
    """Give what the user said."""
    return {"role": "user", "content": list(parts)}


def answer(style: str, *parts: Message, **more: Any) -> Message:
    """Give an answer of a style; its provider has the style's name."""
    head = {"role": "assistant", "style": style, "provider": style, "model": "m"}
    return {**head, "content": list(parts), **more}


def call(name: str, arguments: str, value: Any) -> Message:
    """Give a call; a `value` of None marks arguments that are no JSON object."""
    part = {"type": "tool_call", "id": name, "name": "std_read", "arguments": arguments}
    return part if value is None else {**part, "input": value}


def result(name: str, *parts: Message, is_error: bool = False) -> Message:
    """Give what a call brought."""
    head = {"role": "tool", "tool_call_id": name, "tool_name": "std_read"}
    return {**head, "content": list(parts), "is_error": is_error}


# How each style tells that it has thought, and what only it can read.
THOUGHTS = {
    "anthropic_messages": [
        {"type": "thinking", "text": "hm", "signature": "c2ln"},
        {
            "type": "opaque",
            "style": "anthropic_messages",
            "value": {"type": "redacted_thinking", "data": "eHl6"},
        },
    ],
    "openai_chat": [
        {"type": "thinking", "text": "hm", "field": "reasoning_content"},
        {
            "type": "opaque",
            "style": "openai_chat",
            "value": {"reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]},
        },
    ],
    "openai_responses": [
        {"type": "thinking", "text": "hm"},
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
    ],
}
IDS = {
    "anthropic_messages": "toolu_01",
    "openai_chat": "functions.std_read:0",
    "openai_responses": "call_" + 100 * "x",
}


def conversation(style: str) -> list[Message]:
    """Give text, images, thinking, calls at once, broken arguments, an error, a half answer."""
    first, second, third = (IDS[style] + end for end in "abc")
    return [
        user(text("look at this"), IMAGE),
        answer(
            style,
            *THOUGHTS[style],
            text("I look."),
            call(first, '{"path":"a"}', {"path": "a"}),
            call(second, '{"path":', None),
            call(third, "", {}),
        ),
        result(second, text("broken arguments"), is_error=True),
        result(first, text("file"), IMAGE),
        result(third),
        user(text("be quick")),
        answer(style, text("half an ans"), aborted=True),
        user(text("")),
        user(text("go on")),
        answer(style, *THOUGHTS[style], text("Done.\n")),
        user(text("thanks")),
    ]


def switched() -> list[Message]:
    """Give one conversation that all three styles took part in."""
    return [message for style in THOUGHTS for message in conversation(style)]
