-- Turns a label and the passing of time into one line that shows that work goes on.
local plain = require("panto.tui.plain")
local text = require("panto.sys.text")

local spinner = {}

local Spinner = {}
Spinner.__index = Spinner

local FRAMES = { "⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏" }

---@class panto.tui.SpinnerOptions
---@field theme panto.tui.Theme
---@field label string?
---@field hint string? muted words behind it, as "esc to stop"

---@class panto.tui.Spinner
---@field label string? nothing is drawn without it
---@field frame integer

--- Makes the component.
---@param options panto.tui.SpinnerOptions
---@return panto.tui.Spinner
function spinner.new(options)
  return setmetatable({
    theme = options.theme,
    label = options.label,
    hint = options.hint,
    elapsed_s = nil,
    frame = 1,
  }, Spinner)
end

--- Sets the label, nil to draw nothing, and the hint.
---@param label string?
---@param hint string?
function Spinner:set(label, hint)
  self.label, self.hint = label, hint
end

--- Goes to the next picture; the app calls it about ten times a second while work goes on.
---@param elapsed_s number? seconds to show
function Spinner:tick(elapsed_s)
  self.frame = self.frame % #FRAMES + 1
  self.elapsed_s = elapsed_s
end

--- Renders the line, none without a label.
---@param width integer
---@return string[]
function Spinner:render(width)
  if not self.label then
    return {}
  end
  local parts = {}
  if self.elapsed_s and self.elapsed_s >= 1 then
    parts[#parts + 1] = ("%ds"):format(math.floor(self.elapsed_s))
  end
  parts[#parts + 1] = self.hint
  local line = self.theme:paint("accent", FRAMES[self.frame]) .. " " .. plain.clean(self.label)
  if #parts > 0 then
    line = line .. self.theme:paint("muted", " · " .. table.concat(parts, " · "))
  end
  return { (text.cut(line, width)) }
end

return spinner
