-- What an authorization server answered into an error code and a line that is safe to show.

local ansi = require("panto.base.ansi")
local utf8x = require("panto.base.utf8x")

local TEXT_BYTES = 200
local LEAST_SECRET = 6

local words = {}

--- Returns the error code of an answer, nil when it has none.
---@param answer panto.auth.Answer
---@return string?
function words.code(answer)
  local fields = answer.fields
  local problem = fields.error
  if type(problem) == "table" then
    problem = problem.code or problem.type
  end
  problem = problem or fields.code
  return type(problem) == "string" and problem or nil
end

--- Makes one short line of a foreign text: no controls, none of the secrets.
---@param text string
---@param secrets string[]?
---@return string
function words.line(text, secrets)
  for _, secret in ipairs(secrets or {}) do
    if #secret >= LEAST_SECRET then
      text = text:gsub(secret:gsub("%p", "%%%0"), "…")
    end
  end
  text = ansi.clean(text):gsub("%s+", " "):match("^ ?(.-) ?$")
  return #text > TEXT_BYTES and utf8x.cut(text, TEXT_BYTES) .. "…" or text
end

local function description(fields)
  local problem = type(fields.error) == "table" and fields.error or {}
  local text = fields.error_description or problem.message or fields.message or fields.detail
  return type(text) == "string" and text or ""
end

--- Describes a failed answer: `auth.example answered 400 invalid_scope (no such scope)`.
---@param answer panto.auth.Answer?
---@param network string? what the network said when there is no answer
---@param url string
---@param secrets string[]?
---@return string
function words.failure(answer, network, url, secrets)
  local host = words.host(url)
  if not answer then
    return words.line(("%s cannot be asked: %s"):format(host, network), secrets)
  end
  local code = words.code(answer)
  code = code and words.line(code, secrets)
  local more = words.line(description(answer.fields), secrets)
  local text = ("%s answered %d%s%s"):format(
    host,
    answer.status,
    code and " " .. code or "",
    more ~= "" and (" (%s)"):format(more) or ""
  )
  return words.line(text)
end

--- Returns the host and port of an address.
---@param url string
---@return string
function words.host(url)
  local place = url:match("^%a+://([^/?#]+)") or url
  return place:match("([^@]*)$")
end

--- Returns the scheme, host and port of an address.
---@param url string
---@return string
function words.origin(url)
  return (url:match("^%a+://") or "https://") .. words.host(url)
end

--- Tells how to log in.
---@param name string of the session
---@return string
function words.login(name)
  return "panto auth login " .. name
end

return words
