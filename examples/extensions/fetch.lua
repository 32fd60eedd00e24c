-- An async tool: it waits for a server while everything else goes on.

local panto = require("panto")

local MAX_BYTES = 100 * 1024

return {
  name = "fetch",
  description = "Fetch a text from the web and return the first 100 KB of it.",
  schema = {
    type = "object",
    properties = { url = { type = "string", description = "http or https" } },
    required = { "url" },
  },
  timeout_s = 60,
  handler = function(input, ctx)
    ctx.progress("asking " .. input.url .. "\n")
    local response, failure = panto.http.request({ method = "GET", url = input.url })
    if not response then
      return { text = failure.message, is_error = true }
    end
    local text, broken = response:read_all(MAX_BYTES)
    if not text then
      return { text = broken.message, is_error = true }
    end
    return {
      text = panto.text.clean(text),
      is_error = response.status >= 400,
      details = { status = response.status },
    }
  end,
}
