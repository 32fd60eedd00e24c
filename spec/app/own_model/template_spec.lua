-- The chat template of the pinned model: told of fences instead of tags, and only when it is the known one.

local template = require("panto.app.own_model.template")

local KNOWN = [[within <tool_call></tool_call> XML tags:\n<tool_call>\n]]
  .. [[{{\"name\": <function-name>, \"arguments\": <args-json-object>}}\n</tool_call>]]
  .. [[{{- '\n<tool_call>\n{' }}{{- '}\n</tool_call>' }}{{- '\n</tool_response>' }}]]

describe("template", function()
  it("speaks of json fences, in what it asks for and in what it shows of old calls", function()
    local changed = assert(template.fence(KNOWN))
    assert.is_nil(changed:find("tool_call>", 1, true))
    assert.is_truthy(changed:find([[in a json code block:\n```json\n{\"name\"]], 1, true))
    assert.is_truthy(changed:find([['\n```json\n{']], 1, true))
    assert.is_truthy(changed:find([['}\n```']], 1, true))
    assert.is_truthy(changed:find("{%- if loop.last %}", 1, true))
  end)

  it("leaves another template alone", function()
    local changed, message = template.fence("{{ messages }}")
    assert.is_nil(changed)
    assert.is_truthy(message:find("its chat template does not have", 1, true))
    assert.is_nil((template.fence(KNOWN .. KNOWN)))
  end)
end)
