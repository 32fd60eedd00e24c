-- A token endpoint's answer into the record that is stored.

local expiry = require("panto.auth.expiry")
local json_path = require("panto.auth.json_path")
local jwt = require("panto.auth.jwt")

local tokens = {}

local function text(value)
  return type(value) == "string" and value ~= "" and value or nil
end

local function account_id(section, fields)
  local path = section.account_id_jwt_claim
  if not path or path == "" then
    return nil
  end
  for _, name in ipairs({ "id_token", "access_token" }) do
    local found = json_path.get_text(jwt.claims(fields[name]), path)
    if found then
      return found
    end
  end
end

local function expires_at(fields, now_s)
  local seconds = expiry.seconds(fields.expires_in)
  if seconds then
    return math.floor(now_s + seconds)
  end
  return jwt.expires_at(fields.access_token)
end

--- Builds a record of an answer; what the answer leaves out is kept from the old record.
---@param section table the auth section
---@param fields table<string, any> of the answer
---@param now_s integer
---@param old panto.auth.Record?
---@return panto.auth.Record? record nil when there is no access token at all
function tokens.build(section, fields, now_s, old)
  old = old or {}
  local fresh = text(fields.access_token)
  local record = {
    access_token = fresh or old.access_token,
    refresh_token = text(fields.refresh_token) or old.refresh_token,
    account_id = account_id(section, fields) or old.account_id,
    client_id = section.client_id,
    token_url = section.token_url,
    exchange = old.exchange,
  }
  if fresh then
    record.expires_at = expires_at(fields, now_s)
  else
    record.expires_at = old.expires_at
  end
  return record.access_token and record or nil
end

--- Tells whether a record was made by the server and the client that the section names now.
---@param section table
---@param record panto.auth.Record
---@return boolean
function tokens.belongs(section, record)
  return record.client_id == section.client_id and record.token_url == section.token_url
end

return tokens
