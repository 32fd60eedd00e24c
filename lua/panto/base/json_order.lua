-- Remembers how objects of the same keys are written: most have the keys of one before them.
-- The keys, in the order in which `next` gives them, lead through a tree to what was made of them.

local next, type = next, type

-- Objects of more or of longer keys are not remembered; a tree that grows too large is begun anew.
local MOST_KEYS, LONGEST_KEY, MOST_NODES = 32, 64, 4000

local order = {}

---@class panto.json.Order
---@field keys string[] sorted by their bytes
---@field others string[] what stands before the value of each key
---@field texts string[] the same before a string: with its opening quote
---@field size integer

local HERE = {}
local tree, tree_size = {}, 0

local function remember(object, made)
  local longest = 0
  for _, key in ipairs(made.keys) do
    longest = math.max(longest, #key)
  end
  if made.size > MOST_KEYS or longest > LONGEST_KEY then
    return
  elseif tree_size + made.size > MOST_NODES then
    tree, tree_size = {}, 0
  end
  local node = tree
  for key in next, object do
    if not node[key] then
      node[key] = {}
      tree_size = tree_size + 1
    end
    node = node[key]
  end
  node[HERE] = made
end

local function make(object, escaped)
  local keys, others, texts = {}, {}, {}
  for key in next, object do
    if type(key) ~= "string" then
      return nil, "cannot encode a table with a " .. type(key) .. " as a key at value"
    end
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for index, key in ipairs(keys) do
    others[index] = (index > 1 and ',"' or '{"') .. escaped(key) .. '":'
    texts[index] = others[index] .. '"'
  end
  local made = { keys = keys, others = others, texts = texts, size = #keys }
  remember(object, made)
  return made
end

--- Returns how an object is written; nil and what is wrong when one of its keys is no string.
---@param object table
---@param escaped fun(text: string): string what stands between the quotes of a string
---@return panto.json.Order?
---@return string? problem
function order.of(object, escaped)
  local node = tree
  for key in next, object do
    node = node[key]
    if not node then
      return make(object, escaped)
    end
  end
  local made = node[HERE]
  if not made then
    return make(object, escaped)
  end
  return made
end

return order
