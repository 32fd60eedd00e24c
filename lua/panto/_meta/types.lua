---@meta
-- The classes that the public API's functions take and return. Written by `make stubs`.

---@class panto.Agent
---@field work panto.Task? the prompt that runs
local Agent = {}

---Runs a prompt; returns an iterator of its events, the last one being `done`. Each event has its
---name as `type`, and its payload. A `for` that is left early aborts the turn.
---@param prompt string
---@return fun(): table?
---@return nil
---@return nil
---@return table closer
function Agent:run(prompt) end

---Runs a prompt to its end; returns the answer's text, or nil and what went wrong.
---@param prompt string
---@return string? text
---@return string? message
---@return table done status, usage, cost, session
function Agent:ask(prompt) end

---Gives the running prompt a text that the model gets after the calls that run now.
---@param text string
function Agent:steer(text) end

---Aborts the running prompt; its iterator ends with `done`, status "aborted".
function Agent:abort() end

---Returns the conversation so far.
---@return panto.Message[]
function Agent:messages() end

---Returns what all prompts together have used: tokens, and `cost` in USD when it is known.
---@return panto.Totals
function Agent:totals() end

---Ends the agent and gives its session free.
function Agent:close() end

---@class panto.AgentOptions
---@field model string? "provider:alias"; with `provider` or `stream` the model's name on the wire
---@field provider panto.AgentProvider? one that no configuration has
---@field stream (fun(request: panto.Request): fun(): panto.Item?)? answers in place of any provider
---@field tools (string|panto.Tool)[]? names, globs, tools; all that panto has when left out
---@field system string? in place of panto's system prompt
---@field cwd string? where tools work; the current folder when left out
---@field effort string?
---@field max_turns integer? how often a prompt may ask the model
---@field session boolean|string? true: keep one; an id's beginning: go on with it

---@class panto.AppendFile
local AppendFile = {}

---Appends bytes, whole or with a message.
---@param bytes string
---@return true?
---@return string? message
---@return string? code
function AppendFile:write(bytes) end

---Makes what was written durable (fsync).
---@return true?
---@return string? message
---@return string? code
function AppendFile:sync() end

---Returns the file's size in bytes.
---@return integer
function AppendFile:size() end

---Cuts the file to `size` bytes.
---@param size integer
---@return true?
---@return string? message
function AppendFile:truncate(size) end

---Closes the file; safe to call again.
function AppendFile:close() end

---@class panto.Lock
local Lock = {}

---Gives the lock back; safe to call again.
function Lock:release() end

---@class panto.Stat
---@field type "file"|"directory"|"link"|string
---@field size integer bytes
---@field mtime number seconds since 1970, with a fraction
---@field mode integer permission bits

---@class panto.HttpFailure
---@field kind "connect"|"timeout"|"tls"|"protocol"|"closed"|"invalid"
---@field message string

---@class panto.HttpRequest
---@field method string? GET when left out
---@field url string
---@field headers table<string, string>?
---@field body string?
---@field connect_timeout_ms integer? 30000 when left out
---@field idle_timeout_ms integer? longest silence while waiting for a byte; 300000 when left out

---@class panto.HttpResponse
---@field status integer
---@field headers table<string, string> lower-case names; repeated ones joined with ", "
---@field body fun(): string? the next chunk; nil at the end, then `failure` tells whether it was cut
---@field failure panto.HttpFailure?
local Response = {}

---Reads the whole body, at most `max` bytes of it (16 MiB when left out).
---@param max integer?
---@return string?
---@return panto.HttpFailure failure
function Response:read_all(max) end

---Closes the connection if the body is not at its end; safe to call again.
function Response:close() end

---@class panto.SpawnSpec
---@field file string the program
---@field args string[]? words after the program's name
---@field cwd string?
---@field env table<string, string|false>? added to the environment; false removes a name
---@field merge boolean? stdout and stderr through one pipe, in the order written
---@field stdin string|fun(): string? |nil what it reads (text, or a function of pieces); nothing when left out

---@class panto.Process
---@field pid integer
---@field output (fun(): string?)? the next chunk of both streams, with `merge`
---@field stdout (fun(): string?)?
---@field stderr (fun(): string?)?
local Process = {}

---Waits until the program has ended.
---@return integer code
---@return integer signal 0 when it ended by itself
function Process:wait() end

---Sends a signal to the program's whole group; false when none of it is left.
---@param signal string "sigterm", "sigkill", …
---@return boolean
function Process:kill(signal) end

---Closes the pipes; what the program still writes is lost.
function Process:close() end

---@class panto.OpenedSession
---@field id string
---@field path string
---@field cwd string
---@field created string ISO 8601, UTC

---@class panto.session.Summary
---@field id string
---@field path string
---@field created string ISO 8601, UTC
---@field messages integer
---@field first_text string? the first user message, one line
---@field cwd string
---@field size integer bytes
---@field stamp string time and size, to see that it is still the same
---@field modified number seconds since 1970

---@class panto.Task
---@field co thread
---@field finished boolean
---@field results table? packed results once finished well
---@field err any the error it ended with
---@field traceback string?
---@field cancelled boolean it was asked to stop
---@field stop fun()? closes what the current wait waits for
---@field owner { tasks: table<panto.Task, true> }? for whom it runs
---@field no_wait string? why it must not wait now
---@field observed boolean somebody awaits it or has seen its error
local Task = {}

---Tells whether the task has ended.
---@return boolean
function Task:done() end

---@class panto.diff.Options
---@field context? integer lines shown around a change, 4 when nil
---@field path? string named in a head of two lines; no head when nil

---@class panto.tui.Choice
---@field label string
---@field description string?
---@field value any? what choosing it gives (default: the label)

---@class panto.WireRequest
---@field path string appended to the provider's base_url
---@field headers table<string, string>
---@field body string

---@class panto.sse.Event
---@field event string the event's type, "message" when the stream names none
---@field data string the data lines, joined by line feeds
---@field id string? the last id that the stream set

---@class panto.tui.Cursor
---@field row integer line of the live part, from 1
---@field col integer column, from 1

---@class panto.Totals
---@field input integer
---@field output integer
---@field cache_read integer
---@field cache_write integer
---@field cost number? USD; nil once a price or a count was unknown
---@field known_cost number USD; what is known of it even then
---@field context integer tokens of the last request with its answer
local Totals = {}

---Returns the totals as plain data, to be written down.
---@return table<string, number>
function Totals:snapshot() end

---Takes totals that were written down; what is missing is unknown or nothing.
---@param known table
function Totals:restore(known) end

---Adds the usage of one answer.
---@param usage panto.Usage? nil when the server told none
---@param model panto.Model?
---@param is_partial boolean? the answer broke off, so that its last counts never came
function Totals:add(usage, model, is_partial) end

---@class panto.AgentProvider
---@field style string
---@field base_url string a server's address, or a script's file
---@field key string?
---@field extra_headers table<string, string>?
---@field prompt_cache boolean?
