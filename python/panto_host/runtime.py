"""Makes the one Lua state of the process, with its paths, the host table and the mends."""

from __future__ import annotations

import os
import sys

from panto_host.host import Host, seal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class Runtime:
    """The Lua state. Python calls into it at the top only."""

    def __init__(self, host: Host) -> None:
        root, tree = host.paths.lua_root, host.paths.rocks_tree
        self._lua = _new_state()
        with open(f"{root}/panto/sys/boot.lua", "rb") as source:
            boot = self._lua.execute(source.read(), name=b"=[boot]", mode=b"t")
        for name, primitive in host.primitives().items():
            boot[b"register"](name.encode(), seal(primitive))
        folders = (root, f"{tree}/share/lua/5.4")
        path = ";".join(f"{folder}/?.lua;{folder}/?/init.lua" for folder in folders)
        path += f";{tree}/luarocks/?.lua"
        boot[b"install"](os.fsencode(path), os.fsencode(f"{tree}/lib/lua/5.4/?.so"))
        self._run = boot[b"run"]

    def run(self, file: str) -> tuple[int, str, str]:
        """Runs a Lua file: its exit code, or message and traceback of an uncaught error.

        When the file asks for it the state is closed then: finalizers run, pipes are waited for.
        """
        ok, first, second = self._run(os.fsencode(file))
        if not ok:
            message = first.decode("utf-8", "replace") or "an error without a message"
            return 0, message, second.decode("utf-8", "replace")
        if second:
            self._run = self._lua = None
        return int(first), "", ""


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


def _deny(*_: object) -> NoReturn:
    raise AttributeError("Lua may only call the host's functions")
