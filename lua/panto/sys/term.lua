-- The terminal: raw mode, bytes in, bytes out, size. Input and resizes come as events in one channel.

local channel = require("panto.sys.channel")
local host = require("panto.host")
local signal = require("panto.sys.signal")
local uv = require("luv")

local READ_SIZE = 65536

---@class panto.Terminal
---@field events panto.Channel of { type="input", data } | { type="resize" } | { type="eof" }
---@field cols integer
---@field rows integer
local Terminal = {}
Terminal.__index = Terminal

local term = {}

--- Returns the terminal's size, a common one when it does not tell.
---@return integer cols
---@return integer rows
function term.size()
  local cols, rows = host.term_size()
  return cols or 80, rows or 24
end

local function read_size(self)
  self.cols, self.rows = term.size()
end

local function read_input(self)
  local data = uv.fs_read(0, READ_SIZE, -1)
  if data and data ~= "" then
    self.events:put({ type = "input", data = data })
  else
    self.poll:stop()
    self.events:put({ type = "eof" })
  end
end

--- Puts the terminal into raw mode and begins to read it.
---@return panto.Terminal?
---@return string? message
function term.open()
  local ok, message = host.term_raw()
  if not ok then
    return nil, message
  end
  local self = setmetatable({ events = channel.new() }, Terminal)
  read_size(self)
  self.poll = assert(uv.new_poll(0))
  self.poll:start("r", function()
    read_input(self)
  end)
  self.off = signal.on("sigwinch", function()
    self.events:put({ type = "resize" })
  end)
  return self
end

--- Asks for the size now; true when it differs from the one known before.
---@return boolean changed
function Terminal:measure()
  local cols, rows = self.cols, self.rows
  read_size(self)
  return cols ~= self.cols or rows ~= self.rows
end

--- Writes bytes at once; the host, which other threads may keep busy, only what luv left over.
---@param bytes string
function Terminal:write(bytes)
  local written = uv.fs_write(1, bytes, -1) or 0
  if written < #bytes then
    host.term_write(bytes:sub(written + 1))
  end
end

--- Sets the bytes that are written whenever the terminal is given back, by whatever way panto ends.
---@param bytes string
function Terminal:on_restore(bytes)
  host.term_on_restore(bytes)
end

--- Gives the terminal back for a while (suspend, an editor); `resume` takes it again.
function Terminal:pause()
  self.poll:stop()
  host.term_restore()
end

--- Takes the terminal again after `pause`.
function Terminal:resume()
  host.term_raw()
  read_size(self)
  self.poll:start("r", function()
    read_input(self)
  end)
end

--- Gives the terminal back; safe to call again.
function Terminal:close()
  if not self.poll:is_closing() then
    self.off()
    self.poll:close()
    self.events:close()
    host.term_restore()
  end
end

return term
