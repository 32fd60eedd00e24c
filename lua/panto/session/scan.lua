-- A range of a file into its lines, from either end, block by block: only what is asked for is read.

local watchdog = require("panto.sys.watchdog")

local scan = {}

local FIRST_BLOCK, LAST_BLOCK = 64 * 1024, 1024 * 1024

---@alias panto.session.Read fun(offset: integer, length: integer): string?

-- Joins the pieces of a line that were found from its end to its start.
local function join_reversed(pieces)
  local i, j = 1, #pieces
  while i < j do
    pieces[i], pieces[j] = pieces[j], pieces[i]
    i, j = i + 1, j - 1
  end
  return table.concat(pieces)
end

-- Cuts a block at its line ends: whole lines go on the stack, its head waits for the block before.
local function cut_block(state, text, offset)
  local at = text:find("\n", 1, true)
  if not at then
    table.insert(state.pieces, text)
    return
  end
  local head = text:sub(1, at - 1)
  while true do
    local line_end = text:find("\n", at + 1, true)
    if not line_end then
      break
    end
    table.insert(state.stack, text:sub(at + 1, line_end - 1))
    table.insert(state.stack, offset + at)
    at = line_end
  end
  table.insert(state.pieces, text:sub(at + 1))
  table.insert(state.stack, join_reversed(state.pieces))
  table.insert(state.stack, offset + at)
  state.pieces = { head }
end

-- A long file takes as long as it takes: that is no code that does not come back.
local function read_block(state)
  watchdog.reset()
  local offset = math.max(state.first, state.base - state.block)
  local text = state.read(offset, state.base - offset)
  if not text or #text < state.base - offset then
    state.base, state.pieces = state.first, nil
    return
  end
  state.base = offset
  state.block = math.min(state.block * 2, LAST_BLOCK)
  cut_block(state, text, offset)
  if offset == state.first then
    table.insert(state.stack, 1, state.first)
    table.insert(state.stack, 1, join_reversed(state.pieces))
    state.pieces = nil
  end
end

--- Iterates over the lines of a range from its last to its first; each comes with its offset. A
--- range that ends in a line end gives an empty line first.
---@param read panto.session.Read
---@param first integer where the range begins, a line's first byte
---@param stop integer one past its last byte
---@return fun(): string?, integer?
function scan.backward(read, first, stop)
  local state = {
    read = read,
    first = first,
    base = stop,
    block = FIRST_BLOCK,
    pieces = {},
    stack = {},
  }
  return function()
    while #state.stack == 0 do
      if not state.pieces or state.base <= state.first then
        return nil
      end
      read_block(state)
    end
    local at = table.remove(state.stack)
    return table.remove(state.stack), at
  end
end

-- The next line of what was read, or nil when its end has not been read yet.
local function take_line(state)
  local line_end = state.text:find("\n", state.at, true)
  if not line_end then
    table.insert(state.pieces, state.text:sub(state.at))
    return nil
  end
  local line = state.text:sub(state.at, line_end - 1)
  if #state.pieces > 0 then
    table.insert(state.pieces, line)
    line = table.concat(state.pieces)
    state.pieces = {}
  end
  state.at = line_end + 1
  return line
end

--- Iterates over the whole lines of a range from its first; each comes with its offset. What stands
--- behind the last line end comes last, when there is any.
---@param read panto.session.Read
---@param first integer
---@param stop integer one past the last byte
---@return fun(): string?, integer?
function scan.forward(read, first, stop)
  local state = { text = "", at = 1, pieces = {} }
  local offset, line_at = first, first
  return function()
    while true do
      local line = take_line(state)
      if not line then
        watchdog.reset()
        local length = math.min(LAST_BLOCK, stop - offset)
        local text = length > 0 and read(offset, length) or ""
        if text == "" then
          line = table.concat(state.pieces)
          state.text, state.at, state.pieces, stop = "", 1, {}, offset
          return line ~= "" and line or nil, line_at
        end
        state.text, state.at, offset = text, 1, offset + #text
      else
        local at = line_at
        line_at = line_at + #line + 1
        return line, at
      end
    end
  end
end

return scan
