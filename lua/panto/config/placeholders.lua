-- The `${…}` in a layer's texts into warnings: what is none and stays, what leads back to itself.

local merge = require("panto.config.merge")

local placeholders = {}

local PATTERN = "^%${([%w_:.-]+)}"

-- The siblings that a text names, and whether it holds a "${" that is no placeholder.
local function read(text)
  local names, is_malformed = {}, false
  local at = text:find("${", 1, true)
  while at do
    local inside = text:match(PATTERN, at)
    if not inside or inside:find(":", 1, true) and not inside:find("^env:[%w_]+$") then
      is_malformed = true
    elseif not inside:find(":", 1, true) then
      names[#names + 1] = inside
    end
    at = text:find("${", at + 2, true)
  end
  return names, is_malformed
end

local function leads_to(section, text, key, seen)
  for _, name in ipairs((read(text))) do
    if name == key then
      return true
    elseif not seen[name] and type(section[name]) == "string" then
      seen[name] = true
      if leads_to(section, section[name], key, seen) then
        return true
      end
    end
  end
  return false
end

local function check_text(report, layer, path, text, section)
  local _, is_malformed = read(text)
  if is_malformed then
    local words = 'has a "${" that is neither ${env:NAME} nor ${key}: it stays as it is'
    report:add_warning(layer, path, words)
  end
  if section and leads_to(section, text, path[3], {}) then
    report:add_warning(layer, path, "refers to itself, which gives nothing there")
  end
end

local function check_section(report, layer, group, name, section)
  for _, key in ipairs(merge.keys(section)) do
    local value = section[key]
    if type(value) == "string" then
      check_text(report, layer, { group, name, key }, value, section)
    elseif merge.is_table(value) then
      for inner, text in pairs(value) do
        if type(text) == "string" then
          check_text(report, layer, { group, name, key, inner }, text)
        end
      end
    end
  end
end

--- Checks the placeholders of one layer of config.toml, where they are expanded.
---@param report panto.config.Report
---@param layer panto.config.Layer
function placeholders.check(report, layer)
  for _, group in ipairs({ "providers", "auth" }) do
    local sections = merge.is_table(layer.data[group]) and layer.data[group] or {}
    for name, section in pairs(sections) do
      if merge.is_table(section) then
        check_section(report, layer, group, name, section)
      end
    end
  end
end

return placeholders
