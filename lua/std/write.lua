-- The std.write tool: turns a path and a content into a file on the disk, whole or not at all.
local panto = require("panto")
local target = require("std.lib.target")

local fs = panto.fs

local function count_lines(bytes)
  local _, newlines = bytes:gsub("\n", "")
  if bytes ~= "" and bytes:byte(-1) ~= 10 then
    newlines = newlines + 1
  end
  return newlines
end

local function counted(count)
  return count == 1 and "1 line" or ("%d lines"):format(count)
end

return {
  name = "std.write",
  description = "Write a whole file: create it (with its folders) or replace all of its content. "
    .. "To change a part of a file use std.edit.",
  schema = {
    type = "object",
    properties = {
      path = { type = "string", description = "File to write, relative or absolute" },
      content = { type = "string", description = "The whole new content" },
    },
    required = { "path", "content" },
  },
  handler = function(input, ctx)
    local path = target.resolve(input.path, ctx)
    local before = fs.stat(path)
    if before and before.type == "directory" then
      return { text = ("%s is a folder; name a file in it"):format(path), is_error = true }
    elseif before and before.type ~= "file" then
      return { text = ("%s is a %s, not a file"):format(path, before.type), is_error = true }
    end
    local done, message, code = fs.write(path, input.content, { parents = true })
    if not done then
      return { text = target.failure(path, message, code), is_error = true }
    end
    local what = before and "replaced" or "created"
    return ("%s %s (%s)"):format(what, path, counted(count_lines(input.content)))
  end,
}
