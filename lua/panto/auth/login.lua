-- A person at a browser into a stored login: code asked for, shown, polled, written, exchanged.

local codex = require("panto.auth.codex")
local device = require("panto.auth.device")
local poll = require("panto.auth.poll")
local renew = require("panto.auth.renew")
local tokens = require("panto.auth.tokens")
local words = require("panto.auth.words")

local DIALECTS = { token = device, codex = codex }

local login = {}

local function check(access, prompt)
  for _, key in ipairs({ "url", "url_complete", "user_code" }) do
    local value = prompt[key]
    if value ~= nil then
      prompt[key] = words.line(type(value) == "string" and value or "")
    end
  end
  if prompt.url_complete and not prompt.url_complete:find("^https?://%S+$") then
    prompt.url_complete = nil
  end
  if not prompt.url or not prompt.url:find("^https?://%S+$") then
    local text = "the server named no page for the code: write verification_url in [auth.%s]"
    return nil, text:format(access.name)
  end
  return prompt
end

local function ask_person(access, show)
  local section, net = access.section, access.wire
  local dialect = DIALECTS[section.dialect or "token"]
  local prompt, message = dialect.start(section, net)
  if prompt then
    prompt, message = check(access, prompt)
  end
  if not prompt then
    return nil, message
  end
  show(prompt)
  return poll.run(net, prompt, function()
    return dialect.ask(section, net, prompt)
  end)
end

--- Logs in to a session; waits until the person has decided or the code has expired.
---@param access panto.auth.Access
---@param show fun(prompt: panto.auth.Prompt) is told what the person must do
---@return panto.auth.Record?
---@return string? message
---@return boolean? is_stored the login itself went well and is kept
---@return string? note about the store
function login.run(access, show)
  local fields, message = ask_person(access, show)
  if not fields then
    return nil, ("the login to '%s' failed: %s"):format(access.name, message)
  end
  local note
  do
    local held <close>, problem = access.store:open()
    local record = tokens.build(access.section, fields, access.wire:now_s())
    local written = held
    if held then
      written, problem = held:set(access.name, record)
      note = held.note
    end
    if not written then
      return nil, ("the login to '%s' could not be kept: %s"):format(access.name, problem)
    end
  end
  local record
  record, message = renew.complete(access)
  return record, message, true, note
end

--- Writes what the person must do, a line each.
---@param prompt panto.auth.Prompt
---@return string
function login.text(prompt)
  local lines = {
    "To authorize, open this URL in a browser: " .. prompt.url,
    "enter the code: " .. prompt.user_code,
  }
  if prompt.url_complete and prompt.url_complete ~= prompt.url then
    lines[3] = "or open this one, which has the code in it: " .. prompt.url_complete
  end
  return table.concat(lines, "\n")
end

return login
