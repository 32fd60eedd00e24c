"""What an extension can do in the real program: ask, draw, take keys, gate, be reloaded."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from support.home import Home
from support.provider import Provider
from support.tmux import Terminal

Open = Callable[..., Terminal]
FOLDER = "config/panto/extensions"


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


def call(name: str, id: str = "c1", **arguments: Any) -> dict[str, Any]:
    return {"name": name, "id": id, "arguments": json.dumps(arguments)}


DIALOGS = """
local panto = require("panto")
panto.ext.register_command {
  name = "ask", description = "Ask.",
  complete = function(prefix) return { "north", { label = "south (cold)", value = "south" } } end,
  handler = function(args)
    local way = panto.ui.select { title = "Which way?", items = { "left", "right" } }
    local sure = panto.ui.confirm("Really?")
    local name = panto.ui.input { title = "A name" }
    panto.ui.notify(("%s|%s|%s|%s"):format(args, way, sure, name), "warning")
  end,
}
panto.ext.register_key { key = "Ctrl+X", description = "Count.", handler = function()
  panto.task.sleep(1)
  print("[key] " .. tostring(panto.ui.confirm("From a key?")))
end }
panto.ext.on("overlay", function(e)
  local inner, kind = e:get_component(), e.kind
  e:set_component({ render = function(self, width)
    local lines, cursor = inner:render(width)
    table.insert(lines, "[overlay " .. kind .. "]")
    return lines, cursor
  end })
end)
"""


def test_commands_and_keys_ask_complete_and_wait(agent_home: Home, open_panto: Open) -> None:
    agent_home.write(f"{FOLDER}/dialogs.lua", DIALOGS)
    with Provider([]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("/ask s")
        terminal.wait(r"south \(cold\)")
        terminal.keys("Tab")
        terminal.wait("/ask south")
        terminal.keys("Enter")
        terminal.wait(r"(?s)Which way.*\[overlay select\]")
        terminal.keys("Down", "Enter")
        terminal.wait("Really")
        terminal.keys("Enter")
        terminal.wait(r"(?s)A name.*\[overlay input\]")
        ask(terminal, "Ada")
        terminal.wait(r"south\|right\|true\|Ada")
        terminal.keys("C-x")
        terminal.wait("From a key")
        terminal.keys("Escape")
        terminal.wait(r"\[key\] false")


VIEWS = """
local panto = require("panto")
local typed = ""
local widget
panto.ext.on("footer", function(e)
  local inner = e:get_component()
  widget = {
    firstLineChanged = function() return 1 end,
    render = function(self, width)
      local lines = inner:render(width)
      table.insert(lines, 1, "typed: " .. typed)
      return lines
    end,
    handleInput = function(self, data, event)
      typed = typed .. "<" .. data .. ">"
      self:invalidate()
    end,
  }
  e:set_component(widget)
end)
panto.ext.on("editor", function(e)
  local inner = e:get_component()
  e:set_component({
    render = function(self, width)
      local lines, cursor = inner:render(width)
      lines[1] = "[my editor]"
      return lines, cursor
    end,
    handleInput = function(self, data, event)
      if data == "!" then return { submit = "/shout" } end
      return inner:handleInput(data, event)
    end,
  })
end)
panto.ext.on("spinner", function(e)
  local inner = e:get_component()
  e:set_component({ render = function(self, width)
    local lines = inner:render(width)
    if lines[1] then lines[#lines] = "[busy]" .. lines[#lines] end
    return lines
  end })
end)
panto.ext.on("tick", function(e)
  local text = ("[tick %d %s]"):format(e.count, e.data.word)
  e:set_component({ render = function() return { text } end })
end)
panto.ext.register_command { name = "shout", handler = function() print("SHOUTED") end }
panto.ext.register_command { name = "focus", handler = function() panto.ui.focus(widget) end }
panto.ext.register_command { name = "tick", handler = function()
  panto.ext.emit("tick", { count = 3, word = "tock" })
end }
"""


def test_components_take_the_place_of_panto_s_own_and_take_keys(
    agent_home: Home, open_panto: Open
) -> None:
    agent_home.write(f"{FOLDER}/views.lua", VIEWS)
    hold = threading.Event()
    with Provider([{"text": "Hello there.", "hold": hold}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.wait(r"(?s)\[my editor\].*typed:")
        ask(terminal, "/tick")
        terminal.wait(r"\[tick 3 tock\]")
        terminal.type("!")
        terminal.wait("SHOUTED")
        ask(terminal, "/focus")
        terminal.wait("/focus", gone=True)
        terminal.type("a ")
        terminal.keys("Up", "Enter")
        terminal.wait("typed: <a>< ><up><enter>")
        terminal.keys("Escape")
        time.sleep(0.3)  # or it would be Alt with the next key
        terminal.keys("F6")
        terminal.type("z")
        terminal.wait("<enter><z>")
        terminal.keys("F6")
        ask(terminal, "hi")
        terminal.wait(r"\[busy\]")
        hold.set()
        terminal.wait("Hello there.")
        assert "<h>" not in terminal.screen()


GATE = """
local panto = require("panto")
panto.ext.on("tool_call_complete", function(e)
  if e.tool_name == "std.shell" and not panto.ui.confirm("Run " .. e.input.command .. "?") then
    e:deny("the user said no")
  elseif e.tool_name == "std.read" then
    e.input = { path = "other.txt" }
  end
end)
panto.ext.on("tool_result", function(e)
  if e.tool_name == "std.read" then e.output = e.output:upper() end
end)
panto.ext.on("user_message", function(e) e.text = e.text .. " [stamped]" end)
panto.ext.on("request", function(e)
  e.headers["x-extra"] = e.provider
  e.body = e.body:gsub("SECRET", "******")
end)
panto.ext.on("tool_collapse", function(e)
  local text = "[folded " .. e.tool_name .. "]"
  e:set_component({ render = function() return { text } end })
end)
local seen = {}
for _, name in ipairs { "session_start", "turn_start", "turn_end", "model_changed", "error" } do
  panto.ext.on(name, function(e) seen[#seen + 1] = e.name end)
end
panto.ext.on("session_end", function()
  panto.task.sleep(1)
  panto.fs.write("seen.txt", table.concat(seen, " "))
end)
"""


def test_a_gate_asks_and_requests_results_and_texts_are_changed(
    agent_home: Home, open_panto: Open
) -> None:
    agent_home.write(f"{FOLDER}/gate.lua", GATE)
    agent_home.write("work/other.txt", "quiet\n")
    calls = [call("std_shell", "c1", command="touch x"), call("std_read", "c2", path="no.txt")]
    script = [{"tool_calls": calls}, {"text": "The end."}]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "the SECRET")
        terminal.wait("Run touch x")
        terminal.keys("Escape")
        shown = terminal.wait("The end.")
        assert "[folded std.shell]" in shown and "[folded std.read]" in shown
        ask(terminal, "/model loop:other")
        ask(terminal, "again")
        terminal.wait("script of the loopback provider")
        terminal.keys("C-d")
        terminal.wait("left with 0")
        first, second = provider.requests[:2]
        assert first.headers["x-extra"] == "loop"
        assert first.json["messages"][-1]["content"] == "the ****** [stamped]"
        results = [m["content"] for m in second.json["messages"] if m["role"] == "tool"]
        assert "the user said no" in results[0] and "QUIET" in results[1]
    assert not (agent_home.work / "x").exists()
    seen = (agent_home.work / "seen.txt").read_text()
    assert seen == "session_start turn_start turn_end model_changed turn_start error turn_end"


COUNTER = """
local panto = require("panto")
local state
return {
  name = "counter",
  activate = function(before)
    state = before or { count = 0, lives = 0 }
    state.lives = state.lives + 1
    panto.ext.on("assistant_text_delta", function() state.count = state.count + 1 end)
    panto.ext.register_command { name = "count", handler = function()
      print(("[VERSION: %d deltas in %d lives]"):format(state.count, state.lives))
    end }
    panto.ext.register_tool { name = "slow", description = "VERSION", handler = function()
      panto.task.sleep(DELAY)
      return "from VERSION"
    end }
  end,
  deactivate = function() return state end,
}
"""


def test_reload_in_the_middle_of_a_turn_hands_over_and_keeps_what_is_broken(
    agent_home: Home, open_panto: Open
) -> None:
    def write(version: str, delay: int = 0) -> None:
        text = COUNTER.replace("VERSION", version).replace("DELAY", str(delay))
        agent_home.write(f"{FOLDER}/counter.lua", text)

    write("one", 2500)
    agent_home.write(f"{FOLDER}/other.lua", 'return { name = "other", activate = function() end }')
    hold = threading.Event()
    script = [
        {"text": "First.", "tool_calls": [call("slow")]},
        {"deltas": ["a", "b", "c", "d"], "tool_calls": [call("slow", "c2")], "hold": hold},
        {"text": "The end."},
    ]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto(cols=180)
        ask(terminal, "go")
        terminal.wait("First.")
        terminal.wait("slow")
        write("two")
        ask(terminal, "/reload")
        terminal.wait("Reloaded")
        provider.wait_for_requests(2)
        terminal.wait("abcd")
        agent_home.write(f"{FOLDER}/counter.lua", "error('broken now')")
        ask(terminal, "/reload")
        terminal.wait(r"(?s)counter.lua:1: broken now.*old version goes on of: counter")
        hold.set()
        terminal.wait("The end.")
        ask(terminal, "/count")
        terminal.wait(r"\[two: 7 deltas in 2 lives\]")
        bodies = [json.loads(body) for body in provider.bodies]
        declared = [
            tool["function"]["description"]
            for body in bodies
            for tool in body["tools"]
            if tool["function"]["name"] == "slow"
        ]
        assert declared == ["one", "two", "two"]
        results = [m["content"] for m in bodies[2]["messages"] if m["role"] == "tool"]
        assert results == ["from one", "from two"]
        (agent_home.config / "extensions/counter.lua").unlink()
        ask(terminal, "/reload")
        terminal.wait(r"Reloaded: 5 entries")
        ask(terminal, "/count")
        terminal.wait("no command /count")
