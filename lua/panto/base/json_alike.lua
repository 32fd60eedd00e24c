-- Reads JSON texts that are like one before: the same keys in the same order, with other strings and
-- numbers. Such a text is taken apart by a pattern or two, and its tables are made by one expression.

local json_form = require("panto.base.json_form")

local match, utf8_len = string.match, utf8.len

local alike = {}

-- Texts of one family begin with the same key; each has some forms, the likely one first.
local LONGEST = 2000
local FIRST_KEY = '^{"([%w_]*)"'
local MOST_FAMILIES, MOST_FORMS = 32, 8
local FIRST_LESSON, WORST = 4, -64

---@class panto.json.Family
---@field forms table[] `read` turns a text into a value; `after` is the form that followed it last
---@field last table? the form of the last text
---@field misses integer how many texts had no form here
---@field lesson integer how many must have had none until the next form is made: twice as many each time
---@field score integer hits less misses, since some time

local families, family_count = {}, 0

local function family_of(text)
  local key = match(text, FIRST_KEY)
  local family = families[key or false]
  if not family and key and #key < 64 then
    if family_count == MOST_FAMILIES then
      families, family_count = {}, 0
    end
    family = { forms = {}, misses = 0, lesson = FIRST_LESSON, score = 0 }
    families[key], family_count = family, family_count + 1
  end
  return family
end

local function hit(family, form)
  local last = family.last
  if last then
    last.after = form
  end
  family.last = form
  if family.score < -WORST then
    family.score = family.score + 1
  end
end

-- Tries the form that came after the last one's the last time, then all others.
local function try(family, text)
  local last, forms = family.last, family.forms
  local likely = last and last.after
  local value = likely and likely.read(text)
  if value then
    hit(family, likely)
    return value
  end
  for index = 1, #forms do
    local form = forms[index]
    value = form ~= likely and form.read(text)
    if value then
      hit(family, form)
      return value
    end
  end
  return nil
end

local function learn(family, text)
  family.misses, family.lesson = 0, family.lesson * 2
  local read = json_form.make(text)
  if read then
    table.insert(family.forms, 1, { read = read })
    family.forms[MOST_FORMS + 1] = nil
  end
end

--- Reads a text that is like one before; nil for any other, be it JSON or not. The second value is to
--- be given to `note` once such a text was read in full.
---@param text string
---@return table? value
---@return panto.json.Family?
function alike.read(text)
  local family = #text <= LONGEST and family_of(text)
  if not family then
    return nil
  elseif family.forms[1] and utf8_len(text) then
    return try(family, text), family
  end
  return nil, family
end

--- Takes notice of a text that is JSON, without control characters and broken UTF-8, and not alike.
---@param family panto.json.Family
---@param text string
function alike.note(family, text)
  family.misses, family.score = family.misses + 1, family.score - 1
  if family.score < WORST then
    family.forms, family.last, family.score = {}, nil, 0
  end
  if family.misses >= family.lesson then
    learn(family, text)
  end
end

return alike
