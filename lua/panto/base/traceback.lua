-- A Lua traceback into the frames that its reader has written: those above the wall are panto's.

local traceback = {}

local WALLS = {
  "panto/sys/watchdog.lua",
  "panto/sys/task.lua",
  "panto/ext/bus.lua",
  "panto/ext/evaluate.lua",
  "panto/ext/loader.lua",
}

local function is_wall(frame)
  for _, name in ipairs(WALLS) do
    if frame:find(name, 1, true) then
      return true
    end
  end
  return false
end

--- Returns the frames inside of the innermost wall, without those of C and of panto.ext itself.
---@param text string as debug.traceback writes it
---@return string[]
function traceback.frames(text)
  local kept = {}
  for frame in text:gmatch("\n\t([^\n]+)") do
    if is_wall(frame) then
      if kept[1] then
        break
      end -- a function of panto that was called, or the watchdog's hook
    elseif not frame:find("^%[C%]:") and not frame:find("panto/ext/", 1, true) then
      kept[#kept + 1] = frame
    end
  end
  return kept
end

--- Returns these frames as text to put behind a message: each on an indented line of its own.
---@param text string
---@return string
function traceback.cut(text)
  local frames = traceback.frames(text)
  return frames[1] and "\n  " .. table.concat(frames, "\n  ") or ""
end

return traceback
