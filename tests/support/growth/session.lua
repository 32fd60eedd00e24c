-- Sessions of growing length, and more and more of them: appended to, resumed, listed.

local fs = require("panto.sys.fs")
local index = require("panto.session.index")
local json = require("panto.base.json")
local log = require("panto.session.log")

local CWD = "/home/me/p"
local FLAT = 1.25
local WORDS = ("the quick brown fox jumps over the lazy dog; "):rep(20)

local function text_message(role, text)
  return { role = role, content = json.array({ { type = "text", text = text } }) }
end

local function new_folder()
  local dir = os.tmpname()
  os.remove(dir)
  return dir
end

local function remove(state)
  os.execute("rm -rf '" .. state.dir .. "'")
end

-- A file as panto writes it, without waiting for the disk at each record.
local function write_session(dir, id, records)
  local made = log.create({ dir = dir, cwd = CWD, id = id, version = "0" })
  made:append("message", { message = text_message("user", "first") })
  made:close()
  local file <close> = assert(io.open(made.path, "ab"))
  for n = 2, records do
    local body = json.encode(text_message(n % 2 == 0 and "assistant" or "user", n .. WORDS))
    local line = '{"id":"%d","parent":"%d","time":"2026-01-01T00:00:00.000Z","type":"message",'
      .. '"n":%d,"message":%s}\n'
    file:write(line:format(n, n - 1, n, body))
  end
  return made.path
end

local function id_of(n)
  return ("0197a1b2-c3d4-7000-8000-%012x"):format(n)
end

local function one_session(n)
  local dir = new_folder()
  return { dir = dir, path = write_session(dir, id_of(1), n) }
end

local function many_sessions(n)
  local dir = new_folder()
  for i = 1, n do
    write_session(dir, id_of(i), 2)
  end
  return { dir = dir }
end

local function list(state)
  assert(#index.list(state.dir, CWD) > 0)
end

return {
  appended_records = {
    n = 50,
    prepare = function(n)
      local dir = new_folder()
      local made = log.create({ dir = dir, cwd = CWD, id = id_of(1), version = "0" })
      return { dir = dir, log = made, count = n }
    end,
    work = function(state)
      for n = 1, state.count do
        assert(state.log:append("message", { message = text_message("user", n .. WORDS) }))
      end
    end,
    finish = remove,
  },
  ten_records_appended_to_a_long_one = {
    n = 1000,
    most = FLAT,
    prepare = function(n)
      local state = one_session(n)
      state.log = assert(log.open(state.path))
      return state
    end,
    work = function(state)
      for n = 1, 10 do
        assert(state.log:append("message", { message = text_message("user", n .. WORDS) }))
      end
    end,
    finish = remove,
  },
  the_end_of_a_long_one_opened = {
    n = 3000,
    most = FLAT,
    prepare = one_session,
    work = function(state)
      local opened = assert(log.open(state.path))
      assert(#opened:messages(30) >= 30)
      assert(opened:count(true))
      opened:close()
    end,
    finish = remove,
  },
  all_messages_of_a_long_one = {
    n = 500,
    prepare = one_session,
    work = function(state)
      local opened = assert(log.open(state.path))
      assert(#opened:messages() > 100)
      opened:close()
    end,
    finish = remove,
  },
  sessions_listed_the_first_time = {
    n = 100,
    prepare = many_sessions,
    work = list,
    finish = remove,
  },
  sessions_listed_again = {
    n = 200,
    prepare = function(n)
      local state = many_sessions(n)
      list(state)
      return state
    end,
    work = list,
    finish = remove,
  },
  a_text_kept_in_a_file_of_its_own = {
    n = 100000,
    prepare = function(n)
      local dir = new_folder()
      assert(fs.mkdir(dir))
      return { dir = dir, text = ("x"):rep(n) }
    end,
    work = function(state)
      assert(fs.write(state.dir .. "/file", state.text))
    end,
    finish = remove,
  },
}
