-- Metadata of a GGUF file: texts are found behind values of every kind, and a cut file is told.

local gguf = require("panto.base.gguf")

local function text(value)
  return ("<s8"):pack(value)
end

local function file(...)
  local fields = { ... }
  return "GGUF" .. ("<I4I8I8"):pack(3, 0, #fields) .. table.concat(fields)
end

local NUMBER = text("layers") .. ("<I4I4"):pack(4, 28)
local NUMBERS = text("scores") .. ("<I4I4I8fff"):pack(9, 6, 3, 1, 2, 3)
local TEXTS = text("tokens") .. ("<I4I4I8"):pack(9, 8, 2) .. text("a") .. text("")
local LISTS = text("nested") .. ("<I4I4I8"):pack(9, 9, 1) .. ("<I4I8BB"):pack(0, 2, 1, 2)
local WANTED = text("the.template") .. ("<I4"):pack(8) .. text("{{ it }}")

describe("gguf", function()
  it("finds a text behind numbers, lists and lists of lists", function()
    local bytes = file(NUMBER, NUMBERS, TEXTS, LISTS, WANTED) .. ("\0"):rep(50)
    assert.equal("{{ it }}", gguf.text(bytes, "the.template"))
  end)

  it("tells of a text that is not there, and takes no name by its end", function()
    local found, message = gguf.text(file(WANTED), "template")
    assert.is_nil(found)
    assert.equal('its metadata has no text "template"', message)
    assert.is_nil((gguf.text(file(NUMBER), "layers")))
  end)

  it("survives a file that is cut anywhere", function()
    local bytes = file(NUMBER, NUMBERS, TEXTS, LISTS, WANTED)
    for length = 0, #bytes - 1 do
      assert.is_nil((gguf.text(bytes:sub(1, length), "the.template")))
    end
    assert.equal("it is no GGUF file", select(2, gguf.text("ELF", "x")))
  end)
end)
