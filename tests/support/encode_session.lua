-- Opens session files and writes the request each would send, in each wire style, one a line.
-- usage: panto lua encode_session.lua STYLE,… FILES…

local codecs = require("panto.provider.codecs")
local json = require("panto.base.json")
local log = require("panto.session.log")

local provider = { name = "p", base_url = "http://127.0.0.1/v1", prompt_cache = true }
local model = { alias = "m", model = "m", provider = "p", max_tokens = 1000 }

for i = 2, #arg do
  local opened = assert(log.open(arg[i]))
  local messages = opened:messages()
  for style in arg[1]:gmatch("[^,]+") do
    provider.style = style
    local request = { system = "s", messages = messages, tools = json.array({}) }
    local body = assert(codecs.get(style)).encode(request, provider, model).body
    io.write(json.encode({ file = arg[i], style = style, body = body }), "\n")
  end
  opened:close()
end
