-- What a key can do: the names of actions for [keys] in config.toml, each with what it does.

local key_actions = {}

--- Name and description of each action, in the order they are listed.
---@type { [1]: string, [2]: string }[]
key_actions.list = {
  { "submit", "send; while a turn runs, for after its running calls" },
  { "newline", "new line" },
  { "follow_up", "send after the turn" },
  { "take_back", "take the last queued text back" },
  { "escape", "stop the turn" },
  { "cancel", "stop, clear, leave" },
  { "eof_or_delete", "leave, or delete what is under the cursor" },
  { "suspend", "stop panto; fg goes on" },
  { "complete", "complete a command, a file or a paste" },
  { "shift_tab", "nothing; free for what you like" },
  { "external_editor", "write the draft in $VISUAL or $EDITOR" },
  { "history_search", "choose from earlier prompts" },
  { "model_picker", "choose the model" },
  { "effort_picker", "choose how hard the model thinks" },
  { "toggle_results", "whole results, or folded" },
  { "toggle_thinking", "whole thinking, or folded" },
  { "copy_answer", "the last answer to the clipboard" },
  { "new_session", "begin a new session" },
  { "show_help", "show commands and keys" },
  { "left", "one character back" },
  { "right", "one character on" },
  { "up", "one row up, then the older prompt" },
  { "down", "one row down, then the newer prompt" },
  { "home", "start of the line" },
  { "to_end", "end of the line" },
  { "to_first", "start of the draft" },
  { "to_last", "end of the draft" },
  { "page_up", "some rows up" },
  { "page_down", "some rows down" },
  { "word_left", "one word back" },
  { "word_right", "one word on" },
  { "backspace", "erase the character before the cursor" },
  { "delete", "erase the character under the cursor" },
  { "kill_to_end", "cut to the end of the line" },
  { "kill_to_start", "cut to the start of the line" },
  { "kill_word_left", "cut the word before the cursor" },
  { "kill_word_right", "cut the word after the cursor" },
  { "kill_blank_word_left", "cut back to the blank before the cursor" },
  { "yank", "put in what was cut" },
  { "yank_pop", "after that, what was cut before it" },
  { "transpose", "exchange the characters around the cursor" },
  { "undo", "take the last change back" },
  { "redo", "make it again" },
  { "expand_paste", "show the whole text of a long paste" },
  { "none", "nothing: the key is free" },
}

--- Returns the names of all actions.
---@return string[]
function key_actions.names()
  local names = {}
  for index, entry in ipairs(key_actions.list) do
    names[index] = entry[1]
  end
  return names
end

return key_actions
