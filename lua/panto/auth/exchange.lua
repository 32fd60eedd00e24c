-- An access token into the short-lived token that the model API takes, with its expiry and address.

local expiry = require("panto.auth.expiry")
local json_path = require("panto.auth.json_path")
local jwt = require("panto.auth.jwt")
local words = require("panto.auth.words")

local UNKNOWN_LIFE_S = 900

---@class panto.auth.Exchanged
---@field token string
---@field expires_at integer seconds since 1970
---@field base_url string? where models are asked with it

local exchange = {}

local MENDS = {
  [401] = "the login is not accepted any more, so log in again: %s",
  [403] = "this account has no access: does it have a seat or a plan for it?",
  [404] = "it knows no such token, which happens when another client_id made it: check client_id, "
    .. "then %s",
}

local function request_of(section, access_token)
  local headers = { accept = "application/json", authorization = "Bearer " .. access_token }
  for name, value in pairs(section.exchange_headers or {}) do
    headers[name:lower()] = value
  end
  local method = section.exchange_method or "GET"
  return {
    method = method:upper(),
    url = section.exchange_url,
    headers = headers,
  }
end

local function refuse(section, name, answer, network, secrets)
  local text = words.failure(answer, network, section.exchange_url, secrets)
  local mend = answer and MENDS[answer.status]
  if mend then
    text = text .. ": " .. mend:format(words.login(name))
  end
  return nil, ("the token exchange of '%s' failed: %s"):format(name, text), answer and answer.status
end

--- Exchanges an access token.
---@param section table the auth section
---@param name string of the session
---@param net panto.auth.Wire
---@param access_token string
---@return panto.auth.Exchanged?
---@return string? message
---@return integer? status of the refusal; nil when the network failed
function exchange.run(section, name, net, access_token)
  local answer, network = net:send_patiently(request_of(section, access_token))
  if not answer or answer.status < 200 or answer.status > 299 then
    return refuse(section, name, answer, network, { access_token })
  end
  local path = section.exchange_token_path or "token"
  local token = json_path.get_text(answer.fields, path)
  if not token then
    local text = "the token exchange of '%s' gave no token at %q: check exchange_token_path"
    return nil, text:format(name, path), answer.status
  end
  local now_s = net:now_s()
  local expires = section.exchange_expires_path
    and expiry.parse(json_path.get(answer.fields, section.exchange_expires_path), now_s)
  local base_path = section.exchange_base_url_path
  local base_url = base_path and json_path.get_text(answer.fields, base_path)
  if base_url and not base_url:find("^https?://[^/%s%c]+[^%s%c]*$") then
    return nil, ("the token exchange of '%s' named no http address at %q"):format(name, base_path)
  end
  return {
    token = token,
    expires_at = expires or jwt.expires_at(token) or now_s + UNKNOWN_LIFE_S,
    base_url = base_url and base_url:gsub("/+$", "") or nil,
  }
end

return exchange
