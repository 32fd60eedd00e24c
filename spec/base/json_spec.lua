-- JSON: what is read, what is refused and where, what is written, and that both agree.

local json = require("panto.base.json")

local WELL_FORMED = {
  { "integer", "42", 42 },
  { "negative zero as an integer", "-0", 0 },
  { "the largest integer", "9223372036854775807", math.maxinteger },
  { "the smallest integer", "-9223372036854775808", math.mininteger },
  { "an integer over 64 bits as a float", "9223372036854775808", 2.0 ^ 63 },
  { "a fraction", "0.5", 0.5 },
  { "an exponent", "1E+2", 100.0 },
  { "blanks around", " \t\r\n true\n", true },
  { "false", "false", false },
  { "an empty string", '""', "" },
  { "all short escapes", [["\"\\\/\b\f\n\r\t"]], '"\\/\b\f\n\r\t' },
  { "a code point", [["\u00e9\u20AC"]], "é€" },
  { "a surrogate pair", [["\ud83d\ude00"]], "😀" },
  { "a lone high surrogate", [["\ud800x"]], "\u{FFFD}x" },
  { "a lone low surrogate", [["\udc00"]], "\u{FFFD}" },
  { "two high surrogates and a low one", [["\ud800\ud83d\ude00"]], "\u{FFFD}😀" },
  { "an escaped backslash before a letter", [["\\u0041\\n"]], [[\u0041\n]] },
  { "an escaped zero", [["a\u0000b"]], "a\0b" },
  { "hex letters after a short escape", [["\nabcd\u0041beef"]], "\nabcdAbeef" },
  { "a string that ends in a backslash", [["\\"]], "\\" },
  { "escaped quotes in a row", [["\\\"\\\""]], [[\"\"]] },
  { "delete, and the separators of U+2028", '"\127\u{2028}"', "\127\u{2028}" },
  { "broken UTF-8", '"a\xFFb\xE2\x82"', "a\u{FFFD}b\u{FFFD}" },
  { "a byte order mark", "\u{FEFF}1", 1 },
}

local MALFORMED = {
  { "nothing", "", "unexpected end of text at byte 1" },
  { "blanks only", " \n ", "unexpected end of text at byte 4 (line 2, column 2)" },
  { "a word", "nul", "unexpected n" },
  { "a comma before the end of an array", "[1,]", "at byte 4" },
  {
    "a comma before the end of an object",
    '{"a":1,}',
    "expected a key in double quotes at byte 8",
  },
  { "a missing comma", "[1 2]", "expected ',' or ']' after a value at byte 4" },
  { "a missing colon", '{"a" 1}', "expected ':' after a key at byte 6" },
  { "a bare key", "{a:1}", "expected a key" },
  { "an unclosed array", "[1", "at byte 3" },
  { "an unclosed object", '{"a":1', "at byte 7" },
  { "an unclosed string", '"abc', "unfinished string at byte 1" },
  { "a string that ends in an escaped quote", [["abc\"]], "unfinished string" },
  { "an unknown escape", [["ab\x"]], "invalid escape in a string at byte 4" },
  { "a short code", [["\u12"]], "invalid escape" },
  { "a code that is no hex", [["\u12G4"]], "invalid escape" },
  { "a raw newline in a string", '"a\nb"', "control character in a string" },
  { "a raw newline in a key", '{"a\nb":1}', "control character in a string" },
  { "a raw zero", '"a\0b"', "control character in a string" },
  { "text after the value", "1 2", "unexpected text after the value at byte 3" },
  { "a leading zero", "01", "malformed number" },
  { "a negative leading zero", "-01", "malformed number" },
  { "a point without digits", "1.", "malformed number" },
  { "a point before an exponent", "1.e5", "malformed number" },
  { "a minus alone", "-", "malformed number" },
  { "a minus before a point", "-.5", "malformed number" },
  { "an exponent without digits", "1e", "malformed number" },
  { "two points", "1.2.3", "malformed number" },
  { "a plus", "+1", "unexpected +" },
  { "hexadecimal", "0x10", "unexpected text" },
  { "a number out of range", "1e400", "number out of range" },
  { "an integer out of range", ("9"):rep(400), "number out of range" },
  { "NaN", "NaN", "unexpected N" },
  { "a comment", "/* */ 1", "unexpected /" },
  { "single quotes", "'a'", "unexpected '" },
  { "a stray byte", "\xFF", "unexpected byte 0xFF" },
}

local PIECES =
  { "a", "ü", "€", "😀", '"', "\\", "\n", "\t", "\0", "\127", "/", "u0041", "\u{2028}", " " }

local function random_text()
  local parts = {}
  for index = 1, math.random(0, 12) do
    parts[index] = PIECES[math.random(#PIECES)]
  end
  return table.concat(parts)
end

local function random_number()
  local choice = math.random(4)
  if choice == 1 then
    return math.random(-1000, 1000)
  elseif choice == 2 then
    return math.random(0)
  elseif choice == 3 then
    return math.random() * 10.0 ^ math.random(-300, 300)
  end
  return math.random(-50, 50) + 0.0
end

local function random_value(depth)
  local choice = math.random(depth > 4 and 4 or 6)
  if choice == 1 then
    return random_text()
  elseif choice == 2 then
    return random_number()
  elseif choice == 3 then
    return math.random(2) == 1
  elseif choice == 4 then
    return json.null
  end
  local value = choice == 5 and json.array() or {}
  for index = 1, math.random(0, 5) do
    value[choice == 5 and index or random_text()] = random_value(depth + 1)
  end
  return value
end

local function has_same_types(a, b)
  if type(a) ~= "table" or a == json.null then
    return a == b and math.type(a) == math.type(b)
  end
  for key, item in pairs(a) do
    if not has_same_types(item, b[key]) then
      return false
    end
  end
  return getmetatable(a) == getmetatable(b)
end

describe("json.decode", function()
  for _, case in ipairs(WELL_FORMED) do
    it("reads " .. case[1], function()
      local value, message = json.decode(case[2])
      assert.is_nil(message)
      assert.equal(case[3], value)
      assert.equal(math.type(case[3]), math.type(value))
      local inner = case[2]:gsub("^\u{FEFF}", "")
      assert.equal(case[3], json.decode('{"k":' .. inner .. "}").k)
      assert.equal(case[3], json.decode("[" .. inner .. "\n,\t0]")[1])
    end)
  end

  for _, case in ipairs(MALFORMED) do
    it("refuses " .. case[1] .. " and says where", function()
      local value, message = json.decode(case[2])
      assert.is_nil(value)
      assert.truthy(message:find(case[3], 1, true), message)
      assert.truthy(message:find(" at byte %d+ %(line %d+, column %d+%)$"), message)
    end)
  end

  it("keeps null, arrays and objects apart", function()
    local value = json.decode('{"a":[],"o":{},"n":null,"l":[null,1]}')
    assert.equal(json.null, value.n)
    assert.equal(json.null, value.l[1])
    assert.is_true(json.is_array(value.a))
    assert.is_false(json.is_array(value.o))
    assert.is_false(json.is_array(json.null))
    assert.equal("null", tostring(json.null))
  end)

  it("takes the last of two members with one key", function()
    assert.equal(2, json.decode('{"a":1,"a":2}').a)
  end)

  it("reads keys with escapes, blanks and other letters", function()
    local value = json.decode('{ "a\\n" : 1 , "é €":2,"":3, "x-y" :"z"}')
    assert.same({ ["a\n"] = 1, ["é €"] = 2, [""] = 3, ["x-y"] = "z" }, value)
  end)

  it("counts lines and columns in a text of several lines", function()
    local _, message = json.decode('{\n  "a": 1,\n  "b": x\n}')
    assert.equal("unexpected x, expected a value at byte 20 (line 3, column 8)", message)
  end)

  it("refuses what is nested too deep instead of overflowing the stack", function()
    assert.is_table(json.decode(("["):rep(1000) .. ("]"):rep(1000)))
    local _, message = json.decode(("["):rep(100000))
    assert.truthy(message:find("nested deeper than 1000 levels", 1, true))
    _, message = json.decode(('{"a":'):rep(100000))
    assert.truthy(message:find("nested deeper than 1000 levels", 1, true))
  end)

  it("takes long strings of quotes, backslashes and nothing else in linear time", function()
    local started = os.clock()
    for _, piece in ipairs({ '"', "\\", "a", "\n", "\u{FFFD}" }) do
      local text = piece:rep(300000)
      assert.is_true(json.decode(json.encode(text)) == text)
    end
    assert.is_nil((json.decode('"' .. ("\\"):rep(300001) .. '"')))
    assert.is_true(os.clock() - started < 10)
  end)

  it("raises on what is no text", function()
    assert.has_error(function()
      json.decode(nil)
    end, "json.decode: expected a string, got nil")
  end)
end)

describe("json.encode", function()
  it("writes keys sorted by their bytes", function()
    local object = { b = 1, a = 2, B = 3, ["é"] = 4, [""] = 5, aa = 6 }
    assert.equal('{"":5,"B":3,"a":2,"aa":6,"b":1,"é":4}', json.encode(object))
    local many, expected = {}, {}
    for index = 100, 130 do
      many["k" .. index] = index
      expected[#expected + 1] = ('"k%d":%d'):format(index, index)
    end
    assert.equal("{" .. table.concat(expected, ",") .. "}", json.encode(many))
  end)

  it("tells empty arrays from empty objects by their mark", function()
    assert.equal('{"a":[],"o":{}}', json.encode({ a = json.array(), o = {} }))
    assert.equal("[1,2]", json.encode({ 1, 2 }))
    assert.equal("[null]", json.encode({ json.null }))
  end)

  it("writes floats as short as they read back, and seen to be floats", function()
    local cases = { [0.1] = "0.1", [-0.5] = "-0.5", [0.1 + 0.2] = "0.30000000000000004" }
    for number, text in pairs(cases) do
      assert.equal(text, json.encode(number))
    end
    assert.equal("1.0", json.encode(1.0))
    assert.equal("-0.0", json.encode(-0.0))
    assert.equal("float", math.type(json.decode(json.encode(1e15))))
  end)

  it("escapes only what must be escaped", function()
    assert.equal(
      [["\"\\/\b\f\n\r\t\u0001\u001f]] .. '\127é\u{2028}"',
      json.encode('"\\/\b\f\n\r\t\1\31\127é\u{2028}')
    )
  end)

  it("replaces broken UTF-8, also in keys", function()
    assert.equal('{"\u{FFFD}":"a\u{FFFD}"}', json.encode({ ["\xC3"] = "a\xFF" }))
  end)

  it("raises where the value holds what JSON cannot say, naming the place", function()
    local cycle = {}
    cycle.inner = { cycle }
    local cases = {
      { { a = { 1, { ["x%y"] = print } } }, "cannot encode a function at value.a[2].x%y" },
      { { 0 / 0 }, "cannot encode the number " },
      { { math.huge }, "cannot encode the number inf at value[1]" },
      { { 1, 2, x = 3 }, "cannot encode a list with holes or with other keys at value" },
      { { [2.5] = 1 }, "cannot encode a table with a number as a key at value" },
      { { [true] = 1 }, "cannot encode a table with a boolean as a key at value" },
      { cycle, "nested deeper than 1000 levels (a cycle?)" },
    }
    for _, case in ipairs(cases) do
      local ok, message = pcall(json.encode, case[1])
      assert.is_false(ok)
      assert.truthy(message:find(case[2], 1, true), message)
    end
    assert.has_error(function()
      json.encode(nil)
    end)
  end)

  it("says what it could not write, without raising", function()
    local ring = {}
    ring.one, ring.other = ring, ring
    assert.matches("nested deeper", json.problem(ring))
    assert.matches("a function at value.a.b", json.problem({ a = { b = print } }), 1, true)
    assert.is_nil(json.problem({ a = { 1, "x", json.null } }))
  end)

  it("does not let null be written to", function()
    assert.has_error(function()
      json.null.a = 1
    end)
  end)
end)

describe("json.encode and json.decode", function()
  it("give back any value, and the same bytes each time", function()
    math.randomseed(20240611)
    for _ = 1, 1500 do
      local value = random_value(1)
      local text = json.encode(value)
      local back, message = json.decode(text)
      assert.is_nil(message)
      assert.is_true(has_same_types(value, back) and has_same_types(back, value), text)
      assert.equal(text, json.encode(back))
    end
  end)

  it("give no other value when any byte is cut off or changed, and never raise", function()
    math.randomseed(7)
    for _ = 1, 60 do
      local text = json.encode({ random_value(1), random_value(1) })
      for size = 0, #text - 1, 3 do
        assert.is_nil((json.decode(text:sub(1, size))))
      end
      for _ = 1, 20 do
        local at = math.random(#text)
        json.decode(text:sub(1, at - 1) .. string.char(math.random(0, 255)) .. text:sub(at + 1))
      end
    end
  end)

  -- A text with a blank before it is always read in full.
  local function same_as_in_full(text)
    local value, full = json.decode(text), json.decode(" " .. text)
    if value == nil or full == nil then
      return value == full
    end
    return has_same_types(value, full) and has_same_types(full, value)
  end

  -- The same keys and kinds of values, with other strings and numbers.
  local function varied(value)
    if type(value) == "string" then
      return math.random(3) == 1 and random_text() or ("x"):rep(math.random(0, 300))
    elseif type(value) == "number" then
      return math.random(3) == 1 and random_number() or math.random(-20, 20)
    elseif type(value) ~= "table" or value == json.null then
      return value
    end
    local made = setmetatable({}, getmetatable(value))
    for key, item in pairs(value) do
      made[key] = varied(item)
    end
    return made
  end

  it("read texts that are like those before them as any other text", function()
    math.randomseed(4)
    for round = 1, 40 do
      local value = { [""] = "of round " .. round, other = random_value(1), n = round }
      for _ = 1, 40 do
        local text = json.encode(varied(value))
        assert.is_true(same_as_in_full(text), text)
        assert.equal(text, json.encode(json.decode(text)))
        for _ = 1, 3 do
          local at = math.random(#text)
          local byte = string.char(math.random(4) == 1 and math.random(0, 255) or text:byte(-at))
          local changed = text:sub(1, at - 1) .. byte .. text:sub(at + 1)
          assert.is_true(same_as_in_full(changed), changed)
          assert.is_true(same_as_in_full(text:sub(1, at)), text:sub(1, at))
        end
      end
    end
  end)

  local LIKE_BEFORE = {
    '{"k":%s,"s":"x","l":[1,{"a":"b"}],"e":[],"o":{},"f":1.5,"t":true}',
    '{"k":[%s],"n":null}',
    '{"k" : {"k": [ %s , "x" ]} }',
    '{"k":"%s"}',
    '{"k":"a\\n%s","again":1,"again":2}',
    '{"k\\n":%s}',
  }
  local VALUES = {
    "1",
    "0",
    "-0",
    "-1",
    "01",
    "-01",
    "9223372036854775807",
    "9223372036854775808",
    "0.5",
    "-0.5",
    "00.5",
    "1.",
    "1e5",
    "1E+400",
    "-",
    "true",
    "null",
    "[]",
    "{}",
    '"a"',
    '"\\""',
    '"\\\\"',
    '"\\x"',
    '"\\ud83d\\ude00"',
    '"a\\',
    '"',
    "\1",
    '"\1"',
    '"\xFF"',
    '"\u{1F600}\127"',
    "\0",
    "",
    "1,2",
    '"},',
  } -- stylua: ignore

  it("refuse and mend in texts like those before what they do in any", function()
    local families = 0
    for _, like in ipairs(LIKE_BEFORE) do
      for _, first in ipairs(VALUES) do
        families = families + 1 -- of another key each, so that each is learned soon
        local form = like:gsub('"k', '"k' .. families, 1)
        for count = 1, 70 do
          local is_fraction = first:find("^%d%.%d$")
          json.decode(
            form:format(is_fraction and count + 0.5 or first:find("%d") and count or first)
          )
        end
        for _, second in ipairs(VALUES) do
          local text = form:format(second)
          assert.is_true(same_as_in_full(text), text)
          assert.is_true(same_as_in_full(text .. " "), text)
          assert.is_true(same_as_in_full(text .. "x"), text)
        end
      end
    end
  end)

  it("ask for the quote before a string with escapes, as before any other", function()
    for count = 1, 70 do
      assert.same({ k = "a\n" .. count }, json.decode(('{"k":"a\\n%d"}'):format(count)))
    end
    local value, problem = json.decode('{"k":xa\\n1"}')
    assert.is_nil(value)
    assert.matches("unexpected x", problem)
  end)

  it("take ever new keys, many keys and long ones", function()
    for round = 1, 300 do
      local value = { ["key" .. round] = round, [("k"):rep(round)] = { ["x" .. round] = "y" } }
      for index = 1, round % 50 do
        value["n" .. index * round] = index
      end
      local text = json.encode(value)
      assert.same(value, json.decode(text))
      assert.equal(text, json.encode(value))
    end
  end)

  it("writes what is JSON text already as it is", function()
    local raw = require("panto.base.json_value").raw('[1,{"a":2}]')
    assert.are.equal('{"list":[[1,{"a":2}]],"x":true}', json.encode({ list = { raw }, x = true }))
  end)
end)
