"""`panto test`: its exit codes, what it finds, and what it says of a spec that does not hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.child import Finished, run_bounded
from support.home import PANTO, Home

EXTENSION = """
return {
  name = "twice",
  description = "Say it twice.",
  schema = { type = "object", properties = { text = { type = "string" } } },
  handler = function(input)
    return input.text .. input.text
  end,
}
"""

HEAD = """local testing = require("panto.testing")
local function open(options)
  options = options or {}
  options.script = options.script or {
    { calls = { { name = "twice", input = { text = "ha" } } } }, { text = "Ha." },
  }
  return testing.new(options)
end
describe("twice", function()
"""


def run(home: Home, *words: str) -> Finished:
    return run_bounded([PANTO, "test", *words], env=home.full_env(), cwd=home.work)


def write(home: Home, body: str, extension: str = EXTENSION) -> None:
    home.write("work/.panto/extensions/twice.lua", extension)
    home.write("work/.panto/extensions/twice_spec.lua", HEAD + body + "\nend)\n")


def test_a_spec_that_holds_ends_with_0(agent_home: Home) -> None:
    body = """
      it("says it", function()
        local t = open()
        assert.equal("Ha.", t:say("go"))
        assert.equal("haha", t:tool_result("twice"))
        assert.contains("Ha.", t:screen())
      end)
      it("is not done", function() pending("tomorrow") end)
    """
    write(agent_home, body)
    done = run(agent_home)
    assert done.code == 0, done.output
    assert "✓ twice says it" in done.stdout
    assert "○ twice is not done: tomorrow" in done.stdout
    assert "1 passed, 0 failed, 1 pending" in done.stdout
    assert done.stderr == ""


def test_nothing_of_a_test_stays_behind(agent_home: Home, tmp_path: Path) -> None:
    write(agent_home, 'it("says it", function() open():say("go") end)')
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    agent_home.extra["TMPDIR"] = str(scratch)
    assert run(agent_home).code == 0
    assert list(scratch.iterdir()) == []
    assert not agent_home.sessions.exists()
    assert not (agent_home.root / "state").exists()


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (
            'assert.same({ lines = { "a", "b" } }, { lines = { "a", "c" } })',
            ["failed: twice breaks", "first at .lines[2]", "lines = {", "twice_spec.lua:12"],
        ),
        ('assert.equal(1, 2, "my own words")', ["my own words", "expected: 1", "got:      2"]),
        ("assert.is_nil(7)", ["not nil", "got:      7"]),
        ("assert.has_error(function() end)", ["it raised no error"]),
        ("assert.eqal(1, 1)", ["assert.eqal is unknown here (did you mean equal?)"]),
        ("local x; x.y = 1", ["error: twice breaks", "twice_spec.lua:12", "attempt to index"]),
        ("open({ extension = 'no.lua' })", ["there is no extension", "no.lua"]),
        ("open():press('hyper+x')", ["there is no key"]),
        ("while true do end", ["it did not come back within 2 s", "twice_spec.lua:12"]),
    ],
    ids=["same", "a message", "nil", "no error", "unknown", "raised", "extension", "key", "loop"],
)
def test_a_spec_that_does_not_hold_ends_with_1(
    agent_home: Home, test: str, words: list[str]
) -> None:
    write(agent_home, f'it("fits", function() end)\nit("breaks", function()\n{test} end)')
    done = run(agent_home)
    assert done.code == 1, done.output
    assert "✓ twice fits" in done.stdout
    for word in words:
        assert word in done.stdout, done.stdout


def test_an_extension_that_cannot_be_loaded_is_named_with_its_line(agent_home: Home) -> None:
    write(agent_home, 'it("opens", function() open() end)', "\n\nlocal x = = 1\n")
    done = run(agent_home)
    assert done.code == 1, done.output
    assert "extensions/twice.lua:3: unexpected symbol" in done.stdout


def test_an_error_in_a_tool_reaches_the_spec_as_its_result(agent_home: Home) -> None:
    body = """
      it("fails", function()
        local t = open()
        t:say("go")
        local output, result = t:tool_result()
        assert.is_true(result.is_error)
        assert.matches("twice.lua:7: ", output)
      end)
    """
    write(agent_home, body, EXTENSION.replace("input.text .. input.text", "input.text + 1"))
    assert run(agent_home).code == 0


def test_a_spec_is_no_extension(agent_home: Home) -> None:
    body = """
      it("is left alone", function()
        local t = open({ files = { [".panto/extensions/other_spec.lua"] = "describe()" } })
        assert.same({}, t:events("notice"))
      end)
    """
    write(agent_home, body)
    done = run(agent_home)
    assert done.code == 0, done.output


def test_hooks_run_around_each_test_and_once_around_a_block(agent_home: Home) -> None:
    body = """
      local log = {}
      describe("inner", function()
        setup(function() table.insert(log, "setup") end)
        before_each(function() table.insert(log, "before") end)
        after_each(function() table.insert(log, "after") end)
        teardown(function() table.insert(log, "teardown") end)
        it("one", function()
          finally(function() table.insert(log, "finally") end)
          table.insert(log, "one")
        end)
        it("two", function() table.insert(log, "two") end)
      end)
      it("then", function()
        assert.same({
          "setup", "before", "one", "after", "finally", "before", "two", "after", "teardown",
        }, log)
      end)
    """
    write(agent_home, body)
    done = run(agent_home)
    assert done.code == 0, done.output


def test_a_filter_runs_only_the_tests_whose_name_matches(agent_home: Home) -> None:
    write(agent_home, 'it("one", function() end)\nit("two", function() error("x") end)')
    done = run(agent_home, "--filter", "one$")
    assert done.code == 0, done.output
    assert "1 passed, 0 failed" in done.stdout
    assert run(agent_home, "--filter", "three").code == 2


@pytest.mark.parametrize("words", [["nowhere"], ["--filtr", "x"], ["--filter"], []])
def test_wrong_usage_ends_with_2(agent_home: Home, words: list[str]) -> None:
    done = run(agent_home, *words)
    assert done.code == 2, done.output
    assert "usage: panto test" in done.stderr


def test_a_spec_that_does_not_parse_is_an_error_of_its_file(agent_home: Home) -> None:
    agent_home.write("work/broken_spec.lua", "it('x', function(\n")
    agent_home.write("work/whole_spec.lua", "it('holds', function() assert(true) end)")
    done = run(agent_home)
    assert done.code == 1, done.output
    assert "broken_spec.lua:" in done.stdout and "✓ holds" in done.stdout
