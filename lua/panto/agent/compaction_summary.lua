-- One request to a model for a summary into its text, or into what went wrong.

local summary = {}

local BYTES_PER_TOKEN = 6
local THINKING_FACTOR = 8

local ENDLESS = "the summary did not come to an end"
local STOPS = {
  length = ENDLESS,
  refusal = "the model refused to summarise",
  content_filter = "the provider's content filter stopped the summary",
}

---@class panto.SummaryOptions
---@field system string the compaction prompt
---@field text string the conversation
---@field instructions string? what the user wants of this summary
---@field max_tokens integer
---@field stream fun(request: panto.Request): fun(): panto.Item?
---@field emit fun(name: string, payload: table)

---@class panto.SummaryReading
---@field pieces string[]
---@field bytes integer
---@field thought integer bytes
---@field stop string?
---@field failure { kind: string, message: string }?

local function request_of(options)
  local text = ("<conversation>\n%s\n</conversation>\n\nWrite the summary now."):format(
    options.text
  )
  if options.instructions and options.instructions ~= "" then
    text = text .. "\nThe user asks of it: " .. options.instructions
  end
  return {
    system = options.system,
    messages = { { role = "user", content = { { type = "text", text = text } } } },
    tools = {},
  }
end

local function new_reading()
  return { pieces = {}, bytes = 0, thought = 0 }
end

local take = {}

function take.text_delta(reading, item)
  reading.pieces[#reading.pieces + 1] = item.delta
  reading.bytes = reading.bytes + #item.delta
end

function take.thinking_delta(reading, item)
  reading.thought = reading.thought + #item.delta
end

function take.stop(reading, item)
  reading.stop = item.reason
end

function take.usage(reading, item)
  reading.usage = item.usage
end

function take.error(reading, item)
  reading.failure = { kind = item.kind, message = item.message }
end

function take.restart(reading)
  reading.pieces, reading.bytes, reading.thought = {}, 0, 0
end

function take.retry(_, item, emit)
  emit("retry", {
    attempt = item.attempt,
    max_attempts = item.max_attempts,
    wait_ms = item.wait_ms,
    message = item.message,
  })
end

local function read(options)
  local reading = new_reading()
  local max_bytes = options.max_tokens * BYTES_PER_TOKEN
  local items, state, first, closer = options.stream(request_of(options))
  for item in items, state, first, closer do
    local step = take[item.type]
    if step then
      step(reading, item, options.emit)
    end
    if reading.bytes > max_bytes or reading.thought > max_bytes * THINKING_FACTOR then
      reading.failure = { kind = "endless", message = ENDLESS }
      break
    end
  end
  return reading
end

--- Asks for a summary; call it in a task. The failure's kind is "overflow" when the text was too
--- long for the model.
---@param options panto.SummaryOptions
---@return string? text
---@return { kind: string, message: string }? failure
---@return panto.Usage? usage
function summary.ask(options)
  local reading = read(options)
  local text = table.concat(reading.pieces):match("^%s*(.-)%s*$")
  local failure = reading.failure
  if not failure and STOPS[reading.stop] then
    failure = { kind = reading.stop, message = STOPS[reading.stop] }
  elseif not failure and not reading.stop then
    failure = { kind = "cut", message = "the summary was cut off" }
  elseif not failure and text == "" then
    failure = { kind = "empty", message = "the summary was empty" }
  end
  if failure then
    return nil, failure, reading.usage
  end
  return text, nil, reading.usage
end

return summary
