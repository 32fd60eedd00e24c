-- The table of wire styles: a later style is one more file and one more line here.

local codecs = {}

local by_style = {
  anthropic_messages = require("panto.provider.anthropic_messages"),
  openai_chat = require("panto.provider.openai_chat"),
  openai_responses = require("panto.provider.openai_responses"),
  script = require("panto.provider.script"),
}

--- Returns the names of the styles that go over the wire, sorted.
---@return string[]
function codecs.styles()
  local names = {}
  for name, codec in pairs(by_style) do
    names[#names + 1] = not codec.transport and name or nil
  end
  table.sort(names)
  return names
end

--- Returns the codec of a style, or nil and what is wrong.
---@param style string?
---@return panto.Codec?
---@return string? message
function codecs.get(style)
  local codec = by_style[style]
  if codec then
    return codec
  end
  local names = table.concat(codecs.styles(), ", ")
  return nil, ('unknown style "%s": allowed are %s'):format(tostring(style), names)
end

return codecs
