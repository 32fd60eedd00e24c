require("bare_host")
local keys_in = require("panto.app.keys_in")
local task = require("panto.sys.task")

local function read(...)
  local words = {}
  local reader = keys_in.new(function(event)
    local word = event.type == "paste" and "paste:" .. event.text or event.text or event.key
    words[#words + 1] = word
  end)
  for _, bytes in ipairs({ ... }) do
    reader:feed(bytes)
  end
  return words
end

describe("app.keys_in", function()
  it("takes lines that come all at once for a paste", function()
    assert.same({ "paste:one\ntwo\tx\nthree" }, read("one\rtwo\tx\rthree"))
  end)

  it("takes two lines that come all at once for a paste when nobody types so fast", function()
    assert.same({ "paste:fix the parser\nand test it" }, read("fix the parser\rand test it"))
    assert.same({ "paste:fix the parser\nand test it\n" }, read("fix the parser\rand test it\r"))
    local sent = read("fix the parser, and test it\r")
    assert.equal("enter", sent[#sent])
    assert.equal(28, #sent)
  end)

  it("takes what was typed ahead for keys", function()
    assert.same({ "g", "o", "enter", "o", "n", "enter" }, read("go\ron\r"))
    assert.same({ "a", "enter", "enter" }, read("a\r\r"))
  end)

  it("types nothing of what stands behind a false end of a paste", function()
    assert.same(
      { "paste:one", "paste: evil\nthree" },
      read("\27[200~one\27[201~ evil\rthree\27[201~")
    )
  end)

  it("goes on with a paste without marks in the next piece", function()
    assert.same({ "paste:a\nb\nc", "paste:d\n" }, read("a\rb\rc", "d\r"))
  end)

  it(
    "waits longer for the rest of an ESC while an answer is due, and types nothing of it",
    function()
      for _, is_due in ipairs({ true, false }) do
        local seen = {}
        local reader = keys_in.new(function(event)
          seen[#seen + 1] = event.type == "reply" and "reply:" .. event.name
            or event.text
            or event.key
        end, function()
          return is_due
        end)
        task.loop(function()
          reader:feed("\27")
          task.sleep(90)
          reader:feed("[8;24;80t")
          task.sleep(60)
          reader:feed("\27")
          task.sleep(400)
        end)
        local first = is_due and "reply:size" or "escape"
        assert.same({ first, "escape" }, { seen[1], seen[#seen] })
        assert.equal(is_due and 2 or #seen, #seen)
      end
    end
  )
end)
