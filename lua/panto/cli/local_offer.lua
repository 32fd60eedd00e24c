-- `panto local` where no server runs: the offer to bring panto's own, one question, and its provider.

local env = require("panto.sys.env")
local install = require("panto.app.own_model.install")
local local_config = require("panto.app.local_config")
local pin_of = require("panto.app.own_model.pin")
local progress = require("panto.app.own_model.progress")
local signal = require("panto.sys.signal")

local offer = {}

local INTERRUPTED =
  "\npanto: stopped; what has come so far is kept, and `panto local` goes on with it\n"
local SILENT = "nothing was downloaded or changed; `panto local --yes` brings it without a question"

--- Says what would be brought, with its sizes.
---@param pin panto.own_model.Pin
---@return string
function offer.describe(pin)
  local missing, size = pin_of.missing(pin), pin_of.size
  local _, for_good = install.needed_bytes(pin)
  local lines = { "panto can bring one of its own:" }
  if missing.model then
    lines[#lines + 1] = ("  %s: %s"):format(pin.model.title, size(pin.model.bytes))
  end
  if missing.server then
    local text = "  %s: %s, then %s of compiling"
    lines[#lines + 1] = text:format(pin.server.title, size(pin.server.bytes), pin.server.minutes)
  end
  local text = "It stays in %s (%s), and takes %s of memory while it runs:\n"
    .. "from the first question to the end of the last panto that uses it."
  local place = pin.folder:gsub("^" .. (env.get("HOME") or "\0"):gsub("%p", "%%%0") .. "/", "~/")
  lines[#lines + 1] = text:format(place, size(for_good), size(pin.model.memory_bytes))
  return table.concat(lines, "\n")
end

-- True, or an exit code and what to say.
local function ask(pin, is_agreed)
  io.write(offer.describe(pin), "\n")
  if is_agreed then
    return true
  elseif not env.is_terminal(0) then
    return nil, 1, SILENT
  end
  io.write("Bring it now? [y/N] ")
  io.stdout:flush()
  local answer = (io.read("l") or ""):lower()
  if answer ~= "y" and answer ~= "yes" then
    return nil, 1, "nothing was downloaded or changed"
  end
  return true
end

--- Brings what is missing, when the user agrees, and writes its provider, in a task.
---@param options { yes: boolean?, is_default: boolean }
---@return string? ref "local:alias"
---@return integer? code
---@return string? message
function offer.accept(options)
  local pin, message = pin_of.read()
  if not pin then
    return nil, 1, message
  end
  if not pin_of.is_ready(pin) then
    local agreed, code, why = ask(pin, options.yes)
    if not agreed then
      return nil, code, why
    end
  end
  signal.on("sigint", function()
    io.stderr:write(INTERRUPTED)
    env.exit(130)
  end)
  local done
  done, message = install.run(pin, progress.new())
  if not done then
    return nil, 1, message
  end
  local server = { name = "panto", url = pin_of.URL, models = {} }
  local model = { id = pin.model.id, context_window = pin.model.context_window }
  local ref
  ref, message = local_config.write(server, model, options.is_default)
  return ref, 1, message
end

return offer
