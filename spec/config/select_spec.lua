local select_model = require("panto.config.select")

local function config(over)
  local result = {
    providers = { openai = { name = "openai" }, anthropic = { name = "anthropic" } },
    dropped = {},
    defaults = {},
    models = { anthropic = { sonnet = { alias = "sonnet", model = "claude-x" } } },
    user_path = "/user/config.toml",
  }
  for key, value in pairs(over or {}) do
    result[key] = value
  end
  return result
end

local function message_of(over, ref)
  local chosen, message = select_model.model(config(over), ref)
  assert.is_nil(chosen)
  return message
end

describe("selecting a model", function()
  it("takes the wish before the default", function()
    local c = config({ defaults = { model = "openai:gpt" } })
    assert.equal("claude-x", assert(select_model.model(c, "anthropic:sonnet")).model.model)
    assert.equal("openai", assert(select_model.model(c)).provider.name)
  end)

  it("uses an alias without entry verbatim, with the default knobs", function()
    local chosen = assert(select_model.model(config(), "openai:gpt-9"))
    assert.equal("gpt-9", chosen.model.model)
    assert.equal(64000, chosen.model.max_tokens)
    assert.is_nil(chosen.model.input)
  end)

  it("takes the only alias of the only provider", function()
    local c = config({ providers = { anthropic = { name = "anthropic" } } })
    assert.equal("sonnet", assert(select_model.model(c)).model.alias)
  end)

  it("says what to write when nothing selects one", function()
    assert.equal(
      "no model is selected: say --model provider:model, or write [defaults] model = "
        .. '"anthropic:sonnet" in config.toml; models: anthropic:sonnet',
      message_of()
    )
    assert.equal(
      "no model is selected: say --model provider:model, or write [defaults] model = "
        .. '"anthropic:MODEL" in config.toml; providers: anthropic, openai',
      message_of({ models = {} })
    )
  end)

  it("names the nearest provider", function()
    assert.equal(
      'there is no provider "antropic" (did you mean "anthropic"?); configured: anthropic, openai',
      message_of({}, "antropic:sonnet")
    )
  end)

  it("says which variable brings a dropped provider back", function()
    local dropped = { gemini = { auth = "gemini", variables = { "GEMINI_API_KEY" } } }
    assert.equal(
      'the provider "gemini" has no key: export GEMINI_API_KEY',
      message_of({ dropped = dropped }, "gemini:pro")
    )
    dropped.gemini.variables = {}
    assert.equal(
      'the provider "gemini" has no key: auth.gemini.key is empty',
      message_of({ dropped = dropped }, "gemini:pro")
    )
  end)

  it("names the provider that was left out, or the alias a second colon needs", function()
    assert.equal(
      'a model must look like "provider:model" (exactly one colon), found "sonnet"; '
        .. 'did you mean "anthropic:sonnet"?',
      message_of({}, "sonnet")
    )
    assert.equal(
      'a model must look like "provider:model" (exactly one colon), found "ollama:qwen3:8b"; '
        .. 'give it an alias in models.toml: [ollama.ALIAS] with model = "qwen3:8b"',
      message_of({}, "ollama:qwen3:8b")
    )
  end)

  it("says what to export and how to write a provider when there is none", function()
    local message = message_of({ providers = {} })
    for _, part in ipairs({
      "OPENAI_API_KEY",
      "ANTHROPIC_API_KEY",
      "/user/config.toml",
      "[auth.local]",
    }) do
      assert.is_truthy(message:find(part, 1, true), part)
    end
    message = message_of({
      providers = {},
      defaults = { model = "a:b" },
      dropped = { a = { auth = "a", variables = { "A_KEY" } } },
    })
    assert.is_truthy(message:find('the provider "a" has no key: export A_KEY', 1, true))
  end)

  it("says first what the default model needs", function()
    local message = message_of({
      providers = {},
      defaults = { model = "a:b" },
      dropped = { a = { auth = "a", variables = { "A_KEY" } } },
    })
    assert.equal("the default model a:b needs a key: export A_KEY", message:match("^[^\n]*"))
    assert.is_truthy(message:find("panto tutor", 1, true))
    message = message_of({
      defaults = { model = "a:b" },
      dropped = { a = { auth = "a", variables = { "A_KEY" } } },
    })
    assert.equal("the default model a:b needs a key: export A_KEY", message)
  end)

  it("takes the first of defaults.models whose provider can be used", function()
    local defaults = { models = { "gone:x", "openai:gpt-4o", "anthropic:sonnet" } }
    local chosen = assert(select_model.model(config({ defaults = defaults })))
    assert.equal("gpt-4o", chosen.model.model)
    assert.equal(16384, chosen.model.max_tokens)
    assert.equal(128000, chosen.model.context_window)
    defaults.model = "anthropic:sonnet"
    chosen = assert(select_model.model(config({ defaults = defaults })))
    assert.equal("claude-x", chosen.model.model)
  end)

  it("lists the models that can be used", function()
    assert.same({ "anthropic:sonnet" }, select_model.list(config()))
  end)
end)
