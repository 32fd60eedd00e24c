-- The footer's pieces: folder and branch, model, tokens, cost, how full the context window is.

local effort = require("panto.app.effort")
local path = require("panto.sys.path")

local status = {}

local function short_folder(cwd)
  local home = path.home()
  if cwd == home or cwd:sub(1, #home + 1) == home .. "/" then
    return "~" .. cwd:sub(#home + 1)
  end
  return cwd
end

--- Writes a count of tokens in at most five characters: 950, 1.2k, 34k, 2.1M.
---@param count integer
---@return string
function status.count(count)
  if count < 1000 then
    return tostring(count)
  elseif count < 9950 then
    return ("%.1fk"):format(count / 1000)
  elseif count < 999500 then
    return ("%.0fk"):format(count / 1000)
  end
  return ("%.1fM"):format(count / 1e6)
end

--- Writes a cost in USD; "?" when it is unknown, "+?" behind the part that is known.
---@param cost number?
---@param known number? what is known of it
---@return string
function status.cost(cost, known)
  local shown = cost or known or 0
  if not cost and shown == 0 then
    return "$?"
  end
  return (shown < 1 and "$%.3f" or "$%.2f"):format(shown) .. (cost and "" or "+?")
end

-- A script that has no prices costs nothing that could be told.
local function is_priceless(totals, choice)
  local is_script = choice and choice.provider.style == "script"
  return is_script and not choice.model.input and (totals.known_cost or 0) == 0
end

local function right_pieces(totals, choice)
  local model = choice and choice.model
  local right = {
    { text = ("in %s"):format(status.count(totals.input)), priority = 3 },
    { text = ("out %s"):format(status.count(totals.output)), priority = 3 },
  }
  if totals.cache_read + totals.cache_write > 0 then
    right[#right + 1] =
      { text = ("cache %s"):format(status.count(totals.cache_read)), priority = 2 }
  end
  if not is_priceless(totals, choice) then
    right[#right + 1] = { text = status.cost(totals.cost, totals.known_cost), priority = 4 }
  end
  if model and model.context_window then
    local percent = 100 * totals.context / model.context_window
    right[#right + 1] = { text = ("%.0f%%"):format(percent), priority = 6 }
  end
  return right
end

--- Returns the footer's left and right pieces.
---@param setup panto.Setup
---@param totals panto.Totals
---@param branch string?
---@return panto.tui.FooterPiece[] left
---@return panto.tui.FooterPiece[] right
function status.pieces(setup, totals, branch)
  local folder = short_folder(setup.cwd)
  local left = { { text = branch and ("%s (%s)"):format(folder, branch) or folder, priority = 1 } }
  left[2] = { text = setup.choice and setup.choice.ref or "no model", priority = 7 }
  left[3] = { text = effort.shown(setup) or "", priority = 5 }
  return left, right_pieces(totals, setup.choice)
end

local STAMP = ("%s\0"):rep(11)

-- All that the pieces are made of; to put it together costs a tenth of making them.
local function stamp_of(setup, totals, branch)
  local choice = setup.choice
  return STAMP:format(
    setup.cwd,
    branch,
    choice and choice.ref,
    choice and choice.model.context_window,
    effort.shown(setup),
    totals.input,
    totals.output,
    totals.cache_read + totals.cache_write,
    totals.cost,
    totals.known_cost,
    totals.context
  )
end

--- Puts the pieces into the footer; every frame asks for it, and mostly nothing has changed.
---@param footer panto.tui.Footer
---@param setup panto.Setup
---@param totals panto.Totals
---@param branch string?
function status.show(footer, setup, totals, branch)
  local stamp = stamp_of(setup, totals, branch)
  if stamp ~= footer.stamp then
    footer.stamp = stamp
    footer:set(status.pieces(setup, totals, branch))
  end
end

return status
