-- The dialect `codex`: a user code asked for and polled as JSON, which brings an authorization code
-- and the verifier that the server made for it; those are traded for tokens.

local poll = require("panto.auth.poll")
local wire = require("panto.auth.wire")
local words = require("panto.auth.words")

local codex = {}

--- Asks for a code that a person can enter.
---@param section table the auth section
---@param net panto.auth.Wire
---@return panto.auth.Prompt?
---@return string? message
function codex.start(section, net)
  local url = section.device_code_url
  local fields = { client_id = section.client_id }
  local answer, network = net:send_patiently(wire.post(url, fields, "json"))
  if answer and answer.status == 404 then
    return nil, words.host(url) .. " offers no login by device code (404)"
  end
  fields = answer and answer.fields or {}
  local user_code = fields.user_code or fields.usercode
  if not fields.device_auth_id or not user_code then
    return nil, words.failure(answer, network, url)
  end
  local interval_s, expires_in_s = poll.pace(fields)
  return {
    url = section.verification_url or words.origin(url) .. "/codex/device",
    user_code = user_code,
    device_code = fields.device_auth_id,
    interval_s = interval_s,
    expires_in_s = expires_in_s,
  }
end

local function trade(section, net, grant, secrets)
  local url = section.token_url
  local answer, network = net:send_patiently(wire.post(url, {
    grant_type = "authorization_code",
    code = grant.authorization_code,
    redirect_uri = section.redirect_uri or words.origin(url) .. "/deviceauth/callback",
    client_id = section.client_id,
    client_secret = section.client_secret,
    code_verifier = grant.code_verifier,
  }, "form"))
  if answer and type(answer.fields.access_token) == "string" then
    return "done", answer.fields
  end
  return "fail", words.failure(answer, network, url, secrets)
end

--- Asks once whether the person has decided: a state of poll.run and its value.
---@param section table
---@param net panto.auth.Wire
---@param prompt panto.auth.Prompt
---@return string state
---@return any value the token fields, or a message
function codex.ask(section, net, prompt)
  local url = section.device_poll_url
  local answer, network = net:send(wire.post(url, {
    device_auth_id = prompt.device_code,
    user_code = prompt.user_code,
  }, "json"))
  if not answer or wire.is_hiccup(answer) then
    return "hiccup"
  elseif answer.status == 403 or answer.status == 404 then
    return "pending"
  end
  local grant = answer.fields
  local secrets = { prompt.device_code, grant.authorization_code, grant.code_verifier }
  if answer.status > 299 or type(grant.authorization_code) ~= "string" then
    return "fail", words.failure(answer, network, url, { prompt.device_code })
  end
  return trade(section, net, grant, secrets)
end

return codex
