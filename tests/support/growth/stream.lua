-- Answers of growing length: decoded, folded, shown.

local codecs = require("panto.provider.codecs")
local json = require("panto.base.json")
local message = require("panto.agent.message")
local screen = require("panto.tui.screen")
local sse = require("panto.base.sse")
local style = require("panto.tui.style")
local transcript = require("panto.app.transcript")

local COLS, ROWS, DELTAS_A_FRAME = 100, 30, 8

-- The events of an answer in pieces of four bytes, in each wire style.
local event = {}

function event.openai_chat(piece)
  return { choices = json.array({ { index = 0, delta = { content = piece } } }) }
end

function event.openai_responses(piece)
  return {
    type = "response.output_text.delta",
    item_id = "m1",
    output_index = 0,
    content_index = 0,
    delta = piece,
  }
end

function event.anthropic_messages(piece)
  local delta = { type = "text_delta", text = piece }
  return { type = "content_block_delta", index = 0, delta = delta }
end

local function decode(name)
  return {
    n = 1000,
    prepare = function(n)
      local list = {}
      for i = 1, n do
        local value = event[name]("ab" .. i % 100)
        list[i] = ("event: %s\ndata: %s\n\n"):format(value.type or "message", json.encode(value))
      end
      return table.concat(list)
    end,
    work = function(text)
      local parser, decoder = sse.new(1e9), assert(codecs.get(name)).decoder()
      local fold = message.new({})
      for at = 1, #text, 1000 do
        for _, one in ipairs(parser:feed(text:sub(at, at + 999))) do
          for _, item in ipairs(decoder:feed(one)) do
            fold:add(item)
          end
        end
      end
      fold:partial()
    end,
  }
end

-- Shows a text in pieces of four bytes, a frame every few pieces, in a screen of fixed size.
local function show(kind, text)
  return {
    n = 4000,
    prepare = text,
    work = function(whole)
      local written = 0
      local view = screen.new({
        cols = COLS,
        rows = ROWS,
        write = function(bytes)
          written = written + #bytes
        end,
      })
      local shown = transcript.new({
        theme = style.new({ depth = "256" }),
        changed = function() end,
        report = error,
        is_focused = function()
          return false
        end,
      })
      local function emit(name, payload)
        shown:close(name, payload, shown:open(name, payload))
      end
      local function draw()
        view:append(shown:take(COLS))
        view:draw(shown:render(COLS), { row = 1, col = 1 })
      end
      emit("turn_start", {})
      emit(kind, {})
      for at = 1, #whole, 4 do
        emit(kind .. "_delta", { delta = whole:sub(at, at + 3) })
        if at // 4 % DELTAS_A_FRAME == 0 then
          draw()
        end
      end
      emit(kind .. "_complete", {})
      emit("turn_end", { status = "done" })
      draw()
      return { counted = { written = written } }
    end,
  }
end

local function many(piece)
  return function(n)
    return piece:rep(n // #piece + 1)
  end
end

local PART = [[
## Part

The **scanner** reads `line` and hands it on; what was *settled* is never drawn again, and a
paragraph wraps at words.

- one item with `code` and a [link](https://example.com/)
  1. nested

```python
def walk(tree: dict[str, int], depth: int = 0) -> list[str]:
    return [f"{name}:{depth}" for name in sorted(tree)]
```

| name | value |
| --- | ---: |
| alpha | 1 |

> A quotation of one line.

]]

return {
  decode_openai_chat = decode("openai_chat"),
  decode_openai_responses = decode("openai_responses"),
  decode_anthropic_messages = decode("anthropic_messages"),
  show_markdown = show("assistant_text", many(PART)),
  show_one_paragraph = show("assistant_text", many("words and more words; ")),
  show_one_line_without_blanks = show("assistant_text", many("wordswithoutblanks")),
  show_one_code_block = show("assistant_text", function(n)
    return "```lua\n" .. many("local x = { 1, 'two' } -- three\n")(n)
  end),
  show_one_list = show("assistant_text", many("- item with **bold** words\n")),
  show_one_table = show("assistant_text", function(n)
    return "| a | b |\n| --- | --- |\n" .. many("| one | two |\n")(n)
  end),
  show_open_marks = show("assistant_text", many("**open *marks [and `more ")),
  show_thinking = show("thinking", many("words and more words; ")),
}
