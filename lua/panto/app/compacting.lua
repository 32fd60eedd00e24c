-- A conversation's compaction: its window and prompt from the setup, its records in the log.

local compaction = require("panto.agent.compaction")
local context = require("panto.agent.context")
local model_stream = require("panto.app.model_stream")
local record = require("panto.session.record")
local select_model = require("panto.config.select")

local compacting = {}

-- Places are kept from the end, where nothing moves.
local function mark_of(value, count)
  local before, limit, upto = value.stubs_before, value.limit, value.cut_upto
  if math.type(before) ~= "integer" then
    return nil
  end
  local cuts = math.type(limit) == "integer" and math.type(upto) == "integer"
  return {
    before = count - before,
    limit = cuts and limit or nil,
    upto = cuts and count - upto or nil,
  }
end

-- What the log says of a resumed conversation: how many of its messages a record has counted, and
-- which outputs are left out.
local function restore(log, count)
  local base, mark
  local newer = 0
  for entry in log:walk() do
    local value = entry.type ~= "message" and record.get(entry) or {}
    local is_trim = entry.type == "custom" and value.name == "trim"
    if entry.type == "message" then
      newer = newer + 1
    elseif
      (is_trim or entry.type == "compaction") and math.type(value.tokens_after) == "integer"
    then
      base = base or { count = count - newer, tokens = value.tokens_after }
    end
    if is_trim and not mark then
      mark = mark_of(value, count - newer)
    end
    if newer >= count or entry.type == "compaction" then
      return base, mark
    end
  end
end

-- The model that summarises: compaction.model, else the session's own; with a limit and no thinking.
local function summarizer(self, max_tokens)
  local setup = self.setup
  local choice, ref = setup.choice, setup.config.compaction.model
  if ref then
    local found, message = select_model.model(setup.config, ref)
    if not found then
      setup.bus:emit("notice", { level = "warning", text = "compaction.model: " .. message })
    end
    choice = found or choice
  end
  local model = setmetatable({}, { __index = choice.model })
  model.max_tokens = math.min(max_tokens, choice.model.max_tokens or max_tokens)
  model.thinking = "disabled"
  self.summary_model = choice.model
  local using = { provider = choice.provider, model = model, ref = choice.ref or ref }
  local asked = setmetatable({ choice = using }, { __index = setup })
  return {
    window = choice.model.context_window,
    max_tokens = model.max_tokens,
    stream = function(request)
      return model_stream.open(asked, request)
    end,
  }
end

local function save(self, made)
  local id = self.log:id_of(made.first)
  if not id then
    return nil, "the session's log does not hold the message that the kept end begins with"
  end
  local _, problem = self.log:append("compaction", {
    summary = made.summary,
    first_kept = id,
    tokens_before = made.tokens_before,
    tokens_after = made.tokens_after,
  })
  self:tell_of_log(problem)
  self.log:sync()
  return (self.log:messages())
end

local function save_trim(self, mark, tokens)
  local count = #self.messages
  self.totals.context = tokens
  self.log:append("custom", {
    name = "trim",
    stubs_before = count - mark.before,
    limit = mark.limit,
    cut_upto = mark.upto and count - mark.upto,
    tokens_after = tokens,
  })
end

-- What a summary costs is spent, but it is not in the context.
local function spend(self, usage)
  local before = self.totals.context
  self.totals:add(usage, self.summary_model)
  self.totals.context = before
end

local function emit(self, name, payload)
  if name == "compaction" then
    self.totals.context = payload.tokens_after
  end
  return self.setup.bus:emit(name, payload)
end

local function limits(setup)
  local model = setup.choice and setup.choice.model or {}
  return {
    keep = setup.config.compaction.keep_verbatim,
    window = model.context_window,
    max_tokens = model.max_tokens,
  }
end

--- Makes what keeps a conversation within its model's window.
---@param self panto.Conversation
---@return panto.Compaction
function compacting.new(self)
  local setup = self.setup
  local base, mark = restore(self.log, #self.messages)
  local estimated = {} -- for this prompt and these tools
  local function with_self(fn)
    return function(...)
      return fn(self, ...)
    end
  end
  local keeper = compaction.new({
    messages = self.messages,
    base = base,
    mark = mark,
    prompt = setup.compaction_prompt,
    limits = function()
      return limits(setup)
    end,
    fixed = function()
      local definitions = setup.toolset:definitions()
      if estimated.system ~= setup.system or estimated.definitions ~= definitions then
        estimated.system, estimated.definitions = setup.system, definitions
        estimated.tokens = context.estimate_fixed(setup.system, definitions)
      end
      return estimated.tokens
    end,
    summarizer = with_self(summarizer),
    save = with_self(save),
    save_trim = with_self(save_trim),
    spent = with_self(spend),
    emit = with_self(emit),
    tell = function(level, text)
      setup.bus:emit("notice", { level = level, text = text })
    end,
    working = function(is_working)
      if self.show_work then
        self.show_work(is_working and "compacting" or "working")
      end
    end,
  })
  if base then
    self.totals.context = keeper:measure()
  end
  return keeper
end

return compacting
