"""`panto init`: what it writes works, and what is there stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

from support.child import Finished, run_bounded
from support.home import PANTO, Home


def run(home: Home, *words: str) -> Finished:
    return run_bounded([PANTO, *words], env=home.full_env(), cwd=home.work)


def test_the_first_extension_passes_its_own_spec_and_is_loaded(agent_home: Home) -> None:
    done = run(agent_home, "init")
    assert done.code == 0, done.output
    assert "panto test" in done.stdout and "/reload" in done.stdout
    tested = run(agent_home, "test")
    assert tested.code == 0, tested.output
    assert "2 passed, 0 failed" in tested.stdout
    agent_home.trust()
    doctor = run(agent_home, "doctor")
    assert "5 of 5 entries are active" in doctor.stdout, doctor.output


def test_the_editor_finds_the_stubs(agent_home: Home) -> None:
    assert run(agent_home, "init").code == 0
    settings = json.loads((agent_home.work / ".luarc.json").read_text())
    [library] = settings["workspace.library"]
    assert {"panto.lua", "luv.lua", "shapes.lua"} <= {p.name for p in Path(library).iterdir()}


def test_nothing_is_overwritten(agent_home: Home) -> None:
    for name in (".luarc.json", ".panto/extensions/hello.lua"):
        agent_home.write(f"work/{name}", "{}")
    done = run(agent_home, "init")
    assert done.code == 0, done.output
    assert done.stdout.count("kept ") == 2
    assert (agent_home.work / ".luarc.json").read_text() == "{}"
    assert (agent_home.work / ".panto/extensions/hello.lua").read_text() == "{}"
    assert "_meta" in done.stdout  # what to add by hand
    assert run(agent_home, "init", "x").code == 2
