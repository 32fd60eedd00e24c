"""`panto lua` is the interpreter that lua 5.4's manual describes."""

from __future__ import annotations

from pathlib import Path

import pytest
from host.lua_file import as_interpreter
from support.home import PANTO

BANNER = "Lua 5.4.8  Copyright (C) 1994-2025 Lua.org, PUC-Rio\n"
IN_MAIN = "stack traceback:\n\t[C]: in function 'error'\n\t{}: in main chunk\n\t[C]: in ?\n"


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    files = {
        "args.lua": "print(#arg, arg[0], ...)",
        "options.lua": "print(arg[-1], arg[-2], arg[-3] ~= nil, arg[-4])",
        "fails.lua": 'error("oh")',
        "deep.lua": "local function f(n) if n == 0 then error('d') end f(n - 1) return 1 end f(50)",
        "bad.lua": "x = = 1",
        "bang.lua": "#!/usr/bin/lua\nprint('bang', ...)",
        "mod.lua": "return { x = 7 }",
        "-odd.lua": "print('odd')",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text + "\n")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "out"),
    [
        (["-e", "print(1)"], "1\n"),
        (["-eprint(2)", "-e", "print(3)"], "2\n3\n"),
        (["-v"], BANNER),
        (["-v", "-e", "print(1)"], BANNER + "1\n"),
        (["args.lua", "a", "b c"], "2\targs.lua\ta\tb c\n"),
        (["options.lua"], None),
        (["-e", "_=1", "options.lua"], "_=1\t-e\ttrue\tnil\n"),
        (["-e", "print(arg[0], arg[1], #arg)"], "lua\t-e\t2\n"),
        (["bang.lua", "x"], "bang\tx\n"),
        (["-l", "mod", "-e", "print(mod.x)"], "7\n"),
        (["-lmod", "-e", "print(mod.x)"], "7\n"),
        (["-l", "m=mod", "-e", "print(m.x, mod)"], "7\tnil\n"),
        (["--", "-odd.lua"], "odd\n"),
        (["-e", "print(coroutine.isyieldable(), coroutine.running())"], None),
        (["-e", "print(math.type(3), 2^53, 1e100, 7 // 2, _VERSION)"],
         "integer\t9.007199254741e+15\t1e+100\t3\tLua 5.4\n"),
        (["-e", "print(collectgarbage('incremental'))"], "generational\n"),
        (["-e", "print(python, package.loaded.python, lupa)"], "nil\tnil\tnil\n"),
        (["-e", "local t = setmetatable({}, {__gc = function() print('closed') end})"], "closed\n"),
    ],
)  # fmt: skip
def test_words_do_what_the_manual_says(
    panto_env: dict[str, str], scripts: Path, words: list[str], out: str | None
) -> None:
    done = as_interpreter(panto_env, *words, cwd=scripts)
    assert (done.code, done.stderr) == (0, "")
    if out is not None:
        assert done.stdout == out


@pytest.mark.parametrize(
    ("words", "err"),
    [
        (["fails.lua"], "lua: fails.lua:1: oh\n" + IN_MAIN.format("fails.lua:1")),
        (["-e", "error('x')"],
         "lua: (command line):1: x\n" + IN_MAIN.format("(command line):1")),
        (["-e", "x ="], "lua: (command line):1: unexpected symbol near <eof>\n"),
        (["bad.lua"], "lua: bad.lua:1: unexpected symbol near '='\n"),
        (["none.lua"], "lua: cannot open none.lua: No such file or directory\n"),
        (["-e", "error({})"], "lua: (error object is a table value)\n"),
        (["-e", "error(setmetatable({}, {__tostring = function() return 'mine' end}))"],
         "lua: mine\n"),
        (["-e", "error()"], "lua: nil\n"),
    ],
)  # fmt: skip
def test_errors_read_as_in_lua_and_exit_with_1(
    panto_env: dict[str, str], scripts: Path, words: list[str], err: str
) -> None:
    done = as_interpreter(panto_env, *words, cwd=scripts)
    assert done.code == 1
    assert done.stdout == ""
    if "table value" in err:
        assert done.stderr.startswith(err)
    elif err == "lua: nil\n":
        assert done.stderr.startswith(("lua: nil\n", "lua: (error object is a nil value)\n"))
    else:
        assert done.stderr == err


def test_a_long_traceback_skips_its_middle_and_shows_nothing_of_panto(
    panto_env: dict[str, str], scripts: Path
) -> None:
    done = as_interpreter(panto_env, "deep.lua", cwd=scripts)
    assert "skipping" in done.stderr
    assert done.stderr.endswith("\t[C]: in ?\n")
    assert "panto" not in done.stderr


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("-x", "unrecognized option '-x'"),
        ("-vv", "unrecognized option '-vv'"),
        ("-e", "'-e' needs argument"),
        ("-l", "'-l' needs argument"),
    ],
)
def test_a_wrong_option_shows_the_usage(
    panto_env: dict[str, str], word: str, complaint: str
) -> None:
    done = as_interpreter(panto_env, word)
    assert done.code == 1
    assert done.stderr.startswith(f"lua: {complaint}\nusage: lua [options] [script [args]]\n")


def test_standard_input_is_a_script(panto_env: dict[str, str]) -> None:
    done = as_interpreter(panto_env, stdin="print('in', ...)")
    assert (done.code, done.stdout) == (0, "in\n")
    done = as_interpreter(panto_env, "-", "a", stdin="print('in', ...)")
    assert (done.code, done.stdout) == (0, "in\ta\n")
    done = as_interpreter(panto_env, "-", stdin="error('e')")
    assert (done.code, done.stderr) == (1, "lua: stdin:1: e\n" + IN_MAIN.format("stdin:1"))


