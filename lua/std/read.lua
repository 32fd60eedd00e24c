-- The std.read tool: turns a path into the text or the image that stands there, a page at a time.
local media = require("std.lib.media")
local page = require("std.lib.page")
local panto = require("panto")
local target = require("std.lib.target")

local fs, text, task = panto.fs, panto.text, panto.task

local MAX_LINES, MAX_BYTES, MAX_CHARS = 2000, 50 * 1024, 2000
local CHUNK = 256 * 1024
local COUNT_WHOLE = 16 * 1024 * 1024
local MAX_IMAGE = 3932160 -- 5 MB as base64, the smallest limit of the known APIs
local MAX_NAMES = 200

local function failed(message)
  return { text = message, is_error = true }
end

local function read_folder(path)
  local entries, message, code = fs.list(path)
  if not entries then
    return failed(target.failure(path, message, code))
  end
  local lines = { ("%s is a folder with %d entries:"):format(path, #entries) }
  for i = 1, math.min(#entries, MAX_NAMES) do
    local entry = entries[i]
    lines[#lines + 1] = entry.name .. (entry.type == "directory" and "/" or "")
  end
  if #entries > MAX_NAMES then
    lines[#lines + 1] = ("[%d more; list them with std.shell]"):format(#entries - MAX_NAMES)
  end
  return table.concat(lines, "\n")
end

local function read_image(path, media_type, size)
  if size > MAX_IMAGE then
    local advice = "%s is a %s of %s, too large to show (limit %s); make a smaller copy of it"
    return failed(advice:format(path, media_type, target.size(size), target.size(MAX_IMAGE)))
  end
  local bytes, message, code = fs.read(path)
  if not bytes then
    return failed(target.failure(path, message, code))
  end
  return {
    text = ("%s: %s, %s"):format(path, media_type, target.size(#bytes)),
    images = { { media_type = media_type, data = text.base64.encode(bytes) } },
  }
end

-- Reads until the page is full; a file of ordinary size is read on, so that its lines are counted.
local function read_page(path, options, size)
  local taken = page.new(options)
  local at, chunks, ended = 0, 0, false
  while not (taken.full and size > COUNT_WHOLE) do
    local chunk, message, code = fs.read_range(path, at, CHUNK)
    if not chunk then
      return nil, target.failure(path, message, code)
    end
    if chunk == "" then
      ended = true
      break
    end
    if at == 0 and chunk:sub(1, 3) == "\xEF\xBB\xBF" then
      taken:feed(chunk:sub(4))
    else
      taken:feed(chunk)
    end
    at, chunks = at + #chunk, chunks + 1
    if chunks % 16 == 0 then
      task.sleep(0)
    end
  end
  if ended then
    taken:finish()
    taken.total = taken.seen
  end
  return taken
end

local function notes_of(taken, first, changed)
  local notes = {}
  if changed then
    notes[1] = "[not UTF-8: bytes that could not be decoded are shown as \u{FFFD}]"
  end
  if taken.full then
    local of = taken.total and (" of %d"):format(taken.total) or ""
    notes[#notes + 1] = ("[lines %d-%d%s; continue with offset=%d]"):format(
      first,
      taken.last,
      of,
      taken.last + 1
    )
  end
  return notes
end

local function show_page(path, taken, first)
  if #taken.lines == 0 then
    if taken.total == 0 then
      return ("%s is empty"):format(path)
    end
    local message = "offset=%d is past the end: %s has %d lines"
    return failed(message:format(first, path, taken.total or taken.seen))
  end
  local body, changed = text.repair_utf8(table.concat(taken.lines, "\n"))
  local notes = notes_of(taken, first, changed)
  if #notes == 0 then
    return body
  end
  return body .. "\n\n" .. table.concat(notes, "\n")
end

local function read_file(path, input, size)
  local head, message, code = fs.read_range(path, 0, 8192)
  if not head then
    return failed(target.failure(path, message, code))
  end
  local media_type = media.image(head)
  if media_type then
    return read_image(path, media_type, size)
  end
  local kind = media.binary(head)
  if kind then
    local advice = "%s is %s (%s), not text; look at it with std.shell: `file`, `xxd | head`"
    return advice:format(path, kind, target.size(size))
  end
  local first = math.max(1, input.offset or 1)
  local limit = math.max(1, math.min(input.limit or MAX_LINES, MAX_LINES))
  local taken, problem = read_page(path, {
    first = first,
    max_lines = limit,
    max_bytes = MAX_BYTES,
    max_chars = MAX_CHARS,
  }, size)
  if not taken then
    return failed(problem)
  end
  return show_page(path, taken, first)
end

return {
  name = "std.read",
  description = "Read a text file or an image (png, jpeg, gif, webp). Text comes as whole lines, "
    .. "at most 2000 lines or 50 KB at once; continue with offset. Prefer it to cat or sed.",
  schema = {
    type = "object",
    properties = {
      path = { type = "string", description = "File to read, relative or absolute" },
      offset = { type = "integer", description = "Number of the first line wanted, from 1" },
      limit = { type = "integer", description = "How many lines at most" },
    },
    required = { "path" },
  },
  handler = function(input, ctx)
    local path = target.resolve(input.path, ctx)
    local stat, message, code = fs.stat(path)
    if not stat then
      return failed(target.failure(path, message, code))
    elseif stat.type == "directory" then
      return read_folder(path)
    elseif stat.type ~= "file" then
      return failed(("%s is a %s, not a regular file"):format(path, stat.type))
    end
    return read_file(path, input, stat.size)
  end,
}
