-- A glob (`*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `\x`) and a name, into whether they match.

local CHARACTER = "[^\x80-\xBF]?[\x80-\xBF]*"
local MOST_ALTERNATIVES = 1000

-- The position after an escaped or plain character.
local function after_one(pattern, pos)
  return pos + (pattern:byte(pos) == 92 and 2 or 1)
end

-- Where the braces that open at pos close, and where their commas are; nil when they do not.
local function find_braces(pattern, pos)
  local depth, commas = 0, {}
  local at = pos
  while at <= #pattern do
    local letter = pattern:sub(at, at)
    if letter == "{" then
      depth = depth + 1
    elseif letter == "}" then
      depth = depth - 1
      if depth == 0 then
        return at, commas
      end
    elseif letter == "," and depth == 1 then
      commas[#commas + 1] = at
    end
    at = after_one(pattern, at)
  end
  return nil
end

-- Adds to out every pattern that `{a,b}` stands for, up to a bound.
local function expand_braces(pattern, from, out)
  local at = from
  while at <= #pattern and #out < MOST_ALTERNATIVES do
    if pattern:sub(at, at) == "{" then
      local stop, commas = find_braces(pattern, at)
      if stop and #commas > 0 then
        commas[#commas + 1] = stop
        local start = at + 1
        for _, comma in ipairs(commas) do
          local choice = pattern:sub(start, comma - 1)
          local whole = pattern:sub(1, at - 1) .. choice .. pattern:sub(stop + 1)
          expand_braces(whole, at, out)
          start = comma + 1
        end
        return
      end
    end
    at = after_one(pattern, at)
  end
  out[#out + 1] = pattern
end

-- `[…]` at pos into a test for one character, and the position after it; nil when it never closes.
local function read_class(pattern, pos)
  local start = pos + 1
  local negated = pattern:match("^[!^]", start) ~= nil
  if negated then
    start = start + 1
  end
  local stop = pattern:find("]", start + 1, true)
  if not stop then
    return nil
  end
  local characters = {}
  for character in pattern:sub(start, stop - 1):gmatch(CHARACTER) do
    characters[#characters + 1] = character
  end
  local ranges, index = {}, 1
  while characters[index] and characters[index] ~= "" do
    local low, high = characters[index], characters[index]
    if characters[index + 1] == "-" and (characters[index + 2] or "") ~= "" then
      high = characters[index + 2]
      index = index + 2
    end
    ranges[#ranges + 1] = { low = low, high = high }
    index = index + 1
  end
  return function(character)
    for _, range in ipairs(ranges) do
      if character >= range.low and character <= range.high then
        return not negated
      end
    end
    return negated
  end,
    stop + 1
end

local function any_character()
  return true
end

-- A pattern without braces into a list: characters, tests for a character, and "*" as true.
local function compile(pattern)
  local tokens, pos = {}, 1
  while pos <= #pattern do
    local letter = pattern:match(CHARACTER, pos)
    local token, next_pos = letter, pos + #letter
    if letter == "*" then
      token = true
    elseif letter == "?" then
      token = any_character
    elseif letter == "[" then
      local test, after = read_class(pattern, pos)
      token, next_pos = test or "[", after or next_pos
    elseif letter == "\\" and pos < #pattern then
      token = pattern:match(CHARACTER, pos + 1)
      next_pos = pos + 1 + #token
    end
    if token ~= true or tokens[#tokens] ~= true then
      tokens[#tokens + 1] = token
    end
    pos = next_pos
  end
  return tokens
end

local function fits(token, character)
  return token == character or (type(token) == "function" and token(character))
end

-- Goes back only to the last star: at most tokens × characters steps.
local function match_tokens(tokens, characters)
  local token, at = 1, 1
  local star, star_at
  while at <= #characters do
    if tokens[token] == true then
      star, star_at = token, at
      token = token + 1
    elseif tokens[token] ~= nil and fits(tokens[token], characters[at]) then
      token, at = token + 1, at + 1
    elseif star then
      star_at = star_at + 1
      token, at = star + 1, star_at
    else
      return false
    end
  end
  while tokens[token] == true do
    token = token + 1
  end
  return tokens[token] == nil
end

local glob = {}

--- Says whether a whole name matches a pattern; `*` crosses dots and slashes alike.
---@param pattern string
---@param name string
---@return boolean
function glob.match(pattern, name)
  local characters = {}
  for character in name:gmatch(CHARACTER) do
    if character ~= "" then
      characters[#characters + 1] = character
    end
  end
  local alternatives = {}
  expand_braces(pattern, 1, alternatives)
  for _, alternative in ipairs(alternatives) do
    if match_tokens(compile(alternative), characters) then
      return true
    end
  end
  return false
end

return glob
