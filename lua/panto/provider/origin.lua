-- Tells whether a message came from the very API that a request now goes to.

local origin = {}

--- Tells whether sealed parts of a message may go back: same style, same provider.
---@param message panto.AssistantMessage
---@param style panto.Style
---@param provider panto.Provider
---@return boolean
function origin.is_own(message, style, provider)
  if message.style and message.style ~= style then
    return false
  end
  return message.provider == nil or message.provider == provider.name
end

return origin
