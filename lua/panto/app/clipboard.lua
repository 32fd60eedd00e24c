-- A text into the clipboard, when the user asks for it: through tmux, or by OSC 52.

local base64 = require("panto.base.base64")
local env = require("panto.sys.env")
local process = require("panto.sys.process")

local clipboard = {}

-- Several terminals drop a longer sequence in silence.
local MOST_BYTES = 74994

local function is_set(name)
  return (env.get(name) or "") ~= ""
end

-- tmux keeps such a sequence from its windows unless it is told otherwise; its own command works.
local function write_tmux(text)
  local done = process.run({
    file = "tmux",
    args = { "load-buffer", "-w", "-" },
    stdin = text,
  })
  return done ~= nil and done.code == 0
end

--- Copies a text; nil and a message when that cannot be.
---@param app panto.App
---@param text string
---@return string? how said to the user
---@return string? message
function clipboard.write(app, text)
  if is_set("TMUX") and write_tmux(text) then
    return "through tmux"
  elseif #text > MOST_BYTES then
    local limit = "the text has %d bytes; terminals take %d at most"
    return nil, limit:format(#text, MOST_BYTES)
  end
  app.attention:write("\27]52;c;" .. base64.encode(text) .. "\a")
  return "by OSC 52, if the terminal allows it"
end

return clipboard
