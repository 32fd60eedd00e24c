-- The known keys of config.toml and models.toml: what each may hold, as data for check.lua.

local key_actions = require("panto.base.key_actions")
local key_name = require("panto.base.key_name")

local keys = {}

keys.STYLES = { "openai_chat", "anthropic_messages", "openai_responses", "script" }

--- The style whose base_url is a file and that needs no [auth]: it plays a script.
keys.SCRIPT = "script"

---@class panto.config.Shape
---@field kind string? a name in kinds.lua
---@field choices string[]? the allowed words of kind "choice"
---@field allowed string? the words for what is allowed, where the choices are too many to list
---@field secret boolean? the value is never shown
---@field names (fun(name: string): string?, string?)? reads a key's own name; nil and what is wrong
---@field gone string? the key is no longer accepted: what to write instead
---@field fields table<string, panto.config.Shape>? known keys of a table
---@field each panto.config.Shape? shape of every other key of a table
---@field note string? what to say when a table was expected
---@field open boolean? unknown keys are allowed

local STRING = { kind = "string" }
local SECRET = { kind = "string", secret = true }
local REF = { kind = "ref" }
local SECONDS = { kind = "seconds" }
local PRICE = { kind = "price" }
local GLOBS = { kind = "strings" }

local function choice(...)
  return { kind = "choice", choices = { ... } }
end

local GONE = {
  gone = 'is no longer accepted: write auth = "NAME" in the provider and a section '
    .. '[auth.NAME] with key = "${env:VARIABLE}"',
}

local PROVIDER = {
  fields = {
    style = { kind = "choice", choices = keys.STYLES },
    base_url = STRING,
    auth = STRING,
    prompt_cache = { kind = "boolean" },
    extra_headers = { each = SECRET },
    api_key = GONE,
    api_key_env_var = GONE,
  },
}

local AUTH = {
  open = true,
  fields = {
    type = choice("api_key", "oauth_device"),
    key = SECRET,
    dialect = choice("token", "codex"),
    client_id = SECRET,
    device_code_url = STRING,
    token_url = STRING,
    device_poll_url = STRING,
    verification_url = STRING,
    scope = STRING,
    token_request_format = choice("form", "json"),
    redirect_uri = STRING,
    account_id_jwt_claim = STRING,
    exchange_url = STRING,
    exchange_method = STRING,
    exchange_headers = { each = SECRET },
    exchange_token_path = STRING,
    exchange_expires_path = STRING,
    exchange_base_url_path = STRING,
  },
}

local THEME = choice("auto", "dark", "light", "none")
local MODE = choice("screen", "plain")
local IMAGES = choice("auto", "off")

local ACTION = choice(table.unpack(key_actions.names()))
ACTION.allowed = "name an action: docs/keys.md lists them"

keys.CONFIG = {
  fields = {
    providers = { each = PROVIDER },
    auth = { each = AUTH },
    defaults = { fields = { model = REF, models = GLOBS } },
    tools = { fields = { allow = GLOBS, deny = GLOBS } },
    extensions = { fields = { allow = GLOBS, deny = GLOBS, paths = GLOBS, rocks = GLOBS } },
    compaction = { fields = { keep_verbatim = { kind = "count" }, model = REF } },
    keys = {
      each = ACTION,
      names = key_name.read,
    },
    tui = {
      fields = { theme = THEME, mode = MODE, images = IMAGES, bell = { kind = "boolean" } },
    },
    retry = { fields = { max_attempts = { kind = "count" }, idle_timeout_s = SECONDS } },
    shell = { fields = { timeout_s = SECONDS } },
  },
}

local EFFORTS = choice("default", "off", "minimal", "low", "medium", "high")

keys.MODELS = {
  each = {
    note = "an entry stands in [provider.alias], such as [openai.gpt]",
    each = {
      note = "an entry stands in [provider.alias], such as [openai.gpt]",
      fields = {
        model = STRING,
        max_tokens = { kind = "integer" },
        context_window = { kind = "count" },
        input = PRICE,
        output = PRICE,
        cache_read = PRICE,
        cache_write = PRICE,
        reasoning = EFFORTS,
        api_version = STRING,
        thinking = choice("disabled", "enabled", "adaptive"),
        effort = choice("low", "medium", "high", "xhigh", "max"),
        thinking_budget_tokens = { kind = "count" },
        thinking_interleaved = { kind = "boolean" },
      },
    },
  },
}

--- For each knob of models.toml that only some styles know: those styles.
keys.KNOB_STYLES = {
  reasoning = { openai_chat = true, openai_responses = true },
  api_version = { anthropic_messages = true },
  thinking = { anthropic_messages = true },
  effort = { anthropic_messages = true },
  thinking_budget_tokens = { anthropic_messages = true },
  thinking_interleaved = { anthropic_messages = true },
}

--- The oauth_device keys that must be there; device_poll_url only for the codex dialect.
keys.OAUTH_REQUIRED = { "client_id", "device_code_url", "token_url" }

return keys
