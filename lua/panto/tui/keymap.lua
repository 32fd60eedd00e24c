-- The names of keys and the editor commands they give; an app may change its own copy.
local keymap = {}

local EDITOR = {
  enter = "submit",
  ["shift+enter"] = "newline",
  ["ctrl+enter"] = "newline",
  ["ctrl+j"] = "newline",
  ["alt+enter"] = "follow_up",
  ["alt+up"] = "take_back",
  tab = "complete",
  ["shift+tab"] = "shift_tab",
  escape = "escape",
  left = "left",
  right = "right",
  up = "up",
  down = "down",
  home = "home",
  ["end"] = "to_end",
  page_up = "page_up",
  page_down = "page_down",
  ["ctrl+home"] = "to_first",
  ["ctrl+end"] = "to_last",
  ["alt+shift+,"] = "to_first",
  ["alt+shift+."] = "to_last",
  ["alt+<"] = "to_first",
  ["alt+>"] = "to_last",
  ["alt+shift+<"] = "to_first",
  ["alt+shift+>"] = "to_last",
  backspace = "backspace",
  ["shift+backspace"] = "backspace",
  delete = "delete",
  ["shift+delete"] = "delete",
  ["ctrl+h"] = "backspace",
  ["ctrl+a"] = "home",
  ["ctrl+e"] = "to_end",
  ["ctrl+b"] = "left",
  ["ctrl+f"] = "right",
  ["ctrl+p"] = "up",
  ["ctrl+n"] = "down",
  ["ctrl+left"] = "word_left",
  ["ctrl+right"] = "word_right",
  ["alt+left"] = "word_left",
  ["alt+right"] = "word_right",
  ["alt+b"] = "word_left",
  ["alt+f"] = "word_right",
  ["ctrl+k"] = "kill_to_end",
  ["ctrl+u"] = "kill_to_start",
  ["ctrl+w"] = "kill_blank_word_left",
  ["ctrl+backspace"] = "kill_word_left",
  ["alt+backspace"] = "kill_word_left",
  ["alt+d"] = "kill_word_right",
  ["alt+delete"] = "kill_word_right",
  ["ctrl+delete"] = "kill_word_right",
  ["ctrl+y"] = "yank",
  ["alt+y"] = "yank_pop",
  ["ctrl+_"] = "undo",
  ["ctrl+shift+_"] = "undo",
  ["ctrl+shift+-"] = "undo",
  ["ctrl+/"] = "undo",
  ["alt+_"] = "redo",
  ["alt+shift+_"] = "redo",
  ["alt+shift+-"] = "redo",
  ["alt+/"] = "redo",
  ["ctrl+]"] = "redo",
  ["ctrl+c"] = "cancel",
  ["ctrl+d"] = "eof_or_delete",
  ["ctrl+g"] = "external_editor",
  ["ctrl+l"] = "model_picker",
  ["ctrl+m"] = "model_picker",
  ["ctrl+o"] = "toggle_results",
  ["ctrl+r"] = "effort_picker",
  ["ctrl+t"] = "toggle_thinking",
  ["alt+r"] = "history_search",
  ["ctrl+x"] = "expand_paste",
  ["alt+t"] = "transpose",
  ["ctrl+z"] = "suspend",
}

--- Returns a fresh table of the editor's key bindings: command by key name.
---@param changes table<string, string>? the user's own; "none" frees a key
---@return table<string, string>
function keymap.editor(changes)
  local copy = {}
  for key, command in pairs(EDITOR) do
    copy[key] = command
  end
  for key, command in pairs(changes or {}) do
    copy[key] = command ~= "none" and command or nil
  end
  return copy
end

return keymap
