"""Feeds each rule a snippet that breaks it: a rule that cannot fail measures nothing."""

from __future__ import annotations

import lua_rules
import pytest
import text_rules
from lua_source import LuaSource

GOOD = """-- Turns one thing into another.
local json = require("panto.base.json")

local M = {}

---Turns a thing into another.
---@param thing string
---@return string
function M.turn(thing)
  return json.encode(thing)
end

return M
"""


def lua(path: str, text: str) -> LuaSource:
    return LuaSource(path, text)


@pytest.mark.parametrize("rule", lua_rules.RULES, ids=lambda rule: rule.__name__)
def test_a_good_file_breaks_no_rule(rule: lua_rules.Rule) -> None:
    assert rule([lua("lua/panto/session/turner.lua", GOOD)]) == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("lua/panto/base/json.lua", "panto.sys.task"),
        ("lua/panto/sys/task.lua", "panto.config.read"),
        ("lua/panto/agent/turn.lua", "panto.app.init"),
        ("lua/panto/agent/turn.lua", "panto.tui.screen"),
        ("lua/panto/agent/turn.lua", "panto"),
        ("lua/panto/agent/turn.lua", "luv"),
        ("lua/panto/app/init.lua", "panto.host"),
        ("lua/panto/app/init.lua", "panto.cli.run"),
        ("lua/panto/base/json.lua", "luv"),
        ("lua/panto/init.lua", "panto.agent.turn"),
        ("lua/panto/nowhere/x.lua", "panto.base.json"),
        ("lua/panto/sys/x.lua", "panto.nowhere.y"),
        ("lua/panto/sys/x.lua", "lfs"),
        ("lua/std/read.lua", "panto.sys.fs"),
        ("lua/std/read.lua", "panto.host"),
    ],
)
def test_a_look_up_or_sideways_is_found(path: str, name: str) -> None:
    assert lua_rules.floors([lua(path, f'local x = require("{name}")\n')])


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("lua/panto/sys/task.lua", "panto.host"),
        ("lua/panto/sys/task.lua", "luv"),
        ("lua/panto/sys/http.lua", "panto.sys.task"),
        ("lua/panto/agent/turn.lua", "panto.base.schema"),
        ("lua/panto/app/init.lua", "panto.tui.screen"),
        ("lua/panto/cli/run.lua", "panto.app"),
        ("lua/panto/app/init.lua", "panto"),
        ("lua/std/read.lua", "panto"),
        ("lua/std/read.lua", "luv"),
    ],
)
def test_a_look_down_is_allowed(path: str, name: str) -> None:
    assert lua_rules.floors([lua(path, f'local x = require("{name}")\n')]) == []


@pytest.mark.parametrize(
    "text",
    [
        'local function f()\n  local x = require("panto.base.json")\nend\n',
        'if a then\n  require("panto.base.json")\nend\n',
        'local function f() end\nlocal x = require("panto.base.json")\n',
        'local x = require("panto.base." .. name)\n',
        'local r = require\nlocal x = r("panto.base.json")\n',
        'local x = pcall(require, "panto.base.json")\n',
    ],
)
def test_a_require_that_hides_is_found(text: str) -> None:
    assert lua_rules.requires_at_the_top([lua("lua/panto/sys/x.lua", text)])


def test_main_has_two_dynamic_requires_and_no_third() -> None:
    one = "local function f(n)\n  return require(n)\nend\n"
    assert lua_rules.requires_at_the_top([lua("lua/panto/main.lua", one * 2)]) == []
    assert lua_rules.requires_at_the_top([lua("lua/panto/main.lua", one * 3)])


def test_a_ring_is_found() -> None:
    names = ["a", "b", "c"]
    ring = [
        lua(f"lua/panto/base/{n}.lua", f'local x = require("panto.base.{m}")\n')
        for n, m in zip(names, ["b", "c", "a"], strict=True)
    ]
    assert lua_rules.no_rings(ring) == [
        "ring: panto.base.a -> panto.base.b -> panto.base.c -> panto.base.a"
    ]
    assert lua_rules.no_rings(ring[:2]) == []


def test_a_long_file_a_long_median_and_a_long_tail_are_found() -> None:
    def files(*sizes: int) -> list[LuaSource]:
        return [lua(f"lua/panto/base/f{i}.lua", "-- x\n" * n) for i, n in enumerate(sizes)]

    assert lua_rules.file_sizes(files(401))
    assert lua_rules.file_sizes(files(10, 131, 200))
    assert lua_rules.file_sizes(files(*[10] * 8, 300, 300))
    assert lua_rules.file_sizes(files(*[130] * 9, 250)) == []


