-- Turns an error into the line a person reads: what happened, where, and what to do.

local advice = {}

---@class panto.ErrorPlace
---@field provider string the provider's name
---@field model string the wire name of the model
---@field url string
---@field auth string? the name of the [auth.…] table
---@field variable string? the environment variable that holds the key
---@field login string? the name of a device login
---@field idle_timeout_ms integer

-- Each: what happened, and what to do. Braces are filled from the place.
local LINES = {
  auth = { "bad key", "check {key}" },
  quota = { "quota exhausted", "check the plan and billing of this account" },
  rate_limit = { "too many requests", "wait a little or choose another model" },
  overloaded = { "overloaded", "try again later or choose another model" },
  overflow = { "the conversation is too long for {model}", "/compact it or start a new one" },
  bad_request = { "request refused", "check {model} in models.toml" },
  not_found = { "not found", "check base_url and the model name {model}" },
  server = { "server error", "try again later" },
  transport = { "cannot reach {url}", "check base_url, the network and the proxy" },
  timeout = { "no answer in time", "try again, or raise idle_timeout_s under [retry]" },
  cut = { "the answer was cut off", "send again" },
  invalid = { "unreadable answer", "check base_url and style of [providers.{provider}]" },
  aborted = { "aborted", "send again" },
  trust = { "cannot trust {url}", "name its authority's certificate in SSL_CERT_FILE" },
  send = { "cannot send the request", "check base_url, extra_headers and the proxy variables" },
}

local SPECIAL = {
  [403] = { "not allowed", "check what {key} may use, and {model}" },
  [402] = { "payment needed", "check the plan and billing of this account" },
}

local LOGIN = { "login refused", "log in again: panto auth login {auth}" }

local function line_of(err, place)
  local special = err.kind == "auth" or err.kind == "quota"
  if special and SPECIAL[err.status] then
    return SPECIAL[err.status]
  end
  if err.kind == "auth" and place.login then
    return LOGIN
  end
  return LINES[err.advice] or LINES[err.kind] or LINES.server
end

local function fill(text, place)
  local key = place.variable or ("the key of [auth.%s]"):format(place.auth or place.provider)
  local values = {
    key = key,
    model = place.model,
    url = place.url,
    provider = place.provider,
    auth = place.auth or place.provider,
  }
  return (text:gsub("{(%a+)}", values))
end

--- Says in one short line what happened, for a notice while it is tried again.
---@param err panto.ProviderError
---@param place panto.ErrorPlace
---@return string
function advice.short(err, place)
  local line = line_of(err, place)
  local status = err.status and err.status .. " " or ""
  local what = fill(line[1], place)
  return ("%s: %s%s (%s)"):format(place.provider, status, what, err.message)
end

--- Says what happened, where, and what to do.
---@param err panto.ProviderError
---@param place panto.ErrorPlace
---@return string
function advice.full(err, place)
  local line = line_of(err, place)
  return advice.short(err, place) .. ": " .. fill(line[2], place)
end

return advice
