-- Turns what servers and the network say when they fail into one kind and one line without secrets.

local fields = require("panto.provider.fields")
local json = require("panto.base.json")

local errors = {}

local object = fields.object

---@class panto.ProviderError
---@field kind panto.ErrorKind
---@field message string what the other side said, in one line
---@field status integer?
---@field retry boolean? false: no second try, whatever the kind says
---@field advice "trust"|"send"? surer than the kind: a certificate, a request that cannot be sent

local MAX_MESSAGE = 500
local MAX_READ = 65536 -- of a text whose excerpt is wanted

-- Looked for in the error's codes, then in its text; the first that is found decides.
local SIGNS = {
  {
    "overflow",
    "context_length_exceeded",
    "exceed_context_size_error",
    "maximum context length",
    "prompt is too long",
    "context size",
    "context window",
    "context length",
    "input is too long",
    "reduce the length of the messages",
    "reduce your message size",
    "too many input tokens",
    "exceeds the maximum number of tokens",
    "exceed context limit",
    "request_too_large",
    "maximum prompt length",
    "model_max_prompt_tokens_exceeded",
    "too many tokens: total",
  },
  {
    "quota",
    "insufficient_quota",
    "insufficient_balance",
    "insufficient balance",
    "insufficient credits",
    "credit balance is too low",
    "billing_hard_limit",
    "billing_not_active",
    "billing limit",
    "billing_error",
    "specified api usage limits",
    "requires more credits",
    "quota_exceeded",
    "usage_limit_reached",
    "used all available credits",
    "exceeded_current_quota",
  },
  { "auth", "invalid_api_key", "authentication_error", "permission_error", "incorrect api key" },
  { "overloaded", "overloaded", "at capacity", "service unavailable", "unavailable_error" },
  { "rate_limit", "rate_limit", "rate limit", "too many requests", "resource_exhausted" },
  { "not_found", "model_not_found", "not_found_error", "model_not_available" },
  { "bad_request", "invalid_request", "invalid_prompt", "tool_use_failed", "content_policy" },
  {
    "server",
    "server_error",
    "internal_error",
    "internal error",
    "api_error",
    "internal server error",
  },
  { "timeout", "timeout_error" },
}

local BY_STATUS = {
  [400] = "bad_request",
  [401] = "auth",
  [402] = "quota",
  [403] = "auth",
  [404] = "not_found",
  [408] = "timeout",
  [409] = "server",
  [413] = "overflow",
  [425] = "server",
  [429] = "rate_limit",
  [503] = "overloaded",
  [529] = "overloaded",
}

local FAILURE_KINDS = { timeout = "timeout", invalid = "bad_request", unreadable = "invalid" }

local function text_of(value)
  if type(value) == "string" and value ~= "" then
    return value
  end
  return math.type(value) == "integer" and tostring(value) or nil
end

--- Cuts a text to one line of at most 500 bytes, without markup.
---@param text string
---@return string
function errors.excerpt(text)
  text = text:sub(1, MAX_READ)
  if text:find("^%s*<") then
    text = text:gsub("<[sS][tT][yY][lL][eE].-</[sS][tT][yY][lL][eE]>", " ")
    text = text:gsub("<[sS][cC][rR][iI][pP][tT].-</[sS][cC][rR][iI][pP][tT]>", " ")
    text = text:gsub("<[^>]*>", " ")
  end
  text = text:gsub("[%c%s]+", " "):match("^ ?(.-) ?$")
  if #text > MAX_MESSAGE then
    text = text:sub(1, MAX_MESSAGE):gsub("[\x80-\xBF]*$", ""):gsub("[\xC0-\xFF]$", "") .. "…"
  end
  return text ~= "" and text or "empty answer"
end

local function kind_by_sign(text)
  text = text:lower()
  for _, signs in ipairs(SIGNS) do
    for index = 2, #signs do
      if text:find(signs[index], 1, true) then
        return signs[1]
      end
    end
  end
  return nil