def test_a_conversation_prints_values_and_goes_on_after_errors(panto_env: dict[str, str]) -> None:
    lines = "1 + 1\nx = 5\n=x\nfor i = 1, 2 do\nprint(i)\nend\nnil, nil\nerror('e')\n%\n'a' .. x\n"
    done = as_interpreter(panto_env, "-i", stdin=lines)
    shown = done.stdout.replace("> ", "").replace(">", "")
    assert done.code == 0
    assert shown == BANNER + "2\n5\n1\n2\nnil\tnil\na5\n\n"
    assert done.stderr.startswith("stdin:1: e\nstack traceback:\n")
    assert done.stderr.endswith("stdin:1: unexpected symbol near '%'\n")


def test_the_prompts_are_the_users_own(panto_env: dict[str, str]) -> None:
    done = as_interpreter(panto_env, "-i", stdin="_PROMPT, _PROMPT2 = 'p ', 'q '\nx = (\n1)\nx\n")
    assert done.stdout == BANNER + "> p q p 1\np \n"


def test_lua_init_runs_first_unless_ignored(panto_env: dict[str, str], scripts: Path) -> None:
    env = {**panto_env, "LUA_INIT": "print('init')"}
    assert as_interpreter(env, "-e", "print(1)").stdout == "init\n1\n"
    assert as_interpreter(env, "-E", "-e", "print(1)").stdout == "1\n"
    env["LUA_INIT_5_4"] = "@mod.lua"
    assert as_interpreter(env, "-e", "print(1)", cwd=scripts).stdout == "1\n"
    env["LUA_INIT_5_4"] = "error('no')"
    done = as_interpreter(env, "-e", "print(1)")
    assert (done.code, done.stdout) == (1, "")
    assert done.stderr.startswith("lua: LUA_INIT_5_4:1: no\n")


def test_lua_path_is_honoured_with_its_double_semicolon(panto_env: dict[str, str]) -> None:
    show = "print(package.path)"
    default = as_interpreter(panto_env, "-e", show).stdout.strip()
    assert default.endswith("./?.lua;./?/init.lua")
    env = {**panto_env, "LUA_PATH": "/x/?.lua;;"}
    assert as_interpreter(env, "-e", show).stdout.strip() == f"/x/?.lua;{default}"
    assert as_interpreter(env, "-E", "-e", show).stdout.strip() == default
    env["LUA_PATH_5_4"] = "/y/?.lua"
    assert as_interpreter(env, "-e", show).stdout.strip() == "/y/?.lua"


def test_warnings_are_off_until_turned_on(panto_env: dict[str, str]) -> None:
    assert as_interpreter(panto_env, "-e", "warn('w')").stderr == ""
    assert as_interpreter(panto_env, "-W", "-e", "warn('w')").stderr == "Lua warning: w\n"


@pytest.mark.parametrize(
    ("call", "code"),
    [("()", 0), ("(true)", 0), ("(false)", 1), ("(3)", 3), ("(300)", 44), ("(4, true)", 4)],
)
def test_os_exit_exits_with_its_code_and_writes_what_was_buffered(
    panto_env: dict[str, str], tmp_path: Path, call: str, code: int
) -> None:
    file = tmp_path / "kept"
    source = (
        f"f = io.open({str(file)!r}, 'w') f:write('kept') io.write('shown') "
        f"pcall(function() os.exit{call} end) print('never')"
    )
    done = as_interpreter(panto_env, "-e", source)
    assert (done.code, done.stdout, file.read_text()) == (code, "shown", "kept")


def test_interrupt_and_a_broken_pipe_end_it_like_lua(
    panto_env: dict[str, str], tmp_path: Path
) -> None:
    loop = "while true do print(('x'):rep(1000)) end"
    done = as_interpreter(panto_env, "-e", f'io.popen("kill -INT $PPID"); {loop}')
    assert done.code == -2
    script = tmp_path / "loop.lua"
    script.write_text(loop)
    done = as_interpreter(
        panto_env, "-e", f"print(os.execute([[{PANTO} lua {script} | head -c 3]]))"
    )
    assert done.stdout == "xxxtrue\texit\t0\n"
    assert done.stderr == ""


def test_luv_callback_errors_are_reported_and_the_loop_goes_on(panto_env: dict[str, str]) -> None:
    source = """
      local uv = require("luv")
      local t = uv.new_timer()
      t:start(1, 0, function() error("in timer") end)
      uv.fs_stat("/", function() error({}) end)
      local u = uv.new_timer()
      uv.timer_start(u, 30, 0, function() print("later") t:close() u:close() end)
      uv.run()
      print("end")
    """
    done = as_interpreter(panto_env, "-e", source)
    assert (done.code, done.stdout) == (0, "later\nend\n")
    assert "panto: error in a luv callback: (command line):4: in timer\nstack" in done.stderr
    assert "(error object is a table value)" in done.stderr


def test_guarded_luv_still_runs_work_in_threads(panto_env: dict[str, str]) -> None:
    source = """
      local uv = require("luv")
      local work = uv.new_work(function(a) return a * 2 end, function(r)
        print(r // 1 | 0)
        error("after")
      end)
      work:queue(21)
      uv.new_thread(function(a) assert(a == 5) end, 5):join()
      uv.run()
    """
    done = as_interpreter(panto_env, "-e", source)
    assert (done.code, done.stdout) == (0, "42\n")
    assert "after" in done.stderr
