-- The lines of `panto doctor`.

local report = require("panto.cli.doctor.report")

describe("the doctor's report", function()
  it("is a line a finding, with the mend behind an arrow", function()
    local found = report.new()
    found:add("ok", "runtime", "Lua 5.4.8")
    found:add("error", "auth.json", "is\n  readable", "chmod 600")
    found:add(nil, "python", "3.11")
    assert.equal(
      "ok    runtime: Lua 5.4.8\nerror auth.json: is; readable -> chmod 600\nok    python: 3.11\n",
      found:render()
    )
    assert.equal(1, found:count("error"))
    assert.equal(0, found:count("warn"))
  end)
end)
