-- Turns named styles into SGR sequences for the colours a terminal has and its background.
local palette = require("panto.tui.palette")

local style = {}

local Theme = {}
Theme.__index = Theme

local RESET = "\27[0m"
local LIGHT_FROM = 0.5

---@alias panto.tui.Depth "none"|"16"|"256"|"true"

---@class panto.tui.ThemeOptions
---@field depth panto.tui.Depth? how many colours (default "16"); "none" draws no style at all
---@field background "dark"|"light"|nil default "dark"
---@field styles table<string, string>? SGR parameters that replace named styles, as "1;31"
---@field is_fixed boolean? whether the background is the user's choice and not to be asked for
---@field has_links boolean? whether the terminal knows links (OSC 8)

---@class panto.tui.Theme
---@field depth panto.tui.Depth
---@field background "dark"|"light"
---@field has_links boolean
---@field starts table<string, string> the sequence that switches each style on

local function parameters(entry, depth)
  local parts = {}
  parts[#parts + 1] = entry.attributes
  if depth == "true" and entry.rgb then
    parts[#parts + 1] = "38;2;" .. entry.rgb
  elseif depth == "256" and entry.indexed then
    parts[#parts + 1] = "38;5;" .. entry.indexed
  elseif depth == "16" and entry.basic then
    parts[#parts + 1] = tostring(entry.basic)
  end
  return table.concat(parts, ";")
end

--- Makes a theme.
---@param options panto.tui.ThemeOptions?
---@return panto.tui.Theme
function style.new(options)
  options = options or {}
  local self = setmetatable({
    depth = options.depth or "16",
    background = options.background or "dark",
    styles = options.styles or {},
    is_fixed = options.is_fixed or false,
    has_links = options.has_links or false,
  }, Theme)
  self:build()
  return self
end

--- Makes the sequences anew, after `depth` or `background` was set.
function Theme:build()
  self.starts = {}
  if self.depth == "none" then
    return
  end
  for name, entry in pairs(palette[self.background]) do
    local params = self.styles[name] or parameters(entry, self.depth)
    self.starts[name] = params ~= "" and "\27[" .. params .. "m" or nil
  end
end

--- Takes the terminal's background colour (0 to 1 each); true if the theme changed.
---@param red number
---@param green number
---@param blue number
---@return boolean changed
function Theme:set_background(red, green, blue)
  local light = 0.299 * red + 0.587 * green + 0.114 * blue >= LIGHT_FROM
  local background = light and "light" or "dark"
  if self.is_fixed or background == self.background then
    return false
  end
  self.background = background
  self:build()
  return true
end

--- Returns the sequence that switches a style on, empty for an unknown one or without colours.
---@param name string?
---@return string
function Theme:get(name)
  return name and self.starts[name] or ""
end

--- Puts text into a style; what is styled inside keeps its own and the style goes on after it.
---@param name string?
---@param s string
---@return string
function Theme:paint(name, s)
  local start = self:get(name)
  if start == "" or s == "" then
    return s
  end
  if s:find(RESET, 1, true) then
    s = s:gsub("\27%[0m", RESET .. start)
  end
  return start .. s .. RESET
end

--- Tells how many colours a terminal has, from its environment.
---@param get fun(name: string): string? looks an environment variable up
---@return panto.tui.Depth
function style.depth(get)
  local term = get("TERM") or ""
  if (get("NO_COLOR") or "") ~= "" or term == "dumb" then
    return "none"
  end
  local color = get("COLORTERM") or ""
  if color == "truecolor" or color == "24bit" or term:find("direct") or term:find("kitty") then
    return "true"
  end
  local is_xterm = (get("XTERM_VERSION") or "") ~= "" -- it calls itself plain "xterm"
  return (term:find("256") or is_xterm) and "256" or "16"
end

local LINKING = { kitty = true, foot = true, alacritty = true, ghostty = true }
local LINKING_PROGRAMS = { ["iTerm.app"] = true, WezTerm = true, vscode = true, ghostty = true }

--- Tells whether a terminal knows links (OSC 8), from its environment.
---@param get fun(name: string): string? looks an environment variable up
---@return boolean
function style.has_links(get)
  if style.depth(get) == "none" then
    return false
  end
  local program = get("TERM_PROGRAM") or ""
  if program == "tmux" then
    local version = tonumber((get("TERM_PROGRAM_VERSION") or ""):match("^%d+%.%d+"))
    return version ~= nil and version >= 3.4
  end
  local term = (get("TERM") or ""):gsub("^xterm%-", ""):match("^[^-]*")
  return LINKING[term] == true
    or LINKING_PROGRAMS[program] == true
    or (tonumber(get("VTE_VERSION")) or 0) >= 5000
    or (get("WT_SESSION") or "") ~= ""
    or (get("KONSOLE_VERSION") or "") ~= ""
end

--- Makes the theme that a user wishes for ("auto", "dark", "light", "none") in a terminal.
---@param get fun(name: string): string? looks an environment variable up
---@param wish string?
---@return panto.tui.Theme
function style.choose(get, wish)
  local is_fixed = wish == "dark" or wish == "light"
  return style.new({
    depth = wish == "none" and "none" or style.depth(get),
    has_links = wish ~= "none" and style.has_links(get),
    background = is_fixed and wish or nil,
    is_fixed = is_fixed,
  })
end

return style
