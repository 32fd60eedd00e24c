-- Installs with luarocks what the configuration asks for and the tree lacks, nothing else.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local process = require("panto.sys.process")
local rocks = require("panto.app.rocks")

local update = {}

local CALL = 'arg[0] = "luarocks"; require("luarocks.cmd").run_command("install", %q%s)'

local function log_path()
  return fs.join(env.path("data_home"), "cache/rocks-update.log")
end

-- The lock of a bootstrap: neither may change the tree under the other.
local function lock(say)
  local tree = env.path("rocks_tree")
  local file = fs.join(fs.dirname(tree), "." .. fs.basename(tree) .. ".lock")
  local held = fs.lock(file)
  if held then
    return held
  end
  say("waiting for another panto that is preparing the rocks")
  return fs.lock(file, { wait = true })
end

local function mend_for(output)
  if output:find("[Nn]o results matching") then
    return "see that the name and the version are right: [extensions] rocks in config.toml"
  elseif output:find("Failed downloading") or output:find("Failed loading manifest") then
    return "see that the rocks server can be reached"
  elseif output:find("Failed compiling") or output:find("external dependency") then
    return "install what the rock is compiled with"
  elseif output:find("[Pp]ermission denied") or output:find("No space left") then
    return "make the tree writable and free some space"
  end
  return "read the log"
end

local function complaint(output)
  local message = output:match("Error: (.-)\n\n") or output:match("Error: (.*)") or output
  message = message:gsub("%s+", " "):gsub(" To check if.*", ""):sub(1, 300):gsub("[%s.]+$", "")
  return message ~= "" and message or "it ended without a word"
end

local function write_log(output)
  local path = log_path()
  if fs.mkdir(fs.dirname(path)) then
    local file = fs.append_open(path)
    if file then
      file:write(output .. "\n")
      file:close()
    end
  end
end

local function install(rock)
  local version = rock.version and (", %q"):format(rock.version) or ""
  local done, message = process.run({
    file = fs.join(env.path("rocks_tree"), "bin/lua"),
    args = { "-e", CALL:format(rock.name, version) },
    cwd = fs.dirname(env.path("rocks_tree")),
  })
  if not done then
    return nil, message
  end
  local output = done.stdout .. done.stderr
  write_log(output)
  if done.code == 0 and done.signal == 0 then
    return true
  end
  local text = "%s. To do: %s (the whole of it is in %s)"
  return nil, text:format(complaint(output), mend_for(output), log_path())
end

local function title(rock)
  return rock.version and rock.name .. " " .. rock.version or rock.name
end

local function bring(rock, say)
  if rock.state == "installed" then
    return { rock = rock, text = ("%s %s is there"):format(rock.name, rock.found[1]) }
  end
  local from = rock.state == "differs" and (" in place of %s"):format(rock.found[1]) or ""
  say(("installing %s%s"):format(title(rock), from))
  local ok, message = install(rock)
  if ok then
    local now = rocks.compare({ title(rock) })[1]
    local text = ("%s %s installed%s"):format(rock.name, table.concat(now.found, ", "), from)
    return { rock = rock, text = text }
  end
  return { rock = rock, message = ("cannot install %s: %s"):format(title(rock), message) }
end

--- Makes the list true; to be called in a task.
---@param list string[] [extensions] rocks
---@param say fun(line: string) told what begins
---@return { text: string?, message: string? }[] results one a rock: what is so now, or what failed
---@return string? message why nothing could be begun
function update.run(list, say)
  local held, message = lock(say)
  if not held then
    return {}, message
  end
  local wanted, problems = rocks.compare(list)
  local results = {}
  for _, problem in ipairs(problems) do
    results[#results + 1] = { message = problem }
  end
  for _, rock in ipairs(wanted) do
    results[#results + 1] = bring(rock, say)
  end
  held:release()
  return results
end

return update
