require("bare_host")
local attention = require("panto.app.attention")
local bus = require("panto.ext.bus")
local modes = require("panto.tui.modes")

-- An app of which only what is written matters, on a clock that the test sets.
local function new_app(options)
  local written = {}
  local app = {
    setup = {
      cwd = "/home/me/work\27]0;x",
      config = { tui = options.tui or {} },
      bus = bus.new(error),
    },
    modes = modes.new({ has_title = true, has_progress = options.has_progress }),
    screen = { is_suspended = false },
    term = {
      write = function(_, bytes)
        written[#written + 1] = bytes
      end,
    },
  }
  local made = attention.new(app)
  written[1] = nil
  return app, made, written
end

local function run_turn(app, made, ms)
  app.setup.bus:emit("turn_start", {})
  made.started_ms = made.started_ms - ms
  app.setup.bus:emit("turn_end", { status = "done" })
end

local function rings(written)
  return table.concat(written):find("\a", 1, true) ~= nil
end

describe("app.attention", function()
  it("rings when a long turn ends and another window has the keys", function()
    local app, made, written = new_app({})
    made:set_focused(false)
    run_turn(app, made, 11000)
    assert.is_true(rings(written))
  end)

  it("is silent after a short turn, for who looks, and where it is told to be", function()
    for _, case in ipairs({ { 500, false }, { 11000, true }, { 11000, false, { bell = false } } }) do
      local app, made, written = new_app({ tui = case[3] })
      made:set_focused(case[2])
      run_turn(app, made, case[1])
      assert.is_false(rings(written))
    end
  end)

  it("shows progress while a turn runs, and the folder without its control characters", function()
    local app, made, written = new_app({ has_progress = true })
    run_turn(app, made, 0)
    local text = table.concat(written)
    assert.is_truthy(text:find("\27]9;4;3\27\\.*\27]9;4;0\27\\"))
    assert.is_truthy(text:find("\27]2;… panto · work", 1, true))
    assert.is_nil(text:find("\27]0;", 1, true))
  end)

  it("writes nothing while another program has the terminal", function()
    local app, made, written = new_app({})
    app.screen.is_suspended = true
    run_turn(app, made, 0)
    assert.same({}, written)
  end)
end)
