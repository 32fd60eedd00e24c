"""docs/extensions.md: each of its code blocks is loaded, and each event stands in it."""

from __future__ import annotations

import re
from pathlib import Path

from support.child import ROOT, run_bounded
from support.home import PANTO, Home

GUIDE = (ROOT / "docs" / "extensions.md").read_text()
BLOCKS = re.findall(r"^```lua\n(.*?)^```$", GUIDE, re.M | re.S)
SPECS = [block for block in BLOCKS if "describe(" in block]
ROCKSPECS = [block for block in BLOCKS if "rockspec_format" in block]
EXTENSIONS = [block for block in BLOCKS if block not in SPECS + ROCKSPECS]

# Loads a block, then lets every event of a turn happen: no handler, no component may fail.
EACH = """
local testing = require("panto.testing")
for i = 1, %d do
  it("block " .. i .. " is an extension", function()
    local t = testing.new({
      extension = i .. ".lua",
      files = { ["a.txt"] = "a" },
      script = {
        { thinking = "hm", calls = { { name = "std.read", input = { path = "a.txt" } } } },
        { text = "Done." },
      },
    })
    assert.equal("Done.", t:say("go"))
    assert.contains("Done.", t:screen())
    t:reload()
    t:screen()
    for _, notice in ipairs(t:events("notice")) do
      assert.not_equal("error", notice.level, notice.text)
    end
  end)
end
"""


def test_each_block_is_an_extension_that_works(agent_home: Home) -> None:
    assert len(EXTENSIONS) >= 6
    for number, block in enumerate(EXTENSIONS, 1):
        agent_home.write(f"work/{number}.lua", block)
    agent_home.write("work/each_spec.lua", EACH % len(EXTENSIONS))
    done = run_bounded([PANTO, "test"], env=agent_home.full_env(), cwd=agent_home.work)
    assert done.code == 0, done.output
    assert f"{len(EXTENSIONS)} passed" in done.stdout


def test_the_guide_begins_with_what_init_writes_and_its_spec_holds(agent_home: Home) -> None:
    def run(word: str) -> str:
        done = run_bounded([PANTO, word], env=agent_home.full_env(), cwd=agent_home.work)
        assert done.code == 0, done.output
        return done.stdout

    run("init")
    folder = agent_home.work / ".panto/extensions"
    assert (folder / "hello.lua").read_text() == BLOCKS[0]
    assert len(SPECS) == 1
    (folder / "hello_spec.lua").write_text(SPECS[0])
    assert "2 passed, 0 failed" in run("test")


def test_the_rockspec_is_one(tmp_path: Path, panto: Path, panto_env: dict[str, str]) -> None:
    file = tmp_path / "panto-hello-1.0-1.rockspec"
    file.write_text(ROCKSPECS[0])
    words = f'local run = require("luarocks.cmd").run_command; run("lint", "{file}")'
    lint = f'arg[0] = "luarocks"; {words}'
    done = run_bounded([panto, "lua", "-e", lint], env=panto_env)
    assert done.code == 0, done.output


def test_every_event_stands_in_the_guide() -> None:
    source = (ROOT / "lua/panto/ext/event_names.lua").read_text()
    names = re.search(r"\[\[(.*?)\]\]", source, re.S)
    assert names
    missing = [name for name in names[1].split() if f"`{name}`" not in GUIDE]
    assert not missing


def test_every_function_for_authors_stands_in_the_guide() -> None:
    stub = (ROOT / "lua/panto/_meta/panto.lua").read_text()
    listed = re.findall(r"^function (panto\.(?:ext|ui)\.\w+)", stub, re.M)
    assert [name for name in listed if name not in GUIDE] == []
