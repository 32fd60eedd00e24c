-- The name of an auth section into the token that a request carries, or what the user must do.

local nearest = require("panto.base.nearest")

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
  if session.key == "" then
    local variables = session.variables or {}
    local mend = #variables > 0 and "export " .. table.concat(variables, " and ")
      or ("auth.%s.key is empty"):format(auth_name)
    return nil, ("'%s' has no key: %s"):format(auth_name, mend)
  elseif session.key:find("[%c\x80-\xff]") then
    local text = "the key of '%s' has a line break or a character that no key has: copy it anew"
    return nil, text:format(auth_name)
  end
  return { token = session.key }
end

--- Resolves the credential of an auth session; called before each turn.
---@param config panto.Config
---@param auth_name string
---@return { token: string }?
---@return string? message
function resolve.credential(config, auth_name)
  local session = config.auth[auth_name]
  if not session then
    return nil, unknown(config, auth_name)
  elseif session.type == "api_key" then
    return api_key(auth_name, session)
  end
  -- The device flow's token store answers here once it is built.
  return nil, ("'%s' is not logged in (run: panto auth login %s)"):format(auth_name, auth_name)
end

--- Tells the state of an auth session in the words of `panto auth status`.
---@param config panto.Config
---@param auth_name string
---@return string
function resolve.status(config, auth_name)
  local session = config.auth[auth_name]
  if not session then
    return unknown(config, auth_name)
  elseif session.type == "oauth_device" then
    return ("not logged in (run: panto auth login %s)"):format(auth_name)
  end
  return session.key ~= "" and "resolved" or "unresolved (key/env missing)"
end

return resolve
