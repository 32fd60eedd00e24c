local json = require("panto.base.json")
local json_path = require("panto.auth.json_path")

describe("a JSON path", function()
  local value = json.decode([[{
    "token": "t", "n": 5, "none": null, "empty": "",
    "endpoints": {"api": "https://a", "list": [{"url": "u0"}, {"url": "u1"}]},
    "https://api.openai.com/auth": {"chatgpt_account_id": "acc", "a.b/c": {"d": "deep"}},
    "a": {"b": {"c": "short way"}}, "a.b": {"c": "long way"}
  }]])

  local function get(path)
    return json_path.get_text(value, path)
  end

  it("finds plain and nested values, by dots or slashes", function()
    assert.equal("t", get("token"))
    assert.equal("https://a", get("endpoints.api"))
    assert.equal("https://a", get("endpoints/api"))
    assert.equal("https://a", get("$.endpoints.api"))
    assert.equal("https://a", get("/endpoints/api"))
    assert.equal("5", get("n"))
  end)

  it("finds keys that hold dots and slashes themselves", function()
    assert.equal("acc", get("https://api.openai.com/auth.chatgpt_account_id"))
    assert.equal("acc", get("https://api.openai.com/auth/chatgpt_account_id"))
    assert.equal("deep", get("https://api.openai.com/auth.a.b/c.d"))
  end)

  it("takes the longest key that leads to a value", function()
    assert.equal("long way", get("a.b.c"))
    local other = { a = { b = { x = "short way" } }, ["a.b"] = { y = "long way" } }
    assert.equal("short way", json_path.get_text(other, "a.b.x"))
  end)

  it("counts array positions from 0", function()
    assert.equal("u1", get("endpoints.list.1.url"))
    assert.equal("u0", get("endpoints.list.[0].url"))
  end)

  it("is nil for what is not there, null, empty or no text", function()
    for _, path in ipairs({ "x", "token.x", "none", "none.x", "empty", "endpoints", "n.1", "" }) do
      assert.is_nil(get(path))
    end
    assert.is_nil(json_path.get_text(nil, "token"))
  end)
end)
