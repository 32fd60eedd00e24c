-- A JSON Web Token into its claims. Nothing is verified: they came from the server over TLS, and
-- only tell when to renew and which account to name.

local base64 = require("panto.base.base64")
local json = require("panto.base.json")

local jwt = {}

--- Returns the claims of a token; nil when it is no JWT.
---@param token any
---@return table<string, any>?
function jwt.claims(token)
  local payload = type(token) == "string" and token:match("^[%w_-]+%.([%w_-]+)%.[%w_-]*$")
  local text = payload and base64.decode(payload)
  local claims = text and json.decode(text)
  local is_object = type(claims) == "table" and claims ~= json.null and not json.is_array(claims)
  return is_object and claims or nil
end

--- Returns when a token expires, in seconds since 1970; nil when it does not say.
---@param token any
---@return integer?
function jwt.expires_at(token)
  local claims = jwt.claims(token)
  local exp = claims and claims.exp
  return type(exp) == "number" and exp > 0 and exp < 1e12 and exp // 1 | 0 or nil
end

return jwt
