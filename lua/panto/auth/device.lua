-- The dialect `token`: the device authorization grant of RFC 8628, as servers really speak it.

local poll = require("panto.auth.poll")
local wire = require("panto.auth.wire")
local words = require("panto.auth.words")

local GRANT = "urn:ietf:params:oauth:grant-type:device_code"

---@class panto.auth.Prompt
---@field url string where the person goes
---@field url_complete string? the same with the code in it
---@field user_code string what the person enters
---@field interval_s number
---@field expires_in_s number
---@field device_code string? secret: what is polled with

local device = {}

local function format_of(section)
  return section.token_request_format or "form"
end

--- Asks for a code that a person can enter.
---@param section table the auth section
---@param net panto.auth.Wire
---@return panto.auth.Prompt?
---@return string? message
function device.start(section, net)
  local url = section.device_code_url
  local answer, network = net:send_patiently(wire.post(url, {
    client_id = section.client_id,
    client_secret = section.client_secret,
    scope = section.scope ~= "" and section.scope or nil,
  }, format_of(section)))
  local fields = answer and answer.fields or {}
  if not answer or not fields.device_code or not fields.user_code then
    return nil, words.failure(answer, network, url)
  end
  local interval_s, expires_in_s = poll.pace(fields)
  return {
    url = fields.verification_uri or fields.verification_url or section.verification_url,
    url_complete = fields.verification_uri_complete or fields.verification_url_complete,
    user_code = fields.user_code,
    device_code = fields.device_code,
    interval_s = interval_s,
    expires_in_s = expires_in_s,
  }
end

local ENDS = {
  expired_token = "the code has expired before it was entered",
  access_denied = "the login was denied",
}

--- Asks once whether the person has decided: a state of poll.run and its value.
---@param section table
---@param net panto.auth.Wire
---@param prompt panto.auth.Prompt
---@return string state
---@return any value the token fields, a message, or a new interval
function device.ask(section, net, prompt)
  local url = section.token_url
  local answer, network = net:send(wire.post(url, {
    grant_type = GRANT,
    device_code = prompt.device_code,
    client_id = section.client_id,
    client_secret = section.client_secret,
  }, format_of(section)))
  if not answer then
    return "hiccup"
  end
  -- Some servers send their errors with status 200: only the fields tell.
  local code = words.code(answer)
  if code == "authorization_pending" then
    return "pending"
  elseif code == "slow_down" then
    return "slow_down", answer.fields.interval
  elseif ENDS[code] then
    return "fail", ENDS[code]
  elseif type(answer.fields.access_token) == "string" and not code then
    return "done", answer.fields
  elseif wire.is_hiccup(answer) then
    return "hiccup"
  end
  return "fail", words.failure(answer, network, url, { prompt.device_code })
end

return device
