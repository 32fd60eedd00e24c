"""Checks JSON against an SDK's TypedDicts, more strictly than pydantic does: no unknown keys."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin

import typing_extensions

LISTS = (list, Iterable, Sequence, typing.Iterable, typing.List, typing.Sequence)  # noqa: UP006
UNIONS = (Union, types.UnionType)
WRAPPERS = tuple(
    getattr(module, name)
    for module in (typing, typing_extensions)
    for name in ("Required", "NotRequired", "Annotated")
    if hasattr(module, name)
)


def problems(value: Any, hint: Any, path: str = "$") -> list[str]:
    """Name each place where a JSON value is not of a type; for a union, why its nearest fails."""
    origin, args = get_origin(hint), get_args(hint)
    if hint in (Any, object):
        return []
    if origin in WRAPPERS:
        return problems(value, args[0], path)
    if origin in UNIONS:
        return min((problems(value, arg, path) for arg in args), key=_weight)
    if origin is Literal:
        return [] if value in args else [f"{path}: {value!r} is none of {args}"]
    if typing_extensions.is_typeddict(hint):
        return _object_problems(value, hint, path)
    if origin in (dict, Mapping, typing.Dict):  # noqa: UP006
        return [] if isinstance(value, dict) else [f"{path}: no object"]
    if origin is not None and (origin in LISTS or "Sequence" in str(origin)):
        if not isinstance(value, list):
            return [f"{path}: no list"]
        found = [problems(part, args[0], f"{path}[{i}]") for i, part in enumerate(value)]
        return [line for lines in found for line in lines]
    return _plain_problems(value, hint, path)


def _weight(found: list[str]) -> tuple[bool, bool, int]:
    # A union's member of another `type` is not what was meant.
    other = any(line.split(":")[0].endswith((".type", ".role")) for line in found)
    return bool(found), other, len(found)


def _plain_problems(value: Any, hint: Any, path: str) -> list[str]:
    if hint is float:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool)
    elif hint is int:
        fits = isinstance(value, int) and not isinstance(value, bool)
    else:
        fits = isinstance(hint, type) and isinstance(value, hint)
    return [] if fits else [f"{path}: {str(value)[:60]!r} is no {hint}"]


def _object_problems(value: Any, hint: Any, path: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{path}: no object"]
    hints = typing_extensions.get_type_hints(hint, include_extras=True)
    found = [f"{path}.{key}: missing" for key in _required(hint, hints) if key not in value]
    for key, part in value.items():
        if key in hints:
            found += problems(part, hints[key], f"{path}.{key}")
        elif "Schema" not in hint.__name__:
            found.append(f"{path}.{key}: unknown to {hint.__name__}")
    return found


def _required(hint: Any, hints: dict[str, Any]) -> list[str]:
    # A class whose annotations are text does not know its own marks.
    marks = {key: str(get_origin(part)) for key, part in hints.items()}
    return [
        key
        for key, mark in marks.items()
        if "NotRequired" not in mark and ("Required" in mark or key in hint.__required_keys__)
    ]
