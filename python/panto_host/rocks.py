"""Keeps the rocks tree in line with rocks/battery.toml: a start compares, a change builds anew."""

from __future__ import annotations

import os
import sys

from panto_host.paths import Paths


def ready(paths: Paths) -> bool:
    """Tells whether the tree is the one that the pin asks for, in microseconds."""
    return is_built(paths.rocks_tree, expected_stamp(paths))


def bootstrap(paths: Paths, force: bool | None = None) -> int:
    """Has the builder, a program of its own beside the pin, make what is missing, or with `force`
    everything; a start, where the old tree may serve, says neither. Answers an exit code."""
    if paths.rocks_pins not in sys.path:
        sys.path.append(paths.rocks_pins)
    from panto_rocks import tree

    return tree.ensure(paths) if force is None else tree.bootstrap(paths, force)


def expected_stamp(paths: Paths) -> bytes:
    """Answers the stamp of a tree built now: the pin, the machine, the Python."""
    pin, system = read(paths.rocks_pins + "/battery.toml"), os.uname()
    machine = f'machine = "{system.sysname} {system.machine}"\n'.encode()
    return pin + b"\n[built]\n" + machine + b'python = "%s"\n' % os.fsencode(paths.python)


def is_built(tree: str, stamp: bytes) -> bool:
    """Tells whether a tree is there whole and has this stamp."""
    return os.path.exists(f"{tree}/lib/lua/5.4/luv.so") and read(f"{tree}/stamp.toml") == stamp


def read(path: str) -> bytes:
    """Answers a file's bytes, none when it cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""
