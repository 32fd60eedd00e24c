-- Joins the events of a responses stream into output items, whatever becomes of ids and indexes.

local fields = require("panto.provider.fields")

local items = {}

---@class panto.OutputItem
---@field ordinal integer place among the items, from 1
---@field type string
---@field seen string[] the pieces of its text or arguments that came
---@field ended boolean the server gave the whole of it
---@field kept boolean? it was yielded as an opaque item
---@field started boolean? the call was yielded
---@field call_id string?
---@field name string?
---@field initial string? arguments that came with its announcement
---@field phase string? of a message
---@field field string? which of the two kinds of reasoning text is shown
---@field part any the part of the reasoning that the last piece belonged to
---@field sealed string? the encrypted content it was announced with
---@field id string?

---@class panto.OutputItems
---@field list panto.OutputItem[] in the order they began
---@field by_index table<integer, panto.OutputItem>
---@field by_id table<string, panto.OutputItem> by item id and call id
local Items = {}
Items.__index = Items

--- Returns an empty list.
---@return panto.OutputItems
function items.new()
  return setmetatable({ list = {}, by_index = {}, by_id = {} }, Items)
end

local function of_type(item, kind)
  return item and item.type == kind and item or nil
end

local function last_open(self, kind)
  for index = #self.list, 1, -1 do
    local item = self.list[index]
    if item.type == kind and not item.ended then
      return item
    end
  end
  return nil
end

local function remember(self, item, index, ...)
  if index then
    self.by_index[index] = item
  end
  for _, id in pairs({ ... }) do
    self.by_id[id] = item
  end
  return item
end

--- Begins an item.
---@param kind string
---@return panto.OutputItem
function Items:open(kind)
  local item = { ordinal = #self.list + 1, type = kind, seen = {}, ended = false }
  self.list[item.ordinal] = item
  return item
end

--- Returns the item that a delta belongs to: by its place, its id, or as the last one of its kind.
--- Some servers change the id with every event, others send no place.
---@param event table
---@param kind string
---@return panto.OutputItem
function Items:find(event, kind)
  local index, id = fields.count(event.output_index), fields.text(event.item_id)
  local item = of_type(index and self.by_index[index], kind)
    or of_type(id and self.by_id[id], kind)
    or last_open(self, kind)
  return item or remember(self, self:open(kind), index, id)
end

--- Returns the item that an announcement opens.
---@param event table
---@param wire table the item in it
---@return panto.OutputItem
function Items:add(event, wire)
  local id, call_id = fields.text(wire.id), fields.text(wire.call_id)
  local item = of_type(id and self.by_id[id], wire.type)
  if not item or item.ended then
    item = self:open(wire.type)
  end
  return remember(self, item, fields.count(event.output_index), id or call_id, call_id)
end

local function is_other_call(item, call_id)
  return call_id ~= nil and item.call_id ~= nil and item.call_id ~= call_id
end

--- Returns the item that a whole one completes.
---@param event table
---@param wire table the item in it
---@return panto.OutputItem
function Items:match(event, wire)
  local index = fields.count(event.output_index)
  local id, call_id = fields.text(wire.id), fields.text(wire.call_id)
  local item = of_type(index and self.by_index[index], wire.type)
    or of_type(id and self.by_id[id], wire.type)
    or of_type(call_id and self.by_id[call_id], wire.type)
  if item and not (index and is_other_call(item, call_id)) then
    return item
  end
  item = last_open(self, wire.type)
  if item and not is_other_call(item, call_id) then
    return item
  end
  return remember(self, self:open(wire.type), index, id or call_id, call_id)
end

--- Returns the n-th item of a kind, or nil: a final list has neither places nor, from some
--- servers, the ids of before.
---@param kind string
---@param n integer
---@return panto.OutputItem?
function Items:nth(kind, n)
  local count = 0
  for _, item in ipairs(self.list) do
    count = count + (item.type == kind and 1 or 0)
    if item.type == kind and count == n then
      return item
    end
  end
  return nil
end

return items
