-- The terminal: raw mode, bytes in, bytes out, size. Input and resizes come as events in one channel.

local channel = require("panto.sys.channel")
local clock = require("panto.sys.clock")
local host = require("panto.host")
local signal = require("panto.sys.signal")
local uv = require("luv")

local PIECE, PAUSE_MS = 65536, 2

---@class panto.Terminal
---@field events panto.Channel of { type: "input"|"resize"|"drained"|"eof", data: string? }
---@field cols integer
---@field rows integer
---@field unsent string? what the terminal has not taken yet; "drained" tells that it has
---@field at integer from where on it has not
---@field is_gone boolean? it takes nothing more
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

-- The bytes that are there, or nil and whether none will ever come.
local function read_input(self)
  local data, _, code = uv.fs_read(0, PIECE, -1)
  if data and data ~= "" then
    self.events:put({ type = "input", data = data })
    return data
  elseif code == "EAGAIN" then
    return nil, false
  end
  self.poll:stop()
  self.events:put({ type = "eof" })
  return nil, true
end

-- A poll makes its stream non-blocking, which `host.term_restore` undoes: they are made anew each time.
local function listen(self)
  self.poll = assert(uv.new_poll(0))
  self.poll:start("r", function()
    read_input(self)
  end)
  self.out = uv.new_poll(1) -- nil for a file, which never makes one wait
end

local function lose(self)
  self.unsent, self.is_gone = nil, true
  self.events:put({ type = "eof" })
end

-- Writes what the terminal takes without waiting; false when it has not taken all.
local function send(self)
  while self.at <= #self.unsent do
    local piece = self.unsent:sub(self.at, self.at + PIECE - 1)
    local written, _, code = uv.fs_write(1, piece, -1)
    if written then
      self.at = self.at + written
    elseif code == "EAGAIN" then
      return false
    else
      lose(self)
      return true
    end
  end
  self.unsent = nil
  return true
end

local function send_rest(self)
  if send(self) then
    self.out:stop()
    self.events:put({ type = "drained" })
  end
end

local function unlisten(self)
  self:flush()
  self.poll:close()
  if self.out then
    self.out:close()
  end
  host.term_restore()
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
  listen(self)
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

--- Writes bytes at once, without ever waiting: what the terminal does not take now follows as soon as
--- it does. Whoever draws had better wait for that while something is `unsent`.
---@param bytes string
function Terminal:write(bytes)
  if self.is_gone then
    return
  elseif self.unsent then
    self.unsent = self.unsent .. bytes
    return
  end
  self.unsent, self.at = bytes, 1
  if send(self) then
    return
  elseif self.out then
    self.out:start("w", function()
      send_rest(self)
    end)
  else
    self:flush()
  end
end

--- Waits until all is written, for as long as the terminal takes some of it within a second; another
--- gets nothing more.
function Terminal:flush()
  if self.unsent then
    if self.out then
      self.out:stop()
    end
    self.is_gone = not host.term_write(self.unsent:sub(self.at))
    self.unsent = nil
  end
end

--- Reads on, without the loop, until a Lua pattern stands in what comes or the time is up; what has
--- come is among the events.
---@param pattern string
---@param ms number
function Terminal:read_until(pattern, ms)
  local last_ms, read = clock.mono_ms() + ms, ""
  repeat
    local data, is_over = read_input(self)
    if not data and not is_over then
      uv.sleep(PAUSE_MS)
    end
    read = read .. (data or "")
  until is_over or read:find(pattern) or clock.mono_ms() > last_ms
end

--- Sets the bytes that are written whenever the terminal is given back, by whatever way panto ends.
---@param bytes string
function Terminal:on_restore(bytes)
  host.term_on_restore(bytes)
end

--- Gives the terminal back for a while (suspend, an editor); `resume` takes it again.
function Terminal:pause()
  unlisten(self)
end

--- Takes the terminal again after `pause`.
function Terminal:resume()
  host.term_raw()
  read_size(self)
  self.is_gone = nil
  listen(self)
end

--- Gives the terminal back; safe to call again.
function Terminal:close()
  if self.off then
    self.off()
    self.off = nil
    if not self.poll:is_closing() then
      unlisten(self)
    end
    self.events:close()
  end
end

return term
