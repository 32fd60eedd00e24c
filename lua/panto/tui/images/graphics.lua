-- What a terminal says of itself into the way it shows images, and the size of its cells.

local graphics = {}

local Graphics = {}
Graphics.__index = Graphics

local ASK_VERSION, ASK_CELL, ASK_DEVICE = "\27[>0q", "\27[16t", "\27[c"
-- One pixel that is looked at and not kept; who knows the protocol answers.
local ASK_KITTY = "\27_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\27\\"
local CELL_WIDTH, CELL_HEIGHT = 10, 20

local ITERM = { iTerm2 = true, WezTerm = true }
local ITERM_PROGRAMS = { ["iTerm.app"] = true, WezTerm = true }
-- From which version on an image may be made of placeholder characters.
local PLACEHOLDERS = { kitty = { 0, 28 }, ghostty = { 1, 0 } }
local BETWEEN = { tmux = true, screen = true, Zellij = true }
-- A terminal inside an editor inherits the outer one's name.
local INSIDE = { "TMUX", "STY", "ZELLIJ", "NVIM", "VIM_TERMINAL", "INSIDE_EMACS" }

---@alias panto.tui.ImageProtocol "placeholders"|"kitty"|"iterm"

---@class panto.tui.Graphics
---@field protocol panto.tui.ImageProtocol? nil: images are a line of text
---@field cell_width integer pixels
---@field cell_height integer
---@field is_off boolean
---@field waits_for ("version"|"kitty")? what the next device attributes end

local function has(get, name)
  return (get(name) or "") ~= ""
end

local function is_inside(get)
  local term = get("TERM") or ""
  for _, name in ipairs(INSIDE) do
    if has(get, name) then
      return true
    end
  end
  return term:find("^screen") ~= nil or term:find("^tmux") ~= nil
end

--- Makes what knows nothing yet; the terminal has to be asked.
---@param get fun(name: string): string? looks an environment variable up
---@param is_off boolean? images are not wanted, and nothing is asked
---@return panto.tui.Graphics
function graphics.new(get, is_off)
  local term = get("TERM") or ""
  return setmetatable({
    is_off = is_off or is_inside(get) or term == "linux" or term == "dumb",
    has_iterm_name = ITERM_PROGRAMS[get("TERM_PROGRAM") or ""] or false,
    cell_width = CELL_WIDTH,
    cell_height = CELL_HEIGHT,
  }, Graphics)
end

--- Returns the bytes that ask the terminal; a request for its device attributes has to follow.
---@return string bytes
function Graphics:ask()
  if self.is_off then
    return ""
  end
  self.waits_for, self.version, self.knows_kitty = "version", nil, false
  return ASK_VERSION .. ASK_CELL
end

local function split_version(text)
  local name, numbers = text:match("^(%a[%w]*)[%s(]*([%d.]*)")
  local major, minor = (numbers or ""):match("^(%d+)%.?(%d*)")
  return name or "", tonumber(major) or 0, tonumber(minor) or 0
end

local function choose(self)
  local name, major, minor = split_version(self.version or "")
  if not self.version then
    return self.has_iterm_name and "iterm" or nil
  elseif ITERM[name] then
    return "iterm"
  elseif not self.knows_kitty then
    return nil
  end
  local since = PLACEHOLDERS[name]
  local is_new = since and (major > since[1] or major == since[1] and minor >= since[2])
  return is_new and "placeholders" or "kitty"
end

-- The Kitty query is a string (APC) that some terminals print (rxvt); those do not tell a version.
local function may_ask_kitty(self)
  local name = split_version(self.version or "")
  return self.version ~= nil and not ITERM[name] and not BETWEEN[name]
end

--- Takes a reply of the terminal; returns what is to be written now, nil when that is nothing.
---@param event table
---@return string? bytes
function Graphics:reply(event)
  if not self.waits_for then
    return nil
  elseif event.name == "version" then
    self.version = event.text
  elseif event.name == "graphics" then
    self.knows_kitty = event.is_ok
  elseif event.name == "cell" then
    self.cell_width, self.cell_height = event.width, event.height
  elseif event.name == "da1" and self.waits_for == "version" and may_ask_kitty(self) then
    self.waits_for = "kitty"
    return ASK_KITTY .. ASK_DEVICE
  elseif event.name == "da1" then
    self.waits_for = nil
    self.protocol = choose(self)
  end
end

return graphics
