require("bare_host")
local json = require("panto.base.json")
local read = require("panto.config.read")
local toml = require("panto.sys.toml")

local PATHS = {
  base = "/data/config.toml",
  user = "/user/config.toml",
  project = "/p/.panto/config.toml",
  project_local = "/p/.panto/config.local.toml",
  models = "/user/models.toml",
}

local OPENAI = [[
[providers.openai]
style = "openai_chat"
base_url = "https://api.example/v1"
auth = "openai"
[auth.openai]
key = "${env:OPENAI_API_KEY}"
]]

local function load(files, environment)
  local by_path = {}
  for name, text in pairs(files) do
    by_path[PATHS[name]] = text
  end
  environment = environment or { OPENAI_API_KEY = "k1" }
  return read.load({
    paths = PATHS,
    read_file = function(path)
      if by_path[path] == false then
        return nil, path .. ": permission denied", "EACCES"
      elseif by_path[path] then
        return by_path[path]
      end
      return nil, path .. ": no such file or directory", "ENOENT"
    end,
    getenv = function(name)
      return environment[name]
    end,
    decode_toml = toml.decode,
  })
end

local function has(needle, text)
  assert.is_truthy(text:find(needle, 1, true), ("%q is not in %q"):format(needle, text))
end

local function message_of(files, environment)
  local config, message = load(files, environment)
  assert.is_nil(config)
  return message
end

