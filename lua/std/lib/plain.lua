-- Turns text into its plain form (no trailing blanks, ASCII punctuation) and plain places back.
local plain_form = {}
local Plain = {}
Plain.__index = Plain

local TWINS = {
  ["'"] = { 0x2018, 0x2019, 0x201A, 0x201B, 0x2032 },
  ['"'] = { 0x201C, 0x201D, 0x201E, 0x201F, 0x2033 },
  ["-"] = { 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212 },
  [" "] = { 0xA0, 0x2002, 0x2003, 0x2004, 0x2005, 0x2007, 0x2009, 0x200A, 0x202F, 0x3000 },
  ["..."] = { 0x2026 },
}

local TWIN_OF = {}
for twin, codes in pairs(TWINS) do
  for _, code in ipairs(codes) do
    TWIN_OF[utf8.char(code)] = twin
  end
end

local function without_blanks(line)
  return line:match("^(.*[^ \t])[ \t]*$") or ""
end

--- Returns one line without trailing blanks and with ASCII punctuation.
---@param line string
---@return string
function plain_form.line(line)
  line = without_blanks(line)
  if not line:find("[\x80-\xFF]") then
    return line
  end
  return (line:gsub("[\xC2-\xF4][\x80-\xBF]+", TWIN_OF))
end

--- Returns the lines of a text, each in its plain form, joined again.
---@param text string
---@return string
function plain_form.text(text)
  return (text:gsub("[^\n]+", plain_form.line))
end

-- A turn is where plain and body part: { plain, body, plain afterwards, body afterwards }.
local function add_turns(self, line, plain_at, body_at)
  local stripped = without_blanks(line)
  local grown = 0
  if stripped:find("[\x80-\xFF]") then
    for start, char in stripped:gmatch("()([\xC2-\xF4][\x80-\xBF]+)") do
      local twin = TWIN_OF[char]
      if twin then
        local plain, body = plain_at + start - 1 + grown, body_at + start - 1
        self.turns[#self.turns + 1] = { plain, body, plain + #twin, body + #char }
        grown = grown + #twin - #char
      end
    end
  end
  if #stripped < #line then
    local plain = plain_at + #stripped + grown
    self.turns[#self.turns + 1] = { plain, body_at + #stripped, plain, body_at + #line }
  end
end

--- Creates the plain form of a body of lines.
---@param body string ends with a newline or is empty
---@return table plain text
function plain_form.new(body)
  local self = setmetatable({ turns = {} }, Plain)
  local lines, body_at, plain_at = {}, 1, 1
  for line in body:gmatch("([^\n]*)\n") do
    local plain = plain_form.line(line)
    if plain ~= line then
      add_turns(self, line, plain_at, body_at)
    end
    lines[#lines + 1] = plain
    body_at, plain_at = body_at + #line + 1, plain_at + #plain + 1
  end
  lines[#lines + 1] = ""
  self.text = table.concat(lines, "\n")
  return self
end

local function last_turn(turns, column, place)
  local low, high = 0, #turns
  while low < high do
    local middle = (low + high + 1) // 2
    if turns[middle][column] <= place then
      low = middle
    else
      high = middle - 1
    end
  end
  return turns[low]
end

--- Returns the body place of the plain character at `place`; nil inside one that became several.
---@param place integer
---@return integer?
function Plain:start_of(place)
  local turn = last_turn(self.turns, 1, place)
  if not turn then
    return place
  elseif place >= turn[3] then
    return turn[4] + place - turn[3]
  end
  return place == turn[1] and turn[2] or nil
end

--- Returns the body place that ends a range whose plain end is `place`; nil inside a character.
---@param place integer
---@return integer?
function Plain:end_of(place)
  local turn = last_turn(self.turns, 1, place - 1)
  if not turn then
    return place
  elseif place > turn[3] then
    return turn[4] + place - turn[3]
  end
  return place == turn[3] and turn[4] or nil
end

return plain_form
