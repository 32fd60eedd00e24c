"""Extensions that fail, or never come back, in every place: the session goes on, each is named."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from support.home import Home
from support.provider import Provider
from support.tmux import Terminal

Open = Callable[..., Terminal]

# The real limit is 2 s of Lua instructions; a file that is read first makes it short.
LIMIT = 'require("panto.sys.watchdog").set_limit(0.2)\nreturn { name = "aaa", activate = print }\n'

FILES = {
    "b_top": 'local x = 1\nerror("top fails")\n',
    "b_top_loop": "local x = 1\nwhile true do end\n",
    "b_syntax": "return {\n",
    "b_shape": "return 5\n",
    "b_shape_list": "return { { name = 'half' } }\n",
    "b_activate": 'return { name = "b_activate", activate = function()\n'
    '  error("activate fails")\nend }',
    "b_activate_loop": 'return { name = "b_activate_loop", activate = function()\n'
    '  require("panto").ext.register_command { name = "never", handler = print }\n'
    "  while true do end\nend }",
    "b_denied": 'require("panto").ext.register_command { name = "denied", handler = print }\n',
    "c_handler": 'require("panto").ext.on("user_message", function(e)\n'
    '  error("handler fails")\nend)',
    "c_handler_loop": 'require("panto").ext.on("turn_start", function(e)\n'
    "  while true do end\nend)",
    "c_field": 'require("panto").ext.on("turn_end", function(e)\n  e.status = "x"\nend)',
    "d_views": """
local panto = require("panto")
panto.ext.on("tool", function(e)
  local name = e.tool_name
  e:set_component({ render = function()
    if name == "raises" then error("render fails") end
    if name == "spins" then while true do end end
    if name == "waits" then panto.task.sleep(1) end
    return name == "shapes" and { "fine", 5 } or 7
  end })
end)
""",
    "e_tools": """
local function tool(name, handler)
  return { name = name, description = "", handler = handler, timeout_s = 5 }
end
return {
  tool("raises", function() error("tool fails") end),
  tool("spins", function() while true do end end),
  tool("waits", function() print("a tool prints") end),
  tool("shapes", function() return 5 end),
  { name = "late", description = "", timeout_s = 0.2, handler = function()
    require("panto").task.sleep(60000)
  end },
}
""",
    "f_commands": """
local ext = require("panto").ext
ext.register_command { name = "fails", handler = function() error("command fails") end,
  complete = function() error("complete fails") end }
ext.register_command { name = "spins", handler = function() while true do end end }
ext.register_key { key = "f8", handler = function() error("key fails") end }
""",
    "g_input": """
