-- Asks, before the screen opens, whether the .panto/ of a folder may be loaded.

local ansi = require("panto.base.ansi")
local trust = require("panto.app.trust")

local trust_question = {}

local INTRO = {
  new = "%s has a .panto/ folder. panto would load from it:",
  changed = "The .panto/ folder of %s has changed since it was trusted. panto would load from it:",
}

local NOTE = "It is code that runs as you, and configuration that says where your keys are sent.\n"
  .. "Load it now and as long as it stays as it is? [y/N] "

--- Asks if need be; a yes is remembered, anything else leaves the folder's layer out.
---@param cwd string
function trust_question.ask(cwd)
  local read = trust.read(cwd)
  local intro = INTRO[read.state]
  if not intro then
    return
  end
  io.stdout:write(intro:format(ansi.reveal(read.folder)), "\n", trust.describe(read), "\n", NOTE)
  io.stdout:flush()
  local answer = io.stdin:read("l") or ""
  if answer:lower():find("^%s*y") then
    local done, message = trust.add(read)
    if not done then
      io.stderr:write("panto: ", message, "\n")
    end
  end
end

return trust_question
