"""Makes the one Lua state of the process, with its paths, the host table and the mends."""

from __future__ import annotations

import os
import sys

from panto_host.host import Host, seal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BOOT = b"""
local raw = {}
local function register(name, primitive)
  raw[name] = primitive
end
local function install(path, cpath)
  python, package.loaded.python = nil, nil
  package.path, package.cpath = path, cpath
  local host = require("panto.sys.bridge").wrap(raw)
  package.loaded["panto.host"] = host
  require("panto.sys.shims").install(host)
  require("panto.sys.guard").preload()
end
local function run(file)
  local chunk, message = loadfile(file)
  if not chunk then
    return false, message, message
  end
  local function describe(problem)
    local text = type(problem) == "string" and problem or require("panto.sys.guard").show(problem)
    return { text, debug.traceback(text, 2) }
  end
  local ok, result = xpcall(chunk, describe)
  if ok then
    return true, math.tointeger(result) or 0, package.loaded.luv == nil
  end
  return false, result[1], result[2]
end
return register, install, run
"""


class Runtime:
    """The Lua state. Python calls into it once, at the top."""

    def __init__(self, host: Host) -> None:
        lua = _new_state()
        register, install, self._run = lua.execute(BOOT, name=b"=[boot]", mode=b"t")
        for name, primitive in host.primitives().items():
            register(name.encode(), seal(primitive))
        paths = host.paths
        root, tree = os.fsencode(paths.lua_root), os.fsencode(paths.rocks_tree)
        rocks = b"%s/share/lua/5.4/?.lua;%s/share/lua/5.4/?/init.lua;%s/luarocks/?.lua"
        path = b"%s/?.lua;%s/?/init.lua;%s" % (root, root, rocks % (tree, tree, tree))
        cpath = tree + b"/lib/lua/5.4/?.so"
        extra = os.environb.get(b"PANTO_DEV_CPATH")
        install(path, cpath + b";" + extra if extra else cpath)
        self._lua: Any = lua
        self._closable = False

    def run(self, file: str) -> tuple[int, str, str]:
        """Runs a Lua file: its exit code, and the message and traceback of an uncaught error."""
        ok, *rest = self._run(os.fsencode(file))
        if ok:
            self._closable = rest[1]
            return int(rest[0]), "", ""
        message, traceback = (part.decode("utf-8", "replace") for part in rest)
        return 70, message, traceback

    def close(self) -> None:
        """Closes the state, so that finalizers run and pipes are waited for.

        Not with luv in it, whose running work would be waited for, or abort the process.
        """
        if self._closable:
            self._run = self._lua = None


def _new_state() -> Any:
    """Loads Lua 5.4 with its symbols visible to compiled rocks, and makes a state."""
    before = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
    try:
        import lupa.lua54 as lua54
    finally:
        sys.setdlopenflags(before)
    import _ctypes

    # Had anything imported it earlier, the flags above came too late.
    _ctypes.dlopen(lua54.__file__, os.RTLD_NOW | os.RTLD_GLOBAL | os.RTLD_NOLOAD)
    return lua54.LuaRuntime(
        encoding=None,
        source_encoding="utf-8",
        register_eval=False,
        register_builtins=False,
        unpack_returned_tuples=True,
        attribute_handlers=(_deny, _deny),
    )


def _deny(*_: object) -> Callable[[], None]:
    raise AttributeError("Lua may only call the host's functions")
