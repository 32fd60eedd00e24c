-- TOML text to a Lua table, by the host's parser.

local host = require("panto.host")
local json = require("panto.base.json")

local toml = {}

--- Parses TOML 1.0; the message of a failure names line and column.
---@param text string
---@return table?
---@return string? message
function toml.decode(text)
  local encoded, message = host.toml_to_json(text)
  if not encoded then
    return nil, message
  end
  return json.decode(encoded)
end

return toml
