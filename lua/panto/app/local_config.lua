-- A local server and one of its models into the user layer's config.toml and models.toml.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local toml = require("panto.sys.toml")
local toml_edit = require("panto.config.toml_edit")

local local_config = {}

--- Returns the name under which panto knows a model: one without a colon.
---@param id string
---@return string
function local_config.alias(id)
  return (id:gsub("[^%w._/-]", "-"))
end

local function config_edits(server, ref, is_default)
  local edits = {
    {
      path = { "providers", "local" },
      values = { { "style", "openai_chat" }, { "base_url", server.url }, { "auth", "local" } },
    },
    { path = { "auth", "local" }, values = { { "type", "api_key" }, { "key", "none" } } },
  }
  if is_default then
    edits[3] = { path = { "defaults" }, values = { { "model", ref } } }
  end
  return edits
end

local function model_edits(alias, model)
  local values = { { "model", model.id }, { "input", 0 }, { "output", 0 } }
  values[4], values[5] = { "cache_read", 0 }, { "cache_write", 0 }
  if model.context_window then
    table.insert(values, 2, { "context_window", model.context_window })
    table.insert(values, 3, { "max_tokens", math.max(1, model.context_window // 4) })
  else
    table.insert(values, 2, { "max_tokens", 4096 })
  end
  return { { path = { "local", alias }, values = values } }
end

local function edit(path, edits)
  local before, message, code = fs.read(path)
  if not before and code ~= "ENOENT" then
    return nil, message
  end
  local changed
  changed, message = toml_edit.set(before or "", edits, toml.decode)
  if changed then
    return fs.write(path, changed, { parents = true })
  end
  local text = "%s: %s. Write this into it yourself:\n\n%s"
  return nil, text:format(path, message, toml_edit.render(edits))
end

--- Writes both files; what else stands in them is kept.
---@param server panto.LocalServer
---@param model panto.LocalModel
---@param is_default boolean make it the default model
---@return string? ref "local:alias"
---@return string? message
function local_config.write(server, model, is_default)
  local alias = local_config.alias(model.id)
  local ref = "local:" .. alias
  local folder = env.path("config_home")
  local done, message = edit(fs.join(folder, "models.toml"), model_edits(alias, model))
  if done then
    done, message = edit(fs.join(folder, "config.toml"), config_edits(server, ref, is_default))
  end
  return done and ref, message
end

return local_config
