-- Files, handlers and lists of growing length: the standard tools, the bus, the file picker.

local bus = require("panto.ext.bus")
local edit = require("std.edit")
local fuzzy = require("panto.app.files.fuzzy")
local page = require("std.read")
local write = require("std.write")

local LINE = "line %06d of a file that is long, with words that one may look for\n"

local function write_lines(n)
  local path, list = os.tmpname(), {}
  for i = 1, n do
    list[i] = LINE:format(i)
  end
  local file <close> = assert(io.open(path, "wb"))
  file:write(table.concat(list))
  return { path = path, lines = n }
end

local function call(tool, input)
  local result = tool.handler(input, { cwd = "/" })
  local is_table = type(result) == "table"
  assert(not (is_table and result.is_error), is_table and result.text)
end

local function remove(state)
  os.remove(state.path)
end

local function events(handlers, count)
  local made = bus.new()
  for _ = 1, handlers do
    made:on("assistant_text_delta", function(e)
      return e.delta
    end, { entry = "x", source = "y" })
  end
  return { bus = made, count = count }
end

local function emit(state)
  for _ = 1, state.count do
    state.bus:emit("assistant_text_delta", { index = 1, delta = "abc" })
  end
end

return {
  read_the_last_page = {
    n = 5000,
    prepare = write_lines,
    work = function(state)
      call(page, { path = state.path, offset = state.lines - 10 })
    end,
    finish = remove,
  },
  edit_one_line = {
    n = 5000,
    prepare = write_lines,
    work = function(state)
      local old = LINE:format(state.lines // 2)
      local new = old:gsub("long", "tall")
      call(edit, { path = state.path, edits = { { old_text = old, new_text = new } } })
    end,
    finish = remove,
  },
  edit_ten_lines = {
    n = 2000,
    prepare = write_lines,
    work = function(state)
      local edits = {}
      for i = state.lines // 10, state.lines, state.lines // 10 do
        local old = LINE:format(i)
        edits[#edits + 1] = { old_text = old, new_text = (old:gsub("long", "tall")) }
      end
      call(edit, { path = state.path, edits = edits })
    end,
    finish = remove,
  },
  write_a_file = {
    n = 100000,
    prepare = function(n)
      return { path = os.tmpname(), text = ("words\n"):rep(n // 6) }
    end,
    work = function(state)
      call(write, { path = state.path, content = state.text })
    end,
    finish = remove,
  },
  events_with_twenty_handlers = {
    n = 500,
    prepare = function(n)
      return events(20, n)
    end,
    work = emit,
  },
  an_event_with_many_handlers = {
    n = 200,
    prepare = function(n)
      return events(n, 10)
    end,
    work = emit,
  },
  a_query_over_many_paths = {
    n = 2000,
    prepare = function(n)
      local paths = {}
      for i = 1, n do
        paths[i] = ("packages/aaaaaaaa/module_%05d/aaaaaaaaaaaaaaaa/index.lua"):format(i)
      end
      return paths
    end,
    work = function(paths)
      local finder = fuzzy.new(paths)
      for _, query in ipairs({ "a", "aaaaaaaaz", "index", "m123" }) do
        finder:find(query, 50)
      end
    end,
  },
}