require("panto").ext.on("footer", function(e)
  local inner = e:get_component()
  e:set_component({
    render = function(self, width) return inner:render(width) end,
    handleInput = function(self, data)
      if data == "x" then error("input fails") end
      while true do end
    end,
  })
end)
""",
    "h_deactivate": 'return { name = "h_deactivate", activate = print, deactivate = function()\n'
    '  error("deactivate fails")\nend }',
    "h_deactivate_loop": 'return { name = "h_deactivate_loop", activate = print,\n'
    "  deactivate = function()\n    while true do end\nend }",
    "i_prints": 'print("printed at the top")\nio.stdout:write("and ", "by method\\n")\n'
    'io.stderr:write("to stderr\\n")\nreturn { name = "i_prints", activate = print }',
}


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


def call(name: str) -> dict[str, Any]:
    return {"name": name, "id": f"c-{name}", "arguments": "{}"}


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def wait_flat(terminal: Terminal, pattern: str) -> str:
    """Waits for a pattern in the history as one line; long notices are wrapped."""
    end = time.monotonic() + 20
    while True:
        text = flat(terminal.history())
        if re.search(pattern, text):
            return text
        assert time.monotonic() < end, (pattern, terminal.history())
        time.sleep(0.03)


def test_whatever_fails_or_never_comes_back_is_named_and_the_session_goes_on(
    agent_home: Home, open_panto: Open
) -> None:
    folder = "config/panto/extensions"
    agent_home.write(f"{folder}/aaa.lua", LIMIT)
    for name, text in FILES.items():
        agent_home.write(f"{folder}/{name}.lua", text)
    tools = ["raises", "spins", "waits", "shapes", "late"]
    script = [{"tool_calls": [call(name) for name in tools]}, {"text": "Still here."}]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url, more='[extensions]\ndeny = ["b_denied"]\n')
        terminal = open_panto(cols=150, rows=45)
        shown = flat(terminal.wait("b_top_loop"))
        for name, line, message in (
            ("b_top", 2, "top fails"),
            ("b_top_loop", 2, r"interrupted: it did not come back"),
            ("b_syntax", 2, "unexpected symbol|'}' expected"),
            ("b_activate", 2, "activate fails"),
            ("b_activate_loop", 3, "interrupted"),
        ):
            assert re.search(rf"/{name}\.lua:{line}[ :][^✗]*({message})", shown), (name, shown)
        assert re.search(r"b_shape\.lua: it returned a number; an extension file returns", shown)
        assert re.search(r"b_shape_list\.lua: item 1 of its list", shown)
        assert "the entry b_activate_loop" in shown

        ask(terminal, "go")
        shown = flat(terminal.wait("Still here.", timeout_s=40))
        d_views = r"a component of d_views failed \(\S+/d_views\.lua\): [^✗]*"
        for pattern in (
            r"c_handler: the handler of user_message failed: \S+/c_handler\.lua:2: handler fails",
            r"c_handler_loop: the handler of turn_start failed: \S+/c_handler_loop\.lua:2: interr",
            d_views + r"d_views\.lua:6: render fails",
            d_views + r"d_views\.lua:7: interrupted",
            d_views + r"render cannot wait[^✗]*d_views\.lua:8: in",
            d_views + r"line 2 of render is a number",
            d_views + r"render returned a number",
            r"\[lua component error: \S+d_views\.lua:6: render fails\]",
            "a tool prints",
        ):
            assert re.search(pattern, shown), (pattern, shown)
        results = {
            message["tool_call_id"]: message["content"]
            for message in json.loads(provider.bodies[1])["messages"]
            if message["role"] == "tool"
        }
        assert re.search(r"tool raises failed: \S+e_tools\.lua:6: tool fails", results["c-raises"])
        assert re.search(r"tool spins failed: \S+e_tools\.lua:7: interrupt", results["c-spins"])
        assert "returned nothing" in results["c-waits"]
        assert "5" in results["c-shapes"]
        assert "did not finish within 0.2 s" in results["c-late"]
        wait_flat(terminal, r"c_field: the handler of turn_end failed:.*status can only be read")

        ask(terminal, "/fails x")
        wait_flat(terminal, r"complete of f_commands failed .*complete fails")
        wait_flat(terminal, r"/fails of f_commands failed \(.*s.lua\): .*lua:3: command fails")
        ask(terminal, "/spins")
        wait_flat(terminal, r"/spins of f_commands failed .*lua:5: interrupted")
        terminal.keys("F8")
        wait_flat(terminal, r"the key f8 of f_commands failed .*key fails")
        ask(terminal, "/never")
        terminal.wait("no command /never")
        terminal.keys("C-u")
        ask(terminal, "/denied")
        terminal.wait("no command /denied")
        terminal.keys("C-u")

        terminal.keys("F6")
        terminal.type("x")
        wait_flat(terminal, r"a component of g_input failed .*lua:7: input fails")
        terminal.type("y")
        wait_flat(terminal, r"a component of g_input failed .*lua:8: interrupted")
        terminal.keys("Escape")
        time.sleep(0.3)  # or it would be Alt with the next key
        ask(terminal, "/reload")
        shown = flat(terminal.wait("Reloaded", timeout_s=40))
        assert re.search(r"h_deactivate\.lua:2[^✗]*deactivate fails", shown), shown
        assert re.search(r"h_deactivate_loop\.lua:3[^✗]*interrupted", shown), shown
        for printed in ("printed at the top", "and by method", "to stderr"):
            assert printed in shown, printed
        terminal.keys("C-d")
        terminal.wait("left with 0")