describe("reading the configuration", function()
  it("gives the defaults when no file exists", function()
    local config = assert(load({}))
    assert.same({}, config.providers)
    assert.same({}, config.dropped)
    assert.equal(20000, config.compaction.keep_verbatim)
    assert.same({ max_attempts = 5, idle_timeout_s = 300 }, config.retry)
    assert.equal(120, config.shell.timeout_s)
    assert.same({}, config.warnings)
  end)

  it("merges tables of the layers deeply and replaces arrays whole", function()
    local config = assert(load({
      base = OPENAI .. '[tools]\nallow = ["std.*", "x.*"]\ndeny = ["std.shell"]\n',
      user = '[providers.openai.extra_headers]\nX-A = "a"\n[retry]\nmax_attempts = 2\n',
      project = "[tools]\ndeny = []\n",
      project_local = '[providers.openai]\nbase_url = "http://127.0.0.1:9/v1/"\n',
    }))
    assert.same({
      name = "openai",
      style = "openai_chat",
      base_url = "http://127.0.0.1:9/v1",
      auth = "openai",
      prompt_cache = true,
      extra_headers = { ["X-A"] = "a" },
    }, config.providers.openai)
    assert.equal(2, #config.tools.allow)
    assert.equal(0, #config.tools.deny)
    assert.equal(2, config.retry.max_attempts)
    assert.equal(300, config.retry.idle_timeout_s)
    assert.equal("k1", config.auth.openai.key)
    assert.equal("api_key", config.auth.openai.type)
  end)

  it("reads a file with a byte order mark, CRLF and dotted keys", function()
    local text = "\xef\xbb\xbf"
      .. 'providers.a.style = "openai_chat"\r\nproviders.a.base_url = "http://h/v1"\r\n'
      .. 'providers.a.auth = "a"\r\nauth.a.key = "k"\r\n'
    local config = assert(load({ user = text }))
    assert.equal("http://h/v1", config.providers.a.base_url)
    has(
      "/user/config.toml:3: providers.a.auth must be a text",
      message_of({
        user = (text:gsub('auth = "a"', "auth = 7")),
      })
    )
  end)

  it("substitutes variables and siblings, and takes what is not set as empty", function()
    local config = assert(load({
      user = [[
[auth.gh]
client_id = "id"
domain = "host.${env:TLD}"
device_code_url = "https://${domain}/device${env:NOPE}${nobody}"
token_url = "https://${domain}/token"
[providers.gh]
style = "openai_chat"
base_url = "https://${env:HOST}/v1"
auth = "gh"
extra_headers = { X-Team = "${env:TEAM}" }
]],
    }, { TLD = "example", HOST = "api.example", TEAM = "t" }))
    assert.equal("https://host.example/device", config.auth.gh.device_code_url)
    assert.equal("oauth_device", config.auth.gh.type)
    assert.equal("token", config.auth.gh.dialect)
    assert.equal("https://api.example/v1", config.providers.gh.base_url)
    assert.equal("t", config.providers.gh.extra_headers["X-Team"])
  end)

  it("ends a ring of siblings", function()
    local config = assert(load({ user = '[auth.a]\nkey = "x${b}"\nb = "y${key}"\n' }))
    assert.equal("xy", config.auth.a.key)
  end)

  it("trims the line end that a key was exported with", function()
    local config = assert(load({ user = OPENAI }, { OPENAI_API_KEY = "k\n" }))
    assert.equal("k", config.auth.openai.key)
  end)

  it("drops a provider with an empty key and remembers the variables", function()
    local config = assert(load({
      base = OPENAI,
      user = '[auth.openai]\nkey = "${prefix}${env:OPENAI_API_KEY}"\nprefix = "${env:P}"\n',
    }, {}))
    assert.is_nil(config.providers.openai)
    assert.same({ auth = "openai", variables = { "P", "OPENAI_API_KEY" } }, config.dropped.openai)
  end)

  it("drops a provider whose address comes from a variable that is not set", function()
    local config = assert(load({ base = OPENAI:gsub('"https[^"]*"', '"${env:URL}"') }))
    assert.same({ "URL" }, config.dropped.openai.variables)
  end)

  it("builds the models with their defaults", function()
    local config = assert(load({
      base = OPENAI,
      models = '[openai.gpt]\nmodel = "gpt-4o"\ninput = 2.5\noutput = 0\n'
        .. 'context_window = 128000\nreasoning = "high"\nmax_tokens = 0\n',
    }))
    local model = config.models.openai.gpt
    assert.equal("gpt-4o", model.model)
    assert.equal("gpt", model.alias)
    assert.equal(64000, model.max_tokens)
    assert.equal(2.5, model.input)
    assert.equal(0, model.output)
    assert.is_nil(model.cache_read)
    assert.equal("high", model.reasoning)
    assert.equal("2023-06-01", model.api_version)
    assert.same({}, config.warnings)
  end)
end)

describe("an error of the configuration", function()
  local function user(text)
    return message_of({ base = OPENAI, user = text })
  end

  it("names file, line and column of bad TOML", function()
    assert.equal(
      "/user/config.toml:2:9: not valid TOML: Invalid value: a text value needs quotes",
      user("[tui]\ntheme = dark\n")
    )
  end)

  it("never shows the line of bad TOML, which may hold a key", function()
    assert.is_nil(user("[auth.x]\nkey = sk-secret\n"):find("secret", 1, true))
  end)

  it("names a file that cannot be read", function()
    has("/user/config.toml: cannot be read: /user/config.toml: permission denied", user(false))
  end)

  it("knows UTF-16", function()
    assert.equal("/user/config.toml: the file is UTF-16; save it as UTF-8", user("\xff\xfea\0"))
  end)

  it("says what a bad style is, what is allowed, and which is nearest", function()
    assert.equal(
      '/user/config.toml:2: providers.openai.style must be one of "openai_chat", '
        .. '"anthropic_messages", "openai_responses", "script", found "openai_chats" '
        .. '(did you mean "openai_chat"?)',
      user('[providers.openai]\nstyle = "openai_chats"\n')
    )
  end)

  it("says which key a provider lacks, and which one was meant", function()
    assert.equal(
      '/user/config.toml:1: providers.x has no base_url: write base_url = "https://…" '
        .. '(there is "base_ur": did you mean "base_url"?)',
      user('[providers.x]\nstyle = "openai_chat"\nauth = "openai"\nbase_ur = "http://h"\n')
    )
  end)

  it("names the auth section that does not exist and the nearest", function()
    assert.equal(
      '/user/config.toml:2: providers.openai.auth names "opena", but no section [auth.opena] '
        .. 'exists; there are openai (did you mean "openai"?)',
      user('[providers.openai]\nauth = "opena"\n')
    )
  end)

  it("refuses a provider's own key without showing it", function()
    local message = user('[providers.openai]\napi_key = "sk-secret"\n')
    has("/user/config.toml:2: providers.openai.api_key is no longer accepted", message)
    has("[auth.NAME]", message)
    assert.is_nil(message:find("secret", 1, true))
  end)

  it("never shows the value of an auth section or header", function()
    local message = user("[auth.openai]\nkey = 123456\n[providers.openai.extra_headers]\nA = 99\n")
    has("auth.openai.key must be a text in quotes, found a number", message)
    assert.is_nil(message:find("123456", 1, true))
    assert.is_nil(message:find("99", 1, true))
  end)

  it("refuses the same pattern in allow and deny", function()
    assert.equal(
      '/user/config.toml:3: tools.deny has "std.*", which tools.allow has too: '
        .. "keep it in one of them",
      user('[tools]\nallow = ["std.*"]\ndeny = ["std.*"]\n')
    )
  end)

  it("wants defaults.model to look like provider:model", function()
    for _, bad in ipairs({ "sonnet", "a:b:c", ":b", "a:" }) do
      assert.equal(
        '/user/config.toml:2: defaults.model must look like "provider:model" '
          .. ('(exactly one colon), found "%s"'):format(bad),
        user(('[defaults]\nmodel = "%s"\n'):format(bad))
      )
    end
  end)

  it("wants keep_verbatim above 0 and whole", function()
    for _, bad in ipairs({ "0", "-1", "1.5", '"20000"' }) do
      has(
        "/user/config.toml:2: compaction.keep_verbatim must be a whole number greater than 0",
        user("[compaction]\nkeep_verbatim = " .. bad .. "\n")
      )
    end
  end)

  it("wants tables, arrays and truth values where they belong", function()
    has(":1: retry must be a table of keys, found a number", user("retry = 5\n"))
    has(
      'tools.allow must be an array of texts, such as ["std.*"], found "std.*"',
      user('[tools]\nallow = "std.*"\n')
    )
    has(
      'prompt_cache must be true or false, without quotes, found "yes"',
      user('[providers.openai]\nprompt_cache = "yes"\n')
    )
  end)

  it("calls infinities by their name", function()
    for _, value in ipairs({ "inf", "-inf", "nan" }) do
      has("found inf or nan", message_of({ user = "[retry]\nidle_timeout_s = " .. value }))
      has("found inf or nan", message_of({ user = "retry = " .. value }))
    end
  end)

  it("wants an http address", function()
    assert.equal(
      "/user/config.toml:2: providers.openai.base_url must begin with http:// or https://, "
        .. 'found "localhost:8080"',
      user('[providers.openai]\nbase_url = "localhost:8080"\n')
    )
  end)

  it("wants an auth section to have a type it can see, and its keys", function()
    has("/user/config.toml:1: auth.x has no type: write key", user('[auth.x]\na = "b"\n'))
    local message = user('[auth.x]\nclient_id = "c"\ndialect = "codex"\n')
    has("auth.x has no device_code_url", message)
    has("auth.x has no token_url", message)
    has("auth.x has no device_poll_url", message)
    has('(did you mean "api_key"?)', user('[auth.x]\ntype = "apikey"\nkey = "k"\n'))
  end)

  it("comes with all the others, in the order of files and lines", function()
    local message = message_of({
      base = "[shell]\ntimeout_s = 0\n",
      user = '[retry]\nidle_timeout_s = "x"\nmax_attempts = 0\n',
      models = "[a.b]\nmax_tokens = 1.5\n",
    })
    local lines = {}
    for line in message:gmatch("[^\n]+") do
      lines[#lines + 1] = line:match("^[^ ]+ [^ ]+")
    end
    assert.same({
      "/data/config.toml:2: shell.timeout_s",
      "/user/config.toml:2: retry.idle_timeout_s",
      "/user/config.toml:3: retry.max_attempts",
      "/user/models.toml:2: a.b.max_tokens",
    }, lines)
  end)

  it("explains an entry of models.toml that is not in [provider.alias]", function()
    assert.equal(
      "/user/models.toml:2: gpt.model must be a table of keys, found a string: "
        .. "an entry stands in [provider.alias], such as [openai.gpt]",
      message_of({ base = OPENAI, models = '[gpt]\nmodel = "x"\n' })
    )
  end)

  it("refuses an alias with a colon and says what to write", function()
    has(
      'choose another alias and write model = "qwen3:8b"',
      message_of({ base = OPENAI, models = '[openai."qwen3:8b"]\n' })
    )
  end)
end)

describe("a warning of the configuration", function()
  local function warnings(files, environment)
    return assert(load(files, environment)).warnings
  end

  it("names an unknown key and the nearest known one", function()
    assert.same({
      '/user/config.toml:2: tools.alow is not a known key and is ignored (did you mean "allow"?)',
    }, warnings({ base = OPENAI, user = '[tools]\nalow = ["x"]\n' }))
  end)

  it("lists the known keys when none is near", function()
    assert.same({
      "/user/config.toml:1: zzzzzzzz is not a known key and is ignored; known here: auth, "
        .. "compaction, defaults, extensions, keys, providers, retry, shell, tools, tui",
    }, warnings({ user = "zzzzzzzz = 1\n" }))
  end)

  it("is not given for further keys of an auth section", function()
    assert.same({}, warnings({ user = '[auth.a]\nkey = "k"\ndomain = "d"\n' }))
  end)

  it("names a placeholder that is none, and one that leads back to itself", function()
    local found = warnings({
      user = '[auth.a]\nkey = "${env:NOPE}${key}${"\nother = "${env:A-B}"\n'
        .. 'one = "${two}"\ntwo = "${one}"\nfine = "$x ${one} ${env:A}"\n',
    })
    local malformed = 'has a "${" that is neither ${env:NAME} nor ${key}: it stays as it is'
    local ring = "refers to itself, which gives nothing there"
    assert.same({
      "/user/config.toml:2: auth.a.key " .. malformed,
      "/user/config.toml:2: auth.a.key " .. ring,
      "/user/config.toml:3: auth.a.other " .. malformed,
      "/user/config.toml:4: auth.a.one " .. ring,
      "/user/config.toml:5: auth.a.two " .. ring,
    }, found)
  end)

  it("is given for max_tokens that is not above 0, and the default stands", function()
    local config =
      assert(load({ user = OPENAI, models = "[openai.m]\nmax_tokens = -5\nmodel = 'm'\n" }))
    assert.same({
      "/user/models.toml:2: openai.m.max_tokens must be greater than 0: the default, 64000, is used",
    }, config.warnings)
    assert.equal(64000, config.models.openai.m.max_tokens)
  end)

  it("explains a dotted alias without quotes", function()
    assert.same({
      "/user/models.toml:1: openai.gpt-4.1 is not a known key and is ignored; a name with a dot "
        .. 'needs quotes: [openai."gpt-4.1"]',
    }, warnings({ base = OPENAI, models = '[openai.gpt-4.1]\nmodel = "m"\n' }))
  end)

  it("names a provider of models.toml that is not configured", function()
    assert.same({
      "/user/models.toml:1: opnai is no configured provider, so its models are not used "
        .. '(did you mean "openai"?)',
    }, warnings({ base = OPENAI, models = "[opnai.x]\nmax_tokens = 5\n" }))
  end)

  it("names a knob that the provider's style does not have", function()
    assert.same({
      "/user/models.toml:2: openai.x.thinking does nothing here: the provider's style is openai_chat",
    }, warnings({ base = OPENAI, models = '[openai.x]\nthinking = "enabled"\n' }))
  end)

  it("is not given for the effort of either OpenAI style", function()
    local responses = OPENAI:gsub("openai_chat", "openai_responses")
    assert.are_not.equal(OPENAI, responses)
    for _, base in ipairs({ OPENAI, responses }) do
      assert.same({}, warnings({ base = base, models = '[openai.x]\nreasoning = "high"\n' }))
    end
  end)

  it("is given for a compaction model whose provider is dropped", function()
    local config = assert(load({ base = OPENAI, user = '[compaction]\nmodel = "openai:x"\n' }, {}))
    assert.is_nil(config.compaction.model)
    assert.same(
      { '/user/config.toml:2: compaction.model is ignored: the provider "openai" has no key' },
      config.warnings
    )
  end)

  it("takes json's empty array as an array", function()
    assert.is_true(json.is_array(assert(load({ user = "[tools]\nallow = []\n" })).tools.allow))
  end)
end)
