"""The house rules for Lua: each takes parsed files and gives the list of its violations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath
from statistics import median, quantiles

from lua_source import Function, LuaSource

Sources = list[LuaSource]
Rule = Callable[[Sources], list[str]]

# The floors. What is not named here is not a room.
FLOORS = {
    "base": 1,
    "sys": 2,
    "config": 3,
    "auth": 3,
    "provider": 3,
    "session": 3,
    "agent": 3,
    "tui": 3,
    "ext": 3,
    "app": 4,
    "testing": 5,
    "cli": 6,
    "main": 6,
}
# lua/panto/init.lua: it sees sys/ and base/; std/, app/ and cli/ see it as require("panto"). What
# stands above it (panto.ext, panto.agent, panto.session) app/ puts into the table that it returns.
PUBLIC = "panto"
PUBLIC_FLOOR = 3
NATIVE = {"panto.host", "luv"}

# require calls that cannot stand at the top, each with its reason.
DYNAMIC_REQUIRES = {
    "lua/panto/main.lua": (2, "a subcommand's file is loaded when it is asked for, and its cache"),
    "lua/panto/sys/boot.lua": (4, "before it has set the paths there is nothing to require"),
    "lua/panto/cli/lua.lua": (3, "what a plain script does not use is loaded when it is asked for"),
    "lua/panto/testing/tree.lua": (1, "a spec file requires what it names"),
    "lua/panto/cli/lua_run.lua": (1, "panto lua -l NAME requires what the user names"),
}

# The only places where pcall and xpcall may stand, each with its reason.
WALLS = {
    "lua/panto/sys/task.lua": "the task: what it raises belongs to who awaits it",
    "lua/panto/sys/boot.lua": "the start: what Lua raises becomes a message and an exit code",
    "lua/panto/sys/guard.lua": "the luv callback: what it raises would end the process",
    "lua/panto/cli/lua_run.lua": "panto lua: a script's error is a traceback and an exit code",
    "lua/panto/cli/lua_repl.lua": "panto lua: a line's error is printed, the next one is read",
    "lua/panto/agent/turn.lua": "the turn: a cancelled one must leave the conversation valid",
    "lua/panto/ext/bus.lua": "the event handler: one that raises is reported, the rest go on",
    "lua/panto/sys/watchdog.lua": "the watched call: an extension's render or key",
    "lua/panto/testing/checks.lua": "assert.has_error: what the function raises is looked at",
    "lua/panto/tui/container.lua": "the component render: a broken one is shown as broken",
}

FORBIDDEN_NAMES = {
    "util",
    "utils",
    "utility",
    "utilities",
    "helper",
    "helpers",
    "common",
    "manager",
    "managers",
    "handler",
    "handlers",
    "misc",
    "stuff",
}

# What a tool's entry returns is described by its own fields and typed in _meta/shapes.lua.
ENTRY_FIELDS = {"handler", "activate", "deactivate", "health"}

LINES_MAX, LINES_P90, LINES_MEDIAN = 400, 250, 130
FUNCTION_MAX, FUNCTION_P90 = 60, 25


def _measured(sources: Sources) -> Sources:
    """Give the files that run: lua/ without the stubs."""
    return [s for s in sources if s.path.startswith("lua/") and "/_meta/" not in s.path]


def room_of(path: str) -> str | None:
    """Name the room of a file: `base`, …, `main`, `public`, `std`, or nothing outside the house."""
    parts = PurePosixPath(path).parts
    if parts[:2] == ("lua", "std"):
        return "std"
    if parts[:2] != ("lua", "panto") or len(parts) < 3:
        return None
    name = parts[2].removesuffix(".lua")
    return "public" if name == "init" and len(parts) == 3 else name


def _floor(room: str) -> int | None:
    return PUBLIC_FLOOR if room == "public" else FLOORS.get(room)


def _target_room(name: str) -> str | None:
    parts = name.split(".")
    if parts[0] == "std":
        return "std"
    if parts[0] != "panto":
        return None
    return parts[1] if len(parts) > 1 else "public"


def _sight(room: str, name: str) -> str | None:
    """Say why a room may not require a name, or nothing when it may."""
    if room == "std":
        own = name.startswith("std.lib.")
        return None if name in (PUBLIC, "luv") or own else "std/ requires only panto and luv"
    if name in NATIVE:
        return None if room == "sys" else f"only sys/ sees {name}"
    target = _target_room(name)
    mine = _floor(room)
    if mine is None:
        return f"{room} is not a room of the house"
    if target is None:
        return f"{name} is no module of the house"
    theirs = _floor(target)
    if theirs is None:
        return f"{target} is not a room of the house"
    if target == room or theirs < mine:
        return None
    return f"{room} (floor {mine}) looks {'up' if theirs > mine else 'sideways'} at {name}"


def floors(sources: Sources) -> list[str]:
    """A file requires its own room or a lower floor; never up, never sideways."""
    found = []
    for source in _measured(sources):
        room = room_of(source.path)
        for require in source.requires:
            if room is None:
                found.append(f"{source.path}: stands in no room")
            elif require.name is not None and (why := _sight(room, require.name)):
                found.append(f"{source.path}:{require.line}: {why}")
    return found


def requires_at_the_top(sources: Sources) -> list[str]:
    """Requires are plain, and stand at the top of the file."""
    found = []
    for source in _measured(sources):
        low = [r for r in source.requires if not r.at_top or r.name is None]
        allowed = DYNAMIC_REQUIRES.get(source.path, (0, ""))[0]
        if len(low) > allowed:
            found += [f"{source.path}:{r.line}: require is not a plain one at the top" for r in low]
    return found


def no_rings(sources: Sources) -> list[str]:
    """No file reaches itself through its requires."""
    graph = {
        source.module: [r.name for r in source.requires if r.name]
        for source in _measured(sources)
        if source.module
    }
    found: list[str] = []
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        if name in way:
            found.append("ring: " + " -> ".join((*way[way.index(name) :], name)))
            return
        if name in done or name not in graph:
            return
        for target in graph[name]:
            visit(target, (*way, name))
        done.add(name)

    for name in graph:
        visit(name, ())
    return found


def _spread(what: str, sizes: list[int], limits: dict[str, int]) -> list[str]:
    if len(sizes) < 2:
        return []
    measured = {"median": median(sizes), "p90": quantiles(sizes, n=10, method="inclusive")[8]}
    return [
        f"{what}: {name} is {measured[name]:g}, allowed {limit}"
        for name, limit in limits.items()
        if measured[name] > limit
    ]


def file_sizes(sources: Sources) -> list[str]:
    """No file is over 400 lines, the median at most 130, nine of ten at most 250."""
    measured = _measured(sources)
    found = [
        f"{s.path}: {len(s.lines)} lines, allowed {LINES_MAX}"
        for s in measured
        if len(s.lines) > LINES_MAX
    ]
    sizes = [len(s.lines) for s in measured]
    return found + _spread("lines of a file", sizes, {"median": LINES_MEDIAN, "p90": LINES_P90})


def function_sizes(sources: Sources) -> list[str]:
    """No function is over 60 lines, nine of ten at most 25."""
    found, sizes = [], []
    for source in _measured(sources):
        for function in source.functions:
            sizes.append(function.length)
            if function.length > FUNCTION_MAX:
                found.append(
                    f"{source.path}:{function.line}: {function.name} has {function.length} lines,"
                    f" allowed {FUNCTION_MAX}"
                )
    return found + _spread("lines of a function", sizes, {"p90": FUNCTION_P90})


def opening_comments(sources: Sources) -> list[str]:
    """A file opens with a comment that says what it turns into what."""
    found = []
    for source in sources:
        if source.path.endswith("_spec.lua"):  # a spec opens with what it describes
            continue
        lines = [line for line in source.lines if not line.startswith(("#!", "---@meta"))]
        first = next((line for line in lines if line.strip()), "")
        if not re.match(r"--+\s*[^-\s].*\s\S", first):
            found.append(f"{source.path}: opens without a comment")
    return found


def documented_exports(sources: Sources) -> list[str]:
    """A function that leaves its file has one sentence, and its parameters and results typed."""
    found = []
    for source in _measured(sources):
        entry = room_of(source.path) == "std" and not source.path.startswith("lua/std/lib/")
        for function in source.exports:
            if entry and function.name in ENTRY_FIELDS:
                continue
            if why := _undocumented(function):
                found.append(f"{source.path}:{function.line}: {function.name} {why}")
    return found


def _undocumented(function: Function) -> str | None:
    sentences = [line for line in function.doc if not line.startswith(("@", "|"))]
    if not any(len(line.split()) >= 2 for line in sentences):
        return "has no --- sentence"
    tags = [line for line in function.doc if line.startswith("@")]
    if any(tag.startswith(("@overload", "@type")) for tag in tags):
        return None
    for parameter in function.parameters:
        pattern = rf"@param {re.escape(parameter)}\??\s"
        if not parameter.startswith("_") and not any(re.match(pattern, tag) for tag in tags):
            return f"has no ---@param {parameter}"
    if function.returns_value and not any(tag.startswith("@return") for tag in tags):
        return "returns a value but has no ---@return"
    return None


def walls(sources: Sources) -> list[str]:
    """pcall and xpcall stand only in the walls, and every listed wall is one."""
    found = []
    for source in _measured(sources):
        lines = source.uses("pcall", "xpcall")
        if source.path not in WALLS:
            found += [f"{source.path}:{line}: pcall outside the walls" for line in lines]
        elif not lines:
            found.append(f"{source.path}: is listed as a wall but has no pcall")
    return found


def file_names(paths: Iterable[str]) -> list[str]:
    """Names are snake_case and say what the file is, not that it helps."""
    found = []
    for path in paths:
        if not path.endswith((".lua", ".py")):
            continue
        for part in PurePosixPath(path).with_suffix("").parts:
            name = part.removeprefix("_") if part.startswith("_") else part
            if name.startswith("__") or part.startswith("."):
                continue
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name.strip("_")):
                found.append(f"{path}: {part} is not snake_case")
            elif FORBIDDEN_NAMES & set(name.split("_")):
                found.append(f"{path}: {part} is a name for anything")
    return found


def syntax(sources: Sources) -> list[str]:
    """Every file is Lua that the measuring parser understands, or it would measure nothing."""
    return [f"{source.path}: does not parse" for source in sources if source.root.has_error]


RULES: list[Rule] = [
    syntax,
    floors,
    requires_at_the_top,
    no_rings,
    file_sizes,
    function_sizes,
    opening_comments,
    documented_exports,
    walls,
]
