"""Judge request bodies by the typed parameters of the official OpenAI SDK, extra fields forbidden.

As a program: `python sdk_types.py openai_responses < bodies`, JSON texts one a line; it prints
one line of JSON a body: null, or what is wrong. It changes the SDK's modules, so it runs alone.
"""

from __future__ import annotations

import importlib
import json
import sys
import typing
from typing import Any

TYPES = {
    "openai_chat": (
        "openai.types.chat.completion_create_params",
        "CompletionCreateParamsStreaming",
    ),
    "openai_responses": (
        "openai.types.responses.response_create_params",
        "ResponseCreateParamsStreaming",
    ),
}
# What servers beside OpenAI send and want back in chat messages.
FOREIGN = ("reasoning_content", "reasoning", "reasoning_details")


def make_strict() -> None:
    """Forbid unknown fields, and check lists at once: pydantic reads an Iterable only when used."""
    for name, module in list(sys.modules.items()):
        if not name.startswith("openai.types"):
            continue
        if hasattr(module, "Iterable"):
            module.Iterable = list  # type: ignore[attr-defined]
        for value in list(vars(module).values()):
            if typing.is_typeddict(value) or hasattr(value, "__total__"):
                value.__pydantic_config__ = {"extra": "forbid"}


def judge(style: str, bodies: list[dict[str, Any]]) -> list[str | None]:
    """Give None for each good body, else what is wrong with it."""
    import pydantic

    name, kind = TYPES[style]
    module = importlib.import_module(name)
    make_strict()
    adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(getattr(module, kind))
    found: list[str | None] = []
    for body in bodies:
        for message in body.get("messages", []):
            for field in FOREIGN:
                message.pop(field, None)
        try:
            adapter.validate_python(body)
            found.append(None)
        except pydantic.ValidationError as problem:
            found.append(str(problem)[:3000])
    return found


if __name__ == "__main__":
    for verdict in judge(sys.argv[1], [json.loads(line) for line in sys.stdin if line.strip()]):
        print(json.dumps(verdict))
