-- Turns whatever a tool returned, or how it failed, into the parts of a tool message.

local json = require("panto.base.json")
local utf8x = require("panto.base.utf8x")

local result = {}

---@class panto.ToolResult
---@field content (panto.TextPart|panto.ImagePart)[]
---@field is_error boolean
---@field details table?

local function text_part(text)
  return { type = "text", text = (utf8x.repair(text)) }
end

--- Returns a result of text alone.
---@param text string
---@param is_error boolean?
---@return panto.ToolResult
function result.new(text, is_error)
  return { content = json.array({ text_part(text) }), is_error = is_error or false }
end

local function add_images(content, images)
  for i, image in ipairs(images) do
    if type(image.media_type) ~= "string" or type(image.data) ~= "string" then
      error(("images[%d] needs media_type and data (base64)"):format(i), 0)
    end
    content[#content + 1] = { type = "image", media_type = image.media_type, data = image.data }
  end
end

local function from_table(value)
  if value.text == nil and value.images == nil then
    local hint = "%s\n[the tool returned a table without text; "
      .. "a handler returns a string or { text = … }]"
    return result.new(hint:format(json.encode(value)))
  end
  local made = result.new(value.text == nil and "" or tostring(value.text), value.is_error == true)
  if value.images then
    if value.text == nil then
      made.content = json.array({})
    end
    add_images(made.content, value.images)
  end
  made.details = type(value.details) == "table" and value.details or nil
  return made
end

--- Returns the result for what a handler returned; raises when it cannot be used.
---@param value any a string, or { text=, images=, details=, is_error= }; anything else with a hint
---@return panto.ToolResult
function result.parse(value)
  if type(value) == "string" then
    return result.new(value)
  elseif type(value) == "table" then
    return from_table(value)
  elseif value == nil then
    return result.new("[the tool returned nothing]")
  end
  local hint = "%s\n[the tool returned a %s; a handler returns a string]"
  return result.new(hint:format(tostring(value), type(value)))
end

--- Returns the text of a result, its parts joined.
---@param made { content: panto.Part[] }
---@return string
function result.text(made)
  local texts = {}
  for _, part in ipairs(made.content) do
    if part.type == "text" then
      texts[#texts + 1] = part.text
    end
  end
  return table.concat(texts, "\n")
end

--- Returns the images of a result, nil when it has none.
---@param made { content: panto.Part[] }
---@return { media_type: string, data: string }[]?
function result.images(made)
  local images = {}
  for _, part in ipairs(made.content) do
    if part.type == "image" then
      images[#images + 1] = { media_type = part.media_type, data = part.data }
    end
  end
  return images[1] and images or nil
end

--- Changes the text of a result; its images stay.
---@param made { content: panto.Part[] }
---@param text string
function result.set_text(made, text)
  local content = json.array({ text_part(text) })
  for _, part in ipairs(made.content) do
    if part.type ~= "text" then
      content[#content + 1] = part
    end
  end
  made.content = content
end

return result
