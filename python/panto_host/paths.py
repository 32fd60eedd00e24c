"""Turns the environment into the folders panto reads and writes."""

from __future__ import annotations

import os
import sys

LUA_RELEASE = "5.4.8"


class Paths:
    """Absolute folder names, decided once at start.

    ``data_home``, ``config_home``, ``state_home`` and ``sessions`` are the user's;
    ``lua_root`` and ``rocks_pins`` belong to the program (its Lua, and its pinned batteries);
    ``rocks_tree`` is the tree the runtime loads rocks from; ``cache`` holds downloads.
    ``PANTO_ROCKS_TREE`` names another tree, taken as it is (a tree that is being built).
    """

    __slots__ = (
        "cache",
        "config_home",
        "data_home",
        "lua_root",
        "python",
        "rocks_pins",
        "rocks_tree",
        "sessions",
        "state_home",
    )

    def __init__(self, environ: os._Environ[str] | dict[str, str]) -> None:
        data = _xdg(environ, "XDG_DATA_HOME", ".local/share")
        own = environ.get("PANTO_HOME", "")
        self.data_home = os.path.abspath(os.path.expanduser(own)) if own else data + "/panto"
        self.config_home = _xdg(environ, "XDG_CONFIG_HOME", ".config") + "/panto"
        self.state_home = _xdg(environ, "XDG_STATE_HOME", ".local/state") + "/panto"
        sessions = environ.get("PANTO_SESSION_DIR", "")
        self.sessions = (
            os.path.abspath(os.path.expanduser(sessions)) if sessions else data + "/panto/sessions"
        )
        self.rocks_tree = environ.get("PANTO_ROCKS_TREE", "") or (
            f"{self.data_home}/rocks/lua-{LUA_RELEASE}"
        )
        self.cache = self.data_home + "/cache"
        self.lua_root = _share("lua")
        self.rocks_pins = _share("rocks")
        self.python = sys.executable


def _share(name: str) -> str:
    """Finds a folder of the program: inside the wheel, else at the top of the checkout."""
    here = os.path.dirname(os.path.abspath(__file__))
    inside = os.path.join(here, "share", name)
    if os.path.isdir(inside):
        return inside
    return os.path.join(os.path.dirname(os.path.dirname(here)), name)


def _xdg(environ: os._Environ[str] | dict[str, str], variable: str, below_home: str) -> str:
    """Answers an XDG base folder; a relative value is ignored, as the XDG text demands."""
    value = environ.get(variable, "")
    if value.startswith("/"):
        return value.rstrip("/") or "/"
    home = environ.get("HOME", "")
    if home.startswith("/"):
        return home.rstrip("/") + "/" + below_home
    from platformdirs.unix import Unix

    dirs = Unix()
    kind = {"XDG_DATA_HOME": "user_data_dir", "XDG_CONFIG_HOME": "user_config_dir"}
    return str(getattr(dirs, kind.get(variable, "user_state_dir")))
