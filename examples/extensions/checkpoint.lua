-- A git checkpoint before each turn: /rewind [N] brings the files back to before the N-th last one.
-- Neither the index nor the branch is touched: the commits hang on refs/panto/checkpoint alone.

local panto = require("panto")

local REF = "refs/panto/checkpoint"

local function git(args, index)
  local done = panto.process.run({
    file = "git",
    args = args,
    env = index and { GIT_INDEX_FILE = index },
  })
  if not done or done.code ~= 0 then
    return nil, done and done.stderr or "git is missing"
  end
  return (done.stdout:gsub("%s+$", ""))
end

-- All files that git does not ignore, as a commit whose parent is the checkpoint before.
local function save(message)
  local folder = git({ "rev-parse", "--absolute-git-dir" })
  if not folder then
    return
  end
  local index = panto.fs.join(folder, "panto-checkpoint-index")
  local parent = git({ "rev-parse", "--verify", "--quiet", REF })
  git({ "add", "--all", ":/" }, index)
  local tree = git({ "write-tree" }, index)
  local identity = { "-c", "user.name=panto", "-c", "user.email=panto@localhost" }
  local args = { "commit-tree", tree, "-m", message }
  table.move(args, 1, #args, #identity + 1, identity)
  table.move({ "-p", parent }, 1, parent and 2 or 0, #identity + 1, identity)
  local commit = git(identity)
  if commit then
    git({ "update-ref", REF, commit })
  end
end

local function rewind(args)
  local back = (tonumber(args) or 1) - 1
  local source = ("%s~%d"):format(REF, back)
  local done, message = git({ "restore", "--source", source, "--worktree", ":/" })
  if done then
    panto.ui.notify("The files are as they were: " .. git({ "log", "-1", "--format=%s", source }))
  else
    panto.ui.notify(message, "error")
  end
end

return {
  name = "checkpoint",
  activate = function()
    panto.ext.on("user_message", function(e)
      save("before: " .. (e.text or ""):match("[^\n]*"))
    end)
    panto.ext.register_command({
      name = "rewind",
      description = "Bring the files back to before the last turn, or before the N-th last.",
      handler = rewind,
    })
  end,
}
