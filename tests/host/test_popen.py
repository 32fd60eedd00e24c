"""io.popen and os.execute answer as in lua 5.4, and hold on to nothing."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

import pytest
from host.lua_file import as_agent, as_interpreter
from panto_host.children import Children


@pytest.mark.parametrize(
    ("source", "out"),
    [
        ("local p = io.popen('echo hi; exit 3') print(io.type(p), p:read('l'), p:close())",
         "file\thi\tnil\texit\t3\n"),
        ("print(io.popen('kill -9 $$'):close())", "nil\tsignal\t9\n"),
        ("print(io.popen('true'):close())", "true\texit\t0\n"),
        ("local p = io.popen('cat', 'w') p:write('a\\n') print(p:close())", "a\ntrue\texit\t0\n"),
        ("local p = io.popen('cat', 'w') p:write('b\\n') print(io.close(p))", "b\ntrue\texit\t0\n"),
        ("io.output(io.popen('cat', 'w')) io.write('c\\n') print(io.close())",
         "c\ntrue\texit\t0\n"),
        ("for l in io.popen('echo 1; echo 2'):lines() do io.write(l, ';') end", "1;2;"),
        ("for l in io.popen('echo 1; echo 2'):lines('L') do io.write(l) end", "1\n2\n"),
        ("io.input(io.popen('echo in')) print(io.read())", "in\n"),
        ("do local p <close> = io.popen('sleep 0.2; echo x >&2') end print('after')", "after\n"),
        ("local p = io.popen('true') p:close() print(io.type(p), tostring(p), pcall(p.read, p))",
         "closed file\tfile (closed)\tfalse\tattempt to use a closed file\n"),
        ("local p = io.popen('true') p:close() print(pcall(p.close, p))",
         "false\tattempt to use a closed file\n"),
        ("print(pcall(io.stdout.close))",
         "false\tbad argument #1 to 'close' (FILE* expected, got no value)\n"),
        ("print(pcall(io.stdout.close, 1))",
         "false\tbad argument #1 to 'close' (FILE* expected, got number)\n"),
        ("local f = io.tmpfile() print(f:close(), io.type(f))", "true\tclosed file\n"),
        ("print(io.popen(5, 'r'):close())", "nil\texit\t127\n"),
        ("print(os.execute(), os.execute('true'))", "true\ttrue\texit\t0\n"),
        ("print(os.execute('exit 7'))", "nil\texit\t7\n"),
        ("print(os.execute('kill -15 $$'))", "nil\tsignal\t15\n"),
        ("io.write('1 ') os.execute('printf \"2 \"') io.write('3 ') io.popen('printf \"4 \"', 'w')"
         ":close() print(5)", "1 2 3 4 5\n"),
    ],
)  # fmt: skip
def test_a_command_behaves_as_in_lua(
    panto_env: dict[str, str], tmp_path: Path, source: str, out: str
) -> None:
    file = tmp_path / "t.lua"
    file.write_text(source)
    done = as_interpreter(panto_env, str(file))
    assert (done.code, done.stdout) == (0, out), done.stderr


def test_wrong_arguments_are_errors_at_the_callers_line(
    panto_env: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "t.lua"
    file.write_text("local io_popen = io.popen\nio.popen('ls', 'rw')\n")
    done = as_interpreter(panto_env, str(file))
    assert "t.lua:2: bad argument #2 to 'popen' (invalid mode)\n" in done.stderr


def test_a_later_command_does_not_keep_an_earlier_pipe_open(panto_env: dict[str, str]) -> None:
    source = """
      local w = io.popen("cat >/dev/null", "w")
      local long = io.popen("exec sleep 20 2>/dev/null")
      os.execute("sleep 20 </dev/null >/dev/null 2>&1 & echo $! > /dev/null")
      w:write("x")
      w:close()
      print("closed")
      os.exit(0)
    """
    began = time.monotonic()
    done = as_interpreter(panto_env, "-e", source)
    assert done.stdout == "closed\n"
    assert time.monotonic() - began < 10


def test_many_commands_leave_no_descriptor(panto_env: dict[str, str]) -> None:
    source = """
      local uv = require("luv")
      local function count()
        collectgarbage()
        local n, entries = 0, uv.fs_scandir("/dev/fd")
        while uv.fs_scandir_next(entries) do n = n + 1 end
        return n
      end
      io.popen("true"):close()
      local before = count()
      for i = 1, 60 do
        local p = io.popen("true")
        if i % 2 == 0 then p:close() end
        p = nil
        collectgarbage()
      end
      print(count() <= before)
    """
    assert as_interpreter(panto_env, "-e", source).stdout == "true\n"


def test_a_hundred_megabytes_come_through(panto_env: dict[str, str]) -> None:
    source = """
      local n, p = 0, io.popen("head -c 100000000 /dev/zero")
      for part in function() return p:read(1 << 16) end do n = n + #part end
      print(n, p:close())
    """
    assert as_interpreter(panto_env, "-e", source).stdout == "100000000\ttrue\texit\t0\n"


def test_an_agents_commands_end_with_it_and_do_not_inherit_its_ignored_signals(
    panto_env: dict[str, str], tmp_path: Path
) -> None:
    source = """
      local host = require("panto.host")
      host.inbox_fd()
      print(os.execute("yes | head -1"))
      pid = io.popen("echo $$; exec sleep 60"):read("l")
      keep = io.popen("echo $$; exec sleep 60")
      print(keep:read("l"))
      host.exit(5)
    """
    done = as_agent(panto_env, tmp_path, source.replace("pid = ", "-- "))
    assert done.code == 5
    lines = done.stdout.splitlines()
    assert lines[:2] == ["y", "true\texit\t0"]
    assert done.stderr == ""
    deadline = time.monotonic() + 10
    process = Path(f"/proc/{lines[2]}")
    while process.exists() and " Z " not in (process / "stat").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_locale_of_numbers_cannot_be_changed(panto_env: dict[str, str]) -> None:
    source = (
        "print(os.setlocale('de_DE.UTF-8'), os.setlocale('', 'numeric'), os.setlocale('C'), "
        "tostring(1.5))"
    )
    assert as_interpreter(panto_env, "-e", source).stdout == "nil\tnil\tC\t1.5\n"


def test_a_program_that_no_descriptor_is_left_for_is_a_failure_with_its_reason() -> None:
    here, (soft, hard) = os.getcwd(), resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
        done = Children().spawn(b"true", b"", b"/", 0, 1, 2)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert done == (None, "Too many open files")
    assert os.getcwd() == here
