-- The name of an auth section into the credential that a request carries, or what the user must do.

local env = require("panto.sys.env")
local login = require("panto.auth.login")
local nearest = require("panto.base.nearest")
local renew = require("panto.auth.renew")
local store = require("panto.auth.store")
local tokens = require("panto.auth.tokens")
local wire = require("panto.auth.wire")
local words = require("panto.auth.words")

--- Shows a login that a missing token needs; returns what is called when the wait for it is over.
---@alias panto.auth.ShowLogin fun(name: string, prompt: panto.auth.Prompt): fun()?

---@class panto.auth.Options
---@field show_login panto.auth.ShowLogin? without it a missing token is a message
---@field folder string? where auth.json is; data home when left out
---@field wire panto.auth.WireParts? stands in for network and clock
---@field refused string? the token that the API just refused: renewed even before it expires

local resolve = {}

local function unknown(config, auth_name)
  local names = {}
  for name in pairs(config.auth) do
    names[#names + 1] = name
  end
  table.sort(names)
  local near = nearest.find(auth_name, names, 1)[1]
  local hint = near and (' (did you mean "%s"?)'):format(near) or ""
  return ("there is no auth session '%s'%s"):format(auth_name, hint)
end

local function api_key(auth_name, session)
  local variables = session.variables or {}
  if session.key == "" then
    local mend = #variables > 0 and "export " .. table.concat(variables, " and ")
      or ("auth.%s.key is empty"):format(auth_name)
    return nil, ("'%s' has no key: %s"):format(auth_name, mend)
  elseif session.key:find("[%c\x80-\xff]") then
    local text = "the key of '%s' has a line break or a character that no key has: copy it anew"
    return nil, text:format(auth_name)
  end
  return { token = session.key, variable = variables[1] }
end

--- Returns what the steps of an oauth_device session work on.
---@param config panto.Config
---@param auth_name string
---@param options panto.auth.Options?
---@return panto.auth.Access
function resolve.access(config, auth_name, options)
  options = options or {}
  return {
    name = auth_name,
    section = config.auth[auth_name],
    store = store.new(options.folder or env.path("data_home")),
    wire = wire.new(options.wire),
    refused = options.refused,
  }
end

local function log_in(access, show_login)
  local take_back
  local guard <close> = setmetatable({}, {
    __close = function()
      if take_back then
        take_back()
      end
    end,
  })
  local record, message = login.run(access, function(prompt)
    take_back = show_login(access.name, prompt)
  end)
  return record, message, guard and nil
end

local function credential_of(access, record)
  local exchanged = access.section.exchange_url and record.exchange or nil
  return {
    token = exchanged and exchanged.token or record.access_token,
    scheme = "bearer",
    base_url = exchanged and exchanged.base_url,
    headers = record.account_id and { ["chatgpt-account-id"] = record.account_id } or nil,
  }
end

local function oauth_device(access, options)
  local record, message, needs_login = renew.run(access)
  if needs_login and options.show_login then
    record, message = log_in(access, options.show_login)
  end
  if not record then
    return nil, message
  end
  return credential_of(access, record)
end

--- Resolves the credential of an auth session, renewing it when that is due; called before each
--- request, in a task. Without a name nothing is needed.
---@param config panto.Config
---@param auth_name string?
---@param options panto.auth.Options?
---@return panto.Credential?
---@return string? message
function resolve.credential(config, auth_name, options)
  if not auth_name then
    return {}
  end
  local session = config.auth[auth_name]
  if not session then
    return nil, unknown(config, auth_name)
  elseif session.type == "api_key" then
    return api_key(auth_name, session)
  end
  return oauth_device(resolve.access(config, auth_name, options), options or {})
end

local function device_status(access)
  local record = access.store:get(access.name)
  local missing = ("not logged in (run: %s)"):format(words.login(access.name))
  if not record or not tokens.belongs(access.section, record) then
    return missing
  elseif not record.expires_at then
    return "logged in (access does not expire)"
  end
  local left_s = record.expires_at - access.wire:now_s()
  if left_s > 0 then
    return ("logged in (access expires in ~%dm)"):format(left_s // 60)
  elseif record.refresh_token then
    return "logged in (access is renewed at the next turn)"
  end
  return missing
end

--- Tells the state of an auth session in the words of `panto auth status`.
---@param config panto.Config
---@param auth_name string
---@param options panto.auth.Options?
---@return string
function resolve.status(config, auth_name, options)
  local session = config.auth[auth_name]
  if not session then
    return unknown(config, auth_name)
  elseif session.type == "oauth_device" then
    return device_status(resolve.access(config, auth_name, options))
  end
  return session.key ~= "" and "resolved" or "unresolved (key/env missing)"
end

return resolve
