-- The prompts of earlier sessions, one JSON string a line in the state home.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local json = require("panto.base.json")

local prompt_history = {}

local LIMIT_BYTES = 512 * 1024
-- A longer prompt would push the others out of what is read.
local LONGEST_BYTES = 64 * 1024

local function file_path(name)
  return fs.join(env.path("state_home"), name or "history.jsonl")
end

--- Reads the newest prompts, oldest first; a broken line is skipped.
---@param name string? another file of the state home
---@return string[]
function prompt_history.read(name)
  local stat = fs.stat(file_path(name))
  if not stat then
    return {}
  end
  local offset = math.max(0, stat.size - LIMIT_BYTES)
  local entries = {}
  for line in (fs.read_range(file_path(name), offset, LIMIT_BYTES) or ""):gmatch("[^\n]+") do
    local entry = json.decode(line)
    if type(entry) == "string" then
      entries[#entries + 1] = entry
    end
  end
  return entries
end

--- Adds a prompt, unless it is huge; a state home that can't be written costs the history, not the prompt.
---@param text string
---@param name string? another file of the state home
function prompt_history.add(text, name)
  if #text > LONGEST_BYTES or not fs.mkdir(env.path("state_home"), 448) then
    return
  end
  local file = fs.append_open(file_path(name))
  if file then
    file:write(json.encode(text) .. "\n")
    file:close()
  end
end

return prompt_history
