-- An allow and deny list of globs and a dotted name into yes or no.

local glob = require("panto.base.glob")

---@class panto.Policy
---@field allow string[]? empty or missing: everything
---@field deny string[]?

local policy = {}

local function matches(patterns, name)
  for _, pattern in ipairs(patterns or {}) do
    if glob.match(pattern, name) then
      return true
    end
  end
  return false
end

--- Tells whether a policy permits a name: an allow glob (or none is given) and no deny glob
--- matches it.
---@param rules panto.Policy?
---@param name string such as "std.read"
---@return boolean
function policy.allows(rules, name)
  if not rules then
    return true
  end
  local allowed = #(rules.allow or {}) == 0 or matches(rules.allow, name)
  return allowed and not matches(rules.deny, name)
end

return policy
