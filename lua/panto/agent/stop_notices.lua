-- What is said of an answer by its stop reason, when it ended otherwise than it should.
---@type table<string, string>
return {
  length = "The answer was cut: the model reached its limit of output tokens (max_tokens).",
  refusal = "The model refused to answer.",
  content_filter = "The provider's content filter stopped the answer.",
}
