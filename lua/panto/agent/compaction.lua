-- Keeps a conversation within its model's window: trims old outputs, or has the older part
-- summarised and keeps the end word for word.

local compaction_text = require("panto.agent.compaction_text")
local context = require("panto.agent.context")
local facts = require("panto.agent.compaction_facts")
local plan = require("panto.agent.compaction_plan")
local summary = require("panto.agent.compaction_summary")
local trim = require("panto.agent.compaction_trim")

local compaction = {}

local SUMMARY_TOKENS = 8192
local PROMPT_TOKENS = 1500
local BYTES_PER_TOKEN = 3 -- for what must fit: dense text has fewer bytes a token
local SHORTER_TRIES = 2
local MOST_FAILURES, MOST_REFILLS = 3, 2
local MOST_RATIO = 2 -- dense text has half the bytes a token

compaction.NOTHING = "There is nothing to compact: "
  .. "all of the conversation is among the last messages, which are kept whole."

local FULL = "the context is full, and there is nothing in it that could be summarised"
local REFILLED = "The context was full again right after a compaction, %d times in a row; the turn "
  .. "was stopped. Ask for less at once, choose a model with a larger window, or start anew."
local FAILED = "Compaction failed %d times in a row (%s); the turn was stopped. Try /compact, "
  .. "another model (/model, or compaction.model in config.toml), or start anew."
local CLAMPED = "compaction.keep_verbatim (%d tokens) is larger than the window of the model "
  .. "(%d); %d are kept."

---@class panto.CompactionLimits
---@field keep integer keep_verbatim
---@field window integer? of the session's model
---@field max_tokens integer? of its answers

---@class panto.Summarizer
---@field stream fun(request: panto.Request): fun(): panto.Item?
---@field window integer?
---@field max_tokens integer?

---@class panto.CompactionRecord
---@field summary string
---@field first panto.Message the first one that is kept
---@field tokens_before integer
---@field tokens_after integer

---@class panto.CompactionOptions
---@field messages panto.Message[] the conversation; its items are replaced
---@field limits fun(): panto.CompactionLimits
---@field fixed fun(): integer tokens of a request besides its messages
---@field summarizer fun(max_tokens: integer): panto.Summarizer
---@field prompt string
---@field save fun(made: panto.CompactionRecord): panto.Message[]?, string? the new conversation
---@field save_trim fun(mark: panto.TrimMark, tokens: integer)
---@field emit fun(name: string, payload: table): table
---@field tell fun(level: string, text: string)
---@field working fun(is_working: boolean)
---@field spent fun(usage: panto.Usage)
---@field base panto.ContextBase? of a resumed conversation
---@field mark panto.TrimMark?

---@class panto.Compaction
---@field options panto.CompactionOptions
---@field base panto.ContextBase?
---@field mark panto.TrimMark?
---@field trimmed_by panto.TrimMark?
---@field trimmed table<panto.Message, panto.Message>? what that mark made of messages
---@field failures integer in a row
---@field refills integer in a row
---@field compacted_at integer? how many messages the last compaction left
local Compaction = {}
Compaction.__index = Compaction

--- Makes the keeper of one conversation.
---@param options panto.CompactionOptions
---@return panto.Compaction
function compaction.new(options)
  return setmetatable({
    options = options,
    base = options.base,
    mark = options.mark,
    failures = 0,
    refills = 0,
  }, Compaction)
end

--- Returns the messages as the model is sent them.
---@return panto.Message[]
function Compaction:view()
  if self.trimmed_by ~= self.mark then
    self.trimmed_by, self.trimmed = self.mark, {}
  end
  return trim.view(self.options.messages, self.mark, self.trimmed)
end

--- Says how many tokens the next request takes.
---@return integer
function Compaction:measure()
  return context.measure(self:view(), self.options.fixed(), self.base)
end

