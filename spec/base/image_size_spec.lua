-- Image sizes: the four formats by bytes made here, at every place where the bytes may end.

local image_size = require("panto.base.image_size")

local function png(width, height)
  local head = "IHDR" .. string.pack(">I4I4", width, height) .. "\8\6\0\0\0"
  return "\x89PNG\r\n\x1A\n" .. string.pack(">I4", 13) .. head
end

local function jpeg(width, height, noted, marker)
  local segments = {
    "\xFF\xD8",
    "\xFF\xE1" .. string.pack(">I2", noted + 2) .. ("x"):rep(noted),
    "\xFF\xC4" .. string.pack(">I2", 4) .. "tt",
    "\xFF\xFF\xFF" .. string.char(marker) .. string.pack(">I2I1I2I2", 11, 8, height, width),
    "\3\1\x22\0\xFF\xDA",
  }
  return table.concat(segments)
end

local function riff(name, data)
  local chunk = name .. string.pack("<s4", data)
  return "RIFF" .. string.pack("<I4", #chunk + 4) .. "WEBP" .. chunk
end

local cases = {
  { "PNG", 640, 480, png(640, 480) },
  { "PNG", 70000, 3, png(70000, 3) },
  { "GIF", 320, 200, "GIF89a" .. string.pack("<I2I2", 320, 200) .. "\0\0\0" },
  { "GIF", 1, 2, "GIF87a" .. string.pack("<I2I2", 1, 2) .. "\0\0\0" },
  { "JPEG", 800, 600, jpeg(800, 600, 40, 0xC0) },
  { "JPEG", 4000, 3000, jpeg(4000, 3000, 60000, 0xC2) },
  { "WebP", 550, 368, riff("VP8 ", "\0\0\0\x9D\1\x2A" .. string.pack("<I2I2", 550 | 0x4000, 368)) },
  { "WebP", 16384, 5, riff("VP8L", "\x2F" .. string.pack("<I4", 16383 | 4 << 14)) },
  { "WebP", 386, 395, riff("VP8X", "\16\0\0\0" .. string.pack("<I3I3", 385, 394)) },
}

describe("base.image_size", function()
  for _, case in ipairs(cases) do
    local format, width, height, bytes = table.unpack(case)
    it(("reads a %s of %d by %d"):format(format, width, height), function()
      assert.same({ format = format, width = width, height = height }, image_size.read(bytes))
    end)

    it(
      ("says nothing wrong of a %s of %d by %d that is cut"):format(format, width, height),
      function()
        for count = 0, math.min(#bytes, 200) do
          local size = image_size.read(bytes:sub(1, count))
          if size then
            assert.equal(format, size.format)
            assert.is_true(size.width == nil or size.width == width and size.height == height)
          end
        end
      end
    )
  end

  it("knows no size of an image without pixels, and nothing of other bytes", function()
    assert.same({ format = "PNG" }, image_size.read(png(0, 10)))
    assert.same({ format = "JPEG" }, image_size.read("\xFF\xD8\xFF\xD9"))
    assert.same({ format = "JPEG" }, image_size.read("\xFF\xD8\xFF\xE0\0\0\xFF\xE0\0\0"))
    assert.is_nil(image_size.read("BM not one of these"))
    assert.is_nil(image_size.read(""))
  end)
end)
