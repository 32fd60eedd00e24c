-- Texts of growing length through base/: JSON, event streams, diffs.

local diff = require("panto.base.diff")
local json = require("panto.base.json")
local sse = require("panto.base.sse")

-- A text of n bytes at least, many times the same piece.
local function many(n, piece)
  return piece:rep(n // #piece + 1)
end

local function decode(text)
  return {
    n = 20000,
    prepare = text,
    work = function(made)
      assert(json.decode(made))
    end,
  }
end

local function encode(value)
  return { n = 20000, prepare = value, work = json.encode }
end

local function feed(chunk_bytes, text)
  return {
    n = 20000,
    prepare = text,
    work = function(made)
      local parser = sse.new(1e9)
      for at = 1, #made, chunk_bytes do
        parser:feed(made:sub(at, at + chunk_bytes - 1))
      end
      parser:finish()
    end,
  }
end

local function events(n)
  return many(n, 'data: {"choices":[{"delta":{"content":"word"}}]}\n\n')
end

-- Twenty of them are others when that is wanted.
local function lines(n, is_changed)
  local list = {}
  for i = 1, n do
    list[i] = (is_changed and i % (n // 20) == 0 and "changed " or "line ") .. i % 1000
  end
  return table.concat(list, "\n") .. "\n"
end

return {
  json_list = decode(function(n)
    return "[" .. many(n, '{"a":1,"b":[true,null],"c":"word"},') .. "0]"
  end),
  json_long_text = decode(function(n)
    return '"' .. many(n, "words and more words; ") .. '"'
  end),
  json_escapes = decode(function(n)
    return '"' .. many(n, '\\n\\u00e9\\ud83d\\ude00\\"') .. '"'
  end),
  json_blanks = decode(function(n)
    return many(n, " \n\t ") .. "1"
  end),
  json_keys = decode(function(n)
    local list = {}
    for i = 1, n // 8 do
      list[i] = ('"key%d":%d'):format(i, i)
    end
    return "{" .. table.concat(list, ",") .. "}"
  end),
  json_written_list = encode(function(n)
    local list = json.array()
    for i = 1, n // 8 do
      list[i] = { a = i, b = { true, json.null }, c = "word" }
    end
    return list
  end),
  json_written_text = encode(function(n)
    return many(n, 'words and "more"\nwords; ')
  end),
  sse_at_once = feed(1e9, events),
  sse_in_small_pieces = feed(3, events),
  sse_one_long_line = feed(16, function(n)
    return "data: " .. many(n, "words and more words; ") .. "\n\n"
  end),
  sse_many_data_lines = feed(64, function(n)
    return many(n, "data: line\n") .. "\n"
  end),
  diff_of_a_few_lines = {
    n = 4000,
    prepare = function(n)
      return { lines(n), lines(n, true) }
    end,
    work = function(texts)
      diff.unified(texts[1], texts[2], { context = 3 })
    end,
  },
}
