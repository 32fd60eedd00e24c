"""Keeps the rocks tree in line with rocks/battery.toml: a start compares, a difference builds anew.

A tree's stamp is the pin's own text and three lines more.
"""

from __future__ import annotations

import os
import sys

from panto_host.paths import Paths


def ready(paths: Paths) -> bool:
    """Tells whether the tree is the one that the pin asks for, in microseconds."""
    return is_built(paths.rocks_tree, expected_stamp(paths))


def ensure(paths: Paths) -> int:
    """Brings the tree in line at a start; answers 0 also when the old tree still serves."""
    code = bootstrap(paths, False)
    stamp = read(f"{paths.rocks_tree}/stamp.toml")
    same_machine = stamp.partition(b"\n[built]\n")[2].startswith(_machine())
    if code == 1 and same_machine and is_built(paths.rocks_tree, stamp):
        say("panto goes on with the rocks that it had")
        return 0
    return code


def bootstrap(paths: Paths, force: bool) -> int:
    """Builds what is missing, or with `force` everything; answers an exit code, never raises.

    The builder is a program of its own beside the pin; a start that finds the tree ready never
    loads it.
    """
    if paths.rocks_pins not in sys.path:
        sys.path.append(paths.rocks_pins)
    from panto_rocks import tree

    return tree.bootstrap(paths, force)


def expected_stamp(paths: Paths) -> bytes:
    """Answers the stamp of a tree built now: the pin, the machine, the Python."""
    pin = read(paths.rocks_pins + "/battery.toml")
    return pin + b"\n[built]\n" + _machine() + b'python = "%s"\n' % os.fsencode(paths.python)


def _machine() -> bytes:
    system = os.uname()
    return f'machine = "{system.sysname} {system.machine}"\n'.encode()


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


def say(line: str) -> None:
    """Tells the user on standard error; names of files keep their bytes."""
    sys.stderr.buffer.write(line.encode("utf-8", "surrogateescape") + b"\n")
    sys.stderr.flush()
