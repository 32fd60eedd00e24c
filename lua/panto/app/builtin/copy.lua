-- /copy: the last answer, or a block of code of it, to the clipboard.

local clipboard = require("panto.app.clipboard")

local function text_of(message)
  local parts = {}
  for _, part in ipairs(message.content) do
    parts[#parts + 1] = part.type == "text" and part.text or nil
  end
  return table.concat(parts, "\n\n")
end

local function last_answer(messages)
  for index = #messages, 1, -1 do
    local text = messages[index].role == "assistant" and text_of(messages[index]) or ""
    if text:find("%S") then
      return text
    end
  end
end

-- The fenced blocks of a text, in order.
local function blocks_of(text)
  local blocks, fence, lines = {}, nil, nil
  for line in (text .. "\n"):gmatch("(.-)\r?\n") do
    local indent, mark = line:match("^(%s*)(```+)")
    if not mark then
      indent, mark = line:match("^(%s*)(~~~+)")
    end
    if not fence and mark then
      fence, lines = { mark = mark, indent = #indent }, {}
    elseif
      fence
      and mark
      and #mark >= #fence.mark
      and line:match("^%s*(%S+)%s*$") == mark
      and mark:sub(1, 1) == fence.mark:sub(1, 1)
    then
      blocks[#blocks + 1] = table.concat(lines, "\n")
      fence = nil
    elseif fence then
      local spaces = math.min(fence.indent, #line:match("^ *"))
      lines[#lines + 1] = line:sub(spaces + 1)
    end
  end
  if fence then
    blocks[#blocks + 1] = table.concat(lines, "\n")
  end
  return blocks
end

local function pick(text, args)
  if args == "" then
    return text, "the last answer"
  end
  local blocks = blocks_of(text)
  local number = tonumber(args:match("^code%s+(%d+)$") or args:match("^%d+$"))
    or (args == "code" and #blocks)
  if not number then
    return nil, "/copy, /copy code or /copy code 1"
  elseif not blocks[number] then
    local said = "The last answer has %d blocks of code."
    return nil, #blocks == 0 and "The last answer has no block of code." or said:format(#blocks)
  end
  return blocks[number], ("block %d of %d"):format(number, #blocks)
end

--- Copies what is asked for.
---@param app panto.App
---@param args string
local function run(app, args)
  local text = last_answer(app.conversation.messages)
  if not text then
    app:tell("warning", "There is no answer yet to copy.")
    return
  end
  local chosen, what = pick(text, args)
  if not chosen then
    app:tell("warning", what)
    return
  end
  local how, message = clipboard.write(app, chosen)
  if how then
    local size = utf8.len(chosen) or #chosen
    app:tell("info", ("Copied %s (%d characters) %s."):format(what, size, how))
  else
    app:tell("error", "Not copied: " .. message)
  end
end

--- Returns what may stand behind /copy.
---@return panto.tui.Choice[]
local function complete()
  return { { label = "code", description = "the last block of code; code 1: the first" } }
end

---@type panto.Builtin
return {
  name = "copy",
  description = "Copy the last answer, or its code, to the clipboard.",
  run = run,
  complete = complete,
}
