local play = require("auth_play")
local wire = require("panto.auth.wire")

describe("the wire", function()
  local function fields_of(text, content_type)
    local net = play.wire({ { 200, text, content_type } }).wire
    return net:send({ url = "https://a" }).fields
  end

  it("reads JSON and forms, whatever the content type says", function()
    assert.same({ a = "1" }, fields_of('{"a":"1","b":null}', "text/html"))
    assert.same(
      { a = "1", b = "x y" },
      fields_of("a=1&b=x%20y", "application/x-www-form-urlencoded")
    )
    assert.same({ a = "1", b = "2" }, fields_of("a=1&b=2", "text/plain"))
    assert.same({}, fields_of("<html>a=1</html>", "text/html"))
    assert.same({}, fields_of('{"a":', "application/json"))
    assert.same({}, fields_of("", "application/json"))
  end)

  it("writes forms and JSON, and asks for JSON", function()
    local spec = wire.post("https://a", { client_id = "x" }, "form")
    assert.equal("client_id=x", spec.body)
    assert.equal("application/x-www-form-urlencoded", spec.headers["content-type"])
    spec = wire.post("https://a", { client_id = "x" }, "json")
    assert.equal('{"client_id":"x"}', spec.body)
    assert.equal("application/json", spec.headers.accept)
  end)

  it("tries three times when network or server stumble, and no more", function()
    local net = play.wire({ "refused", { 503 }, { 200, { a = 1 } } })
    assert.equal(200, net.wire:send_patiently({ url = "https://a" }).status)
    net = play.wire({ "refused" })
    local answer, message = net.wire:send_patiently({ url = "https://a" })
    assert.is_nil(answer)
    assert.equal("refused", message)
    assert.equal(3, #net.sent)
    net = play.wire({ { 400 } })
    net.wire:send_patiently({ url = "https://a" })
    assert.equal(1, #net.sent)
  end)
end)
