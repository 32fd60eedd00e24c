-- /clear: another name of /new.

local new = require("panto.app.builtin.new")

---@type panto.Builtin
return { name = "clear", description = "Begin a new session, as /new does.", run = new.run }
