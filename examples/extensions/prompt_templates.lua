-- Prompt templates: each prompts/NAME.md beside this file becomes the command /NAME ARGUMENTS.
-- In a template $1 … $9 stand for the arguments and $@ for all of them.

local panto = require("panto")

local _, file = ...
local folder = panto.fs.join(panto.fs.dirname(file), "prompts")

local function fill(template, args)
  local words = {}
  for word in args:gmatch("%S+") do
    words[#words + 1] = word
  end
  return (
    template:gsub("%$([%d@])", function(what)
      return what == "@" and args or words[tonumber(what)] or ""
    end)
  )
end

local function add(name, template)
  panto.ext.register_command({
    name = name,
    description = template:match("[^\n]+") or "An empty template.",
    handler = function(args)
      panto.ui.submit(fill(template, args))
    end,
  })
end

return {
  name = "prompt-templates",
  activate = function()
    for _, entry in ipairs(panto.fs.list(folder) or {}) do
      local name = entry.name:match("^(.+)%.md$")
      local template = name and panto.fs.read(panto.fs.join(folder, entry.name))
      if template then
        add(name, template)
      end
    end
  end,
}
