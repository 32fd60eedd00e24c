-- A request to an authorization server into its answer's status and fields; a network that fails or
-- a server that stumbles is tried again.

local clock = require("panto.sys.clock")
local form = require("panto.auth.form")
local http = require("panto.sys.http")
local json = require("panto.base.json")
local task = require("panto.sys.task")

local ANSWER_BYTES = 1024 * 1024
local CONNECT_TIMEOUT_MS = 15000
local IDLE_TIMEOUT_MS = 30000
local PAUSES_MS = { 500, 2000 }

---@class panto.auth.Answer
---@field status integer
---@field fields table<string, any> of the JSON object or the form; empty when it was neither

---@class panto.auth.WireParts
---@field request (fun(spec: panto.HttpRequest): panto.HttpResponse?, panto.HttpFailure?)? sends
---@field sleep fun(ms: number)? waits
---@field now_ms (fun(): integer)? the wall clock
---@field mono_ms (fun(): number)? a clock that never jumps

---@class panto.auth.Wire: panto.auth.WireParts
local Wire = {}
Wire.__index = Wire

local wire = {}

--- Makes a wire; what is left out is the real thing.
---@param parts panto.auth.WireParts?
---@return panto.auth.Wire
function wire.new(parts)
  parts = parts or {}
  return setmetatable({
    request = parts.request or http.request,
    sleep = parts.sleep or task.sleep,
    now_ms = parts.now_ms or clock.now_ms,
    mono_ms = parts.mono_ms or clock.mono_ms,
  }, Wire)
end

local function decode(text, content_type)
  local value = text:find("^%s*{") and json.decode(text)
  if type(value) == "table" then
    for key, field in pairs(value) do
      if field == json.null then
        value[key] = nil
      end
    end
    return value
  elseif content_type:find("form-urlencoded", 1, true) or text:find("^[%w_]+=[^%s<]*$") then
    return form.decode(text)
  end
  return {}
end

--- Sends a request once and reads the whole answer.
---@param spec panto.HttpRequest
---@return panto.auth.Answer?
---@return string? message of the network
function Wire:send(spec)
  spec.connect_timeout_ms = CONNECT_TIMEOUT_MS
  spec.idle_timeout_ms = IDLE_TIMEOUT_MS
  local response <close>, failure = self.request(spec)
  if not response then
    return nil, failure.message
  end
  local text
  text, failure = response:read_all(ANSWER_BYTES)
  if not text then
    return nil, failure.message
  end
  local fields = decode(text, response.headers["content-type"] or "")
  return { status = response.status, fields = fields }
end

--- Tells whether an answer says nothing about the request: the server stumbled or is busy.
---@param answer panto.auth.Answer?
---@return boolean
function wire.is_hiccup(answer)
  local status = answer and answer.status
  return not status or status >= 500 or status == 429 or status == 408
end

--- Sends a request, up to three times when the network fails or the server stumbles.
---@param spec panto.HttpRequest
---@return panto.auth.Answer?
---@return string? message of the network
function Wire:send_patiently(spec)
  local answer, message = self:send(spec)
  for _, pause_ms in ipairs(PAUSES_MS) do
    if not wire.is_hiccup(answer) then
      break
    end
    self.sleep(pause_ms)
    answer, message = self:send(spec)
  end
  return answer, message
end

--- Writes a POST of fields as a form or as JSON.
---@param url string
---@param fields table<string, string>
---@param format "form"|"json"
---@return panto.HttpRequest
function wire.post(url, fields, format)
  local is_json = format == "json"
  return {
    method = "POST",
    url = url,
    headers = {
      ["accept"] = "application/json",
      ["content-type"] = is_json and "application/json" or "application/x-www-form-urlencoded",
    },
    body = is_json and json.encode(fields) or form.encode(fields),
  }
end

--- Returns the present time in seconds since 1970.
---@return integer
function Wire:now_s()
  return self.now_ms() // 1000
end

return wire
