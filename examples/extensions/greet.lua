-- A slash command: /greet [NAME].

return {
  name = "greet",
  activate = function()
    local panto = require("panto")
    panto.ext.register_command({
      name = "greet",
      description = "Print a greeting.",
      handler = function(args)
        local who = args ~= "" and args or "world"
        io.write("\n[greet] hello, " .. who .. "!\n")
      end,
    })
  end,
}
