-- The branch of the folder's git repository, read from its HEAD file; no git program is run.

local fs = require("panto.sys.fs")

local git_branch = {}

local function git_dir(folder)
  local dot_git = fs.join(folder, ".git")
  local stat = fs.stat(dot_git)
  if stat and stat.type == "directory" then
    return dot_git
  elseif stat then -- a worktree or submodule: a file that names the real folder
    local target = (fs.read(dot_git) or ""):match("^gitdir:%s*(.-)%s*$")
    return target and fs.expand(target, folder)
  end
end

--- Reads the branch (or a short commit when HEAD is detached); nil outside of a repository.
---@param folder string
---@return string?
function git_branch.read(folder)
  while true do
    local dir = git_dir(folder)
    if dir then
      local head = fs.read(fs.join(dir, "HEAD")) or ""
      return head:match("^ref: refs/heads/(.-)%s*$") or head:match("^(%x%x%x%x%x%x%x)%x+")
    elseif folder == "/" then
      return nil
    end
    folder = fs.dirname(folder)
  end
end

return git_branch
