"""The stubs for authors: up to date, and a type checker finds nothing wrong in what is right."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from support import emmylua
from support.child import ROOT, run_bounded
from support.home import PANTO, Home

WRONG = """
local panto = require("panto")
panto.ext.register_tool({ name = "x", description = 7, schema = {}, handler = function() end })
panto.ext.on("tool_result", function(e)
  return e.outputt
end)
panto.ui.slect({ items = {} })
"""


def write_workspace(home: Home) -> list[Path]:
    """Puts the examples and the guide's blocks into a folder that `panto init` has prepared."""
    done = run_bounded([PANTO, "init"], env=home.full_env(), cwd=home.work)
    assert done.code == 0, done.output
    for example in (ROOT / "examples/extensions").glob("*.lua"):
        shutil.copy(example, home.work)
    guide = (ROOT / "docs/extensions.md").read_text()
    for number, block in enumerate(re.findall(r"^```lua\n(.*?)^```$", guide, re.M | re.S)):
        if "rockspec_format" not in block:
            home.write(f"work/guide_{number}.lua", block)
    return sorted(home.work.glob("*.lua"))


@pytest.fixture
def checker() -> Path:
    found = emmylua.checker()
    if not found:
        pytest.skip("emmylua_ls is not installed: types are checked in the editor only")
    return found


def test_the_examples_and_the_guide_are_typed(home: Home, checker: Path) -> None:
    files = write_workspace(home)
    assert len(files) > 30
    assert emmylua.check(checker, home.work, files) == []


def test_what_is_wrong_is_found(home: Home, checker: Path) -> None:
    write_workspace(home)
    wrong = home.write("work/wrong.lua", WRONG)
    found = "\n".join(emmylua.check(checker, home.work, [wrong]))
    for line, word in ((3, "integer"), (5, "outputt"), (7, "slect")):
        assert re.search(rf"^wrong\.lua:{line}: .*{word}", found, re.M), found


def test_the_types_are_those_of_the_sources(panto: Path, panto_env: dict[str, str]) -> None:
    done = run_bounded([panto, "lua", "tests/support/write_stub.lua", "types"], env=panto_env)
    assert done.code == 0, done.output
    written = (ROOT / "lua/panto/_meta/types.lua").read_text()
    assert done.stdout == written, "lua/panto/_meta/types.lua: run make stubs"


def test_the_stub_of_specs_lists_what_there_is() -> None:
    stub = (ROOT / "lua/panto/_meta/testing.lua").read_text()
    play = (ROOT / "lua/panto/testing/play.lua").read_text()
    tree = (ROOT / "lua/panto/testing/tree.lua").read_text()
    listed = set(re.findall(r"^function t:(\w+)", stub, re.M))
    assert listed == set(re.findall(r"^function Play:(\w+)", play, re.M)) - {"settle"}
    for word in re.findall(r"^function (\w+)\(", stub, re.M):
        assert re.search(rf"\b{word}\b", tree), word
