-- A URL into a growing file: what is there already is not fetched again, a cut connection goes on.

local fs = require("panto.sys.fs")
local http = require("panto.sys.http")
local pin = require("panto.app.own_model.pin")
local task = require("panto.sys.task")

local from_url = {}

local CONNECT_MS, IDLE_MS, AGAIN_MS = 5000, 30000, 1000
local MAX_REDIRECTS, MAX_CUTS = 5, 50
local REDIRECTS = { [301] = true, [302] = true, [303] = true, [307] = true, [308] = true }

-- A relative address belongs to the one that it came from.
local function follow(url, location)
  if location:find("^https?://") then
    return location
  end
  local origin = url:match("^(https?://[^/]+)")
  return location:sub(1, 1) == "/" and origin .. location or nil
end

local function open(url, offset)
  for _ = 0, MAX_REDIRECTS do
    local response, failure = http.request({
      url = url,
      connect_timeout_ms = CONNECT_MS,
      idle_timeout_ms = IDLE_MS,
      headers = {
        ["accept-encoding"] = "identity",
        range = offset > 0 and ("bytes=%d-"):format(offset) or nil,
      },
    })
    if not response then
      return nil, failure.message
    elseif response.status == 200 or response.status == 206 then
      return response
    end
    response:close()
    local location = REDIRECTS[response.status] and response.headers.location
    url = location and follow(url, location)
    if not url then
      return nil, ("the server answered %d"):format(response.status)
    end
  end
  return nil, "it is redirected again and again"
end

-- Where the answer's first byte belongs: a server may not know ranges, and sends all.
local function start_of(response)
  if response.status == 200 then
    return 0
  end
  return math.tointeger(tonumber((response.headers["content-range"] or ""):match("bytes (%d+)")))
end

local function append(self, response, file)
  local size = file:size()
  for chunk in response.body do
    local written, message = file:write(chunk)
    if not written then
      response:close()
      return nil, message, "stop"
    end
    size = size + #chunk
    if size > self.bytes then
      response:close()
      return nil, "it sends more than the pinned file has"
    end
    local words = ("%s of %s"):format(pin.size(size), pin.size(self.bytes))
    self.progress:show(size / self.bytes, words)
  end
  if response.failure then
    return nil, response.failure.message
  elseif size < self.bytes then
    return nil, ("it ended after %s"):format(pin.size(size))
  end
  return true
end

local function attempt(self, file)
  local response, message = open(self.url, file:size())
  if not response then
    return nil, message
  end
  local start = start_of(response)
  if not start or start > file:size() then
    response:close()
    return nil, "the server sends another part than the one asked for"
  end
  file:truncate(start)
  return append(self, response, file)
end

--- Fetches the rest of a file, in a task.
---@param self { url: string, bytes: integer, progress: panto.own_model.Progress }
---@param path string the growing file
---@return true?
---@return string? message
---@return "stop"? when another source could not help either
function from_url.fetch(self, path)
  local file, message = fs.append_open(path, fs.default_mode())
  if not file then
    return nil, message, "stop"
  end
  local guard <close> = setmetatable({}, {
    __close = function()
      file:close()
    end,
  })
  local done, stop
  for _ = 1, MAX_CUTS do
    local before = file:size()
    if before == self.bytes then
      return true
    end
    done, message, stop = attempt(self, file)
    if done or stop or file:size() <= before then
      break
    end
    task.sleep(AGAIN_MS)
  end
  return done, message, guard and stop
end

return from_url
