-- A handler that raised into the notice that names it.

local broken_notice = {}

--- Tells of a handler's error on its bus, or on standard error while there is none yet.
---@param bus panto.Bus?
---@param err panto.HandlerError
function broken_notice.tell(bus, err)
  local text = "%s: the handler of %s failed: %s%s"
  local owner = err.owner and err.owner.entry or "?"
  text = text:format(owner, err.event, err.message, err.traceback)
  if bus then
    bus:emit("notice", { level = "error", text = text })
  else
    io.stderr:write("panto: ", text, "\n")
  end
end

return broken_notice
