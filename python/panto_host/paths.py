"""Turns the environment into the folders panto reads and writes."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LUA_RELEASE = "5.4.8"


class Paths:
    """Absolute names, decided once at start, by the names that ``host.path`` knows. ``lua_root``
    and ``rocks_pins`` are the program's own. The environment's ``PANTO_ROCKS_TREE`` names another
    tree, taken as it is: one that is being built."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        data = _xdg(environ, "data", ".local/share")
        own, sessions = environ.get("PANTO_HOME", ""), environ.get("PANTO_SESSION_DIR", "")
        self.data_home = os.path.abspath(os.path.expanduser(own)) if own else data
        self.config_home = _xdg(environ, "config", ".config")
        self.state_home = _xdg(environ, "state", ".local/state")
        self.sessions = os.path.abspath(os.path.expanduser(sessions or data + "/sessions"))
        tree = f"{self.data_home}/rocks/lua-{LUA_RELEASE}"
        self.rocks_tree = environ.get("PANTO_ROCKS_TREE", "") or tree
        self.cache = self.data_home + "/cache"
        self.lua_root = _own("lua")
        self.rocks_pins = _own("rocks")
        self.python = sys.executable


def _own(name: str) -> str:
    """Finds a folder of the program: inside the wheel, else at the top of the checkout."""
    here = os.path.dirname(os.path.abspath(__file__))
    inside = f"{here}/share/{name}"
    return inside if os.path.isdir(inside) else f"{os.path.dirname(os.path.dirname(here))}/{name}"


def _xdg(environ: Mapping[str, str], kind: str, below_home: str) -> str:
    """Answers panto's folder of a kind; relative values are ignored, as the XDG text demands."""
    value, home = environ.get(f"XDG_{kind.upper()}_HOME", ""), environ.get("HOME", "")
    if value.startswith("/"):
        return value.rstrip("/") + "/panto"
    if home.startswith("/"):
        return f"{home.rstrip('/')}/{below_home}/panto"
    from platformdirs.unix import Unix

    return str(getattr(Unix("panto"), f"user_{kind}_dir"))
