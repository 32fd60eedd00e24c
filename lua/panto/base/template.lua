-- A text with `${env:NAME}` and `${name}` in it, into the text with their values.

local template = {}

--- Replaces each placeholder by what lookup returns; nil becomes the empty text. Values are not
--- expanded again, and anything else after a dollar stays as it is.
---@param text string
---@param lookup fun(kind: "env"|"name", name: string): string|number|nil
---@return string text
function template.expand(text, lookup)
  return (
    text:gsub("%${([%w_:.-]+)}", function(inside)
      local variable = inside:match("^env:([%w_]+)$")
      if variable then
        return tostring(lookup("env", variable) or "")
      elseif not inside:find(":", 1, true) then
        return tostring(lookup("name", inside) or "")
      end
      return nil
    end)
  )
end

return template
