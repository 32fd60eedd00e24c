local base64 = require("panto.base.base64")
local facts = require("panto.tui.images.facts")
local images = require("panto.tui.images")
local screen = require("panto.tui.screen")
local style = require("panto.tui.style")
local text = require("panto.sys.text")
local tool_row = require("panto.tui.components.tool_row")

local function png(width, height, more)
  local head = "\x89PNG\r\n\x1A\n\0\0\0\13IHDR" .. string.pack(">I4I4", width, height)
  return { media_type = "image/png", data = base64.encode(head .. (more or "")) }
end

local GIF = { media_type = "image/gif", data = base64.encode("GIF89a\100\0\50\0\0\0\0") }

local function new(protocol)
  return images.new({
    graphics = { protocol = protocol, cell_width = 10, cell_height = 20 },
    first_id = 5,
  })
end

local function cells(store, image, width, indent)
  local place = store:place(facts.read(image), width or 80, indent or 0)
  return place and place.cols .. "x" .. place.rows
end

describe("tui.images.facts", function()
  it("tells of an image in a line", function()
    assert.equal(
      "[image: PNG 640×480, 12 KB]",
      facts.line(facts.read(png(640, 480, ("x"):rep(12264))))
    )
    assert.equal("[image: GIF 100×50, 13 bytes]", facts.line(facts.read(GIF)))
    local big = facts.read(png(1, 1, ("x"):rep(1572864 - 24)))
    assert.equal("[image: PNG 1×1, 1.5 MB]", facts.line(big))
  end)

  it(
    "believes the bytes more than the media type, and lets no control character through",
    function()
      local image = { media_type = "image/webp", data = GIF.data }
      assert.equal("GIF", facts.read(image).format)
      image = { media_type = "x\27[2J\n/y", data = "%%%%" }
      assert.equal("[image: x /y, 3 bytes]", facts.line(facts.read(image)))
    end
  )

  it("finds the size of a JPEG behind what a camera noted", function()
    local note = "\xFF\xE1" .. string.pack(">I2", 60002) .. ("x"):rep(60000)
    local frame = "\xFF\xC0" .. string.pack(">I2I1I2I2", 11, 8, 30, 40)
    local data = base64.encode("\xFF\xD8" .. note .. note .. frame .. "\3\1\x22\0")
    local found = facts.read({ media_type = "image/jpeg", data = data })
    assert.same({ "JPEG", 40, 30 }, { found.format, found.width, found.height })
  end)
end)

