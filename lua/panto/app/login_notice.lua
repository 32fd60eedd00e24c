-- A login that a turn waits for into a notice with URL and code, and the spinner's label.

local login = require("panto.auth.login")

local login_notice = {}

--- Returns what shows a login; that returns what says that the wait is over.
---@param bus panto.Bus
---@param view panto.View
---@return fun(name: string, prompt: panto.auth.Prompt): fun()
function login_notice.new(bus, view)
  return function(name, prompt)
    local text = ("'%s' needs a login.\n%s"):format(name, login.text(prompt))
    bus:emit("notice", { level = "info", text = text })
    view:set_label("waiting for the login")
    return function()
      view:set_label("working")
    end
  end
end

return login_notice
