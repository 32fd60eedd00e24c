-- Asks a provider once and prints each item as a line of JSON, with the seconds since the start.
-- usage: panto lua ask.lua URL KEY IDLE_TIMEOUT_MS [STYLE]

local url, key, idle_timeout_ms = arg[1], arg[2], tonumber(arg[3])
local style = arg[4] or "openai_chat"

local client = require("panto.provider.client")
local clock = require("panto.sys.clock")
local json = require("panto.base.json")
local task = require("panto.sys.task")

task.loop(function()
  local start = clock.mono_ms()
  local user = { role = "user", content = { { type = "text", text = "hi" } } }
  for item in
    client.stream({
      provider = { name = "loop", style = style, base_url = url },
      model = { alias = "fake", model = "fake", max_tokens = 50 },
      credential = { token = key, variable = "LOOP_KEY" },
      request = { system = "be brief", messages = { user }, tools = {} },
      idle_timeout_ms = idle_timeout_ms,
      retry = { max_attempts = 2 },
      random = function()
        return 1
      end,
    })
  do
    item.at_ms = math.floor(clock.mono_ms() - start)
    io.write(json.encode(item), "\n")
  end
end)
