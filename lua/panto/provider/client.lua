-- Turns one model request into a stream of items: encode, send, decode, and again if that may help.

local advice = require("panto.provider.advice")
local clock = require("panto.sys.clock")
local codecs = require("panto.provider.codecs")
local errors = require("panto.provider.errors")
local reading = require("panto.provider.reading")
local retry = require("panto.provider.retry")
local sys_http = require("panto.sys.http")
local task = require("panto.sys.task")

local client = {}

local MAX_ATTEMPTS = 5
local IDLE_TIMEOUT_MS = 300000
local ERROR_BODY_BYTES = 65536
-- Headers that are lists: what a user adds does not replace what the codec needs.
local LIST_HEADERS = { ["anthropic-beta"] = true }

---@class panto.ClientCredential: panto.Credential
---@field headers table<string, string>? what the credential adds to each request
---@field variable string? the environment variable that holds the key, for the advice
---@field login string? the [auth.…] table of a device login, for the advice

---@class panto.SentRequest
---@field url string
---@field headers table<string, string> lower-case names
---@field body string

---@class panto.StreamOptions
---@field provider panto.Provider name, style, base_url, auth, extra_headers
---@field model panto.Model
---@field credential panto.ClientCredential?
---@field request panto.Request
---@field retry { max_attempts: integer? }?
---@field idle_timeout_ms integer?
---@field on_request fun(wire: panto.SentRequest)? may change it
---@field http { request: fun(spec: panto.HttpRequest): panto.HttpResponse?, panto.HttpFailure? }?
---@field sleep fun(ms: integer)?
---@field now_ms (fun(): integer)?
---@field random (fun(): number)?

---@class panto.Stream
---@field options panto.StreamOptions
---@field codec panto.Codec
---@field wire panto.SentRequest
---@field place panto.ErrorPlace
---@field secrets string[]
---@field queue panto.Item[] items that wait to be taken
---@field first integer place of the next item in the queue
---@field attempt integer
---@field has_yielded boolean this attempt gave items that a new one makes void
---@field step fun(self: panto.Stream)? what to do when the queue is empty; nil at the end
---@field response panto.HttpResponse?
---@field reader panto.AnswerReader?
local Stream = {}
Stream.__index = Stream

