"""TOML to JSON text, and how wide a text stands on a terminal."""

from __future__ import annotations


def toml_to_json(source: str) -> tuple[str | None, str | None]:
    """Turns TOML into JSON text; a syntax error names line and column.

    Dates and times become strings in their TOML form; infinities and NaN become null.
    """
    import json
    import tomllib

    for number, line in enumerate(source.split("\n"), 1):
        if not line.isascii() and any("\udc80" <= letter <= "\udcff" for letter in line):
            return None, f"not UTF-8 (at line {number})"
    try:
        value = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        return None, _position(str(error), source)
    except RecursionError:
        return None, "nested too deeply"
    return json.dumps(_finite(value), ensure_ascii=False, default=str), None


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value


def _position(message: str, source: str) -> str:
    """Replaces tomllib's "(at end of document)" with the place itself."""
    end = "(at end of document)"
    if not message.endswith(end):
        return message
    before, _, last = source.rpartition("\n")
    line = before.count("\n") + 1 + (1 if "\n" in source else 0)
    return f"{message[: -len(end)]}(at line {line}, column {len(last) + 1}, the end)"


def text_width(text: str) -> int:
    """Counts terminal columns by grapheme cluster; control characters have none."""
    import wcwidth

    return sum(_cluster_width(cluster) for cluster in wcwidth.iter_graphemes(text))


def text_graphemes(text: str) -> str:
    """Lists each grapheme cluster as ``bytes:columns``, joined by commas."""
    import wcwidth

    return ",".join(
        f"{len(cluster.encode('utf-8', 'surrogateescape'))}:{_cluster_width(cluster)}"
        for cluster in wcwidth.iter_graphemes(text)
    )


def _cluster_width(cluster: str) -> int:
    import wcwidth

    width = wcwidth.wcswidth(cluster)
    return max(width, 0)
