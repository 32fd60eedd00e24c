-- Encodes requests and writes the body of each, one a line.
-- usage: lua encode.lua ROOT CASES.json, a list of {style, request, provider, model}

local root, path = arg[1], arg[2]
package.path = root .. "/lua/?.lua;" .. root .. "/lua/?/init.lua;" .. package.path

local codecs = require("panto.provider.codecs")
local json = require("panto.base.json")

local file = assert(io.open(path, "rb"))
local text = file:read("a")
file:close()

for _, case in ipairs(assert(json.decode(text))) do
  local codec = assert(codecs.get(case.style))
  io.write(codec.encode(case.request, case.provider, case.model).body, "\n")
end
