-- Turns a model's thinking knobs, or the effort picked for a session, into what the API takes.

local thinking = {}

local INTERLEAVED_BETA = "interleaved-thinking-2025-05-14"
local DEFAULT_BUDGET, LEAST_BUDGET = 32000, 1024
-- The efforts of the picker as tokens, for models that think within a budget.
local BUDGETS = {
  minimal = LEAST_BUDGET,
  low = 4096,
  medium = 16000,
  high = 32000,
  xhigh = 48000,
  max = math.maxinteger,
}
-- And as the words of models that adapt.
local EFFORTS = { minimal = "low" }

---@class panto.AnthropicThinking
---@field config table? the body's `thinking`
---@field effort string? of the body's `output_config`
---@field beta string? value of the anthropic-beta header

-- Models from 4.6 on adapt, and later ones refuse budgets; asked only when models.toml is silent.
local function is_adaptive(name)
  local major, minor = name:match("claude%-%a+%-(%d+)[-.](%d%d?)%f[%D]")
  major, minor = tonumber(major or name:match("claude%-%a+%-(%d%d?)%f[%D]")), tonumber(minor or 0)
  return major ~= nil and (major > 4 or (major == 4 and minor >= 6))
end

local function enabled(budget, model, is_blocked)
  budget = math.min(budget, (model.max_tokens or math.maxinteger) - 1)
  if is_blocked or budget < LEAST_BUDGET then
    return {}
  end
  return {
    config = { type = "enabled", budget_tokens = budget },
    beta = model.thinking_interleaved and INTERLEAVED_BETA or nil,
  }
end

local function adaptive(effort)
  return { config = { type = "adaptive" }, effort = EFFORTS[effort] or effort }
end

--- Returns what to send. An `effort` other than "default" wins over the model's knobs: "off" turns
--- thinking off, any other is an effort where the model adapts and a budget elsewhere.
--- Thinking that models.toml leaves disabled is not mentioned at all: some models refuse the word.
---@param effort string? "default", "off", "minimal", "low", "medium", "high", "xhigh" or "max"
---@param model panto.Model
---@param is_blocked boolean a round of calls that began without thinking cannot begin to think
---@return panto.AnthropicThinking
function thinking.get(effort, model, is_blocked)
  local kind = model.thinking or "disabled"
  if effort == "off" then
    return { config = { type = "disabled" } }
  elseif BUDGETS[effort or ""] then
    local adapts = kind == "adaptive"
      or (kind == "disabled" and is_adaptive(model.model or model.alias or ""))
    return adapts and adaptive(effort) or enabled(BUDGETS[effort], model, is_blocked)
  elseif kind == "adaptive" then
    return adaptive(model.effort or "medium")
  elseif kind == "enabled" then
    local budget = math.max(model.thinking_budget_tokens or DEFAULT_BUDGET, LEAST_BUDGET)
    return enabled(budget, model, is_blocked)
  end
  return {}
end

return thinking
