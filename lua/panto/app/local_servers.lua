-- The usual loopback ports of local model servers into the servers that run, with their models.

local env = require("panto.sys.env")
local http = require("panto.sys.http")
local json = require("panto.base.json")
local task = require("panto.sys.task")

local local_servers = {}

local CONNECT_MS, ANSWER_MS = 500, 3000
local CONTEXT_FIELDS = { "n_ctx", "max_model_len", "max_context_length", "context_length" }

---@class panto.LocalModel
---@field id string the name on the wire
---@field context_window integer? tokens, when the server says so

---@class panto.LocalServer
---@field name string
---@field url string its base_url
---@field models panto.LocalModel[]

--- Returns where local servers usually are, in the order of asking.
---@return { name: string, url: string }[]
function local_servers.places()
  local ollama = env.get("OLLAMA_HOST")
  local place = ollama and ollama:gsub("^https?://", ""):gsub("/+$", "") or "127.0.0.1:11434"
  place = place:find(":%d+$") and place or place .. ":11434"
  return {
    { name = "Ollama", url = "http://" .. place:gsub("^0%.0%.0%.0", "127.0.0.1") .. "/v1" },
    { name = "LM Studio", url = "http://127.0.0.1:1234/v1" },
    { name = "llama.cpp", url = "http://127.0.0.1:8080/v1" },
  }
end

local function context_of(entry)
  local meta = type(entry.meta) == "table" and entry.meta or {}
  for _, field in ipairs(CONTEXT_FIELDS) do
    local size = math.tointeger(entry[field]) or math.tointeger(meta[field])
    if size and size > 0 then
      return size
    end
  end
end

local function read_models(text)
  local value = text and json.decode(text)
  if type(value) ~= "table" or type(value.data) ~= "table" then
    return nil
  end
  local models = {}
  for _, entry in ipairs(value.data) do
    local id = type(entry) == "table" and entry.id
    if type(id) == "string" and not id:lower():find("embed", 1, true) then
      models[#models + 1] = { id = id, context_window = context_of(entry) }
    end
  end
  return models
end

local function ask(place)
  local response, failure = http.request({
    url = place.url .. "/models",
    connect_timeout_ms = CONNECT_MS,
    idle_timeout_ms = ANSWER_MS,
  })
  if not response then
    return nil, failure.message
  elseif response.status ~= 200 then
    response:close()
    return nil, ("%s answered %d"):format(place.url, response.status)
  end
  local models = read_models(response:read_all(1024 * 1024))
  if not models then
    return nil, place.url .. " is no model server: its /models is not a list"
  end
  return { name = place.name, url = place.url, models = models }
end

--- Asks one server for its models, in a task.
---@param url string its base_url, with or without /v1
---@return panto.LocalServer?
---@return string? message
function local_servers.ask(url)
  url = url:gsub("/+$", "")
  url = url:find("/v%d+$") and url or url .. "/v1"
  return ask({ name = "the server", url = url })
end

--- Asks at all usual places at once, in a task; returns the servers that answer.
---@return panto.LocalServer[]
function local_servers.find()
  local places, asked = local_servers.places(), {}
  for i, place in ipairs(places) do
    asked[i] = function()
      return (ask(place)) or false
    end
  end
  local found = {}
  for _, server in ipairs(task.all(asked)) do
    found[#found + 1] = server or nil
  end
  return found
end

return local_servers
