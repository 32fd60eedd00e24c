"""TOML to JSON text, and how wide a text stands on a terminal."""

from __future__ import annotations


def toml_to_json(source: str) -> tuple[str | None, str | None]:
    """Turns TOML into JSON text; a syntax error names line and column. Dates and times become
    strings in their TOML form; infinities and NaN become null."""
    import json
    import tomllib

    for number, line in enumerate(source.split("\n"), 1):
        if not line.isascii() and any("\udc80" <= letter <= "\udcff" for letter in line):
            return None, f"not UTF-8 (at line {number})"
    try:
        value = _plain(tomllib.loads(source))
    except tomllib.TOMLDecodeError as error:
        lines = source.split("\n")
        place = f"(at line {len(lines)}, column {len(lines[-1]) + 1}, the end)"
        return None, str(error).replace("(at end of document)", place)
    except RecursionError:
        return None, "nested too deeply"
    return json.dumps(value, ensure_ascii=False), None


def _plain(value: object) -> object:
    """Makes of TOML's values those that JSON has too."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    return value if isinstance(value, str | int) else value.isoformat()  # type: ignore[attr-defined]


def text_graphemes(text: str) -> str:
    """Lists each grapheme cluster as ``bytes:columns``; control characters have no columns."""
    from wcwidth import iter_graphemes, wcswidth

    parts = ((part.encode("utf-8", "surrogateescape"), part) for part in iter_graphemes(text))
    return ",".join(f"{len(data)}:{max(wcswidth(part), 0)}" for data, part in parts)
