-- A tool in its shortest form: the file returns it, panto registers it.

return {
  name = "echo",
  description = "Echo back the given message.",
  schema = {
    type = "object",
    properties = {
      message = { type = "string" },
    },
    required = { "message" },
  },
  handler = function(input)
    return "echo: " .. input.message
  end,
}
