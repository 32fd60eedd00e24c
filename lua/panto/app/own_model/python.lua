-- What panto's own interpreter does better in a process of its own: digests of big files, archives.

local env = require("panto.sys.env")
local process = require("panto.sys.process")

local python = {}

local SHA256 = [[
import hashlib, sys
with open(sys.argv[1], "rb") as file:
    print(hashlib.file_digest(file, "sha256").hexdigest())
]]

local APPEND_MEMBER = [[
import os, shutil, sys, zipfile
wheel, member, path = sys.argv[1:]
with zipfile.ZipFile(wheel).open(member) as one, open(path, "ab") as whole:
    shutil.copyfileobj(one, whole, 1 << 20)
]]

local UNPACK = [[
import os, sys, tarfile
archive, root, folder = sys.argv[1:]
with tarfile.open(archive) as tar:
    for member in tar:
        if member.name.startswith(root + "/") and (member.isfile() or member.issym()):
            member.name = os.path.relpath(member.name, root)
            tar.extract(member, folder, set_attrs=not member.issym())
]]

local UNPACK_WHEEL = [[
import os, sys, zipfile
wheel, folder = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for one in archive.infolist():
        path = archive.extract(one, folder)
        if one.external_attr >> 16 & 0o111 and not one.is_dir():
            os.chmod(path, 0o755)
]]

local REMOVE = [[
import os, shutil, sys
for path in sys.argv[1:]:
    if os.path.lexists(path):
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
]]

-- A failure is the system's word for it, never a traceback.
local WRAP = [[
try:
    exec(compile(sys.stdin.read(), "panto", "exec"))
except OSError as error:
    sys.exit(f"{error.filename or sys.argv[-1]}: {error.strerror or error}")
except Exception as error:
    sys.exit(f"{sys.argv[1]}: {error}")
]]

local function run(script, ...)
  local done, message = process.run({
    file = env.path("python"),
    args = { "-I", "-c", "import sys\n" .. WRAP, ... },
    stdin = script,
  })
  if not done then
    return nil, message
  elseif done.code ~= 0 then
    message = done.stderr:gsub("%s+$", "")
    return nil, message ~= "" and message or ("it ended with status %d"):format(done.code)
  end
  return done.stdout
end

--- Returns a file's SHA-256 as 64 hexadecimal digits.
---@param path string
---@return string?
---@return string? message
function python.sha256(path)
  local text, message = run(SHA256, path)
  return text and text:match("%x+"), message
end

--- Appends a member of a wheel to a file.
---@param wheel string
---@param member string
---@param path string
---@return string? done
---@return string? message
function python.append_member(wheel, member, path)
  return run(APPEND_MEMBER, wheel, member, path)
end

--- Writes the files below `root` of a tar archive into a folder.
---@param archive string
---@param root string
---@param folder string
---@return string? done
---@return string? message
function python.unpack(archive, root, folder)
  return run(UNPACK, archive, root, folder)
end

--- Writes all files of a wheel into a folder.
---@param wheel string
---@param folder string
---@return string? done
---@return string? message
function python.unpack_wheel(wheel, folder)
  return run(UNPACK_WHEEL, wheel, folder)
end

--- Removes files and whole folders; one that is not there is fine.
---@param ... string
---@return string? done
---@return string? message
function python.remove(...)
  return run(REMOVE, ...)
end

return python
