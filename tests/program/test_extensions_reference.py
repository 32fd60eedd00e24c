"""Every code block of the two reference texts, verbatim, in the real program."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from support.home import Home
from support.provider import Provider
from support.tmux import Terminal

Open = Callable[..., Terminal]

ECHO = """
return {
  name = "echo",
  description = "Echo back the given message.",
  schema = {
    type = "object",
    properties = {
      message = { type = "string" },
    },
    required = { "message" },
  },
  handler = function(input)
    return "echo: " .. input.message
  end,
}
"""

GREET = """
return {
  name = "greet",
  activate = function()
    local panto = require("panto")
    panto.ext.register_command {
      name = "greet",
      description = "Print a greeting.",
      handler = function(args)
        local who = args ~= "" and args or "world"
        io.write("\\n[greet] hello, " .. who .. "!\\n")
      end,
    }
  end,
}
"""

SKILL_BADGE = """
return {
  name = "skill-badge",
  activate = function()
    local panto = require("panto")
    panto.ext.on("tool_details", function(e)
      if e.tool_name ~= "skill" then return end
      local inner = e:get_component()
      e:set_component({
        render = function(self, width)
          local lines = inner:render(width)
          lines[#lines + 1] = "▸ running skill"
          return lines
        end,
      })
    end)
  end,
}
"""

SKILL = """
return {
  name = "skill", description = "A skill.", schema = { type = "object" },
  handler = function() return "skilled" end,
}
"""

# The older text's pieces stand at a file's top level, as they do there.
CLAIM_BY_NAME = """
local panto = require("panto")
      panto.ext.on("tool", function(e)
        if e.tool_name ~= "skill" then return end   -- ignore everything else
        local name = e.tool_name                     -- snapshot at handler time
        e:setComponent({ render = function(self, w) return { "SKILL:"..name } end })
      end)
"""
PASS_THROUGH = """
require("panto").ext.on("tool", function(e)
  e:setComponent(e:getComponent())
end)
"""
REPLACE = """
require("panto").ext.on("tool", function(e)
  e:setComponent({ render = function(self,w) return {"hi"} end })
end)
"""


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "id": "c1", "arguments": json.dumps(arguments)}]}


def test_the_echo_tool_answers_the_model(agent_home: Home, open_panto: Open) -> None:
    agent_home.write("work/.panto/tools/echo.lua", ECHO)
    agent_home.trust()
    with Provider([call("echo", message="hello"), {"text": "Done."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "say it")
        terminal.wait("Done.")
        first, second = (json.loads(body) for body in provider.bodies)
        [told] = [t["function"] for t in first["tools"] if t["function"]["name"] == "echo"]
        assert told["description"] == "Echo back the given message."
        assert told["parameters"]["required"] == ["message"]
        assert second["messages"][-1]["content"] == "echo: hello"


def test_the_greet_command_greets(agent_home: Home, open_panto: Open) -> None:
    agent_home.write("work/.panto/extensions/greet.lua", GREET)
    agent_home.trust()
    with Provider([]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "/greet")
        terminal.wait(r"\[greet\] hello, world!")
        ask(terminal, "/greet   Lua  ")
        terminal.wait(r"\[greet\] hello, Lua!")
        assert provider.requests == []


def test_the_skill_badge_wraps_the_default_view(agent_home: Home, open_panto: Open) -> None:
    for spelling in ("get_component", "getComponent"):
        other = spelling.replace("get", "set")
        text = SKILL_BADGE.replace("get_component", spelling).replace("set_component", other)
        text = text.replace('"skill-badge"', f'"badge-{spelling}"')
        agent_home.write(f"config/panto/extensions/{spelling}.lua", text)
    agent_home.write("config/panto/tools/skill.lua", SKILL)
    with Provider([call("skill"), call("std_read", path="."), {"text": "Done."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "go")
        shown = terminal.wait("Done.")
        assert shown.count("▸ running skill") == 2
        skill, read = shown.index("▸ running skill"), shown.index("std.read")
        assert skill < read and "skilled" in shown


@pytest.mark.parametrize(
    ("text", "there", "gone"),
    [
        (CLAIM_BY_NAME, ["SKILL:skill", "std.read ."], []),
        (CLAIM_BY_NAME.replace("setC", "set_c"), ["SKILL:skill", "std.read ."], []),
        (PASS_THROUGH, ["skilled", "std.read ."], ["hi\n"]),
        (REPLACE, ["hi\n"], ["std.read .", "skilled"]),
    ],
)
def test_an_override_pattern_in_either_spelling(
    agent_home: Home, open_panto: Open, text: str, there: list[str], gone: list[str]
) -> None:
    agent_home.write("config/panto/extensions/override.lua", text)
    agent_home.write("config/panto/tools/skill.lua", SKILL)
    with Provider([call("skill"), call("std_read", path="."), {"text": "Done."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "go")
        shown = terminal.wait("Done.")
        assert "✗" not in shown.replace("✗ std.read", "")
        for piece in there:
            assert piece in shown, shown
        for piece in gone:
            assert piece not in shown, shown
