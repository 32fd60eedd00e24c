-- A refresh token into the next record, or into the news that it is dead.

local tokens = require("panto.auth.tokens")
local wire = require("panto.auth.wire")
local words = require("panto.auth.words")

local refresh = {}

-- After these no later try can succeed: only a new login helps.
local FINAL = {
  invalid_grant = true,
  refresh_token_expired = true,
  refresh_token_reused = true,
  refresh_token_invalidated = true,
}

local function format_of(section)
  return section.token_request_format or (section.dialect == "codex" and "json" or "form")
end

local function is_grant(answer, code)
  local fields = answer.fields
  return answer.status >= 200
    and answer.status <= 299
    and not code
    and (type(fields.access_token) == "string" or type(fields.refresh_token) == "string")
end

--- Refreshes a record once; call it with the store locked, and write what comes back at once.
---@param section table the auth section
---@param name string of the session
---@param net panto.auth.Wire
---@param record panto.auth.Record
---@return panto.auth.Record?
---@return string? message
---@return boolean? is_final only a new login can help
function refresh.run(section, name, net, record)
  local url = section.token_url
  local answer, network = net:send_patiently(wire.post(url, {
    grant_type = "refresh_token",
    refresh_token = record.refresh_token,
    client_id = section.client_id,
    client_secret = section.client_secret,
  }, format_of(section)))
  local code = answer and words.code(answer)
  if answer and is_grant(answer, code) then
    local fresh = tokens.build(section, answer.fields, net:now_s(), record)
    if fresh.account_id ~= record.account_id and record.account_id then
      return nil, ("'%s' came back as another account"):format(name), true
    end
    return fresh
  end
  local secrets = { record.refresh_token, record.access_token }
  local text = words.failure(answer, network, url, secrets)
  local is_final = FINAL[code] or answer ~= nil and answer.status == 401
  return nil, ("the login of '%s' cannot be renewed: %s"):format(name, text), is_final
end

return refresh