-- What is known about the context before anything is done: its size, and how estimates are off.
local function survey(self, is_overflow)
  local limits, view = self.options.limits(), self:view()
  local fixed = self.options.fixed()
  local estimated = fixed + context.estimate_all(view)
  local measured = context.measure(view, fixed, self.base)
  local trigger = plan.trigger(limits.window, limits.max_tokens, fixed)
  local fits = trigger
  if is_overflow then
    fits = math.min(trigger or measured, measured)
  end
  local ratio = math.max(1, math.min(MOST_RATIO, measured / estimated))
  local keep = plan.keep(limits.keep, fits)
  if limits.window and limits.keep >= limits.window and not self.told_of_keep then
    self.told_of_keep = true
    self.options.tell("warning", CLAMPED:format(limits.keep, limits.window, keep))
  end
  return {
    fixed = fixed,
    estimated = estimated,
    measured = measured,
    ratio = ratio,
    keep = math.floor(keep / ratio),
    target = fits and (is_overflow and fits // 2 or fits * 4 // 5),
  }
end

-- What the last messages say is cut only when there is nothing older to give up.
local function new_mark(self, now)
  local old = self.mark or {}
  local mark = { before = now.first, limit = old.limit, upto = old.upto }
  if now.is_all_kept and now.limit then
    mark.limit = math.min(now.limit, old.limit or now.limit)
    mark.upto = #self.options.messages
  end
  return mark
end

local function set_base(self, now)
  local messages = self.options.messages
  local tokens = now.fixed + context.estimate_all(self:view())
  self.base = { count = #messages, tokens = math.floor(tokens * now.ratio) }
  return self.base.tokens
end

local function set_mark(self, mark, now)
  self.mark = mark
  self.options.save_trim(mark, set_base(self, now))
end

-- Leaves old outputs out when that makes enough room; true when it did.
local function trim_only(self, now, mark)
  local trimmed = now.fixed + context.estimate_all(trim.view(self.options.messages, mark))
  local is_enough = now.target and trimmed * now.ratio <= now.target
  if trimmed >= now.estimated or not (is_enough or now.is_all_kept) then
    return false
  end
  set_mark(self, mark, now)
  self.options.tell("info", "Old tool outputs are left out of the context from here on.")
  return true
end

local function output_tokens(found)
  local most = math.min(SUMMARY_TOKENS, found.max_tokens or SUMMARY_TOKENS)
  return found.window and math.min(most, found.window // 4) or most
end

-- A text that is too long even for the summary is made shorter, twice.
local function ask(self, now, instructions)
  local options = self.options
  local found = options.summarizer(SUMMARY_TOKENS)
  local max_tokens = output_tokens(found)
  local room = found.window and math.max(1000, found.window - max_tokens - PROMPT_TOKENS)
  local max_bytes = room and room * BYTES_PER_TOKEN
  for try = 0, SHORTER_TRIES do
    local text = compaction_text.render(options.messages, now.first - 1, max_bytes)
    local made, failure, usage = summary.ask({
      system = options.prompt,
      text = text,
      instructions = instructions,
      max_tokens = max_tokens,
      stream = found.stream,
      emit = options.emit,
    })
    if usage then
      options.spent(usage)
    end
    if made or failure.kind ~= "overflow" or try == SHORTER_TRIES then
      return made, failure and failure.message
    end
    max_bytes = #text // 2
  end
end

local function has_request(messages, first)
  for i = first, #messages do
    if messages[i].role == "user" then
      return true
    end
  end
  return false
end

local function replace(list, with)
  for i = #list, 1, -1 do
    list[i] = nil
  end
  table.move(with, 1, #with, 1, list)
end

local function adopt(self, text, now)
  local options = self.options
  local messages = options.messages
  local carried = facts.collect(messages, now.first)
  local full = facts.append(text, carried, has_request(messages, now.first))
  local kept = context.estimate_all(messages, now.first)
  local after = math.floor((now.fixed + #full // 4 + kept) * now.ratio)
  local list, problem = options.save({
    summary = full,
    first = messages[now.first],
    tokens_before = now.measured,
    tokens_after = after,
  })
  if not list then
    return nil, problem
  end
  replace(messages, list)
  self.mark = nil
  set_base(self, now)
  if now.limit then
    set_mark(self, { before = 1, limit = now.limit, upto = #messages }, now)
  end
  self.failures, self.compacted_at = 0, #messages
  options.emit("compaction", {
    summary = full,
    tokens_before = now.measured,
    tokens_after = self.base.tokens,
  })
  return true
end

local function summarise(self, now, instructions)
  local working = self.options.working
  working(true)
  local guard <close> = setmetatable({}, {
    __close = function()
      working(false)
    end,
  })
  local text, problem = ask(self, now, instructions)
  if text then
    text, problem = adopt(self, text, now)
  end
  return text and true, problem, guard and nil
end

-- Where the kept end begins, and whether there is anything before it.
local function place(self, now)
  local messages = self.options.messages
  now.first = plan.cut(messages, now.keep)
  now.is_all_kept = now.first == 1 or (now.first == 2 and facts.earlier(messages) ~= nil)
  now.limit = trim.limit(messages, now.first, now.keep)
end

local function make_room(self, is_overflow)
  local now = survey(self, is_overflow)
  place(self, now)
  if trim_only(self, now, new_mark(self, now)) then
    return true
  elseif now.is_all_kept then
    return nil, FULL
  end
  return summarise(self, now)
end

-- True when the context fills up again before a second answer has come.
local function is_refill(self)
  local answers = 0
  for i = (self.compacted_at or 0) + 1, #self.options.messages do
    answers = answers + (self.options.messages[i].role == "assistant" and 1 or 0)
  end
  return self.compacted_at ~= nil and answers <= 1
end

local function automatic(self, is_overflow)
  self.refills = is_refill(self) and self.refills + 1 or 0
  if self.refills >= MOST_REFILLS then
    self.refills = 0
    return nil, REFILLED:format(MOST_REFILLS)
  end
  local ok, problem = make_room(self, is_overflow)
  if ok or (problem == FULL and not is_overflow) then -- whether it is too long the provider knows
    return true
  end
  self.failures = self.failures + 1
  if self.failures >= MOST_FAILURES then
    return nil, FAILED:format(self.failures, problem)
  elseif is_overflow then
    return nil, "The conversation is too long for the model, and compacting it failed: " .. problem
  end
  self.options.tell("warning", "Compaction failed: " .. problem)
  return true
end

--- Makes room if the next request would not leave any for its answer; call it in a task before each
--- request. A message when the turn cannot go on.
---@return true?
---@return string? message
function Compaction:check()
  local limits = self.options.limits()
  local fixed = self.options.fixed()
  local trigger = plan.trigger(limits.window, limits.max_tokens, fixed)
  if not trigger or context.measure(self:view(), fixed, self.base) < trigger then
    return true
  end
  return automatic(self, false)
end

--- Makes room after the provider has refused a request as too long.
---@return true?
---@return string? message
function Compaction:recover()
  return automatic(self, true)
end

--- Compacts because the user asks for it; call it in a task.
---@param instructions string? what the user wants of the summary
---@return true?
---@return string? message
function Compaction:run(instructions)
  local now = survey(self, false)
  place(self, now)
  if now.is_all_kept then
    return nil, compaction.NOTHING
  end
  self.refills = 0
  local ok, problem = summarise(self, now, instructions)
  return ok, problem and ("Compaction failed: " .. problem)
end

return compaction
