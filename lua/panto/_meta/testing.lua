---@meta panto.testing
-- What a spec has that `panto test` runs: busted's words, and panto opened on an extension.

---@class panto.testing
local testing = {}

---@class panto.testing.Step
---@field text string? what the model says
---@field deltas string[]? the same, in these very pieces
---@field thinking string? what it thinks before
---@field calls { name: string, input: table?, id: string? }[]? the tools that it calls
---@field usage panto.Usage? tokens
---@field stop string? why it ends
---@field wait_ms number? before it begins
---@field delay_ms number? before each piece of text
---@field fail { status: integer, message: string }[]? so many attempts fail first
---@field error { kind: string, message: string }? breaks the answer off

---@alias panto.testing.Script (panto.testing.Step|string)[]|fun(request: panto.Request, number: integer): panto.testing.Step|string

---@class panto.testing.Options
---@field extension string? path of the extension; the one beside the spec file when left out
---@field extensions string[]? paths of several
---@field script panto.testing.Script? what the model answers, request by request
---@field files table<string, string>? contents by path in the working folder
---@field config string? TOML of the user's layer
---@field cols integer? of the screen, 80 when left out
---@field rows integer? of the screen, 24 when left out
---@field clock "fake"|"real"|nil "fake" when left out
---@field allow_failures boolean? an extension that cannot be loaded is no error

---Panto, opened on an extension. It is closed at the end of the test.
---@class panto.testing.Panto
---@field cwd string the working folder
local t = {}

---Opens panto.
---@param options panto.testing.Options?
---@return panto.testing.Panto t
function testing.new(options) end

---Says a text, or runs a line that begins with "/"; waits for the end of it, or for a dialog.
---@param text string
---@return string answer the model's last text
function t:say(text) end

---Says a text and does not wait.
---@param text string
function t:start(text) end

---Waits until the turn and the command have ended, or a dialog is open.
function t:wait() end

---Presses keys, such as "ctrl+o", "enter", "alt+up".
---@param ... string
function t:press(...) end

---Types text.
---@param text string
function t:type(text) end

---Returns everything shown so far, without styles.
---@return string
function t:screen() end

---Returns the rows of the screen.
---@return string[]
function t:lines() end

---Waits, in real time, until a text is shown.
---@param text string
---@return string screen
function t:wait_for(text) end

---Returns what a tool answered last, and its event with is_error, details and input.
---@param tool_name string?
---@return string? output
---@return table event
function t:tool_result(tool_name) end

---Returns the events so far, as their handlers left them.
---@param name string?
---@return any
function t:events(name) end

---Returns what the model was told, request by request: system, messages, tools.
---@return any
function t:requests() end

---Returns what Tab offers behind a line.
---@param line string
---@return string[]
function t:complete(line) end

---Lets the time go on.
---@param ms integer
function t:advance(ms) end

---Loads all extensions anew.
function t:reload() end

---Changes the size of the screen.
---@param cols integer
---@param rows integer?
function t:resize(cols, rows) end

---Reads a file of the working folder.
---@param path string
---@return string?
function t:read(path) end

---Writes a file of the working folder.
---@param path string
---@param text string
function t:write(path, text) end

---Ends it before the test does.
function t:close() end

---A block of tests.
---@param name string
---@param fn fun()
function describe(name, fn) end

---A test.
---@param name string
---@param fn fun()
function it(name, fn) end

---A test that is not written yet; in a test: the rest of it is left out.
---@param name string?
function pending(name) end

---Runs before each test of the block.
---@param fn fun()
function before_each(fn) end

---Runs after each test of the block.
---@param fn fun()
function after_each(fn) end

---Runs once before the block.
---@param fn fun()
function setup(fn) end

---Runs once after the block.
---@param fn fun()
function teardown(fn) end

---Runs at the end of the running test.
---@param fn fun()
function finally(fn) end

---busted's assert: words such as equal, same, matches, contains, is_true, is_not_nil, has_error.
---@class panto.testing.Assert
---@field [string] any each word is a function, or what more words follow
---@overload fun(value: any, message: any): any

---@type panto.testing.Assert
assert = nil

return testing
