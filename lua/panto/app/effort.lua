-- How hard a model thinks: the words that can be picked for each style, and what holds now.

local effort = {}

local OPENAI = { "default", "off", "minimal", "low", "medium", "high", "xhigh" }
local ANTHROPIC = { "default", "off", "minimal", "low", "medium", "high", "xhigh", "max" }
local STYLES = { anthropic_messages = ANTHROPIC }

local MEANINGS = {
  default = "as models.toml says",
  off = "no thinking",
  minimal = "hardly any",
}

--- Returns the efforts that can be picked for a model.
---@param choice { provider: panto.Provider, model: panto.Model }?
---@return string[]
function effort.list(choice)
  return choice and STYLES[choice.provider.style] or OPENAI
end

--- Returns the efforts as choices of a list.
---@param choice { provider: panto.Provider, model: panto.Model }?
---@return panto.tui.Choice[]
function effort.choices(choice)
  local items = {}
  for index, name in ipairs(effort.list(choice)) do
    items[index] = { label = name, description = MEANINGS[name] }
  end
  return items
end

local function of_model(model, style)
  if style ~= "anthropic_messages" then
    return model.reasoning ~= "default" and model.reasoning or nil
  elseif model.thinking == "adaptive" then
    return model.effort or "medium"
  elseif model.thinking == "enabled" then
    local budget = model.thinking_budget_tokens
    return budget and ("%d tokens"):format(budget) or "thinking"
  end
end

--- Returns what the footer says of the effort; nil where the server's default holds.
---@param setup panto.Setup
---@return string?
function effort.shown(setup)
  local choice = setup.choice
  local name = setup.effort
  if choice and (not name or name == "default") then
    name = of_model(choice.model, choice.provider.style)
  end
  return name == "off" and "no thinking" or name
end

return effort
