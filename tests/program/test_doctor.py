"""`panto doctor` names what is wrong and what mends it, and fails on an error only."""

from __future__ import annotations

import re

from support.child import Finished, run_bounded
from support.home import PANTO, Home
from support.tmux import Terminal

HEALTH = """
return {
  { name = "fit", activate = function() end, health = function() return true end },
  { name = "tired", activate = function() end, health = function()
      return "warn", "sleeps little", "coffee"
    end },
  { name = "ill", activate = function() end, health = function()
      require("panto").task.sleep(1)
      error("ouch")
    end },
}
"""


def doctor(home: Home) -> Finished:
    return run_bounded([PANTO, "doctor"], env=home.full_env(), cwd=home.work)


def test_a_sound_home_is_ok(agent_home: Home) -> None:
    agent_home.use_provider("http://127.0.0.1:9/v1")
    done = doctor(agent_home)
    assert (done.code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert all(re.match(r"(ok   |warn |error) \S.*: |\d+ errors", line) for line in lines)
    for start in ("runtime: panto ", "rocks tree: ", "compiler: ", "configuration: no complaints",
                  "auth loop: ", "provider loop: openai_chat at ", "model: loop:m, 100000 tokens",
                  "locale: C.UTF-8", "extensions: 4 of 4 entries"):  # fmt: skip
        assert f"\nok    {start}" in "\n" + done.stdout
    assert "warn  terminal: input or output is none -> start panto in a terminal" in done.stdout
    assert lines[-1] == "0 errors, 1 warnings"


def test_without_a_key_it_says_what_to_export(agent_home: Home) -> None:
    (agent_home.config / "config.toml").write_text(
        '[auth.a]\nkey = "${env:OPENAI_API_KEY}"\n'
        '[providers.a]\nstyle = "openai_chat"\nbase_url = "http://127.0.0.1:9/v1"\nauth = "a"\n'
        "[tui]\nthem = 1\n"
    )
    done = doctor(agent_home)
    assert done.code == 0, done.output
    assert re.search(r"warn  auth a: .* -> export OPENAI_API_KEY\n", done.stdout)
    assert re.search(r"warn  provider a: is left out -> .*export OPENAI_API_KEY", done.stdout)
    assert "warn  model: " in done.stdout
    assert re.search(r"warn  configuration: .*them", done.stdout)


def test_a_broken_configuration_is_an_error(agent_home: Home) -> None:
    (agent_home.config / "config.toml").write_text("[tui\n")
    done = doctor(agent_home)
    assert done.code == 1
    assert re.search(r"error configuration: .*config\.toml", done.stdout)
    assert "Traceback" not in done.output


def test_extensions_are_loaded_and_asked_for_their_health(agent_home: Home) -> None:
    agent_home.use_provider("http://127.0.0.1:9/v1")
    folder = agent_home.config / "extensions"
    folder.mkdir()
    (folder / "health.lua").write_text(HEALTH)
    (folder / "broken.lua").write_text("local x = nil\nreturn x.y\n")
    (agent_home.data / "auth.json").write_text("{}")
    (agent_home.data / "auth.json").chmod(0o644)
    done = doctor(agent_home)
    assert done.code == 1
    assert "ok    extension fit: well\n" in done.stdout
    assert "warn  extension tired: sleeps little -> coffee\n" in done.stdout
    assert re.search(r"error extension ill: its health\(\) failed: .*ouch", done.stdout)
    assert re.search(r"error extension \S*broken\.lua:2: ", done.stdout)
    assert re.search(r"error auth\.json: .* -> chmod 600 ", done.stdout)
    assert done.stdout.endswith("3 errors, 2 warnings\n")


def test_in_a_terminal_it_tells_the_size(agent_home: Home) -> None:
    command = [str(PANTO), "doctor"]
    with Terminal(command, folder=agent_home.work, env=agent_home.env()) as terminal:
        shown = terminal.wait("left with 0")
    assert re.search(r"ok +terminal: 100 x 30, TERM=\S+, colours: ", shown)
