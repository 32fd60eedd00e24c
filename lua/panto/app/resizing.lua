-- What a new size of the window does: nothing is drawn until it has settled and, where the terminal
-- wraps old lines anew, until it has told in which row the cursor stands now.

local clock = require("panto.sys.clock")

local ASK_CURSOR, ANSWER = "\27[6n", "\27%[%d+;%d+R"
local ANSWER_MS, LAST_ANSWER_MS = 300, 100
local LOST_MS = 2000 -- an answer that has not come by then never will

local resizing = {}

local function give_up(app)
  app.is_asking_cursor = false
  app.frame:now()
end

local function ask_cursor(app)
  app.cursor_asks = (resizing.is_asking(app) and app.cursor_asks or 0) + 1
  app.asked_cursor_ms, app.is_asking_cursor = clock.mono_ms(), true
  app.term:write(ASK_CURSOR)
  app.frame:hold(ANSWER_MS, function()
    give_up(app)
  end)
end

local function ask(app)
  if app.term:measure() then
    resizing.start(app)
  elseif app.screen.reflow and app.settle_ms > 0 and not app.screen.is_suspended then
    ask_cursor(app)
  else
    app.frame:now()
  end
end

--- Tells whether an answer is still to come, be it one that nobody waits for any more.
---@param app panto.App
---@return boolean
function resizing.is_asking(app)
  return (app.cursor_asks or 0) > 0 and clock.mono_ms() - app.asked_cursor_ms < LOST_MS
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

--- Takes the terminal's answer and draws, if it is the one to the last question.
---@param app panto.App
---@param row integer the cursor's, from 1
function resizing.answer(app, row)
  app.cursor_asks = math.max(0, (app.cursor_asks or 0) - 1)
  if app.is_asking_cursor and app.cursor_asks == 0 then
    app.is_asking_cursor = false
    app.screen:locate(row)
    app.frame:free()
  end
end

--- Waits a moment for what is still to come before the terminal is given back: a shell would take it
--- as typed.
---@param app panto.App
function resizing.finish(app)
  app.is_asking_cursor = false
  if resizing.is_asking(app) then
    app.term:read_until((ANSWER .. ".-"):rep(app.cursor_asks), LAST_ANSWER_MS)
  end
end

return resizing
