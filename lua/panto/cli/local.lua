-- `panto local`: finds a model server on this machine, or brings panto's own, and makes it a provider.

local ansi = require("panto.base.ansi")
local boot = require("panto.app.boot")
local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local local_config = require("panto.app.local_config")
local local_offer = require("panto.cli.local_offer")
local local_servers = require("panto.app.local_servers")
local select_model = require("panto.config.select")
local serve = require("panto.app.own_model.serve")
local task = require("panto.sys.task")
local usage = require("panto.cli.usage")

local command = {}

local USAGE = "panto local [--own] [--yes] [--url URL] [MODEL]"

local NONE = [[
no model server was found at %s.
Start one of these and say `panto local` again:
  ollama serve             and `ollama pull` a model that can call tools
  LM Studio                its server is under Developer
  llama-server --jinja     llama.cpp's own
or name another place: panto local --url http://127.0.0.1:PORT/v1
]]

local HONEST = "A local model is free and private, and weaker than the big ones: small ones\n"
  .. "(under 7B) answer questions and make single tool calls, but do not write programs.\n"
local CONTEXT = "Give it a context of 16k tokens or more.\n"
local OLLAMA = "Ollama cuts what is over its context without a word: start it with "
  .. "OLLAMA_CONTEXT_LENGTH=32768."

local function fail(code, message)
  io.stderr:write("panto: ", message, "\n")
  return code
end

---@return { url: string?, model: string?, own: boolean?, yes: boolean?, problem: string? }
local function parse(words)
  local options, i = {}, 1
  while i <= #words do
    local word = words[i]
    if word == "--url" then
      i = i + 1
      options.url = words[i]
      options.problem = not words[i] and "--url needs an address" or options.problem
    elseif word == "--own" or word == "--yes" then
      options[word:sub(3)] = true
    elseif word:sub(1, 1) == "-" then
      local hint = usage.suggest(word, { "--url", "--own", "--yes" })
      options.problem = ("local does not know %q%s"):format(word, hint)
    elseif options.model then
      options.problem = "local takes one model"
    else
      options.model = word
    end
    i = i + 1
  end
  return options
end

local function find_servers(options)
  if options.url then
    local server, message = local_servers.ask(options.url)
    return server and { server }, message
  end
  return options.own and {} or local_servers.find()
end

local function tell_of_none()
  local places = {}
  for i, place in ipairs(local_servers.places()) do
    places[i] = ("%s (%s)"):format(place.url:match("//([^/]+)"), place.name)
  end
  io.write((NONE:format(table.concat(places, ", "))))
end

local function list_choices(servers, wanted)
  local choices = {}
  for _, server in ipairs(servers) do
    for _, model in ipairs(server.models) do
      if not wanted or model.id == wanted or local_config.alias(model.id) == wanted then
        choices[#choices + 1] = { server = server, model = model }
      end
    end
  end
  return choices
end

local function show(choices)
  for i, choice in ipairs(choices) do
    local id, server = ansi.clean(choice.model.id), choice.server
    io.write(("%3d  %s  (%s, %s)\n"):format(i, id, server.name, server.url))
  end
end

local function ask_which(choices)
  show(choices)
  if #choices == 1 then
    return choices[1]
  elseif not env.is_terminal(0) then
    return nil, "say which: panto local MODEL"
  end
  io.write(("Which one? [1-%d] "):format(#choices))
  io.stdout:flush()
  local number = math.tointeger(tonumber(io.read("l") or ""))
  if not (number and choices[number]) then
    return nil, "nothing was chosen, nothing was changed"
  end
  return choices[number]
end

-- A default that works is not taken away.
local function has_default(cwd)
  local config = boot.read_config(cwd)
  local choice = config and select_model.model(config)
  return choice ~= nil and choice.provider.name ~= "local"
end

local function unknown(servers, wanted)
  local ids = {}
  for _, choice in ipairs(list_choices(servers)) do
    ids[#ids + 1] = choice.model.id
  end
  local text = "no local server has the model %q%s"
  return text:format(wanted, usage.suggest(wanted, ids))
end

local function tell_of_use(ref, is_default)
  io.write(is_default and "panto" or "panto --model " .. ref, " uses it now.\n")
end

-- No server runs, or none is wished: panto's own.
local function open_own(options)
  if not options.own then
    tell_of_none()
  end
  if options.model then
    return fail(1, ("no local server runs, and so none has the model %q"):format(options.model))
  end
  local is_default = not has_default(fs.cwd())
  local ref, code, message = local_offer.accept({ yes = options.yes, is_default = is_default })
  if not ref then
    return fail(code, message)
  end
  io.write(HONEST)
  tell_of_use(ref, is_default)
  return 0
end

local function open(options)
  local servers, message = find_servers(options)
  if not servers then
    return fail(1, message)
  elseif not servers[1] then
    return open_own(options)
  end
  local choices = list_choices(servers, options.model)
  if not choices[1] and options.model then
    return fail(1, unknown(servers, options.model))
  elseif not choices[1] then
    return fail(1, servers[1].name .. " runs, but has no model yet")
  end
  local chosen
  chosen, message = ask_which(choices)
  if not chosen then
    return fail(2, message)
  end
  local is_default = not has_default(fs.cwd())
  local ref
  ref, message = local_config.write(chosen.server, chosen.model, is_default)
  if not ref then
    return fail(1, message)
  end
  io.write(HONEST, CONTEXT, chosen.server.name == "Ollama" and OLLAMA .. "\n" or "")
  tell_of_use(ref, is_default)
  return 0
end

--- Finds local servers and writes [providers.local].
---@param words string[]
---@return integer exit_code
function command.run(words)
  if words[1] == "--serve" then -- not for people: app/own_model/attach.lua says it
    return serve.run()
  end
  local options = parse(words)
  if options.problem then
    return usage.refuse(options.problem, USAGE)
  end
  return task.loop(open, options)
end

return command
