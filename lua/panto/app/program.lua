-- The running program itself: how the user calls it, and the words that start it once more.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")

local program = {}

-- The script beside the Python that runs panto, as pip puts it there.
local function script()
  return fs.join(env.path("python"):match("^(.*)/") or "", "panto")
end

local function is_in_path()
  for folder in (env.get("PATH") or ""):gmatch("[^:]+") do
    if fs.exists(fs.join(folder, "panto")) then
      return true
    end
  end
  return false
end

--- Returns what the user types to start panto: its name where PATH knows it, else its path.
---@return string
function program.name()
  local path = script()
  if is_in_path() or not fs.exists(path) then
    return "panto"
  end
  local here = fs.cwd() .. "/"
  return path:sub(1, #here) == here and path:sub(#here + 1) or path
end

--- Puts that in place of the name in each "`panto`" and "`panto …`" of a text.
---@param text string
---@return string
function program.named(text)
  if not text:find("`panto[ `]") then
    return text
  end
  local name = program.name():gsub("%%", "%%%%")
  return (text:gsub("`panto([ `])", "`" .. name .. "%1"))
end

--- Returns what starts this panto once more, with these words.
---@param ... string
---@return { file: string, args: string[] }
function program.start(...)
  return { file = env.path("python"), args = { "-P", "-m", "panto_host", ... } }
end

return program
