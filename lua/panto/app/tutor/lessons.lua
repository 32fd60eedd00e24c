-- The lessons of the tour, in order: each turns the place in the conversation into what is said next.

local program = require("panto.app.program")

local lessons = {}

local DICE = [[
return {
  name = "dice",
  description = "Roll dice.",
  schema = {
    type = "object",
    properties = { sides = { type = "integer", minimum = 2 } },
  },
  handler = function(input)
    return "rolled a " .. math.random(input.sides or 6)
  end,
}
]]

local function call(text, name, input)
  return { text = text, calls = { { name = name, input = input } } }
end

local function has_tool(place, name)
  for _, tool in ipairs(place.request.tools) do
    if tool.name == name then
      return true
    end
  end
  return false
end

lessons[1] = function()
  return [[
Welcome to **panto**. I am a *script*, no AI: I say what is written in a file, whatever you
type. All the rest is the real thing: this screen, the agent loop, the tools, the session on
disk.

You are in a scratch folder of its own; nothing here can harm your files.

- What you type goes to the model with **Enter**; `Ctrl+J` starts a new line.
- What is finished scrolls up into your terminal's own scrollback.
- The line at the bottom shows folder, model, tokens and, of a model that has prices, the cost.

Now type `read` and press Enter: I will look at a file with a tool.]]
end

lessons[2] = function(place)
  if place.step == 1 then
    return call("I read the file with the tool `std.read`.", "std.read", { path = "greet.sh" })
  end
  return [[
The row above is a tool call, and below it is what the tool gave back: the model gets exactly
that text. A long result is folded; `Ctrl+O` then shows it whole.

Did you see the typing error in the file? Type `fix` and I mend it.]]
end

lessons[3] = function(place)
  if place.step == 1 then
    return call("", "std.edit", { path = "greet.sh", old_text = "Helo", new_text = "Hello" })
  elseif place.step == 2 then
    return call("And I run it, to see that it is right.", "std.shell", {
      command = "sh greet.sh world",
    })
  end
  return [[
An edit shows its diff, a command its live output and exit code. The four tools `std.read`,
`std.write`, `std.edit` and `std.shell` are extensions like your own, and `deny = ["std.shell"]`
under `[tools]` takes one away.

Next: you can talk to a model *while it works*. Type `work`; while the command counts, type
something and press Enter.]]
end

lessons[4] = function(place)
  if place.step == 1 then
    return call("I count for eight seconds. Say something meanwhile!", "std.shell", {
      command = "for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 1; done",
    })
  elseif place.steered then
    return "You said “"
      .. place.steered
      .. "” while the command ran, and I got it as soon as it was done: that is *steering*. "
      .. "Alt+Enter queues a text for after the turn instead.\n\nNext: stopping. Type `talk`, and "
      .. "press **Esc** when you have had enough of me."
  end
  return "You said nothing meanwhile; another time then.\n\nNext: stopping. Type `talk`, and "
    .. "press **Esc** when you have had enough of me."
end

lessons[5] = function()
  local lines = { "I talk and talk." }
  for bottle = 99, 60, -1 do
    lines[#lines + 1] = ("%d bottles of beer on the wall, %d bottles of beer."):format(
      bottle,
      bottle
    )
  end
  lines[#lines + 1] = "You are patient! Type `tool` to go on."
  return { text = table.concat(lines, "\n\n"), delay_ms = 60 }
end

lessons[6] = function(place)
  if place.step == 1 then
    return call(
      "Esc closes the request, ends the commands and keeps what was said.\n\n"
        .. "Now the best part: panto is Lua, and you change it while it runs. I write a tool:",
      "std.write",
      { path = ".panto/tools/dice.lua", content = DICE }
    )
  end
  return [[
That is a whole tool: a name, a description, a JSON Schema and a function. A project's `.panto/`
is code, so panto asks before it loads it.

Type `/reload`, answer Yes, and then type `roll`.]]
end

lessons[7] = function(place)
  if place.step == 1 then
    if not has_tool(place, "dice") then
      return nil, "the tool `dice` is not loaded. Type `/reload`, answer Yes, and then `roll`."
    end
    return call("", "dice", { sides = 20 })
  end
  return [[
The running panto has a new tool, and no restart was needed. Extensions can also add commands,
keys and views, and change every event on its way.

Type `end` for the last page.]]
end

lessons[8] = function()
  return program.named([[
Sessions are kept, each with the folder it was held in: there, `panto sessions` lists them and
`panto --resume` goes on with the last one. `/help` lists the commands here, `panto help` those
outside.

Now with a real model:

- `export ANTHROPIC_API_KEY=…` or `OPENAI_API_KEY=…`, then `panto`.
- `panto local` looks for Ollama, LM Studio or llama.cpp on this machine, or brings a small model.
- `panto run "…"` answers without a terminal; `panto lua` drives agents from scripts.

Leave with `Ctrl+D`. Have fun!]])
end

return lessons
