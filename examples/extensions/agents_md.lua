-- Adds the AGENTS.md of the working folder, and of the folders above it, to the system prompt.

local panto = require("panto")
local fs = panto.fs

-- From the project's root, where .git is, down to the working folder: the nearest comes last.
local function read_all()
  local texts, folder = {}, fs.cwd()
  while true do
    local text = fs.read(fs.join(folder, "AGENTS.md"))
    if text then
      table.insert(texts, 1, text)
    end
    local above = fs.dirname(folder)
    if fs.exists(fs.join(folder, ".git")) or above == folder then
      return table.concat(texts, "\n\n")
    end
    folder = above
  end
end

-- Where the system prompt stands in a request depends on the provider's wire style.
local function add(body, text)
  local first = body.messages and body.messages[1]
  if type(body.system) == "table" then
    table.insert(body.system, { type = "text", text = text })
  elseif body.system then
    body.system = body.system .. "\n\n" .. text
  elseif body.instructions then
    body.instructions = body.instructions .. "\n\n" .. text
  elseif first and (first.role == "system" or first.role == "developer") then
    first.content = first.content .. "\n\n" .. text
  end
end

return {
  name = "agents-md",
  activate = function()
    local text = read_all()
    if text == "" then
      return
    end
    panto.ext.on("request", function(e)
      local body = panto.json.decode(e.body)
      if type(body) == "table" then
        add(body, text)
        e.body = panto.json.encode(body)
      end
    end)
  end,
}
