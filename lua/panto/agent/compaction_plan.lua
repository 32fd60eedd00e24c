-- A model's window and a conversation into numbers: when to compact, and where the kept end begins.

local context = require("panto.agent.context")

local plan = {}

local LEAST_ROOM = 16384

--- Returns the tokens at which the context is compacted: the window without room for an answer, at
--- least half the window, and more where prompt and tools alone take half of that. Nil when the
--- window is unknown.
---@param window integer?
---@param max_tokens integer?
---@param fixed integer? tokens of prompt and tools
---@return integer?
function plan.trigger(window, max_tokens, fixed)
  if not window then
    return nil
  end
  local least = math.max(window // 2, math.min(2 * (fixed or 0), window * 7 // 8))
  return math.max(window - math.max(LEAST_ROOM, max_tokens or 0), least)
end

--- Returns how many tokens to keep whole: what was wished for, at most half of what fits.
---@param wish integer keep_verbatim
---@param fits integer? the trigger, or what is known to be too much
---@return integer
function plan.keep(wish, fits)
  return fits and math.min(wish, fits // 2) or wish
end

--- Finds the first message of the kept end: of a user or an assistant, so that no call is parted
--- from its result. The last such group is always kept, however large.
---@param messages panto.Message[]
---@param keep integer tokens, as estimated
---@return integer first
---@return integer tokens of the kept end
function plan.cut(messages, keep)
  local first, kept, tokens = nil, 0, 0
  for i = #messages, 1, -1 do
    tokens = tokens + context.estimate(messages[i])
    if first and tokens > keep then
      break
    elseif messages[i].role ~= "tool" then
      first, kept = i, tokens
    end
  end
  return first or 1, kept
end

return plan
