"""The house rules for Python and for every tracked file: text in, violations out."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Mapping

HOST_LINES, HOST_FILE_LINES = 1200, 250
# The host knows nothing of what it hosts.
HOST_WORDS = {"agent", "agents", "model", "models", "tool", "tools"}

# Registry hosts, in parts, so that this file does not name what no file may name.
_REGISTRIES = [
    ("pypi", "org"),
    ("files", "pythonhosted", "org"),
    ("registry", "npmjs", "org"),
    ("registry", "yarnpkg", "com"),
    ("deb", "debian", "org"),
    ("ftp", "debian", "org"),
    ("security", "debian", "org"),
    ("snapshot", "debian", "org"),
    ("archive", "ubuntu", "com"),
    ("proxy", "golang", "org"),
    ("static", "crates", "io"),
    ("index", "crates", "io"),
]
REGISTRY_HOSTS = [".".join(parts) for parts in _REGISTRIES]

# Formats in which other people's work arrives; spec/streams holds recordings of our own.
_FOREIGN = re.compile(
    r"\.(c|cc|cpp|h|hpp|so|a|o|dylib|dll|rock|whl|egg|deb|zip|tar|tgz|xz|bz2|gz|jar|wasm|node)$"
)
_FOREIGN_FOLDERS = re.compile(r"(^|/)(vendor|third[-_]party|node_modules|site-packages|deps)/")
_OWN_DATA = re.compile(r"^spec/streams/[^/]+\.jsonl\.gz$")
# Our own three lines under a name that luv's source asks for.
_OWN_HEADERS = {"rocks/compat-5.3.h"}
_CLAIM = re.compile(
    r"^\s*(--|#|//|\*).*(copyright\s+(\(c\)|©|\d{4})|spdx-license-identifier|all rights reserved)",
    re.I,
)


def host_sizes(sources: Mapping[str, str]) -> list[str]:
    """The host is at most 1200 lines, and no file of it over 250."""
    sizes = {path: len(text.splitlines()) for path, text in sources.items()}
    found = [
        f"{path}: {lines} lines, allowed {HOST_FILE_LINES}"
        for path, lines in sizes.items()
        if lines > HOST_FILE_LINES
    ]
    if sum(sizes.values()) > HOST_LINES:
        found.append(f"the host has {sum(sizes.values())} lines, allowed {HOST_LINES}")
    return found


def host_words(sources: Mapping[str, str]) -> list[str]:
    """No identifier of the host speaks of agents, models or tools."""
    found = []
    for path, text in sources.items():
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type != tokenize.NAME:
                continue
            words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", token.string)
            if HOST_WORDS & {word.lower() for word in words}:
                found.append(f"{path}:{token.start[0]}: the host says {token.string}")
    return found


def registry_hosts(texts: Mapping[str, str]) -> list[str]:
    """No tracked file names the host of a package registry."""
    pattern = re.compile("|".join(rf"\b{re.escape(host)}\b" for host in REGISTRY_HOSTS), re.I)
    return [
        f"{path}:{number}: names a registry's host"
        for path, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def foreign_files(paths: Iterable[str]) -> list[str]:
    """No archive, binary or folder of somebody else's source is tracked."""
    return [
        f"{path}: looks like third-party material"
        for path in paths
        if path not in _OWN_HEADERS
        and not _OWN_DATA.match(path)
        and (_FOREIGN.search(path) or _FOREIGN_FOLDERS.search(path))
    ]


def foreign_claims(texts: Mapping[str, str]) -> list[str]:
    """No source file carries somebody's copyright line in a comment."""
    return [
        f"{path}:{number}: carries a copyright line"
        for path, text in texts.items()
        if path.endswith((".lua", ".py", ".mjs", ".sh"))
        for number, line in enumerate(text.splitlines(), 1)
        if _CLAIM.search(line)
    ]
