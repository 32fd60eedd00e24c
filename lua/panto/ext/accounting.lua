-- Keeps what each extension entry cost: time, calls, errors, and the tokens its tools add.

local json = require("panto.base.json")

local accounting = {}

-- What a token is on average; the models' own counts differ by a fifth or so.
local BYTES_PER_TOKEN = 4

---@class panto.Account
---@field entry string?
---@field calls integer handlers, tools, commands, keys
---@field errors integer
---@field seconds number of the processor, about: deltas are sampled
---@field load_seconds number? to evaluate and activate it
---@field result_tokens integer? about, of all results of its tools

---@class panto.AccountRow: panto.Account
---@field declared_tokens integer about, in each request: what the model is told of its tools

---@class panto.Accounting
---@field accounts table<string, panto.Account>
local Accounting = {}
Accounting.__index = Accounting

--- Returns accounts of nobody yet.
---@return panto.Accounting
function accounting.new()
  return setmetatable({ accounts = {} }, Accounting)
end

--- Returns the account of an entry; it stays the same over reloads.
---@param entry string
---@return panto.Account
function Accounting:get(entry)
  local account = self.accounts[entry]
  if not account then
    account =
      { entry = entry, calls = 0, errors = 0, seconds = 0, load_seconds = 0, result_tokens = 0 }
    self.accounts[entry] = account
  end
  return account
end

--- Returns about how many tokens a text is.
---@param text string
---@return integer
function accounting.tokens(text)
  return math.ceil(#text / BYTES_PER_TOKEN)
end

local function declared(tool)
  local text = json.encode({ tool.wire_name, tool.description, tool.schema })
  return accounting.tokens(text)
end

--- Returns a row for each entry that is active or was used, the costliest first.
---@param entries panto.Entry[]
---@param tools panto.Tool[]
---@return panto.AccountRow[]
function Accounting:rows(entries, tools)
  local rows, by_name = {}, {}
  for _, entry in ipairs(entries) do
    if entry.status == "active" and not by_name[entry.name] then
      local row = { declared_tokens = 0 }
      for key, value in pairs(self:get(entry.name)) do
        row[key] = value
      end
      by_name[entry.name], rows[#rows + 1] = row, row
    end
  end
  for _, tool in ipairs(tools) do
    local row = by_name[tool.entry]
    if row then
      row.declared_tokens = row.declared_tokens + declared(tool)
    end
  end
  table.sort(rows, function(a, b)
    if a.seconds ~= b.seconds then
      return a.seconds > b.seconds
    end
    return a.entry < b.entry
  end)
  return rows
end

return accounting
