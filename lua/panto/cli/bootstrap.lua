-- `panto bootstrap [--force]`: brings the rocks tree in line and exits.

local env = require("panto.sys.env")
local usage = require("panto.cli.usage")

local bootstrap = {}

--- Runs the bootstrap with its words.
---@param words string[]
---@return integer exit_code
function bootstrap.run(words)
  local force = false
  for _, word in ipairs(words) do
    if word ~= "--force" then
      local hint = usage.suggest(word, { "--force" })
      return usage.refuse(
        ("bootstrap does not know %q%s"):format(word, hint),
        "panto bootstrap [--force]"
      )
    end
    force = true
  end
  return env.bootstrap(force)
end

return bootstrap
