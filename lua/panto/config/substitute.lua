-- `${env:NAME}` and `${sibling}` in a section's texts into their values; what is not set is "".

local template = require("panto.base.template")

local substitute = {}

---@class panto.config.Substituted
---@field values table the section with its texts expanded
---@field unset table<string, string[]> by key: variables that its text needs and that are empty

local function add_once(list, name)
  for _, known in ipairs(list) do
    if known == name then
      return
    end
  end
  list[#list + 1] = name
end

-- Expands one text; `open` are the siblings being expanded now, so that a ring ends as "".
local function expand(section, text, getenv, unset, open)
  return template.expand(text, function(kind, name)
    if kind == "env" then
      local value = getenv(name)
      if value == nil or value == "" then
        add_once(unset, name)
      end
      return value or ""
    end
    local sibling = section[name]
    if sibling == nil or type(sibling) == "table" or open[name] then
      return ""
    end
    open[name] = true
    local value = expand(section, tostring(sibling), getenv, unset, open)
    open[name] = nil
    return value
  end)
end

--- Expands every text of a section, and of the tables in it.
---@param section table
---@param getenv fun(name: string): string?
---@return panto.config.Substituted
function substitute.expand(section, getenv)
  local values, unset = {}, {}
  for key, value in pairs(section) do
    if type(value) == "string" then
      unset[key] = {}
      values[key] = expand(section, value, getenv, unset[key], { [key] = true })
    elseif type(value) == "table" then
      local inner = {}
      for name, text in pairs(value) do
        inner[name] = type(text) == "string" and expand(section, text, getenv, {}, {}) or text
      end
      values[key] = inner
    else
      values[key] = value
    end
  end
  return { values = values, unset = unset }
end

return substitute
