"""Two hundred reloads while a turn streams and a tool runs: nothing lost, stale or leaked."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from support.home import Home
from support.provider import Provider
from support.tmux import Terminal

DELTAS = 400

WATCH = """
local panto = require("panto")
local state
return {
  name = "watch",
  activate = function(before)
    state = before or { deltas = 0, lives = 0, double = 0 }
    state.lives = state.lives + 1
    local big, mine = ("x"):rep(100000), state.lives
    panto.ext.on("assistant_text_delta", function()
      state.deltas = state.deltas + 1
      if mine ~= state.lives or #big == 0 then state.double = state.double + 1 end
    end)
    panto.ext.on("turn_end", function() print("[the turn is over]") end)
    panto.ext.register_command { name = "watched", handler = function()
      collectgarbage() collectgarbage()
      print(("[%d deltas, %d lives, %d stale, %d KB]"):format(
        state.deltas, state.lives, state.double, collectgarbage("count") // 1))
    end }
    panto.ext.register_tool { name = "slow", description = "", handler = function()
      for i = 1, 20 do panto.task.sleep(100) end
      return "slow is done " .. #big
    end }
    panto.task.run(function() while true do panto.task.sleep(1000) end end)
  end,
  deactivate = function() return state end,
}
"""


def reload(terminal: Terminal, times: int) -> None:
    for _ in range(times):  # one by one: lines that come all at once are a paste
        terminal.keys("/reload", "Enter")
        time.sleep(0.02)


def watched(terminal: Terminal, lives: int) -> tuple[int, int, int]:
    terminal.keys("/watched", "Enter")
    shown = terminal.wait(rf"deltas, {lives} lives", timeout_s=60)
    found = re.search(rf"\[(\d+) deltas, {lives} lives, (\d+) stale, (\d+) KB\]", shown)
    assert found
    return int(found[1]), int(found[2]), int(found[3])


def test_two_hundred_reloads_while_a_turn_streams_and_a_tool_runs(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    agent_home.write("config/panto/extensions/watch.lua", WATCH)
    call = {"name": "slow", "id": "c1", "arguments": "{}"}
    script = [
        {"tool_calls": [call]},
        {"deltas": ["word "] * DELTAS, "delay_s": 0.01},
    ]
    with Provider(script) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.keys("go", "Enter")
        terminal.wait("slow")
        reload(terminal, 20)
        _, _, early = watched(terminal, 21)
        provider.wait_for_requests(2, timeout_s=30)
        reload(terminal, 180)
        terminal.wait(r"\[the turn is over\]", timeout_s=60)
        deltas, stale, late = watched(terminal, 201)
        assert (deltas, stale) == (DELTAS, 0)
        assert late < early + 2000, (early, late)
        last = provider.requests[1].json["messages"][-1]
        assert last["content"] == "slow is done 100000"
