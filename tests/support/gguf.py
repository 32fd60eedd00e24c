"""A GGUF model file in, one text of its metadata out; and the chat template that makes tools work.

Qwen2.5-Coder-1.5B writes its calls into json fences, whatever its own template says about XML tags:
told to use fences, and shown its old calls in fences, it is read rightly by llama.cpp's parser.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

# The sizes of the fixed value types by their number; 8 is a text, 9 a list.
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
TEXT, LIST = 8, 9
FENCE = "```"
CLOSING_WORDS = (
    "If the tool output above is enough, answer my request now in one or two plain sentences, "
    "with no code block. Call another tool only if the task is not done yet."
)


def _number(file: BinaryIO, form: str) -> int:
    (value,) = struct.unpack(form, file.read(struct.calcsize(form)))
    return int(value)


def _text(file: BinaryIO) -> str:
    return file.read(_number(file, "<Q")).decode("utf-8", "replace")


def _skip(file: BinaryIO, kind: int) -> None:
    if kind == TEXT:
        file.seek(_number(file, "<Q"), 1)
    elif kind == LIST:
        inner, count = _number(file, "<I"), _number(file, "<Q")
        if inner in SIZES:
            file.seek(SIZES[inner] * count, 1)
        else:
            for _ in range(count):
                _skip(file, inner)
    else:
        file.seek(SIZES[kind], 1)


def read_text(path: Path, key: str) -> str:
    """Give the text of a metadata key; KeyError when there is none."""
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise ValueError(f"{path} is no GGUF file")
        _number(file, "<I")  # version
        _number(file, "<Q")  # tensors
        for _ in range(_number(file, "<Q")):
            name, kind = _text(file), _number(file, "<I")
            if name == key and kind == TEXT:
                return _text(file)
            _skip(file, kind)
    raise KeyError(key)


def _replace(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise ValueError(f"the template has {old!r} {text.count(old)} times, not once")
    return text.replace(old, new)


def fenced_template(template: str) -> str:
    """Turn the model's own template into one that speaks of json fences instead of XML tags."""
    call = r"{\"name\": <function-name>, \"arguments\": <args-json-object>}"
    template = _replace(
        template,
        rf"within <tool_call></tool_call> XML tags:\n<tool_call>\n{{{call}}}\n</tool_call>",
        rf"in a json code block:\n{FENCE}json\n{call}\n{FENCE}",
    )
    template = _replace(template, r"'\n<tool_call>\n{", rf"'\n{FENCE}json\n{{")
    template = _replace(template, r"'}\n</tool_call>'", rf"'}}\n{FENCE}'")
    end = r"{{- '\n</tool_response>' }}"
    closing = rf"{{%- if loop.last %}}{{{{- '\n{CLOSING_WORDS}' }}}}{{%- endif %}}"
    return _replace(template, end, end + closing)
