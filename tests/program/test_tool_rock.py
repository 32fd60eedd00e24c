"""A rock in C that luarocks installed is there for a tool's handler of the running agent."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from support.child import run_bounded
from support.home import PANTO, Home, rocks_folder
from support.lpeg import add_lpeg
from support.provider import Provider
from support.rock_server import RockServer
from support.rocks import relocate
from support.tmux import Terminal

ONE_LINER = 'arg[0]="luarocks"; require("luarocks.cmd").run_command("install","lpeg")'
TOOL = """
return {
  name = "count",
  description = "Count words.",
  schema = { type = "object", properties = {} },
  handler = function()
    local lpeg = require("lpeg")
    return lpeg.hello and lpeg.hello() or ("matched up to " .. lpeg.match(lpeg.P("a")^1, "aab"))
  end,
}
"""


def test_the_agents_tools_use_an_installed_rock(
    agent_home: Home, open_panto: Callable[..., Terminal], tmp_path: Path
) -> None:
    own_rocks(agent_home)
    server = RockServer(tmp_path / "server")
    is_real = add_lpeg(server, tmp_path / "lpeg")
    with server.serve() as url:
        env = {**agent_home.full_env(), "PANTO_ROCKS_SERVER": url}
        done = run_bounded([PANTO, "lua", "-e", ONE_LINER], env=env)
    assert done.code == 0, done.output
    (agent_home.config / "tools").mkdir()
    (agent_home.config / "tools" / "count.lua").write_text(TOOL)
    call = {"name": "count", "id": "c1", "arguments": "{}"}
    with Provider([{"tool_calls": [call]}, {"text": "The end."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("count")
        terminal.keys("Enter")
        terminal.wait("The end.")
        result = json.loads(provider.bodies[1])["messages"][-1]["content"]
    assert ("matched up to 3" if is_real else "hello from C") in result


def own_rocks(home: Home) -> None:
    """Gives a home a tree of its own in the place of the link to everyone's."""
    (home.data / "rocks").unlink()
    shutil.copytree(rocks_folder(), home.data / "rocks", symlinks=True)
    tree = home.data / "rocks" / "lua-5.4.8"
    relocate(tree, str(rocks_folder().parent), str(home.data))
