-- What a new size of the window does: nothing is drawn until it has settled and, where the terminal
-- wraps old lines anew, until it has told in which row the cursor stands now. A frame that was on its
-- way when tmux changed the size is cut off and begins in a wrong row: while a turn runs each frame ends
-- with the question at which size it came in, and a lost one is drawn again.

local clock = require("panto.sys.clock")

local ASK_CURSOR, ASK_SIZE, ANSWER = "\27[6n", "\27[18t", "\27%[[%d;]+[Rt]"
local ANSWER_MS, LAST_ANSWER_MS = 300, 100
local LOST_MS = 2000 -- an answer that has not come by then never will
local SIZE_MS = 600 -- so long the next frame waits for it
local TOLD_LATE_MS = 250 -- of a terminal that is trusted so late the size of frames is asked for
local MOST_DISSENTS = 3 -- one that goes on telling another size than the system, or none, is not asked

---@class panto.SizeQuestion
---@field asked_ms number? when, while there is no answer
---@field cols integer? of the frame
---@field rows integer?
---@field is_awaited boolean? another frame waits for the answer
---@field was_busy boolean? a turn ran at the frame before
---@field late integer? how many answers came not in time
---@field late_ms number? when the last of them was given up
---@field dissents integer how often in a row another size was told, and the system's was the same

local resizing = {}

local function give_up(app)
  app.is_asking_cursor = false
  app.frame:now()
end

-- What is drawn then is laid out for the new width before, so that the frame follows the answer at once.
local function ask_cursor(app)
  app.view:render(app.screen.cols)
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

--- Tells whether the terminal was asked something that it has not answered.
---@param app panto.App
---@return boolean
function resizing.is_due(app)
  return resizing.is_asking(app) or app.size_question.asked_ms ~= nil
end

--- Takes the size that the terminal has now. What stands on the screen was moved by it, even if the
--- size is the former one again: it is drawn anew once all is still.
---@param app panto.App
function resizing.start(app)
  app.is_asking_cursor = false -- an answer that is on its way tells of the size before
  app.term:measure()
  if app.term.cols ~= app.screen.cols or app.term.rows ~= app.screen.rows then
    app.size_question.dissents = 0
  end
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

--- Asks at which size the frame came in that was just written.
---@param app panto.App
function resizing.ask_size(app)
  local question, is_busy = app.size_question, app.turns.running ~= nil
  local was_busy = question.was_busy
  question.was_busy = is_busy
  local is_late = app.settle_ms > TOLD_LATE_MS and app.screen.reflow
  if is_late and (is_busy or was_busy) and question.dissents <= MOST_DISSENTS then
    question.asked_ms, question.cols, question.rows =
      clock.mono_ms(), app.screen.cols, app.screen.rows
    app.term:write(ASK_SIZE)
  end
end

-- How many answers are still to come that nobody waits for.
local function count_late(question)
  return question.late_ms and clock.mono_ms() - question.late_ms < LOST_MS and question.late or 0
end

--- Tells whether a frame has to wait, as that of the one before is not known yet.
---@param app panto.App
---@return boolean
function resizing.must_wait(app)
  local question = app.size_question
  if not question.asked_ms then
    return false
  elseif clock.mono_ms() - question.asked_ms > SIZE_MS then
    question.asked_ms, question.dissents = nil, question.dissents + 1
    question.late, question.late_ms = count_late(question) + 1, clock.mono_ms()
    return false
  end
  question.is_awaited = true
  app.frame:mark()
  return true
end

--- Takes the size at which the last frame came in, and has a lost one drawn again.
---@param app panto.App
---@param one integer
---@param other integer rows and columns: xterm tells the rows first, tmux before 3.4 the columns
function resizing.take_size(app, one, other)
  local question = app.size_question
  local cols, rows, is_awaited = question.cols, question.rows, question.is_awaited
  if count_late(question) > 0 then -- of a frame that was not waited for
    question.late = question.late - 1
    return
  elseif not question.asked_ms then
    return
  end
  question.asked_ms, question.is_awaited = nil, false
  if one == rows and other == cols or one == cols and other == rows then
    question.dissents = 0
    if is_awaited then
      app.frame:now()
    end
  else
    question.dissents = question.dissents + 1
    app.screen:undo()
    resizing.start(app)
  end
end

--- Waits a moment for what is still to come before the terminal is given back: a shell would take it
--- as typed.
---@param app panto.App
function resizing.finish(app)
  app.is_asking_cursor = false
  local missing = resizing.is_asking(app) and app.cursor_asks or 0
  missing = missing + (app.size_question.asked_ms and 1 or 0) + count_late(app.size_question)
  if missing > 0 then
    app.term:read_until((ANSWER .. ".-"):rep(missing), LAST_ANSWER_MS)
  end
end

return resizing
