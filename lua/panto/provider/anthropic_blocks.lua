-- Turns the parts of one message into content blocks, without those that the API would refuse.

local call_arguments = require("panto.provider.call_arguments")
local json = require("panto.base.json")
local utf8x = require("panto.base.utf8x")

local blocks = {}

local STYLE = "anthropic_messages"
local NO_OUTPUT = "(no output)"
local THOUGHTS = { thinking = true, redacted_thinking = true }

local function text_block(text)
  return text and text:find("%S") and { type = "text", text = text } or nil
end

local function image_block(part)
  local source = { type = "base64", media_type = part.media_type, data = part.data }
  return { type = "image", source = source }
end

--- Turns texts and images into blocks; blank texts are left out.
---@param content panto.Part[]
---@return table[]
function blocks.said(content)
  local out = {}
  for _, part in ipairs(content) do
    if part.type == "text" then
      out[#out + 1] = text_block(part.text)
    elseif part.type == "image" then
      out[#out + 1] = image_block(part)
    end
  end
  return out
end

--- Turns what a call brought into its block.
---@param id string
---@param content panto.Part[]
---@param is_error boolean?
---@return table
function blocks.result(id, content, is_error)
  local list = blocks.said(content)
  if #list == 0 then
    list[1] = text_block(NO_OUTPUT)
  end
  return {
    type = "tool_result",
    tool_use_id = id,
    content = json.array(list),
    is_error = is_error and true or nil,
  }
end

-- The arguments stay the very text that the model wrote, but for halves of characters in it.
local function call_block(part, id)
  local input = call_arguments.encode(part)
  if input:find("\\u[dD][89a-fA-F]") then
    input = json.encode(json.decode(input))
  end
  local name = part.name:gsub("[^%w_-]", "_")
  return ('{"type":"tool_use","id":%s,"name":%s,"input":%s}'):format(
    json.encode(id),
    json.encode(name ~= "" and name or "unknown"),
    (utf8x.repair(input))
  )
end

local add = {}

function add.text(out, part)
  out[#out + 1] = text_block(part.text)
end

function add.thinking(out, part, is_own)
  if is_own and part.signature then
    local text = part.text or ""
    out[#out + 1] = { type = "thinking", thinking = text, signature = part.signature }
  end
end

function add.tool_call(out, part, _, ids, calls)
  local id = ids:open(part.id)
  out[#out + 1] = call_block(part, id)
  calls[#calls + 1] = { id = part.id, wire_id = id }
end

-- Citations belong to the text before them; everything else is a block of its own.
function add.opaque(out, part, is_own)
  local value = part.value
  if not is_own or part.style ~= STYLE or type(value) ~= "table" then
    return
  elseif value.type ~= "citations" then
    out[#out + 1] = value
  elseif type(out[#out]) == "table" and out[#out].type == "text" then
    out[#out].citations = json.array(value.citations)
  end
end

--- Tells whether a block is thinking, readable or sealed.
---@param block table|string|nil
---@return boolean
function blocks.is_thinking(block)
  return type(block) == "table" and THOUGHTS[block.type] == true
end

--- Turns an answer into blocks, and names its calls. Sealed parts are kept when the answer is this
--- API's own; thoughts after which nothing came are left out.
---@param content panto.Part[]
---@param is_own boolean
---@param ids panto.WireIds
---@return (table|string)[]
---@return panto.AnthropicCall[]
function blocks.answered(content, is_own, ids)
  local out, calls = {}, {}
  for _, part in ipairs(content) do
    local take = add[part.type]
    if take then
      take(out, part, is_own, ids, calls)
    end
  end
  while blocks.is_thinking(out[#out]) do
    out[#out] = nil
  end
  return out, calls
end

return blocks
