-- The read-eval-print loop of `panto lua`: lines from standard input, values on standard output.

local run = require("panto.cli.lua_run")

local M = {}

---@param first boolean
---@return string|nil line without its newline, nil at the end of input
local function read_line(first)
  local prompt = _G[first and "_PROMPT" or "_PROMPT2"]
  if prompt == nil then
    prompt = first and "> " or ">> "
  end
  io.stdout:write(tostring(prompt))
  io.stdout:flush()
  return io.stdin:read("l")
end

---Reads one complete statement or expression.
---@return function|nil chunk, string|nil message, boolean|nil over true at the end of input
local function read_chunk()
  local line = read_line(true)
  if not line then
    return nil, nil, true
  end
  line = line:gsub("^=", "return ")
  local chunk = load("return " .. line, "=stdin")
  if chunk then
    return chunk
  end
  while true do
    local message
    chunk, message = load(line, "=stdin")
    if chunk or not message:find("<eof>$") then
      return chunk, message
    end
    local more = read_line(false)
    if not more then
      return nil, message
    end
    line = line .. "\n" .. more
  end
end

---@param message string
local function complain(message)
  io.stdout:flush()
  io.stderr:write(message, "\n")
end

---@param ok boolean
---@param ... any results, or the message
local function show(ok, ...)
  if not ok then
    return complain((...))
  end
  if select("#", ...) > 0 then
    local printed, problem = pcall(print, ...)
    if not printed then
      complain(("error calling 'print' (%s)"):format(tostring(problem)))
    end
  end
end

---Talks until the input ends.
function M.run()
  while true do
    local chunk, message, over = read_chunk()
    if over then
      break
    elseif chunk then
      show(run.call(chunk))
    else
      complain(message)
    end
  end
  io.stdout:write("\n")
  io.stdout:flush()
end

return M
