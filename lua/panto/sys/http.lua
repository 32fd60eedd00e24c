-- Turns a request table into a response whose body is a function that yields chunks, over the host's httpx.

local host = require("panto.host")
local inbox = require("panto.sys.inbox")
local json = require("panto.base.json")
local task = require("panto.sys.task")

---@class panto.HttpRequest
---@field method string? GET when left out
---@field url string
---@field headers table<string, string>?
---@field body string?
---@field connect_timeout_ms integer? 30000 when left out
---@field idle_timeout_ms integer? longest silence while waiting for a byte; 300000 when left out

---@class panto.HttpFailure
---@field kind "connect"|"timeout"|"tls"|"protocol"|"closed"|"invalid"
---@field message string

---@class panto.HttpResponse
---@field status integer
---@field headers table<string, string> lower-case names; repeated ones joined with ", "
---@field body fun(): string? the next chunk; nil at the end, then `failure` tells whether it was cut
---@field failure panto.HttpFailure?
local Response = {}
Response.__index = Response

local http = {}

-- The host stops reading at four times as much that it was not told to be read.
local TOLD_BYTES = 256 * 1024

local function post(self, kind, data)
  self.last = self.last + 1
  self.posts[self.last] = { kind, data }
  local resume = self.taker
  self.taker = nil
  if resume then
    resume()
  end
end

local function take(self)
  while self.first > self.last do
    if self.closed then
      return "fail", '{"kind":"closed","message":"the response was closed"}'
    end
    task.wait(function(resume)
      self.taker = resume
      return function()
        self:close()
      end
    end)
  end
  local item = self.posts[self.first]
  self.posts[self.first] = nil
  self.first = self.first + 1
  self.untold = self.untold + #item[2]
  if self.untold >= TOLD_BYTES and self.first > self.last and not self.ended then
    self.untold = 0
    host.http_resume(self.id)
  end
  return item[1], item[2]
end

local function read_chunk(self)
  if self.ended then
    return nil
  end
  local kind, data = take(self)
  if kind == "chunk" then
    return data
  end
  self.ended = true
  if kind == "fail" then
    self.failure = json.decode(data)
  end
  self:close()
  return nil
end

local function encode_headers(headers)
  local list = {}
  for name, value in pairs(headers or {}) do
    list[#list + 1] = json.array({ name, value })
  end
  return json.array(list)
end

local function decode_head(self, data)
  local head = assert(json.decode(data))
  self.status = head.status
  self.http_version = head.http_version
  self.headers = {}
  for _, pair in ipairs(head.headers) do
    local name = pair[1]:lower()
    local known = self.headers[name]
    self.headers[name] = known and known .. ", " .. pair[2] or pair[2]
  end
end

--- Sends a request and waits for the head of the answer.
---@param spec panto.HttpRequest
---@return panto.HttpResponse?
---@return panto.HttpFailure failure
function http.request(spec)
  local self = setmetatable({
    posts = {},
    first = 1,
    last = 0,
    untold = 0,
    ended = false,
  }, Response)
  self.id = inbox.open(function(kind, data)
    post(self, kind, data)
  end)
  self.body = function()
    return read_chunk(self)
  end
  host.http_start(
    self.id,
    json.encode({
      method = spec.method or "GET",
      url = spec.url,
      headers = encode_headers(spec.headers),
      connect_timeout_ms = spec.connect_timeout_ms or 30000,
      idle_timeout_ms = spec.idle_timeout_ms or 300000,
    }),
    spec.body or ""
  )
  local kind, data = take(self)
  if kind == "fail" then
    self.ended = true
    self:close()
    return nil, json.decode(data)
  end
  decode_head(self, data)
  return self
end

--- Reads the whole body, at most `max` bytes of it (16 MiB when left out).
---@param max integer?
---@return string?
---@return panto.HttpFailure failure
function Response:read_all(max)
  local pieces, size = {}, 0
  max = max or 16 * 1024 * 1024
  for chunk in self.body do
    pieces[#pieces + 1] = chunk
    size = size + #chunk
    if size > max then
      self:close()
      break
    end
  end
  if self.failure and size <= max then
    return nil, self.failure
  end
  return table.concat(pieces):sub(1, max)
end

--- Closes the connection if the body is not at its end; safe to call again.
function Response:close()
  if self.closed then
    return
  end
  self.closed = true
  inbox.close(self.id)
  if not self.ended then
    host.http_cancel(self.id)
  end
end

Response.__close = Response.close

--- Lets the host load its HTTP library now, and the certificates when the address needs them, in a
--- thread of its own, so that the first request finds them ready.
---@param url string? an https one when left out
function http.warm(url)
  host.http_warm(url or "https:")
end

return http
