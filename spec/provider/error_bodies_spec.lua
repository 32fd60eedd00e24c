-- What servers really answer when a window is full, a budget is spent, or they are asked too often.

local errors = require("panto.provider.errors")
local json = require("panto.base.json")

-- Bodies of the OpenAI shape: { error = { message, type, code } }.
local function openai(message, type, code)
  return json.encode({
    error = { message = message, type = type, param = json.null, code = code or json.null },
  })
end

-- Bodies of the Anthropic shape.
local function anthropic(message, type)
  return json.encode({
    type = "error",
    error = { type = type, message = message },
    request_id = "req_0",
  })
end

local function google(code, status, message)
  return json.encode({ error = { code = code, message = message, status = status } })
end

local INVALID = "invalid_request_error"

-- Each: status, body. Named after who answers so.
local BODIES = {
  overflow = {
    ["OpenAI chat"] = {
      400,
      openai(
        "This model's maximum context length is 128000 tokens. However, your messages resulted "
          .. "in 130001 tokens. Please reduce the length of the messages.",
        INVALID,
        "context_length_exceeded"
      ),
    },
    ["OpenAI responses"] = {
      400,
      openai(
        "Your input exceeds the context window of this model. Please adjust your input and try "
          .. "again.",
        INVALID,
        "context_length_exceeded"
      ),
    },
    Azure = {
      400,
      openai("This model's maximum context length is 8192 tokens, however you requested 9000"),
    },
    Anthropic = { 400, anthropic("prompt is too long: 208310 tokens > 200000 maximum", INVALID) },
    ["Anthropic with max_tokens"] = {
      400,
      anthropic(
        "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease "
          .. "input length or `max_tokens` and try again",
        INVALID
      ),
    },
    ["Anthropic, 32 MB"] = {
      413,
      anthropic("Request exceeds the maximum size", "request_too_large"),
    },
    ["a proxy"] = { 413, "<html><h1>413 Request Entity Too Large</h1></html>" },
    Bedrock = { 400, '{"message":"Input is too long for requested model."}' },
    ["Bedrock, counting"] = {
      400,
      '{"message":"The model returned the following errors: prompt is too long: 9 tokens > 8"}',
    },
    Gemini = {
      400,
      google(
        400,
        "INVALID_ARGUMENT",
        "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."
      ),
    },
    ["llama.cpp"] = {
      400,
      json.encode({
        error = {
          code = 400,
          message = "request (9001 tokens) exceeds the available context size (8192 tokens), try "
            .. "increasing it",
          type = "exceed_context_size_error",
          n_prompt_tokens = 9001,
          n_ctx = 8192,
        },
      }),
    },
    vLLM = {
      400,
      json.encode({
        object = "error",
        message = "This model's maximum context length is 4096 tokens. However, you requested "
          .. "5000 tokens (4000 in the messages, 1000 in the completion).",
        type = "BadRequestError",
        code = 400,
      }),
    },
    ["LM Studio"] = {
      400,
      '{"error":"Trying to keep the first 9000 tokens when context the overflows. However, the '
        .. 'model is loaded with context length of only 4096 tokens, which is not enough."}',
    },
    Ollama = { 400, '{"error":"prompt too long; exceeded max context length by 42 tokens"}' },
    OpenRouter = {
      400,
      openai(
        "This endpoint's maximum context length is 131072 tokens. However, you requested about "
          .. "140000 tokens.",
        nil,
        400
      ),
    },
    Groq = {
      400,
      openai("Please reduce the length of the messages or completion.", INVALID),
    },
    ["Groq, by the minute"] = {
      413,
      openai("Request too large for model `m` on tokens per minute (TPM)", "tokens"),
    },
    Mistral = {
      400,
      json.encode({
        object = "error",
        message = "Prompt contains 40001 tokens and 0 draft tokens, too large for model with "
          .. "32768 maximum context length",
        type = "invalid_request_prompt",
        code = "3051",
      }),
    },
    DeepSeek = {
      400,
      openai("This model's maximum context length is 65536 tokens.", INVALID, INVALID),
    },
    xAI = {
      400,
      '{"code":"Client specified an invalid argument","error":"This model\'s maximum prompt '
        .. 'length is 131072 but the request contains 537812 tokens."}',
    },
    Copilot = {
      400,
      openai(
        "prompt token count of 130000 exceeds the limit of 128000",
        nil,
        "model_max_prompt_tokens_exceeded"
      ),
    },
    Cohere = { 400, '{"message":"too many tokens: total number of tokens cannot exceed 4081"}' },
  },
  quota = {
    OpenAI = {
      429,
      openai(
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
        "insufficient_quota"
      ),
    },
    ["OpenAI, hard limit"] = {
      400,
      openai("Billing hard limit has been reached", INVALID, "billing_hard_limit_reached"),
    },
    ["OpenAI, not active"] = {
      429,
      openai("Your account is not active, please check your billing", "billing_not_active"),
    },
    Anthropic = {
      400,
      anthropic("Your credit balance is too low to access the Anthropic API.", INVALID),
    },
    ["Anthropic, own limit"] = {
      400,
      anthropic(
        "You have reached your specified API usage limits. You will regain access on 2026-12-01.",
        INVALID
      ),
    },
    ["Anthropic, billing"] = { 402, anthropic("Payment failed", "billing_error") },
    DeepSeek = { 402, openai("Insufficient Balance", "unknown_error", INVALID) },
    OpenRouter = {
      402,
      openai("This request requires more credits, or fewer max_tokens.", nil, 402),
    },
    xAI = {
      403,
      '{"code":"The caller does not have permission to execute the specified operation","error":'
        .. '"Your team has either used all available credits or reached its monthly spending '
        .. 'limit."}',
    },
    Copilot = { 402, openai("You have no quota", nil, "quota_exceeded") },
    ChatGPT = {
      429,
      json.encode({
        error = {
          type = "usage_limit_reached",
          message = "The usage limit has been reached",
          plan_type = "plus",
          resets_in_seconds = 9000,
        },
      }),
    },
    Moonshot = {
      429,
      openai("Your account is suspended, insufficient balance", "exceeded_current_quota_error"),
    },
    ["z.ai"] = { 429, '{"error":{"code":"1113","message":"Insufficient balance or no resource"}}' },
  },
  rate_limit = {
    OpenAI = {
      429,
      openai(
        "Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, "
          .. "Used 29000, Requested 2000. Please try again in 2s.",
        "tokens",
        "rate_limit_exceeded"
      ),
    },
    Anthropic = {
      429,
      anthropic(
        "This request would exceed your organization's rate limit of 30,000 input tokens per "
          .. "minute.",
        "rate_limit_error"
      ),
    },
    Azure = {
      429,
      openai(
        "Requests have exceeded token rate limit of your current pricing tier. Please retry after "
          .. "10 seconds.",
        nil,
        "429"
      ),
    },
    ["Gemini, by the minute"] = {
      429,
      google(
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota, please check your plan and billing details. Please "
          .. "retry in 17.2s."
      ),
    },
    Bedrock = { 429, '{"message":"Too many tokens, please wait before trying again."}' },
    Mistral = { 429, '{"message":"Requests rate limit exceeded"}' },
    OpenRouter = {
      429,
      '{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"m is '
        .. 'temporarily rate-limited upstream","provider_name":"P"}}}',
    },
    ["a proxy"] = { 429, "<html><h1>429 Too Many Requests</h1></html>" },
  },
  overloaded = {
    Anthropic = { 529, anthropic("Overloaded", "overloaded_error") },
    OpenAI = { 503, openai("The engine is currently overloaded", "server_error") },
    Gemini = { 503, google(503, "UNAVAILABLE", "The model is overloaded.") },
    ["llama.cpp while it loads"] = {
      503,
      '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}',
    },
  },
  auth = {
    OpenAI = {
      401,
      openai("Incorrect API key provided: sk-***. You can find…", INVALID, "invalid_api_key"),
    },
    Anthropic = { 401, anthropic("invalid x-api-key", "authentication_error") },
    ["Anthropic, no right"] = {
      403,
      anthropic("Your API key does not have permission", "permission_error"),
    },
    ["llama.cpp"] = {
      401,
      '{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}',
    },
    OpenRouter = { 401, '{"error":{"message":"No auth credentials found","code":401}}' },
    ChatGPT = { 401, '{"detail":"Unauthorized"}' },
  },
  not_found = {
    OpenAI = {
      404,
      openai("The model `gpt-9` does not exist", INVALID, "model_not_found"),
    },
    Anthropic = { 404, anthropic("model: claude-9", "not_found_error") },
    Ollama = { 404, '{"error":{"message":"model \'x\' not found","type":"api_error"}}' },
  },
  bad_request = {
    ["max_tokens"] = {
      400,
      anthropic("max_tokens: 64000 > 8192, which is the maximum allowed number of", INVALID),
    },
    OpenAI = { 400, openai("Unsupported parameter: 'temperature'", INVALID, "unsupported") },
    FastAPI = { 422, '{"detail":[{"loc":["body","model"],"msg":"field required"}]}' },
    ["content filter"] = {
      400,
      openai("The response was filtered", nil, "content_filter"),
    },
  },
  server = {
    OpenAI = { 500, openai("The server had an error", "server_error") },
    Anthropic = { 500, anthropic("Internal server error", "api_error") },
    nginx = { 502, "<html><head><title>502 Bad Gateway</title></head></html>" },
    Cloudflare = { 524, "error code: 524" },
  },
}

