-- Joins the pieces of reasoning_details (text, summary, signature, sealed blocks) for the way back.

local json = require("panto.base.json")

local reasoning = {}

---@class panto.ChatReasoning
---@field list table[] joined details in the order they began
---@field open table<any, table> wire index and type → the detail that further pieces belong to
local Reasoning = {}
Reasoning.__index = Reasoning

-- Pieces of these fields are parts of one text; any other field is replaced.
local JOINED = { text = true, summary = true }

--- Returns an empty list of details.
---@return panto.ChatReasoning
function reasoning.new()
  return setmetatable({ list = {}, open = {} }, Reasoning)
end

local function is_text(value)
  return type(value) == "string" and value ~= ""
end

local function join(detail, piece)
  for name, value in pairs(piece) do
    if JOINED[name] and is_text(value) and type(detail[name]) == "table" then
      table.insert(detail[name], value)
    elseif JOINED[name] and is_text(value) then
      detail[name] = { value }
    elseif not JOINED[name] and value ~= json.null and value ~= "" then
      detail[name] = value
    end
  end
end

--- Adds the details of one delta and returns the readable text among them, or nil.
---@param pieces table[]?
---@return string?
function Reasoning:add(pieces)
  local texts = {}
  for _, piece in ipairs(pieces or {}) do
    if type(piece) == "table" and piece ~= json.null then
      local key = ("%s %s %s"):format(piece.type, piece.index, piece.id)
      -- A sealed block is whole each time; two of them are two.
      local detail = not piece.data and self.open[key] or nil
      if not detail then
        detail = {}
        self.open[key] = detail
        self.list[#self.list + 1] = detail
      end
      join(detail, piece)
      texts[#texts + 1] = is_text(piece.text) and piece.text or nil
      texts[#texts + 1] = is_text(piece.summary) and piece.summary or nil
    end
  end
  local text = table.concat(texts)
  return text ~= "" and text or nil
end

--- Returns what to hand back with the next request, or nil when there was nothing.
---@return { reasoning_details: table[] }?
function Reasoning:get()
  if #self.list == 0 then
    return nil
  end
  local out = json.array({})
  for index, detail in ipairs(self.list) do
    local joined = {}
    for name, value in pairs(detail) do
      joined[name] = JOINED[name] and table.concat(value) or value
    end
    out[index] = joined
  end
  return { reasoning_details = out }
end

return reasoning
