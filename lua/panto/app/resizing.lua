-- What a new size of the window does: nothing is drawn until it has settled and, where the terminal
-- wraps old lines anew, until it has told in which row the cursor stands now.

local ASK_CURSOR = "\27[6n"
local ANSWER_MS = 300

local resizing = {}

local function ask(app)
  if app.term:measure() then
    resizing.start(app)
  elseif app.screen.reflow and app.settle_ms > 0 and not app.screen.is_suspended then
    app.is_asking_cursor = true
    app.term:write(ASK_CURSOR)
    app.frame:hold(ANSWER_MS)
  else
    app.frame:now()
  end
end

--- Takes the size that the terminal has now. What stands on the screen was moved by it, even if the
--- size is the former one again: it is drawn anew once all is still.
---@param app panto.App
function resizing.start(app)
  app.is_asking_cursor = false -- an answer that is on its way tells of the size before
  app.term:measure()
  app.screen:resize(app.term.cols, app.term.rows)
  app.frame:hold(app.settle_ms, function()
    ask(app)
  end)
end

--- Takes the terminal's answer and draws.
---@param app panto.App
---@param row integer the cursor's, from 1
function resizing.answer(app, row)
  if app.is_asking_cursor then
    app.is_asking_cursor = false
    app.screen:locate(row)
    app.frame:free()
  end
end

return resizing
