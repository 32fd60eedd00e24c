-- The read-eval-print loop of `panto lua`: chunks from a reader of lines, values on standard output.

local interrupt = require("panto.sys.interrupt")
local run = require("panto.cli.lua_run")

local lua_repl = {}

---@class panto.cli.LineReader
---@field read fun(self: any, prompt: string): string?, boolean? the line, or nil and whether the input is over
---@field release fun(self: any) gives the terminal back for a chunk to run in

---@type panto.cli.LineReader
local plain = {}

function plain.release() end

function plain.read(_, prompt)
  io.stdout:write(prompt)
  io.stdout:flush()
  local line = io.stdin:read("l")
  return line, line == nil
end

---@param first boolean
---@return string
local function prompt(first)
  local own = _G[first and "_PROMPT" or "_PROMPT2"]
  if own == nil then
    return first and "> " or ">> "
  end
  return tostring(own)
end

--- Reads one complete statement or expression.
---@param reader panto.cli.LineReader
---@return function|nil chunk, string|nil message, boolean|nil over true at the end of input
local function read_chunk(reader)
  local line, over = reader:read(prompt(true))
  if not line then
    return nil, nil, over
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
    local more
    more, over = reader:read(prompt(false))
    if not more then
      return nil, over and message or nil
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

--- Talks until the input ends.
---@param reader panto.cli.LineReader|nil plain lines of standard input without it
function lua_repl.run(reader)
  reader = reader or plain
  while true do
    local chunk, message, over = read_chunk(reader)
    reader:release()
    if over then
      break
    elseif chunk then
      if reader ~= plain then
        interrupt.arm()
      end
      show(run.call(chunk))
      interrupt.take()
      io.stdout:flush()
    elseif message then
      complain(message)
    end
  end
  io.stdout:write("\n")
  io.stdout:flush()
end

return lua_repl
