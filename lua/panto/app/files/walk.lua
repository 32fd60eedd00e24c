-- The files of a folder into a list of paths: breadth first, without what .gitignore leaves out.

local clock = require("panto.sys.clock")
local fs = require("panto.sys.fs")
local gitignore = require("panto.base.gitignore")
local task = require("panto.sys.task")

local walk = {}

-- So many paths can be searched between two keys; the nearest to the top come first.
local MOST_PATHS, SLICE_MS = 20000, 4

local function read_rules(folder)
  local text = fs.read(fs.join(folder, ".gitignore"))
  return text and gitignore.parse(text) or nil
end

-- The rules of the folders above, up to the one that is the repository's, nearest last.
local function rules_above(root)
  local found, below, folder = {}, "", root
  while true do
    if folder ~= root then
      local rules = read_rules(folder)
      if rules then
        table.insert(found, 1, { rules = rules, lead = below })
      end
    end
    if fs.exists(fs.join(folder, ".git")) then
      local exclude = fs.read(fs.join(folder, ".git/info/exclude"))
      if exclude then
        table.insert(found, 1, { rules = gitignore.parse(exclude), lead = below })
      end
      return found
    end
    local parent = fs.dirname(folder)
    if parent == folder or folder == "/" then
      return {}
    end
    below = fs.basename(folder) .. "/" .. below
    folder = parent
  end
end

-- The nearest file that speaks of a path decides. `lead` turns a path into one below its folder.
local function is_ignored(rule_sets, path, is_folder)
  for index = #rule_sets, 1, -1 do
    local set = rule_sets[index]
    local own = set.lead and set.lead .. path or path:sub(set.skip + 1)
    local verdict = set.rules:match(own, is_folder)
    if verdict ~= nil then
      return verdict
    end
  end
  return false
end

local function rules_of(root, folder, rule_sets)
  local rules = read_rules(fs.join(root, folder))
  if not rules then
    return rule_sets
  end
  local longer = table.move(rule_sets, 1, #rule_sets, 1, {})
  longer[#longer + 1] = { rules = rules, skip = folder == "" and 0 or #folder + 1 }
  return longer
end

local function list(root, entry, found, queue)
  local rule_sets = rules_of(root, entry.folder, entry.rule_sets)
  for _, item in ipairs(fs.list(fs.join(root, entry.folder)) or {}) do
    local path = entry.folder == "" and item.name or entry.folder .. "/" .. item.name
    local is_folder = item.type == "directory"
    if item.name ~= ".git" and not is_ignored(rule_sets, path, is_folder) then
      found[#found + 1] = is_folder and path .. "/" or path
      if is_folder then
        queue[#queue + 1] = { folder = path, rule_sets = rule_sets }
      end
    end
  end
end

--- Adds the paths below a folder to a list, a slash behind folders; lets others run all few
--- milliseconds. Call it in a task.
---@param root string
---@param found string[]
function walk.run(root, found)
  local queue, at = { { folder = "", rule_sets = rules_above(root) } }, 1
  local started = clock.mono_ms()
  while queue[at] and #found < MOST_PATHS do
    list(root, queue[at], found, queue)
    queue[at] = false
    at = at + 1
    if clock.mono_ms() - started >= SLICE_MS then
      task.sleep(1)
      started = clock.mono_ms()
    end
  end
end

return walk
