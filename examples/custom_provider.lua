-- A provider of one's own: a program that reads the prompt and writes the answer is the model.
-- panto lua examples/custom_provider.lua "llm -m something" "What is a coroutine?"

local panto = require("panto")

local function transcript(request)
  local lines = { request.system, "" }
  for _, message in ipairs(request.messages) do
    for _, part in ipairs(message.content) do
      if part.type == "text" then
        lines[#lines + 1] = message.role .. ": " .. part.text
      end
    end
  end
  return table.concat(lines, "\n") .. "\nassistant: "
end

-- A request in, an iterator of items out: text_delta …, then stop, or error.
local function stream(request)
  local program = assert(panto.process.spawn({
    file = "sh",
    args = { "-c", "exec 2>/dev/null; " .. arg[1] }, -- what is not read would block it
    stdin = transcript(request),
  }))
  local ended = false
  return function()
    local chunk = program.stdout()
    if chunk then
      return { type = "text_delta", delta = chunk }
    elseif not ended then
      ended = true
      local code = program:wait()
      if code ~= 0 then
        local text = ("%s ended with exit code %d"):format(arg[1], code)
        return { type = "error", kind = "server", message = text }
      end
      return { type = "stop", reason = "stop" }
    end
  end
end

local agent = panto.agent.new({ stream = stream, tools = {}, system = "Be brief." })
for event in agent:run(arg[2]) do
  if event.type == "assistant_text_delta" then
    io.write(event.delta)
    io.flush()
  elseif event.type == "error" then
    io.stderr:write(event.message, "\n")
  end
end
print()
os.exit(agent.last.status == "done" and 0 or 1)
