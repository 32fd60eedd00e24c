-- Turns what stands behind a link's label into its address, and tells which addresses may be linked.
local links = {}

local SCHEMES = { http = true, https = true, mailto = true, file = true }

--- Reads `(address "title")` at a byte of a text.
---@param s string
---@param i integer where the bracket is looked for
---@return string? address
---@return integer? last the byte of the closing bracket
function links.destination(s, i)
  if s:byte(i) ~= 40 then
    return nil
  end
  local _, last, address = s:find("^%(%s*<([^<>\n]*)>%s*%)", i)
  if last then
    return address, last
  end
  local inner = s:match("^%b()", i)
  if not inner then
    return nil
  end
  address = inner:sub(2, -2):match("^%s*(%S*)%s*$")
    or inner:sub(2, -2):match("^%s*(%S+)%s+[\"'(].*[\"')]%s*$")
  if not address then
    return nil
  end
  return address, i + #inner - 1
end

--- Tells whether an address may become a link of the terminal.
---@param address string
---@return boolean
function links.is_shown(address)
  local scheme = address:match("^(%a[%w+.-]*):")
  return scheme ~= nil and SCHEMES[scheme:lower()] == true and #address <= 2000
end

--- Writes an address so that it can stand in an escape sequence: printable ASCII only.
---@param address string
---@return string
function links.encode(address)
  return (
    address:gsub("[^!-~]", function(character)
      return ("%%%02X"):format(character:byte())
    end)
  )
end

return links
