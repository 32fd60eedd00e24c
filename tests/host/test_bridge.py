"""The bridge lets only scalars cross, both ways, never breaks, and never grows."""

from __future__ import annotations

from pathlib import Path

import pytest
from host.lua_file import as_agent, as_interpreter
from panto_host.host import seal


def lua(env: dict[str, str], source: str) -> str:
    done = as_interpreter(env, "-e", source, timeout_s=120)
    assert (done.code, done.stderr) == (0, ""), done.output
    return done.stdout


def test_the_seal_lets_scalars_through_and_turns_the_rest_into_a_message() -> None:
    assert seal(lambda: None)() == (True, None)
    assert seal(lambda a: (a, "é\udcff", 1.5, True, b"\xff"))(3) == (
        True, 3, b"\xc3\xa9\xff", 1.5, True, b"\xff",
    )  # fmt: skip
    for bad in ([], {}, object(), bytearray(b"x"), 1 << 63, ((),), 1j):
        ok, message = seal(lambda bad=bad: bad)()[:2]
        assert ok is False
        assert b"cannot cross into Lua" in message
    assert seal(lambda: 1 / 0)() == (False, b"ZeroDivisionError: division by zero")

    def interrupted() -> None:
        raise KeyboardInterrupt

    assert seal(interrupted)() == (False, b"KeyboardInterrupt: ")


def test_a_wrong_argument_is_an_error_at_the_callers_line(panto_env: dict[str, str]) -> None:
    source = """local host = require("panto.host")
      for _, bad in ipairs({ {}, print, io.stdout, coroutine.create(print) }) do
        print(select(2, pcall(function()
          host.file_lock("x", bad)
        end)))
      end
      print(select(2, pcall(function()
        local n = host.argv({}) return n
      end)))
      print(select(2, pcall(function()
        local n = host.argv("x") return n
      end)))"""
    lines = lua(panto_env, source).splitlines()
    kinds = ["table", "function", "userdata", "thread"]
    for line, kind in zip(lines, kinds, strict=False):
        assert line.endswith(f":4: host.file_lock: argument 2 is a {kind}; only scalars cross")
    assert ":8: host.argv: argument 1 is a table" in lines[4]
    assert ":11: TypeError: " in lines[5]


def test_any_bytes_survive_in_every_direction(panto_env: dict[str, str], tmp_path: Path) -> None:
    env = {**panto_env, "ODD": "a\udcffb"}
    source = """
      local host = require("panto.host")
      local all = {}
      for i = 1, 255 do all[i] = string.char(i) end
      all = table.concat(all)
      assert(host.argv(host.argc()) == "\\xff\\xfe", "argv")
      assert(os.getenv("ODD") == "a\\xffb")
      local file = arg[1] .. "/odd\\xff"
      local lock = assert(host.file_lock(file, false))
      assert(select(2, host.file_lock(file, false)):find("odd\\xff: held", 1, true))
      assert(host.file_unlock(lock))
      assert(host.text_graphemes("\\xff") == "1:1")
      local _, message = host.toml_to_json("a = '\\xff'")
      assert(message:find("line 1"), message)
      local p = io.popen("cat", "w") p:write("") p:close()
      local q = io.popen("printf '\\\\377\\\\000\\\\376'")
      assert(q:read("a") == "\\xff\\0\\xfe")
      assert(not pcall(error, "\\xff"))
      host.term_write("<" .. all .. "\\0>")
    """
    file = tmp_path / "bytes.lua"
    file.write_text(source)
    done = as_interpreter(env, str(file), str(tmp_path), "\udcff\udcfe")
    assert done.code == 0, done.output
    assert done.stderr == ""
    assert "odd" in next(path.name for path in tmp_path.iterdir() if path.name.startswith("odd"))


def test_an_uncaught_error_with_odd_bytes_is_told(
    panto_env: dict[str, str], tmp_path: Path
) -> None:
    done = as_agent(panto_env, tmp_path, 'error("bad \\xff byte")')
    assert done.code == 70
    assert "panto: " in done.stderr
    assert "bad \ufffd byte (traceback in " in done.stderr


def test_twenty_thousand_coroutines_leave_no_trace(panto_env: dict[str, str]) -> None:
    source = """
      local host = require("panto.host")
      local function rss()
        for line in io.lines("/proc/self/status") do
          local kb = line:match("^VmRSS:%s*(%d+)")
          if kb then return tonumber(kb) end
        end
      end
      local kept = setmetatable({}, { __mode = "v" })
      local function work(i)
        for j = 1, 5 do
          assert(host.argc() >= 0)
          pcall(host.argv, {})
          pcall(host.argv, "no number")
          pcall(host.file_lock, print, coroutine.running())
          pcall(host.path, setmetatable({}, { __gc = function() host.argc() end }))
          assert(host.text_graphemes == host.text_graphemes and host.path("lua_root"))
          assert(host.inbox_next() == nil)
          if j % 2 == 0 then coroutine.yield(i) end
        end
        error({ i })
      end
      local function round(from, to)
        for i = from, to do
          local co = coroutine.create(work)
          coroutine.resume(co, i)
          if i % 3 > 0 then while coroutine.resume(co) do end end
          kept[i % 50] = co
          if i % 1000 == 0 then collectgarbage() end
        end
        collectgarbage()
      end
      round(1, 4000)
      local before = rss()
      round(4001, 20000)
      print(rss() - before < 3000 or rss() - before)
    """
    assert lua(panto_env, source) == "true\n"


def test_every_primitive_survives_any_scalars(panto_env: dict[str, str]) -> None:
    source = """
      local host = require("panto.host")
      local skip = { exit = 1, bootstrap = 1, popen_start = 1, system = 1, term_raw = 1,
        term_write = 1, file_lock = 1, popen_wait = 1 }
      local values = { "", "x", "\\xff", 0, -1, 1e300, 0/0, 1/0, math.maxinteger, true, 3.7 }
      math.randomseed(7)
      local names = {}
      for name in pairs(host) do if not skip[name] then names[#names + 1] = name end end
      table.sort(names)
      for _ = 1, 20 do
        for _, name in ipairs(names) do
          local list = { n = math.random(0, 4) }
          for i = 1, list.n do list[i] = values[math.random(#values)] end
          coroutine.wrap(function() pcall(host[name], table.unpack(list, 1, list.n)) end)()
        end
      end
      for name, fn in pairs(host) do assert(type(fn) == "function", name) end
      print("alive")
    """
    assert lua(panto_env, source) == "alive\n"


@pytest.mark.parametrize("name", ["data_home", "config_home", "state_home", "sessions",
                                  "lua_root", "rocks_tree", "python"])  # fmt: skip
def test_paths_are_known_by_name(panto_env: dict[str, str], name: str) -> None:
    shown = lua(panto_env, f'print(require("panto.host").path("{name}"))').strip()
    assert shown.startswith("/")


def test_a_path_without_a_name_is_nil(panto_env: dict[str, str]) -> None:
    source = 'local h = require("panto.host") print(h.path("x"), h.path("__class__"), h.path(""))'
    assert lua(panto_env, source) == "nil\tnil\tnil\n"