local function push(self, item)
  self.queue[#self.queue + 1] = item
end

local function close_response(self)
  local response = self.response
  self.response, self.reader = nil, nil
  if response and response.close then
    response:close()
  end
end

local send

local function fail(self, err, headers)
  close_response(self)
  err.message = errors.redact(err.message, self.secrets)
  local limit = self.max_attempts
  local delay = self.attempt < limit
    and retry.is_retried(err)
    and retry.delay_ms(self.attempt, headers, self.now_ms(), self.random)
  if not delay then
    push(self, {
      type = "error",
      kind = err.kind,
      message = advice.full(err, self.place),
      status = err.status,
      retry_after_ms = retry.asked_ms(headers, self.now_ms()),
    })
    self.step = nil
    return
  end
  push(self, {
    type = "retry",
    attempt = self.attempt,
    max_attempts = limit,
    wait_ms = delay,
    message = advice.short(err, self.place),
  })
  self.attempt = self.attempt + 1
  self.step = function()
    self.sleep(delay)
    self.step = send
    if self.has_yielded then
      self.has_yielded = false
      push(self, { type = "restart" })
    end
  end
end

-- Items go on to the caller; an error among them ends the attempt instead.
local function take_items(self, items)
  for _, item in ipairs(items) do
    if item.type == "error" then
      fail(self, { kind = item.kind, message = item.message, status = item.status })
      return
    end
    self.has_yielded = true
    push(self, item)
  end
end

local function read(self)
  local items = self.reader:read()
  if items then
    take_items(self, items)
    return
  end
  local failure = self.reader.failure
  if failure then
    fail(self, errors.parse_failure(failure))
  else
    close_response(self)
    self.step = nil
  end
end

function send(self)
  local response, failure = self.http.request({
    method = "POST",
    url = self.wire.url,
    headers = self.wire.headers,
    body = self.wire.body,
    idle_timeout_ms = self.place.idle_timeout_ms,
  })
  if not response then
    fail(self, errors.parse_failure(failure))
    return
  end
  self.response = response
  if response.status < 200 or response.status > 299 then
    local text = response:read_all(ERROR_BODY_BYTES) or ""
    text = errors.redact(text, self.secrets)
    fail(self, errors.parse_text(text, response.status), response.headers)
    return
  end
  self.reader = reading.new(response, self.codec.decoder())
  self.step = read
end

local function next_item(self)
  while true do
    local item = self.queue[self.first]
    if item then
      self.first = self.first + 1
      return item
    end
    self.queue, self.first = {}, 1
    if not self.step then
      return nil
    end
    self.step(self)
  end
end

local function merge_headers(...)
  local merged = {}
  for _, headers in ipairs({ ... }) do
    for name, value in pairs(headers) do
      name = name:lower()
      local former = LIST_HEADERS[name] and merged[name]
      merged[name] = former and former .. "," .. value or value
    end
  end
  return merged
end

-- A base_url may end with any beginning of the path: ".../v1" and "/v1/messages" share "/v1".
local function join_url(base_url, path)
  local base, query = base_url:match("^([^?]*)(.*)$")
  base = base:gsub("/+$", "")
  local shared = path
  while shared ~= "" and base:sub(-#shared) ~= shared do
    shared = shared:match("^(.*)/[^/]*$")
  end
  return base .. path:sub(#shared + 1) .. query
end

local function collect_secrets(options)
  local secrets = {}
  local credential = options.credential or {}
  secrets[1] = credential.token
  local named = merge_headers(credential.headers or {}, options.provider.extra_headers or {})
  for name, value in pairs(named) do
    if name:find("key") or name:find("auth") or name:find("token") or name:find("cookie") then
      secrets[#secrets + 1] = value:match("^%a+ (.+)$") or value
    end
  end
  table.sort(secrets, function(a, b)
    return #a > #b
  end)
  return secrets
end

local function encode_wire(options, codec)
  local credential, provider = options.credential or {}, options.provider
  local encoded = codec.encode(options.request, provider, options.model)
  local wire = {
    url = join_url(credential.base_url or provider.base_url or "", encoded.path),
    headers = merge_headers(
      encoded.headers,
      codec.headers(credential),
      credential.headers or {},
      provider.extra_headers or {}
    ),
    body = encoded.body,
  }
  if options.on_request then
    options.on_request(wire)
  end
  return wire
end

-- A style without a server brings what stands for HTTP.
local function open_transport(options, codec)
  return codec.transport and codec.transport(options.provider, options.request) or sys_http
end

local function new_stream(options, codec)
  local provider, model = options.provider, options.model
  local wire = encode_wire(options, codec)
  return setmetatable({
    options = options,
    codec = codec,
    wire = wire,
    place = {
      provider = provider.name,
      model = model.model or model.alias or "the model",
      url = wire.url:gsub("%?.*$", ""):gsub("//[^/@]*@", "//"),
      auth = provider.auth,
      variable = (options.credential or {}).variable,
      login = (options.credential or {}).login,
      idle_timeout_ms = options.idle_timeout_ms or IDLE_TIMEOUT_MS,
    },
    secrets = collect_secrets(options),
    queue = {},
    first = 1,
    attempt = 1,
    has_yielded = false,
    max_attempts = (options.retry or {}).max_attempts or MAX_ATTEMPTS,
    http = options.http or open_transport(options, codec),
    sleep = options.sleep or task.sleep,
    now_ms = options.now_ms or clock.now_ms,
    random = options.random or math.random,
    step = send,
  }, Stream)
end

--- Sends a request and returns its items one by one; nil after the stop or error item.
--- The fourth value closes the connection when a `for` is left early.
---@param options panto.StreamOptions
---@return fun(): panto.Item?
---@return nil
---@return nil
---@return table closer
function client.stream(options)
  local codec, message = codecs.get(options.provider.style)
  local self
  if codec then
    self = new_stream(options, codec)
  else
    local text = ("%s: %s: check [providers.%s]"):format(
      options.provider.name,
      message,
      options.provider.name
    )
    self = { queue = { { type = "error", kind = "bad_request", message = text } }, first = 1 }
  end
  local closer = setmetatable({}, {
    __close = function()
      self.step = nil
      close_response(self)
    end,
  })
  return function()
    return next_item(self)
  end, nil, nil, closer
end

return client
