"""The public surfaces are lists: what is there, and what its stub describes, are the same."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import repository
from lua_source import LuaSource
from lua_surface import described, undescribed_fields
from support.child import run_bounded

META = "lua/panto/_meta/"

# Walks require("panto") as a script gets it: dotted names of its functions, sorted.
WALK = """
local function walk(prefix, value, depth)
  if type(value) == "function" then
    print(prefix)
  elseif type(value) == "table" and depth < 4 then
    for key, inner in pairs(value) do
      if type(key) == "string" and not key:match("^_") then
        walk(prefix .. "." .. key, inner, depth + 1)
      end
    end
  end
end
walk("NAME", require("NAME"), 0)
"""


def stub(name: str) -> LuaSource:
    path = META + name
    return LuaSource(path, (repository.ROOT / path).read_text())


def primitives_of(text: str) -> set[str]:
    """Give the keys of the one dict that `Host.primitives` returns."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == "primitives":
            tables = [n for n in ast.walk(node) if isinstance(n, ast.Dict)]
            return {ast.literal_eval(key) for key in tables[0].keys if key is not None}
    return set()


def functions_of(name: str, panto: Path, env: dict[str, str]) -> set[str]:
    done = run_bounded([panto, "lua", "-e", WALK.replace("NAME", name)], env=env)
    assert done.code == 0, done.output
    return set(done.stdout.split())


def test_the_host_table_is_its_stub() -> None:
    listed = primitives_of((repository.ROOT / "python/panto_host/host.py").read_text())
    assert listed, "host.py has no function primitives() that returns one dict"
    assert {f"host.{name}" for name in listed} == described(stub("host.lua"))


def test_the_host_table_that_lua_sees_is_its_stub(panto: Path, panto_env: dict[str, str]) -> None:
    seen = functions_of("panto.host", panto, panto_env)
    assert {n.removeprefix("panto.") for n in seen} == described(stub("host.lua"))


def test_the_public_module_is_its_stub(panto: Path, panto_env: dict[str, str]) -> None:
    listed = {name for name in described(stub("panto.lua")) if not name.startswith("panto.ext.")}
    assert functions_of("panto", panto, panto_env) == listed, "run make stubs"
    written = run_bounded([panto, "lua", "tests/support/write_stub.lua"], env=panto_env)
    assert written.code == 0, written.output
    assert written.stdout == stub("panto.lua").text, "lua/panto/_meta/panto.lua: run make stubs"
    assert "(not described)" not in written.stdout, "name the table in write_stub.lua's TABLES"


def test_the_extension_api_is_its_stub(panto: Path, panto_env: dict[str, str]) -> None:
    listed = {name for name in described(stub("panto.lua")) if name.startswith("panto.ext.")}
    keys = (
        'for key in pairs(require("panto.ext.api").new({}).ext) do print("panto.ext." .. key) end'
    )
    done = run_bounded([panto, "lua", "-e", keys], env=panto_env)
    assert set(done.stdout.split()) == listed, done.output


def test_a_list_that_differs_is_noticed() -> None:
    text = (
        "---@meta\nlocal host = {}\nfunction host.a() end\nfunction host.b.c() end\nreturn host\n"
    )
    assert described(LuaSource("x.lua", text)) == {"host.a", "host.b.c"}
    assert primitives_of('def primitives():\n  return {"a": 1, "b": 2}\n') == {"a", "b"}
    assert primitives_of("def other():\n  return {}\n") == set()


@pytest.mark.parametrize(
    "name", ["host.lua", "shapes.lua", "panto.lua", "testing.lua", "luv.lua"]
)
def test_every_field_and_function_of_a_stub_is_described(name: str) -> None:
    source = stub(name)
    assert not undescribed_fields(source.text)
    bare = [f.name for f in source.functions if not any(re.match(r"\w", d) for d in f.doc)]
    assert not bare, f"without a sentence: {bare}"


def test_a_field_without_a_description_is_noticed() -> None:
    described_ones = [
        "---@field a string what it is",
        "---@field b { x: integer, y: string? } what it is",
        '---@field c ("a"|"b")? what it is',
        "---@field d fun(a: string, b: integer): string? what it is",
    ]
    assert undescribed_fields("\n".join(described_ones)) == []
    bare = [line.removesuffix(" what it is") for line in described_ones]
    assert undescribed_fields("\n".join(bare)) == bare
