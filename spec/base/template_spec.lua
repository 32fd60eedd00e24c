-- Templates: which placeholders are replaced, and by what.

local template = require("panto.base.template")

local values =
  { env = { KEY = "sk-1", EMPTY = "" }, name = { domain = "a.b", loop = "${domain}", port = 80 } }

local function lookup(kind, name)
  return values[kind][name]
end

describe("template.expand", function()
  local cases = {
    { "${env:KEY}", "sk-1" },
    { "https://${domain}:${port}/x", "https://a.b:80/x" },
    { "[${env:EMPTY}${env:NONE}${none}]", "[]" },
    { "${loop}", "${domain}" },
    { "${env:KEY}${env:KEY}", "sk-1sk-1" },
    {
      "$domain {domain} ${} ${ domain } ${cmd:ls} ${env:} $${domain}",
      "$domain {domain} ${} ${ domain } ${cmd:ls} ${env:} $a.b",
    },
    { "100% %1", "100% %1" },
    { "", "" },
  }
  for _, case in ipairs(cases) do
    it(("expands '%s'"):format(case[1]), function()
      assert.equal(case[2], template.expand(case[1], lookup))
    end)
  end
end)
