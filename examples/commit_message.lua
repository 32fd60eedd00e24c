-- Writes a commit message for what is staged: git commit -F <(panto lua examples/commit_message.lua)

local panto = require("panto")

local diff = panto.process.run({ file = "git", args = { "diff", "--cached", "--stat", "--patch" } })
if diff.code ~= 0 or diff.stdout == "" then
  io.stderr:write(diff.code ~= 0 and diff.stderr or "nothing is staged\n")
  os.exit(1)
end

local agent = panto.agent.new({
  tools = {},
  system = "You write git commit messages: a subject of at most 72 characters in the imperative, "
    .. "an empty line, then why it was done. Answer with the message alone.",
})
local message, problem = agent:ask(diff.stdout:sub(1, 100000))
if not message then
  io.stderr:write(problem, "\n")
  os.exit(1)
end
print((message:gsub("^%s+", ""):gsub("%s+$", "")))
