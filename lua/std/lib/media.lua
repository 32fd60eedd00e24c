-- Turns the first bytes of a file into what it is: an image for the model, a binary, or text.
local media = {}

local IMAGES = {
  { "^\x89PNG\r\n\x1a\n", "image/png" },
  { "^\xff\xd8\xff", "image/jpeg" },
  { "^GIF8[79]a", "image/gif" },
  { "^RIFF....WEBP", "image/webp" },
}

local BINARIES = {
  { "^\x7fELF", "an ELF executable or library" },
  { "^%%PDF%-", "a PDF document" },
  { "^PK\3\4", "a zip archive" },
  { "^\x1f\x8b", "gzip data" },
  { "^BZh", "bzip2 data" },
  { "^\xfd7zXZ", "xz data" },
  { "^\x28\xb5\x2f\xfd", "zstd data" },
  { "^SQLite format 3", "an SQLite database" },
  { "^\xff\xfe", "UTF-16 text" },
  { "^\xfe\xff", "UTF-16 text" },
  { "^\x1bLua", "compiled Lua" },
  { "^%z%z%z.ftyp", "an MP4 video" },
  { "^OggS", "Ogg media" },
  { "^ID3", "MP3 audio" },
}

local function first_match(list, head)
  for _, entry in ipairs(list) do
    if head:find(entry[1]) then
      return entry[2]
    end
  end
end

--- Returns the media type of an image that models can see, or nil.
---@param head string the first bytes of the file
---@return string?
function media.image(head)
  return first_match(IMAGES, head)
end

--- Returns what a file that is not text is, or nil for text.
---@param head string the first bytes of the file
---@return string?
function media.binary(head)
  if not head:find("\0", 1, true) and not head:find("^%%PDF%-") and not head:find("^\x1f\x8b") then
    return nil
  end
  return first_match(BINARIES, head) or "a binary file"
end

return media
