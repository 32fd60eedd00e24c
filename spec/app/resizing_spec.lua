local clock = require("panto.sys.clock")
local frame = require("panto.app.frame")
local key_input = require("panto.app.key_input")
local loan = require("panto.app.loan")
local resizing = require("panto.app.resizing")
local task = require("panto.sys.task")

local function new_app(does_reflow)
  local app = {
    sizes = {},
    written = {},
    drawn = 0,
    settle_ms = 1,
    size_question = { dissents = 0 },
    view = { render = function() end },
    turns = {},
  }
  app.term = {
    cols = 80,
    rows = 24,
    measure = function(self)
      local was_changed = self.is_changed
      self.is_changed = false
      return was_changed
    end,
    write = function(_, bytes)
      table.insert(app.written, bytes)
    end,
  }
  app.screen = {
    reflow = does_reflow,
    resize = function(_, cols)
      table.insert(app.sizes, cols)
    end,
    locate = function(_, row)
      app.row = row
    end,
  }
  app.frame = frame.new(function()
    app.drawn = app.drawn + 1
  end)
  return app
end

describe("app.resizing", function()
  it("draws once the terminal has told where the cursor is", function()
    local app = new_app(true)
    resizing.start(app)
    task.await(app.frame.release)
    assert.same({ "\27[6n" }, app.written)
    assert.equal(0, app.drawn)
    resizing.answer(app, 7)
    assert.same({ 7, 1 }, { app.row, app.drawn })
    resizing.answer(app, 9)
    assert.same({ 7, 1 }, { app.row, app.drawn })
  end)

  it("draws without an answer too, and asks only where lines are wrapped anew", function()
    local app = new_app(true)
    resizing.start(app)
    task.await(app.frame.release)
    task.await(app.frame.release)
    assert.equal(1, app.drawn)
    app = new_app(false)
    resizing.start(app)
    task.await(app.frame.release)
    assert.same({ 1, 0 }, { app.drawn, #app.written })
  end)

  local function new_busy_app()
    local app = new_app(true)
    app.settle_ms, app.turns.running, app.undone = 260, true, 0
    app.screen.cols, app.screen.rows = 80, 24
    app.screen.undo = function()
      app.undone = app.undone + 1
    end
    return app
  end

  it(
    "asks for the size of each frame of a turn where sizes are told late, and of the one behind",
    function()
      local app = new_busy_app()
      resizing.ask_size(app)
      resizing.take_size(app, 24, 80)
      app.turns.running = nil
      resizing.ask_size(app)
      resizing.take_size(app, 80, 24)
      resizing.ask_size(app)
      assert.same({ "\27[18t", "\27[18t" }, app.written)
      assert.same({ 0, 0 }, { app.undone, app.drawn })
      app = new_busy_app()
      app.settle_ms = 40
      resizing.ask_size(app)
      assert.same({}, app.written)
    end
  )

  it("lets the next frame wait for that answer, and draws it then", function()
    local app = new_busy_app()
    assert.is_false(resizing.must_wait(app))
    resizing.ask_size(app)
    assert.is_true(resizing.must_wait(app))
    resizing.take_size(app, 24, 80)
    assert.equal(1, app.drawn)
    assert.is_false(resizing.must_wait(app))
    resizing.ask_size(app)
    app.size_question.asked_ms = -10000
    assert.is_false(resizing.must_wait(app))
    resizing.ask_size(app)
    resizing.take_size(app, 24, 70) -- the late one, of the frame before
    assert.equal(0, app.undone)
    assert.is_true(resizing.must_wait(app))
    resizing.take_size(app, 24, 80)
    assert.is_false(resizing.must_wait(app))
    resizing.ask_size(app)
    app.size_question.asked_ms = -10000
    assert.is_false(resizing.must_wait(app))
    app.size_question.late_ms = -10000 -- that one will never come
    resizing.ask_size(app)
    resizing.take_size(app, 24, 80)
    assert.is_false(resizing.must_wait(app))
  end)

  it("asks on where the system tells the other size too", function()
    local app = new_busy_app()
    for round = 1, 9 do
      app.term.cols = 80 - round
      resizing.start(app)
      app.screen.cols = app.term.cols
      resizing.ask_size(app)
      resizing.take_size(app, 24, 70 - round)
      assert.equal(round, app.undone)
    end
    task.cancel(app.frame.release)
  end)

  it(
    "takes a frame back that came in at another size; a terminal that never agrees is not asked",
    function()
      local app = new_busy_app()
      for round = 1, 4 do
        resizing.ask_size(app)
        resizing.take_size(app, 24, 70)
        assert.same({ round, round }, { app.undone, #app.sizes })
        task.cancel(app.frame.release)
        app.frame.release = nil
      end
      resizing.ask_size(app)
      resizing.take_size(app, 24, 70)
      assert.same({ 4, 4 }, { app.undone, #app.written })
    end
  )

  it("takes no answer that tells of a former size", function()
    local app = new_app(true)
    resizing.start(app)
    task.await(app.frame.release)
    resizing.start(app)
    resizing.answer(app, 7)
    assert.is_nil(app.row)
    assert.equal(0, app.drawn)
  end)

  it("waits anew when the size has changed meanwhile", function()
    local app = new_app(false)
    resizing.start(app)
    app.term.is_changed, app.term.cols = true, 60
    task.await(app.frame.release)
    assert.equal(0, app.drawn)
    task.await(app.frame.release)
    assert.equal(1, app.drawn)
    assert.same({ 80, 60 }, app.sizes)
  end)

  local function ask(app)
    resizing.start(app)
    task.await(app.frame.release)
  end

  it("takes only the answer to the last question", function()
    local app = new_app(true)
    ask(app)
    ask(app)
    assert.equal(2, #app.written)
    resizing.answer(app, 7)
    assert.is_nil(app.row)
    resizing.answer(app, 9)
    assert.same({ 9, 1 }, { app.row, app.drawn })
  end)

  it("takes no answer that comes when all is drawn, nor that one for the next", function()
    local app = new_app(true)
    ask(app)
    task.await(app.frame.release)
    assert.equal(1, app.drawn)
    resizing.answer(app, 7)
    assert.is_nil(app.row)
    ask(app)
    task.await(app.frame.release)
    ask(app)
    resizing.answer(app, 7)
    assert.is_nil(app.row)
    resizing.answer(app, 9)
    assert.equal(9, app.row)
  end)

  it("forgets a question that was never answered", function()
    local app = new_app(true)
    ask(app)
    app.asked_cursor_ms = clock.mono_ms() - 5000
    ask(app)
    resizing.answer(app, 9)
    assert.equal(9, app.row)
  end)

  it("waits before the end for each answer that is on its way, and for none else", function()
    local app = new_app(true)
    local patterns = {}
    function app.term.read_until(_, pattern)
      table.insert(patterns, pattern)
    end
    resizing.finish(app)
    assert.same({}, patterns)
    ask(app)
    ask(app)
    resizing.finish(app)
    assert.is_nil(("\27[1;2R"):find(patterns[1]))
    assert.truthy(("x\27[1;2Ry\27[30;2Rz"):find(patterns[1]))
    resizing.answer(app, 1)
    resizing.answer(app, 30)
    assert.is_nil(app.row)
  end)

  it("waits for it before the terminal is lent, once nothing more is drawn", function()
    local app, calls = new_app(true), {}
    local function note(name)
      return function()
        table.insert(calls, name)
      end
    end
    local nothing = function() end
    app.term.read_until, app.term.pause = note("read"), note("pause")
    app.term.resume, app.term.on_restore = nothing, nothing
    app.screen.suspend, app.screen.resume = note("suspend"), nothing
    app.modes = { start = nothing, stop = nothing }
    app.attention = { show = nothing }
    ask(app)
    loan.run(app, note("lent"))
    assert.same({ "suspend", "read", "pause", "lent" }, calls)
  end)

  it("lets Shift+F3 be a key unless a place of the cursor is asked for", function()
    local app = new_app(true)
    local names = {}
    app.modes = { reply = function() end }
    app.setup = {
      registry = {
        get_key = function(_, name)
          table.insert(names, name)
        end,
      },
    }
    app.view.has_overlay, app.view.handle = function() end, function() end
    app.focus = { handle = function() end }
    local event = {
      type = "reply",
      name = "cursor",
      row = 1,
      key = { type = "key", key = "f3", shift = true },
    }
    key_input.take(app, event)
    assert.same({ "shift+f3" }, names)
    ask(app)
    key_input.take(app, event)
    assert.same({ "shift+f3" }, names)
    assert.equal(1, app.row)
  end)
end)