def test_a_long_function_and_many_longish_ones_are_found() -> None:
    def functions(*sizes: int) -> list[LuaSource]:
        text = "".join("local function f()\n" + "  g()\n" * (n - 2) + "end\n" for n in sizes)
        return [lua("lua/panto/base/f.lua", text)]

    assert lua_rules.function_sizes(functions(61))
    assert lua_rules.function_sizes(functions(*[5] * 5, *[26] * 5))
    assert lua_rules.function_sizes(functions(60, *[25] * 11)) == []


@pytest.mark.parametrize("text", ["local M = {}\nreturn M\n", "\n--\nlocal M = {}\n", "", "--x\n"])
def test_a_file_without_an_opening_comment_is_found(text: str) -> None:
    assert lua_rules.opening_comments([lua("lua/panto/base/x.lua", text)])


@pytest.mark.parametrize(
    "text",
    [
        "local M = {}\nfunction M.x() end\nreturn M\n",
        "local M = {}\n-- Only a plain comment.\nfunction M.x() end\nreturn M\n",
        "local M = {}\n---Does a thing.\nfunction M.x(a) end\nreturn M\n",
        "local M = {}\n---Does a thing.\nfunction M.x(...) end\nreturn M\n",
        "local M = {}\n---Does a thing.\nfunction M.x() return 1 end\nreturn M\n",
        "local M = {}\n---@param a string\nfunction M:x(a) end\nreturn M\n",
        "local M = {}\nM.x = function() end\nreturn M\n",
        "local M = { x = function() end }\nreturn M\n",
        "local function x() end\nreturn { x = x }\n",
        "local function x() end\nlocal M = {}\nM.x = x\nreturn M\n",
        "local M = {}\nfunction M.x() end\nreturn setmetatable(M, {})\n",
        "return { x = function() end }\n",
    ],
)
def test_a_public_function_without_its_comment_is_found(text: str) -> None:
    assert lua_rules.documented_exports([lua("lua/panto/base/x.lua", text)])


def test_a_private_function_needs_no_comment() -> None:
    text = "local M = {}\nlocal function x(a)\n  return a\nend\nM.y = 1\nreturn M\n"
    assert lua_rules.documented_exports([lua("lua/panto/base/x.lua", text)]) == []


def test_a_pcall_outside_the_walls_is_found() -> None:
    for text in ("pcall(f)\n", "local ok = xpcall(f, g)\n", "local p = pcall\n"):
        assert lua_rules.walls([lua("lua/panto/session/log.lua", text)])
        assert lua_rules.walls([lua("lua/panto/sys/task.lua", text)]) == []
    assert lua_rules.walls([lua("lua/panto/sys/task.lua", "f()\n")])


@pytest.mark.parametrize(
    "path",
    [
        "lua/panto/base/util.lua",
        "lua/panto/base/string_helpers.lua",
        "lua/panto/base/jsonCodec.lua",
        "python/panto_host/Terminal.py",
        "lua/panto/common/x.lua",
        "lua/panto/app/event-bus.lua",
    ],
)
def test_a_name_for_anything_is_found(path: str) -> None:
    assert lua_rules.file_names([path])
    assert lua_rules.file_names(["lua/panto/_meta/host.lua", "python/panto_host/__main__.py"]) == []


def test_lua_that_does_not_parse_is_found() -> None:
    assert lua_rules.syntax([lua("lua/panto/base/x.lua", "local = 1\n")])


def test_a_host_that_grows_is_found() -> None:
    assert text_rules.host_sizes({"a.py": "x = 1\n" * 251})
    assert text_rules.host_sizes({f"{n}.py": "x = 1\n" * 201 for n in range(6)})
    assert text_rules.host_sizes({f"{n}.py": "x = 1\n" * 200 for n in range(6)}) == []


def test_a_host_that_speaks_of_agents_is_found() -> None:
    for text in ("run_agent = 1\n", "def model(): ...\n", "class ToolBox: ...\n", "x.agents\n"):
        assert text_rules.host_words({"a.py": text})
    assert (
        text_rules.host_words({"a.py": "# the agent's tool\nimport functools\nmodelled = 1\n"})
        == []
    )


def test_a_registry_host_is_found() -> None:
    for host in text_rules.REGISTRY_HOSTS:
        assert text_rules.registry_hosts({"a.md": f"get it at https://{host}/simple\n"})
    assert text_rules.registry_hosts({"a.md": "apt and pip and npm\n"}) == []


def test_third_party_material_is_found() -> None:
    for path in (
        "rocks/luv.tar.gz",
        "lua/lpeg.so",
        "vendor/x.lua",
        "src/lua.h",
        "a/node_modules/b.js",
    ):
        assert text_rules.foreign_files([path])
    assert text_rules.foreign_files(["docs/start.png", "spec/streams/chat.jsonl.gz"]) == []
    assert text_rules.foreign_claims({"lua/x.lua": "-- Copyright" + " (c) 2020 Somebody\n"})
