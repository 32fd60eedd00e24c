-- The model's own chat template into one that makes its tool calls readable.
--
-- Qwen2.5-Coder writes its calls into json fences, whatever its template says about XML tags: told
-- to use fences, and shown its old calls in fences, it is read rightly by llama.cpp's parser.

local fs = require("panto.sys.fs")
local gguf = require("panto.base.gguf")

local template = {}

local KEY = "tokenizer.chat_template"
local METADATA_BYTES = 16 * 1024 * 1024 -- its vocabulary is in it
local FENCE = "```"
local CALL = [[{\"name\": <function-name>, \"arguments\": <args-json-object>}]]
local CLOSING_WORDS = "If the tool output above is enough, answer my request now in one or two "
  .. "plain sentences, with no code block. Call another tool only if the task is not done yet."
local OUTPUT_END = [[{{- '\n</tool_response>' }}]]

local CHANGES = {
  {
    [[within <tool_call></tool_call> XML tags:\n<tool_call>\n{]] .. CALL .. [[}\n</tool_call>]],
    [[in a json code block:\n]] .. FENCE .. [[json\n]] .. CALL .. [[\n]] .. FENCE,
  },
  { [['\n<tool_call>\n{]], [['\n]] .. FENCE .. [[json\n{]] },
  { [['}\n</tool_call>']], [['}\n]] .. FENCE .. "'" },
  {
    OUTPUT_END,
    OUTPUT_END .. [[{%- if loop.last %}{{- '\n]] .. CLOSING_WORDS .. [[' }}{%- endif %}]],
  },
}

local function replace(text, old, new)
  local first, last = text:find(old, 1, true)
  if not first or text:find(old, last + 1, true) then
    return nil, ("its chat template does not have %q once"):format(old)
  end
  return text:sub(1, first - 1) .. new .. text:sub(last + 1)
end

--- Returns the changed template.
---@param text string
---@return string?
---@return string? message
function template.fence(text)
  local changed, message = text
  for _, change in ipairs(CHANGES) do
    changed, message = replace(changed, change[1], change[2])
    if not changed then
      return nil, message
    end
  end
  return changed
end

--- Writes the changed template of a model's file.
---@param model_path string
---@param path string
---@return true?
---@return string? message
function template.write(model_path, path)
  local bytes, message = fs.read_range(model_path, 0, METADATA_BYTES)
  if not bytes then
    return nil, message
  end
  local text
  text, message = gguf.text(bytes, KEY)
  if text then
    text, message = template.fence(text)
  end
  if not text then
    return nil, ("%s: %s"):format(model_path, message)
  end
  return fs.write(path, text)
end

return template
