"""The answers that the measured program gets: Markdown with code in 20,000 deltas, small calls."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

DELTAS = 20_000
END = "finis"
CODE = """\
```python
def walk(tree: dict[str, int], depth: int = 0) -> list[str]:
    # every name with its depth, the deepest first
    names = [f"{name}:{depth}" for name in sorted(tree)]
    if depth > 12 and not names:
        raise ValueError("too deep")
    return names
```
"""
PART = f"""\
## Part {{n}}

The **scanner** reads `line {{n}}` and hands it on; what was *settled* is never drawn again. A long
paragraph wraps at words, whatever the width of the window is, and stays as it was written.

- one item with `code` and a [link](https://example.com/{{n}})
- another with **bold words** and a longer text that has to be wrapped somewhere near its end
  1. nested, with a number

{CODE}
| name | value | note |
| --- | ---: | --- |
| alpha | {{n}} | first |
| beta | 17 | *second* |

> A quotation of one line.

"""
BASE = {
    "id": "chatcmpl-1",
    "object": "chat.completion.chunk",
    "created": 1700000000,
    "model": "m",
    "system_fingerprint": "fp_0123456789",
}


def deltas(count: int = DELTAS) -> list[str]:
    """Give the answer in pieces of four letters, as models send it."""
    pieces: list[str] = []
    number = 0
    while len(pieces) < count - 1:
        number += 1
        text = PART.replace("{n}", str(number))
        pieces += [text[at : at + 4] for at in range(0, len(text), 4)]
    return [*pieces[: count - 2], "\n```\n\n", END]


def event(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
    """One event of a streamed chat completion."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return b"data: " + json.dumps({**BASE, **more, "choices": [choice]}).encode() + b"\n\n"


def usage(prompt: int, output: int) -> dict[str, int]:
    """The tokens that the last event tells of."""
    return {
        "prompt_tokens": prompt,
        "completion_tokens": output,
        "total_tokens": prompt + output,
    }


def text_events(pieces: Iterable[str]) -> list[bytes]:
    """An answer of text, an event each piece."""
    made = [event({"content": piece}) for piece in pieces]
    return [*made, event({}, "stop", usage=usage(1000, len(made))), b"data: [DONE]\n\n"]


def call_events(identity: str, name: str, arguments: dict[str, Any]) -> list[bytes]:
    """An answer that calls a tool: the call's head, its arguments, the end."""
    function = {"name": name, "arguments": ""}
    head = {"index": 0, "id": identity, "type": "function", "function": function}
    rest = {"index": 0, "function": {"arguments": json.dumps(arguments)}}
    return [
        event({"role": "assistant", "content": None, "tool_calls": [head]}),
        event({"tool_calls": [rest]}),
        event({}, "tool_calls", usage=usage(1000, 20)),
        b"data: [DONE]\n\n",
    ]
