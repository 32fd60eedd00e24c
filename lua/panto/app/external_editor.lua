-- The draft into $VISUAL or $EDITOR and back, while the terminal is that program's.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local loan = require("panto.app.loan")
local process = require("panto.sys.process")
local random = require("panto.sys.random")

local external_editor = {}

local ONLY_OWNER = 384 -- 0600

local function command_of()
  for _, name in ipairs({ "VISUAL", "EDITOR" }) do
    local command = env.get(name)
    if command and command:find("%S") then
      return command
    end
  end
  return "vi"
end

local function file_name()
  local folder = env.get("TMPDIR") or ""
  local name = random.bytes(8):gsub(".", function(byte)
    return ("%02x"):format(byte:byte())
  end)
  return fs.join(folder ~= "" and folder or "/tmp", "panto-" .. name .. ".md")
end

-- Editors end a file with a line end that was not written.
local function take_text(text)
  return (text:gsub("\r\n", "\n"):gsub("\n$", ""))
end

--- Edits the draft outside; a failing editor leaves the draft as it was.
---@param app panto.App
function external_editor.run(app)
  local path, draft = file_name(), app.view.draft
  local before = draft:text()
  local written, message = fs.write(path, before .. "\n", { mode = ONLY_OWNER })
  if not written then
    app:tell("error", "No editor: " .. message)
    return
  end
  local command = command_of()
  local code, signal = loan.run(app, process.run_attached, {
    file = "/bin/sh",
    args = { "-c", command .. ' "$1"', "panto", path },
  })
  local text = fs.read(path)
  fs.remove(path)
  if code ~= 0 or signal ~= 0 then
    local how = code and (signal ~= 0 and "signal " .. signal or "code " .. code) or signal
    local said = "%s ended with %s; the draft is as it was."
    app:tell("warning", said:format(command, how))
  elseif text and take_text(text) ~= before then
    draft:set(take_text(text))
  end
end

return external_editor
