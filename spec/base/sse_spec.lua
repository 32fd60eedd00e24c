-- Event streams: the rules of the WHATWG text, whatever way the bytes are cut.

local sse = require("panto.base.sse")

local function read_all(pieces)
  local parser, events = sse.new(), {}
  for _, piece in ipairs(pieces) do
    for _, event in ipairs(parser:feed(piece)) do
      events[#events + 1] = event
    end
  end
  for _, event in ipairs(parser:finish()) do
    events[#events + 1] = event
  end
  return events, parser
end

local function message(data, event, id)
  return { event = event or "message", data = data, id = id }
end

local CASES = {
  { "a data line", "data: x\n\n", { message("x") } },
  { "several data lines", "data: a\ndata:b\ndata\n\n", { message("a\nb\n") } },
  { "one blank only off the value", "data:  x \n\n", { message(" x ") } },
  { "an event name", "event: ping\ndata: {}\n\n", { message("{}", "ping") } },
  {
    "an event name for one event only",
    "event: a\ndata: 1\n\ndata: 2\n\n",
    { message("1", "a"), message("2") },
  },
  { "no event without data", "event: a\n\ndata: 2\n\n", { message("2") } },
  { "an empty data line as an event", "data:\n\n", { message("") } },
  {
    "ids that stay",
    "id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
    { message("a", nil, "7"), message("b", nil, "7"), message("c", nil, "") },
  },
  { "no id with a zero in it", "id: a\0b\ndata: x\n\n", { message("x") } },
  { "comments and unknown fields", ": hi\n:\nerror: {}\nfoo\ndata: x\n\n", { message("x") } },
  { "CRLF", "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", { message("a\nb"), message("c") } },
  { "CR alone", "data: a\rdata: b\r\rdata: c\r\r", { message("a\nb"), message("c") } },
  {
    "mixed line ends",
    "data: a\r\n\rdata: b\n\r\ndata: c\r\r\n",
    { message("a"), message("b"), message("c") },
  },
  { "a byte order mark", "\u{FEFF}data: x\n\n", { message("x") } },
  { "only the first byte order mark", "\u{FEFF}\u{FEFF}data: x\n\n", {} },
  {
    "an event that the end cuts off",
    "data: a\n\ndata: [DONE]",
    { message("a"), message("[DONE]") },
  },
  { "an event without its blank line", "data: a\n", { message("a") } },
  { "many blank lines", "\n\n\r\n\ndata: x\n\n\n\n", { message("x") } },
  { "letters outside ASCII", "data: é😀\n\n", { message("é😀") } },
  { "nothing", "", {} },
}

describe("sse", function()
  for _, case in ipairs(CASES) do
    it("reads " .. case[1] .. ", cut anywhere", function()
      local body = case[2]
      assert.same(case[3], (read_all({ body })))
      local bytes = {}
      for index = 1, #body do
        bytes[index] = body:sub(index, index)
        local two = { body:sub(1, index), "", body:sub(index + 1) }
        assert.same(case[3], (read_all(two)))
      end
      assert.same(case[3], (read_all(bytes)))
    end)
  end

  it("gives the same events for random cuts of random bodies", function()
    math.randomseed(99)
    local pieces = {
      "data: x",
      "data",
      ":",
      "event: e",
      "id: 1",
      "\n",
      "\r",
      "\r\n",
      "\n\n",
      "é",
      " ",
      "retry: 5",
    }
    for _ = 1, 400 do
      local parts = {}
      for index = 1, math.random(1, 25) do
        parts[index] = pieces[math.random(#pieces)]
      end
      local body, cuts, from = table.concat(parts), {}, 1
      while from <= #body do
        local stop = from + math.random(0, 6)
        cuts[#cuts + 1] = body:sub(from, stop)
        from = stop + 1
      end
      assert.same((read_all({ body })), (read_all(cuts)))
    end
  end)

  it("gives an event as soon as its blank line is there", function()
    local parser = sse.new()
    assert.same({}, parser:feed("data: a\r"))
    assert.same({ message("a") }, parser:feed("\n\r"))
    assert.same({}, parser:feed("\n"))
  end)

  it("counts comments and keeps the reconnection time", function()
    local _, parser = read_all({ ": a\nretry: 1500\n:\ndata: x\n\n", "retry: soon\n: b\n\n" })
    assert.equal(3, parser.comments)
    assert.equal(1500, parser.retry_ms)
  end)

  it("drops an event that outgrows its limit, and all that follows", function()
    for _, piece in ipairs({ ("x"):rep(60), "data: 123456789\n" }) do
      local parser = sse.new(100)
      assert.same({ message("a") }, parser:feed("data: a\n\n"))
      for _ = 1, 20 do
        assert.same({}, parser:feed(piece))
      end
      assert.is_true(parser.is_too_long)
      assert.same({}, parser:feed("\n\ndata: b\n\n"))
      assert.same({}, parser:finish())
    end
    assert.is_false(sse.new().is_too_long)
  end)

  it("takes a long line byte by byte in linear time", function()
    local parser, started = sse.new(), os.clock()
    parser:feed("data: ")
    for _ = 1, 1000000 do
      parser:feed("x")
    end
    local event = parser:feed("\n\n")[1]
    assert.equal(1000000, #event.data)
    assert.is_true(os.clock() - started < 10)
  end)

  it("takes one chunk of many events in linear time", function()
    local started = os.clock()
    assert.equal(100000, #read_all({ ("data: x\r\n\r\n"):rep(100000) }))
    assert.equal(100000, #read_all({ ("data: x\n\n"):rep(100000) .. "\r" }))
    assert.is_true(os.clock() - started < 10)
  end)
end)