end

local function kind_by_status(status)
  if not status or status < 400 then
    return nil
  end
  return BY_STATUS[status] or (status >= 500 and "server" or "bad_request")
end

-- The status is surer than words, but a full window and a spent budget hide behind any.
local function classify(status, codes, message)
  local by_code = codes ~= "" and kind_by_sign(codes) or nil
  if by_code == "overflow" or by_code == "quota" then
    return by_code
  end
  local by_text = kind_by_sign(message)
  local by_status = kind_by_status(status)
  if by_text == "overflow" and by_status ~= "auth" and by_status ~= "server" then
    return by_text
  elseif by_text == "quota" then
    return by_text
  end
  return by_status or by_code or by_text or "server"
end

-- The places where servers put the words of an error, the most exact one first.
local function find_message(err, outer)
  local metadata = object(err.metadata)
  local message = text_of(err.message)
    or text_of(err.detail)
    or text_of(err.msg)
    or text_of(outer.message)
    or text_of(outer.detail)
  local raw = metadata and text_of(metadata.raw)
  if raw then
    message = message and message .. ": " .. raw or raw
  end
  return message or json.encode(err)
end

--- Reads an error object (or the object around it) of any known shape.
---@param value table
---@param status integer? the HTTP status, when it is not in the object
---@return panto.ProviderError
function errors.parse(value, status)
  local err = object(value.error) or { message = text_of(value.error) }
  if next(err) == nil then
    err = value
  end
  local codes = { text_of(err.code) or "", text_of(err.type) or "", text_of(err.status) or "" }
  status = status
    or math.tointeger(tonumber(text_of(err.code)))
    or math.tointeger(tonumber(text_of(err.status_code)))
  local message = find_message(err, value)
  return {
    kind = classify(status, table.concat(codes, " "), message),
    message = errors.excerpt(message),
    status = status,
  }
end

--- Reads an error answer that may be JSON, HTML or plain text.
---@param text string
---@param status integer?
---@return panto.ProviderError
function errors.parse_text(text, status)
  local value = fields.answer(text)
  if value then
    return errors.parse(value, status)
  end
  local message = errors.excerpt(text)
  local kind = status and classify(status, "", message) or "invalid"
  return { kind = kind, message = message, status = status }
end

--- Turns an event whose data is no JSON into what is wrong: a server's words, or unreadable.
---@param event panto.sse.Event
---@return panto.ProviderError
function errors.parse_event(event)
  if event.event == "error" then
    return errors.parse_text(event.data)
  end
  return { kind = "invalid", message = errors.excerpt(event.data) }
end

--- Turns a failure of sys/http into an error.
---@param failure { kind: string, message: string }
---@return panto.ProviderError
function errors.parse_failure(failure)
  local message = errors.excerpt(failure.message or failure.kind or "")
  local err = { kind = FAILURE_KINDS[failure.kind] or "transport", message = message }
  local is_distrust = failure.kind == "tls" and message:lower():find("certificate", 1, true)
  if failure.kind == "invalid" or is_distrust then
    err.retry = false
    err.advice = is_distrust and "trust" or "send"
  end
  return err
end

-- A text that was shortened may end in the first half of a secret.
local function redact_end(text, secret)
  local body = text:match("^(.*)…$")
  for size = #secret - 1, 4, -1 do
    if body and body:sub(-size) == secret:sub(1, size) then
      return body:sub(1, -size - 1) .. "[secret]…"
    end
  end
  return text
end

--- Replaces every secret in a text.
---@param text string
---@param secrets string[]
---@return string
function errors.redact(text, secrets)
  for _, secret in ipairs(secrets) do
    if #secret >= 4 then
      local from, to = text:find(secret, 1, true)
      while from do
        text = text:sub(1, from - 1) .. "[secret]" .. text:sub(to + 1)
        from, to = text:find(secret, from + 8, true)
      end
      text = redact_end(text, secret)
    end
  end
  return text
end

return errors
