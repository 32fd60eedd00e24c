-- A layer and the shapes of keys.lua into errors (wrong values) and warnings (unknown keys).

local keys = require("panto.config.keys")
local kinds = require("panto.config.kinds")
local locate = require("panto.config.locate")
local merge = require("panto.config.merge")
local report_of = require("panto.config.report")

local check = {}

local function below(path, key)
  local longer = { table.unpack(path) }
  longer[#longer + 1] = key
  return longer
end

local function check_value(report, layer, path, value, shape)
  local fits, allowed = kinds.check(value, shape)
  if not fits then
    local found = report_of.describe(value, shape.secret)
    local hint = shape.choices and report_of.hint(value, shape.choices) or ""
    report:add_error(layer, path, ("must %s, found %s%s"):format(allowed, found, hint))
  end
end

-- `[providers.my.local]` is a table in a table: the name wanted quotes.
local function quote_hint(path)
  local whole = { table.unpack(path, 1, #path - 2) }
  whole[#whole + 1] = table.concat({ path[#path - 1], path[#path] }, ".")
  return ("; a name with a dot needs quotes: [%s]"):format(locate.encode(whole))
end

local function warn_unknown(report, layer, path, value, shape)
  local known = merge.keys(shape.fields)
  local hint = report_of.hint(path[#path], known)
  if hint == "" then
    hint = "; known here: " .. table.concat(known, ", ")
  end
  if merge.is_table(value) and #path > 2 then
    hint = quote_hint(path)
  end
  report:add_warning(layer, path, "is not a known key and is ignored" .. hint)
end

local function walk(report, layer, path, value, shape)
  if shape.gone then
    report:add_error(layer, path, shape.gone)
  elseif shape.kind then
    check_value(report, layer, path, value, shape)
  elseif not merge.is_table(value) then
    local found = report_of.describe(value, true)
    local text = "must be a table of keys, found " .. found
    report:add_error(layer, path, text .. (shape.note and ": " .. shape.note or ""))
  else
    for _, key in ipairs(merge.keys(value)) do
      local inner = shape.fields and shape.fields[key] or shape.each
      local fits, problem = true, nil
      if shape.names then
        fits, problem = shape.names(key)
      end
      if not fits then
        report:add_error(layer, below(path, key), "is no key: " .. problem)
      elseif inner then
        walk(report, layer, below(path, key), value[key], inner)
      elseif not shape.open then
        warn_unknown(report, layer, below(path, key), value[key], shape)
      end
    end
  end
end

--- Checks one layer of config.toml by itself: the kinds of its values and unknown keys.
---@param report panto.config.Report
---@param layer panto.config.Layer
function check.config(report, layer)
  walk(report, layer, {}, layer.data, keys.CONFIG)
end

--- Checks models.toml by itself: the kinds of its values and unknown keys.
---@param report panto.config.Report
---@param layer panto.config.Layer
function check.models(report, layer)
  walk(report, layer, {}, layer.data, keys.MODELS)
end

return check
