-- A script's file and a request into the response that the file has for it, as an event stream.
-- Nothing is remembered between requests: the step is the number of answers so far, plus one.

local fs = require("panto.sys.fs")
local json = require("panto.base.json")
local task = require("panto.sys.task")

local script_play = {}

local THE_END = "This is the end of the script %s. A script is no AI: it plays what is written "
  .. "in it, and nothing more is."

---@class panto.ScriptCall
---@field name string such as "std.read"
---@field input table?
---@field id string?

---@class panto.ScriptFailure
---@field status integer of HTTP
---@field message string
---@field code string?
---@field headers table<string, string>?

---@class panto.ScriptStep
---@field text string?
---@field deltas string[]? the text in these very pieces
---@field thinking string?
---@field calls panto.ScriptCall[]?
---@field usage panto.Usage?
---@field stop string? the stop reason; "tool_use" with calls and "stop" without, when left out
---@field wait_ms number? before the answer begins
---@field delay_ms number? before each piece of text
---@field fail panto.ScriptFailure[]? so many attempts fail first
---@field error { kind: string, message: string }? breaks the answer off after its text

local function load_steps(path)
  local text, message = fs.read(path)
  if not text then
    return nil, ("the script cannot be read: %s"):format(message)
  elseif path:match("%.json$") then
    local steps, why = json.decode(text)
    return steps, not steps and ("%s: %s"):format(path, why) or nil
  end
  local chunk, why = load(text, "@" .. path, "t")
  if not chunk then
    return nil, why
  end
  return chunk(path)
end

local function answers(messages)
  local n = 0
  for _, message in ipairs(messages) do
    n = n + (message.role == "assistant" and 1 or 0)
  end
  return n
end

local function choose(path, request, given)
  local steps, message = given, nil
  if not steps then
    steps, message = load_steps(path)
  end
  if message then
    return nil, message
  end
  local number = answers(request.messages) + 1
  local step
  if type(steps) == "function" then
    step = steps(request, number)
  elseif type(steps) == "table" then
    step = steps[number]
    if type(step) == "function" then
      step = step(request, number)
    end
  else
    local text = "%s returns a %s; a script returns a list of steps or function(request, number)"
    return nil, text:format(path, type(steps))
  end
  if step == nil then
    step = THE_END:format(path)
  end
  return type(step) == "table" and step or { text = tostring(step) }, nil, number
end

local function words(text)
  local pieces = {}
  for piece in text:gmatch("%s*%S+%s*") do
    pieces[#pieces + 1] = piece
  end
  return #pieces > 0 and pieces or { text }
end

local function add_calls(items, step, number)
  for index, call in ipairs(step.calls or {}) do
    items[#items + 1] = {
      type = "tool_call_start",
      index = index,
      id = call.id or ("script_%d_%d"):format(number, index),
      name = call.name:gsub("[^A-Za-z0-9_-]", "_"),
    }
    items[#items + 1] = {
      type = "tool_call_delta",
      index = index,
      delta = json.encode(call.input or {}),
    }
    items[#items + 1] = { type = "tool_call_end", index = index }
  end
end

local function items_of(step, number)
  local items = {}
  for _, delta in ipairs(step.thinking and words(step.thinking) or {}) do
    items[#items + 1] = { type = "thinking_delta", delta = delta }
  end
  local pieces = step.deltas or step.text and words(step.text) or {}
  for _, delta in ipairs(pieces) do
    items[#items + 1] = { type = "text_delta", delta = delta }
  end
  if step.error then
    items[#items + 1] = {
      type = "error",
      kind = step.error.kind,
      message = step.error.message,
    }
    return items
  end
  add_calls(items, step, number)
  if step.usage then
    items[#items + 1] = { type = "usage", usage = step.usage }
  end
  local reason = step.stop or (step.calls and step.calls[1] and "tool_use" or "stop")
  items[#items + 1] = { type = "stop", reason = reason, raw = reason }
  return items
end

local function respond(status, headers, body)
  return {
    status = status,
    headers = headers,
    body = body,
    read_all = function(self)
      local pieces = {}
      for piece in self.body do
        pieces[#pieces + 1] = piece
      end
      return table.concat(pieces)
    end,
    close = function() end,
  }
end

local function refuse(failure)
  local text = json.encode({ error = { message = failure.message, code = failure.code } })
  return respond(failure.status, failure.headers or {}, function()
    local once = text
    text = nil
    return once
  end)
end

local function play(step, number)
  local items, at = items_of(step, number), 0
  return respond(200, { ["content-type"] = "text/event-stream" }, function()
    at = at + 1
    local item = items[at]
    if item and step.delay_ms and item.type:find("_delta$") then
      task.sleep(step.delay_ms)
    end
    return item and ("data: %s\n\n"):format(json.encode(item)) or nil
  end)
end

--- Returns what answers the attempts of one request.
---@param path string
---@param request panto.Request
---@param steps table|function? what the file would return, when there is none
---@return { request: fun(): panto.HttpResponse? }
function script_play.new(path, request, steps)
  local attempt = 0
  path = fs.expand(path, fs.cwd())
  return {
    request = function()
      local step, message, number = choose(path, request, steps)
      if not step then
        return refuse({ status = 400, message = message, code = "invalid_request" })
      end
      attempt = attempt + 1
      if step.fail and step.fail[attempt] then
        return refuse(step.fail[attempt])
      elseif step.wait_ms then
        task.sleep(step.wait_ms)
      end
      return play(step, number)
    end,
  }
end

return script_play
