-- What both OpenAI styles say alike: names, pictures, the order of tools, effort, and the key.

local openai_parts = {}

openai_parts.NO_OUTPUT = "(no output)"

-- "off" is panto's word; "none" is what servers call it.
local EFFORTS = {
  off = "none",
  minimal = "minimal",
  low = "low",
  medium = "medium",
  high = "high",
  xhigh = "xhigh",
}

--- Returns a call's name with every character that these APIs refuse replaced.
---@param name string?
---@return string
function openai_parts.name(name)
  local fits = (name or ""):gsub("[^%w_-]", "_"):sub(1, 64)
  return fits ~= "" and fits or "unknown"
end

--- Returns the URL that holds a picture.
---@param part panto.ImagePart
---@return string
function openai_parts.data_url(part)
  return ("data:%s;base64,%s"):format(part.media_type, part.data)
end

--- Returns the tools sorted by name, so that their order never depends on how they were loaded.
---@param tools table[]?
---@return table[]
function openai_parts.sorted_tools(tools)
  local sorted = table.move(tools or {}, 1, #(tools or {}), 1, {})
  table.sort(sorted, function(a, b)
    return a.name < b.name
  end)
  return sorted
end

--- Returns the wire's word for the effort, the request's before the model's; nil for the default.
---@param request panto.Request
---@param model panto.Model
---@return string?
function openai_parts.effort(request, model)
  return EFFORTS[request.effort or model.reasoning]
end

--- Returns the header that carries a credential.
---@param credential panto.Credential?
---@return table<string, string>
function openai_parts.headers(credential)
  local token = credential and credential.token
  if not token or token == "" then
    return {}
  end
  return { authorization = "Bearer " .. token }
end

return openai_parts
