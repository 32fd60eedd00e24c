local frame = require("panto.app.frame")
local resizing = require("panto.app.resizing")
local task = require("panto.sys.task")

local function new_app(does_reflow)
  local app = { sizes = {}, written = {}, drawn = 0, settle_ms = 1 }
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
end)