describe("a real error body", function()
  for kind, bodies in pairs(BODIES) do
    for name, case in pairs(bodies) do
      it(("of %s is %s"):format(name, kind), function()
        local err = errors.parse_text(case[2], case[1])
        assert.are.equal(kind, err.kind, err.message)
        assert.is_nil(err.message:find("[{}<>]%w"), err.message)
      end)
    end
  end
end)

-- The same words inside of a stream with a good status, where only they can tell.
describe("an error inside of a stream", function()
  local cases = {
    { { type = "overloaded_error", message = "Overloaded" }, "overloaded" },
    { { type = "rate_limit_error", message = "slow" }, "rate_limit" },
    { { code = "rate_limit_exceeded", message = "slow" }, "rate_limit" },
    { { code = "context_length_exceeded", message = "full" }, "overflow" },
    { { code = "insufficient_quota", message = "You exceeded your current quota" }, "quota" },
    { { code = "server_error", message = "sorry" }, "server" },
    { { code = "invalid_prompt", message = "no" }, "bad_request" },
    { { code = 429, message = "Provider returned error" }, "rate_limit" },
    { { code = 502, message = "Upstream error" }, "server" },
    { { type = "authentication_error", message = "no" }, "auth" },
    { { message = "something" }, "server" },
  }
  for _, case in ipairs(cases) do
    it(("%s is %s"):format(case[1].code or case[1].type or "without a code", case[2]), function()
      assert.are.equal(case[2], errors.parse({ error = case[1] }).kind)
    end)
  end
end)
