-- The four tools as the agent runs them: loaded, declared, called by wire name, cancelled.
local api = require("panto.ext.api")
local bus = require("panto.ext.bus")
local json = require("panto.base.json")
local loader = require("panto.ext.loader")
local panto = require("panto")
local registry = require("panto.ext.registry")
local task = require("panto.sys.task")
local tools = require("panto.agent.tools")
local turn = require("panto.agent.turn")
local uv = require("luv")

local folder

local function load_tools()
  local reg = registry.new()
  local made = api.new({ registry = reg, bus = bus.new() })
  local result = loader.run({ api = made, registry = reg, layers = {}, builtin = "lua/std" })
  assert.same({}, result.errors)
  return assert(tools.new(reg:tools()))
end

local function call(set, name, input)
  local message = set:call(
    { id = "1", name = name, arguments = json.encode(input) },
    { cwd = folder, call_id = "1", progress = function() end }
  )
  return message.content[1].text, message
end

describe("the standard tools", function()
  before_each(function()
    folder = assert(uv.fs_mkdtemp("/tmp/panto-std-XXXXXX"))
  end)

  after_each(function()
    task.loop(panto.process.run, { file = "rm", args = { "-rf", folder } })
  end)

  it("write, edit, read and run what the model asks for", function()
    task.loop(function()
      local set = load_tools()
      assert.matches(
        "^created .*%(2 lines%)$",
        (call(set, "std_write", { path = "a", content = "one\ntwo\n" }))
      )
      local edits = '[{"old_text":"two","new_text":"2"}]'
      local text, message = call(set, "std_edit", { path = "a", edits = edits })
      assert.matches("-two\n+2\n", text, 1, true)
      assert.is_string(message.details.diff)
      assert.same("one\n2", (call(set, "std_read", { path = "a", limit = "5" })))
      assert.matches(
        "^one\n2\n\n%[exit code 0%]$",
        (call(set, "std_shell", { command = "cat a", timeout_s = "5" }))
      )
    end)
  end)

  it("say what does not fit their schema", function()
    task.loop(function()
      local set = load_tools()
      local text, message =
        call(set, "std_edit", { path = "a", edits = { { old_text = 5, new_text = "x" } } })
      assert.is_true(message.is_error)
      assert.is_string(text)
      assert.matches("path", (call(set, "std_read", json.decode("{}"))))
    end)
  end)

  it("are ended by a cancelled turn, at once or by KILL after three seconds", function()
    for command, limit_ms in pairs({
      ["echo begun; sleep 300"] = 1000,
      ["trap '' TERM; echo begun; while :; do sleep 0.1; done"] = 3800,
    }) do
      local messages, took = {}, nil
      task.loop(function()
        local items = {
          { type = "tool_call_start", index = 1, id = "a", name = "std_shell" },
          { type = "tool_call_delta", index = 1, delta = json.encode({ command = command }) },
          { type = "tool_call_end", index = 1 },
          { type = "stop", reason = "tool_use" },
        }
        local begun = false
        local t = task.run(turn.run, {
          messages = messages,
          append = function() end,
          stream = function()
            return function()
              return table.remove(items, 1)
            end
          end,
          tools = load_tools(),
          emit = function(name, payload)
            begun = begun or name == "tool_progress"
            return payload
          end,
          system = "",
          cwd = folder,
        })
        while not begun do
          task.sleep(10)
        end
        local started = panto.clock.mono_ms()
        task.cancel(t)
        assert.same("aborted", task.await(t).status)
        took = panto.clock.mono_ms() - started
      end)
      assert.is_true(took < limit_ms, took)
      assert.same(2, #messages)
      assert.matches("^aborted", messages[2].content[1].text)
    end
  end)
end)
