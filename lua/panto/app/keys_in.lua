-- Bytes of the terminal to events: a lone Esc is a key when nothing follows it soon, and lines that
-- come all at once are a paste, from a terminal that does not mark pastes or behind a false end mark.

local clock = require("panto.sys.clock")
local keys = require("panto.tui.keys")
local task = require("panto.sys.task")

local ESCAPE_MS, BURST_MS = 30, 20
local ANSWER_MS = 250 -- an ESC may be an answer's beginning, whose rest comes late
-- So many line ends with text behind them in one piece nobody types, and among so many characters
-- not even one: between two reads there is time for a few keys.
local BURST_LINES, BURST_BYTES = 2, 16

---@class panto.KeysIn
---@field burst_ms number? when the last piece of a paste without marks came
---@field is_answer_due (fun(): boolean)?
local KeysIn = {}
KeysIn.__index = KeysIn

local keys_in = {}

--- Makes the reader; `take` gets every event.
---@param take fun(event: table)
---@param is_answer_due (fun(): boolean)? tells whether the terminal was asked something
---@return panto.KeysIn
function keys_in.new(take, is_answer_due)
  local self = { decoder = keys.new(), take = take, is_answer_due = is_answer_due, feeds = 0 }
  return setmetatable(self, KeysIn)
end

-- What a key adds to a text, nil when it is no key that does.
local function typed(event)
  if event.type ~= "key" then
    return nil
  elseif event.text then
    return event.text
  end
  local is_plain = not (event.ctrl or event.alt or event.shift or event.super)
  if is_plain and event.key == "enter" or event.ctrl and event.key == "j" then
    return "\n"
  end
  return is_plain and event.key == "tab" and "\t" or nil
end

-- From which event on the rest is one text, and that text.
local function find_tail(events)
  local pieces, first = {}, #events + 1
  for index = #events, 1, -1 do
    local text = typed(events[index])
    if not text then
      break
    end
    pieces[#events - index + 1], first = text, index
  end
  local low, high = 1, #pieces
  while low < high do
    pieces[low], pieces[high] = pieces[high], pieces[low]
    low, high = low + 1, high - 1
  end
  return first, table.concat(pieces)
end

-- One paste in the place of the keys that are one.
local function join_burst(self, events)
  local first, text = find_tail(events)
  local before = events[first - 1]
  local is_sure = before and before.type == "paste" or #text >= BURST_BYTES
  local wanted = is_sure and 1 or BURST_LINES
  local now = clock.mono_ms()
  local goes_on = self.burst_ms and now - self.burst_ms < BURST_MS and first == 1
  local _, lines = text:gsub("\n+[^\n]", "")
  if lines < wanted and not (goes_on and #text > 1) then
    return events
  end
  self.burst_ms = now
  local joined = table.move(events, 1, first - 1, 1, {})
  joined[first] = { type = "paste", text = text }
  return joined
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
  local events = self.decoder:feed(bytes)
  take_all(self, #events > 1 and join_burst(self, events) or events)
  if self.decoder:pending() then
    local is_due = self.is_answer_due and self.is_answer_due()
    task.run(function()
      task.sleep(is_due and ANSWER_MS or ESCAPE_MS)
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
