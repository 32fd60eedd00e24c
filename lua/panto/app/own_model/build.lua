-- llama.cpp's source archive into its server, by cmake and the compiler of this machine.

local cmake = require("panto.app.own_model.cmake")
local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local machine = require("panto.sys.machine")
local process = require("panto.sys.process")
local python = require("panto.app.own_model.python")
local settle = require("panto.app.own_model.settle")

local build = {}

local MEND = "%s, and panto compiles the server.\nInstall what is missing (Debian: apt install "
  .. "make g++; macOS: xcode-select --install)%s."
local LAST_BYTES, TOLD_BYTES = 8192, 300

local function runs(words, input)
  local done = process.run({
    file = words[1],
    args = { table.unpack(words, 2) },
    stdin = input,
  })
  return done ~= nil and done.code == 0
end

local function compiles()
  local words = {}
  for word in (env.get("CXX") or "c++"):gmatch("%S+") do
    words[#words + 1] = word
  end
  for word in ("-x c++ -c -o /dev/null -"):gmatch("%S+") do
    words[#words + 1] = word
  end
  return runs(words, "#include <string>\n")
end

--- Tells what is missing to compile anything, in a task.
---@return true?
---@return string? message
function build.check()
  if not runs({ "make", "--version" }) then
    return nil, MEND:format("there is no make here", "")
  elseif not compiles() then
    return nil, MEND:format("no C++ compiler works here", ", or set CXX")
  end
  return true
end

-- The whole source, or none: what was unpacked in part has another name.
local function unpack(pin, archive, folder)
  local source = fs.join(folder, "source")
  if fs.exists(source) then
    return source
  end
  local beside = source .. ".new"
  local done, message = python.remove(beside)
  if done then
    done, message = fs.mkdir(beside)
  end
  if done then
    done, message = python.unpack(archive, pin.server.root, beside)
  end
  if done then
    done, message = fs.rename(beside, source)
  end
  return done and source, message
end

-- The words of make's progress: "[ 42%] Building CXX object …".
local function show(progress, text)
  for share in text:gmatch("%[ *(%d+)%%%]") do
    progress:show(tonumber(share) / 100, "compiled")
  end
end

local function step(words, folder, log, progress)
  local child, message = process.spawn({
    file = words[1],
    args = { table.unpack(words, 2) },
    cwd = folder,
    merge = true,
    env = { CMAKE_GENERATOR = false, MAKEFLAGS = false, LC_ALL = "C" },
  })
  if not child then
    log.last = tostring(message)
    return nil
  end
  local guard <close> = setmetatable({}, {
    __close = function()
      if not child.code then
        child:kill("sigkill")
      end
      child:close()
    end,
  })
  for chunk in child.output do
    log.last = (log.last .. chunk):sub(-LAST_BYTES)
    log.file:write(chunk)
    show(progress, chunk)
  end
  return child:wait() == 0 and guard ~= nil
end

local function compile(pin, tool, folder, source, log, progress)
  local out = fs.join(folder, "out")
  local configure = { tool, "-S", source, "-B", out, "-G", "Unix Makefiles" }
  table.move(pin.server.configure, 1, #pin.server.configure, #configure + 1, configure)
  local done = step(configure, folder, log, progress)
  if done then
    local jobs = "-j" .. machine.processors()
    local words = { tool, "--build", out, "--target", pin.server.target, jobs }
    done = step(words, folder, log, progress)
  end
  return done and fs.join(out, pin.server.program) or nil
end

local function accept(program, pin)
  local done, message = process.run({ file = program, args = { "--version" } })
  if not done or done.code ~= 0 then
    return nil, "the server that was compiled does not run: " .. (message or done.stderr)
  end
  return settle.rename(program, pin.server_path)
end

local function explain(log, path)
  if log.last:lower():find("no space left on device", 1, true) then
    return "the disk became full while the server was compiled: free some space and say "
      .. "`panto local` again."
  end
  local words = log.last:match("[^\n]*rror:[^\n]*") or log.last:sub(-TOLD_BYTES)
  local text = "the server could not be compiled: %s\nThe whole text is in %s"
  return text:format(words:gsub("%s+", " "):match("^ ?(.-) ?$"), path)
end

local function attempt(pin, archive, folder, progress)
  local tool, message = cmake.find(pin, progress)
  local made = tool
  if tool then
    made, message = fs.mkdir(folder)
  end
  if not made then
    return nil, message
  end
  local source
  source, message = unpack(pin, archive, folder)
  if not source then
    return nil, message
  end
  local path = fs.join(pin.folder, "build.log")
  fs.remove(path)
  local file
  file, message = fs.append_open(path)
  if not file then
    return nil, message
  end
  local log = { file = file, last = "" }
  local program = compile(pin, tool, folder, source, log, progress)
  file:close()
  progress:clear()
  if not program then
    return nil, explain(log, path)
  end
  return accept(program, pin)
end

--- Compiles the server, in a task. One that was interrupted goes on where it stopped; if that
--- fails, it begins anew.
---@param pin panto.own_model.Pin
---@param archive string
---@param progress panto.own_model.Progress
---@return true?
---@return string? message
function build.run(pin, archive, progress)
  local folder = pin.server_path .. ".build"
  local is_continued = fs.exists(fs.join(folder, "out"))
  progress:say((is_continued and "going on compiling" or "compiling") .. " llama.cpp's server")
  local done, message = attempt(pin, archive, folder, progress)
  if not done and is_continued then
    progress:say("compiling it anew")
    python.remove(folder)
    done, message = attempt(pin, archive, folder, progress)
  end
  python.remove(folder, done and archive or nil)
  cmake.remove(pin)
  return done, message
end

return build