describe("tui.images", function()
  it("gives an image as many cells as its pixels take, at most the columns and 20 rows", function()
    local store = new("placeholders")
    store:set_rows(50)
    assert.equal("10x5", cells(store, png(100, 100)))
    assert.equal("1x1", cells(store, png(1, 1)))
    assert.equal("78x10", cells(store, png(7800, 2000), 80, 2))
    assert.equal("5x20", cells(store, png(100, 800)))
    assert.equal("1x20", cells(store, png(10, 8000)))
    assert.equal("100x1", cells(store, png(9000, 10), 300))
    store:set_rows(10)
    assert.equal("8x4", cells(store, png(100, 100)))
    store:set_rows(6)
    assert.is_nil(cells(store, png(100, 100)))
  end)

  it("shows PNG in Kitty, all formats in iTerm2, nothing anywhere else", function()
    assert.is_truthy(cells(new("kitty"), png(9, 9)))
    assert.is_nil(cells(new("kitty"), GIF))
    assert.is_nil(cells(new("placeholders"), GIF))
    assert.is_truthy(cells(new("iterm"), GIF))
    assert.is_nil(cells(new(nil), png(9, 9)))
  end)

  it("shows none that is huge, or that is not base64 alone", function()
    local store = new("iterm")
    assert.is_nil(cells(store, png(9, 9, ("x"):rep(2 * 1024 * 1024))))
    assert.is_nil(cells(store, png(10001, 9)))
    local image = png(9, 9, ("x"):rep(300))
    image.data = image.data .. "\27\\\27[2J"
    assert.is_nil(cells(store, image))
  end)

  it("sends an image once, whatever its sizes", function()
    local store = new("placeholders")
    local image = facts.read(png(100, 100))
    local first = store:live_rows(image, 80, 0)
    local bytes = store:take_unsent()
    assert.is_truthy(bytes:find("a=t,t=d,f=100,i=5", 1, true))
    assert.is_truthy(bytes:find("a=p,U=1,i=5,p=1,c=10,r=5", 1, true))
    assert.equal(first, store:live_rows(image, 80, 0))
    assert.equal("", store:take_unsent())
    store:final_rows(image, 6, 0)
    assert.equal("\27_Ga=p,U=1,i=5,p=2,c=6,r=3,q=2\27\\", store:take_unsent())
    store:final_rows(facts.read(png(10, 10)), 80, 0)
    assert.is_truthy(store:take_unsent():find("i=6,", 1, true))
  end)

  it("draws what cannot be text once, and only as finished lines", function()
    for _, protocol in ipairs({ "kitty", "iterm" }) do
      local store = new(protocol)
      local image = facts.read(png(100, 100))
      assert.same({}, store:live_rows(image, 80, 0))
      local lines = store:final_rows(image, 80, 0)
      assert.same({ "", "", "", "" }, table.move(lines, 1, 4, 1, {}))
      assert.equal(5, #lines)
      assert.is_truthy(store:take_drawing(lines[5]):find("\27[4A", 1, true))
      assert.is_nil(store:take_drawing(lines[5]))
    end
  end)
end)

describe("tui.components.tool_row", function()
  local theme = style.new({ depth = "none" })

  local function finished(store, name)
    local row = tool_row.new({ theme = theme, name = name or "std.read", images = store })
    assert.same({}, row:take(40))
    row:finish({ output = "a.png: image/png, 12 KB", images = { png(100, 100) } })
    return row
  end

  it("tells of an image in a line where none can be shown", function()
    for _, store in ipairs({ false, new(nil) }) do
      local row = finished(store or nil)
      assert.same({ "● std.read", "  [image: PNG 100×100, 24 bytes]" }, row:render(40))
      assert.same(row:render(40), row:take(40))
      assert.equal(2, row:settled(40))
      assert.is_false(row:is_folded())
    end
    assert.same({ "● std.read", "  [image: PN" }, finished(nil):render(12))
  end)

  it("shows the text of another tool's result, then its image", function()
    local lines = finished(new("placeholders"), "look"):render(40)
    assert.equal("  a.png: image/png, 12 KB", lines[2])
    assert.equal(3 + 5, #lines)
    for index = 4, #lines do
      assert.equal(12, text.width(lines[index]))
    end
  end)

  it("draws an image once it is finished", function()
    local row = finished(new("iterm"))
    assert.equal(2, #row:render(40))
    assert.equal(2 + 5, #row:take(40))
  end)
end)

describe("tui.screen", function()
  local function play(protocol)
    local store, written = new(protocol), {}
    local s = screen.new({
      cols = 40,
      rows = 20,
      images = store,
      write = function(bytes)
        written[#written + 1] = bytes
      end,
    })
    return s, store, written
  end

  it("sends an image before the frame that shows it", function()
    local s, store, written = play("placeholders")
    s:draw(store:live_rows(facts.read(png(20, 20)), 40, 0))
    local sent, frame = written[1]:match("^(.*)(\27%[%?2026h.*)$")
    assert.is_truthy(sent:find("^\27_Ga=t"))
    assert.is_truthy(frame:find("\u{10EEEE}", 1, true))
    assert.is_nil(frame:find("\27_G", 1, true))
  end)

  it("draws a finished image in its row, and nothing that only looks like one", function()
    local s, store, written = play("iterm")
    s:append({ "call" })
    s:append(store:final_rows(facts.read(png(20, 60)), 40, 2))
    s:append({ "\27_image 1\27\\", "after" })
    s:draw({ "draft" })
    local frame = written[1]
    local _, count = frame:gsub("\27%]1337;File=", "")
    assert.equal(1, count)
    assert.is_truthy(frame:find("\0277\27[2A\27[3G\27]1337;", 1, true))
    assert.is_nil(frame:find("\27_", 1, true))
    s:append({ "more" })
    s:draw({ "draft" })
    assert.is_nil(written[2]:find("1337", 1, true))
  end)
end)
