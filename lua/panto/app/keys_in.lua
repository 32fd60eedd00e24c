-- Bytes of the terminal to key events; a lone Esc is one when nothing follows it soon.

local keys = require("panto.tui.keys")
local task = require("panto.sys.task")

local ESCAPE_MS = 30

---@class panto.KeysIn
local KeysIn = {}
KeysIn.__index = KeysIn

local keys_in = {}

--- Makes the reader; `take` gets every event.
---@param take fun(event: table)
---@return panto.KeysIn
function keys_in.new(take)
  return setmetatable({ decoder = keys.new(), take = take, feeds = 0 }, KeysIn)
end

local function take_all(self, events)
  for _, event in ipairs(events) do
    self.take(event)
  end
end

--- Feeds what the terminal sent.
---@param bytes string
function KeysIn:feed(bytes)
  self.feeds = self.feeds + 1
  local feed = self.feeds
  take_all(self, self.decoder:feed(bytes))
  if self.decoder:pending() then
    task.run(function()
      task.sleep(ESCAPE_MS)
      if self.feeds == feed then
        take_all(self, self.decoder:flush())
      end
    end)
  end
end

--- Tells whether a paste is coming in: nothing is to be seen of it before its end.
---@return boolean
function KeysIn:is_pasting()
  return self.decoder.paste ~= nil
end

return keys_in
