-- /tutor: the tour, a panto of its own in this terminal; its end leads back here.

local loan = require("panto.app.loan")
local process = require("panto.sys.process")
local program = require("panto.app.program")

--- Plays the tour, when nothing runs here that would write into it.
---@param app panto.App
local function run(app)
  if app.turns.running then
    app:tell("warning", "A turn is running: stop it with Esc, then begin the tour.")
    return
  end
  local code, message = loan.run(app, process.run_attached, program.start("tutor"))
  if not code then
    app:tell("error", "No tour: " .. message)
  elseif code ~= 0 then
    app:tell("warning", ("The tour ended with code %d."):format(code))
  end
end

---@type panto.Builtin
return { name = "tutor", description = "A tour of ten minutes, without a key.", run = run }
