---@meta panto
-- The public API, what require("panto") returns. Written by `make stubs` from the sources.

---@class panto
local panto = {}

---What an extension registers and listens with.
---@class panto.ext
panto.ext = {}

---Registers a tool for the model.
---@param tool panto.ToolEntry
function panto.ext.register_tool(tool) end

---Registers a slash command.
---@param command panto.CommandEntry
function panto.ext.register_command(command) end

---Binds a key; what the handler does may wait.
---@param key panto.KeyEntry
function panto.ext.register_key(key) end

---Calls a function whenever an event happens, several in the order of their registration. It may
---wait.
---@overload fun(name: "session_start", handler: fun(e: panto.event.session_start)): fun()
---@overload fun(name: "user_message", handler: fun(e: panto.event.user_message)): fun()
---@overload fun(name: "turn_start", handler: fun(e: panto.event.turn_start)): fun()
---@overload fun(name: "thinking", handler: fun(e: panto.event.thinking)): fun()
---@overload fun(name: "thinking_delta", handler: fun(e: panto.event.thinking_delta)): fun()
---@overload fun(name: "thinking_complete", handler: fun(e: panto.event.thinking_complete)): fun()
---@overload fun(name: "assistant_text", handler: fun(e: panto.event.assistant_text)): fun()
---@overload fun(name: "assistant_text_delta", handler: fun(e: panto.event.assistant_text_delta)): fun()
---@overload fun(name: "assistant_text_complete", handler: fun(e: panto.event.assistant_text_complete)): fun()
---@overload fun(name: "tool", handler: fun(e: panto.event.tool)): fun()
---@overload fun(name: "tool_delta", handler: fun(e: panto.event.tool_delta)): fun()
---@overload fun(name: "tool_call_complete", handler: fun(e: panto.event.tool_call_complete)): fun()
---@overload fun(name: "tool_details", handler: fun(e: panto.event.tool_details)): fun()
---@overload fun(name: "tool_progress", handler: fun(e: panto.event.tool_progress)): fun()
---@overload fun(name: "tool_result", handler: fun(e: panto.event.tool_result)): fun()
---@overload fun(name: "tool_collapse", handler: fun(e: panto.event.tool_collapse)): fun()
---@overload fun(name: "retry", handler: fun(e: panto.event.retry)): fun()
---@overload fun(name: "restart", handler: fun(e: panto.event.restart)): fun()
---@overload fun(name: "error", handler: fun(e: panto.event.error)): fun()
---@overload fun(name: "usage", handler: fun(e: panto.event.usage)): fun()
---@overload fun(name: "turn_end", handler: fun(e: panto.event.turn_end)): fun()
---@overload fun(name: "request", handler: fun(e: panto.event.request)): fun()
---@overload fun(name: "compaction", handler: fun(e: panto.event.compaction)): fun()
---@overload fun(name: "editor", handler: fun(e: panto.event.editor)): fun()
---@overload fun(name: "footer", handler: fun(e: panto.event.footer)): fun()
---@overload fun(name: "spinner", handler: fun(e: panto.event.spinner)): fun()
---@overload fun(name: "model_changed", handler: fun(e: panto.event.model_changed)): fun()
---@overload fun(name: "overlay", handler: fun(e: panto.event.overlay)): fun()
---@overload fun(name: "session_end", handler: fun(e: panto.event.session_end)): fun()
---@overload fun(name: "notice", handler: fun(e: panto.event.notice)): fun()
---@param name string such as "tool_result"; one's own events have any name
---@param handler fun(e: panto.CustomEvent)
---@return fun() unsubscribe
function panto.ext.on(name, handler) end

---Tells every subscriber of an event. They see the data as `e.data`, and a table's fields as the
---event's; a component that one of them sets is shown in the transcript.
---@param name string one's own name; of panto's own events nothing is shown but "notice"
---@param data any
---@return table payload as the subscribers left it
function panto.ext.emit(name, data) end

---The agent as a library.
---@class panto.agent
panto.agent = {}

---Makes an agent: a model, tools and a conversation. What is wrong with the options, or with the
---configuration, is raised.
---@param options panto.AgentOptions?
---@return panto.Agent
function panto.agent.new(options) end

---Times, in milliseconds.
---@class panto.clock
panto.clock = {}

---Formats a time as ISO 8601 in UTC with milliseconds.
---@param ms integer milliseconds since 1970
---@return string
function panto.clock.iso(ms) end

---Returns milliseconds of a clock that never jumps, with a fraction.
---@return number
function panto.clock.mono_ms() end

---Returns milliseconds since 1970 in UTC.
---@return integer
function panto.clock.now_ms() end

---The settings that tools follow.
---@class panto.config
panto.config = {}

---Limits of shell commands, in seconds.
---@class panto.config.shell
panto.config.shell = {}

panto.config.shell.timeout_s = 120

---The process's surroundings.
---@class panto.env
panto.env = {}

---Reads an environment variable; nil when it is not set.
---@param name string
---@return string?
function panto.env.get(name) end

---Returns panto's version.
---@return string
function panto.env.version() end

---Files and folders; failures are nil, a message and a code such as ENOENT.
---@class panto.fs
panto.fs = {}

---Opens a file for appending, made when it is missing.
---@param name string
---@param mode integer? permission bits of a new file (384 = 0600)
---@return panto.AppendFile?
---@return string? message
---@return string? code
function panto.fs.append_open(name, mode) end

---Returns the last name of a path.
---@param name string
---@return string
function panto.fs.basename(name) end

---Returns the current folder; of one that was removed, the name under which it was entered.
---@return string
function panto.fs.cwd() end

---Returns the mode of a new file under the process's umask.
---@return integer
function panto.fs.default_mode() end

---Returns the folder part of a path ("." when there is none).
---@param name string
---@return string
function panto.fs.dirname(name) end

---Tells whether something of that name exists.
---@param name string
---@return boolean
function panto.fs.exists(name) end

---Makes a path absolute: "~" and "~/x" are the home folder, relative ones start at `cwd`; "." and ".." are folded.
---@param name string
---@param cwd string
---@return string
function panto.fs.expand(name, cwd) end

---Lists the names of what a folder holds and is no folder, sorted.
---@param name string
---@return string[]?
---@return string? message
---@return string? code
function panto.fs.file_names(name) end

---Returns the user's home folder.
---@return string
function panto.fs.home() end

---Joins parts with "/"; an absolute later part starts anew.
---@param first string
---@param ... string
---@return string
function panto.fs.join(first, ...) end

---Returns where a dangling symbolic link points, or the name itself.
---@param name string
---@return string
function panto.fs.link_target(name) end

---Lists a folder, by name.
---@param name string
---@return { name: string, type: string }[]?
---@return string? message
---@return string? code
function panto.fs.list(name) end

---Takes the lock of a file, made when it is missing.
---@param name string
---@param options { wait: boolean? }? without `wait` a lock held elsewhere is a failure
---@return panto.Lock?
---@return string? message
function panto.fs.lock(name, options) end

---Makes a folder and its parents; an existing one is fine.
---@param name string
---@param mode integer? permission bits (493 = 0755)
---@return true?
---@return string? message
---@return string? code
function panto.fs.mkdir(name, mode) end

---Reads a whole file as bytes.
---@param name string
---@return string? bytes
---@return string? message
---@return string? code
function panto.fs.read(name) end

---Reads `length` bytes from byte `offset` (0-based); fewer at the end of the file.
---@param name string
---@param offset integer
---@param length integer
---@return string? bytes
---@return string? message
---@return string? code
function panto.fs.read_range(name, offset, length) end

---Resolves links, "." and ".." to the real path.
---@param name string
---@return string?
---@return string? message
---@return string? code
function panto.fs.real(name) end

---Removes a file or an empty folder.
---@param name string
---@return true?
---@return string? message
---@return string? code
function panto.fs.remove(name) end

---Renames a file or folder.
---@param from string
---@param to string
---@return true?
---@return string? message
---@return string? code
function panto.fs.rename(from, to) end

---Tells a file's time and size in one word: "nanoseconds:bytes".
---@param name string
---@return string? stamp nil when there is no such file
function panto.fs.stamp(name) end

---Tells time and size of each of many files as `stamp` does, in one call.
---@param names string[]
---@return string[] stamps empty where there is no such file
function panto.fs.stamps(names) end

---Tells a file's type, size, time and mode; symbolic links are followed.
---@param name string
---@return panto.Stat?
---@return string? message
---@return string? code
function panto.fs.stat(name) end

---Writes a whole file: beside it, synced, renamed over it. An existing mode is kept, links are followed;
---a device or a pipe is written into.
---@param name string
---@param bytes string|fun(put: fun(piece: string)) a function puts the bytes piece by piece
---@param options { parents: boolean?, mode: integer? }? parents: make missing folders; mode: of a new file
---@return true?
---@return string? message
---@return string? code
function panto.fs.write(name, bytes, options) end

---Requests whose bodies are read as they come; only inside tasks.
---@class panto.http
panto.http = {}

---Sends a request and waits for the head of the answer.
---@param spec panto.HttpRequest
---@return panto.HttpResponse?
---@return panto.HttpFailure failure
function panto.http.request(spec) end

---Lets the host load its HTTP library now, and the certificates when the address needs them, in a
---thread of its own, so that the first request finds them ready.
---@param url string? an https one when left out
function panto.http.warm(url) end

---JSON text and Lua values.
---@class panto.json
panto.json = {}

---Marks a table as an array, so that it is one even when it is empty.
---@generic T: table
---@param list? T a new table when nil
---@return T list
function panto.json.array(list) end

---Reads one JSON text.
---@param text string
---@return any value `json.null` for null; nil when the text is not JSON
---@return string? message what is wrong and where
function panto.json.decode(text) end

---Writes a value as JSON text; raises where it holds what JSON cannot say.
---@param value any
---@return string text
function panto.json.encode(value) end

---Says whether a value would be written as an array.
---@param value any
---@return boolean
function panto.json.is_array(value) end

---JSON's null, which a Lua table cannot hold as nil.
panto.json.null = {}

---Says what keeps a value from being written as JSON; nil when nothing does.
---@param value any
---@return string? problem
function panto.json.problem(value) end

---Programs, their output and their end; only inside tasks.
---@class panto.process
panto.process = {}

---Ends the group of every program that still runs, at panto's own end: the signal, then KILL for
---what is left of them half a second later. Call it in a task.
---@param signal string
function panto.process.kill_all(signal) end

---Returns the number of panto's own process.
---@return integer
function panto.process.own_pid() end

---Runs a program to its end; a cancelled task ends the program's group.
---@param spec panto.SpawnSpec
---@return { code: integer, signal: integer, stdout: string, stderr: string }?
---@return string? message
function panto.process.run(spec) end

---Runs a program that gets panto's own terminal, in panto's process group, to its end.
---@param spec { file: string, args: string[]? }
---@return integer? code
---@return integer|string signal 0 when it ended by itself; a message without a code
function panto.process.run_attached(spec) end

---Starts a program in a session of its own.
---@param spec panto.SpawnSpec
---@return panto.Process?
---@return string? message
function panto.process.spawn(spec) end

---The sessions on disk.
---@class panto.session
panto.session = {}

---Returns an iterator over all records of a session.
---@param session panto.OpenedSession
---@return fun(): table?
function panto.session.entries(session) end

---Lists the sessions of a folder, last written first.
---@param cwd string? the current folder when left out
---@return panto.session.Summary[]
function panto.session.list(cwd) end

---Opens a session for reading: by its file, by the beginning of its id, or the folder's last one.
---@param which string? a path that ends in .jsonl, or the beginning of an id
---@param cwd string? the current folder when left out
---@return panto.OpenedSession?
---@return string? message
function panto.session.open(which, cwd) end

---Returns the records of a session that fit, all in their order when nothing is wanted.
---@param session panto.OpenedSession
---@param wanted { type: string?, role: string?, text: string?, tool: string? }?
---@return table[] each with id, parent, time and type; a message's has `message`
function panto.session.query(session, wanted) end

---Coroutines that wait: the only concurrency.
---@class panto.task
panto.task = {}

---What a cancelled wait raises.
panto.task.CANCELLED = {}

---Runs functions (or waits for tasks) together and returns the first result of each, in order.
---The first error cancels the others and is raised.
---@param list (panto.Task | fun(): any)[]
---@return any[]
function panto.task.all(list) end

---Waits until a task ends and returns its results; raises its error.
---@param t panto.Task
---@return ...
function panto.task.await(t) end

---Asks a task to stop: its current wait is closed and raises task.CANCELLED, once.
---@param t panto.Task
function panto.task.cancel(t) end

---Returns the running task, nil outside of tasks.
---@return panto.Task?
function panto.task.current() end

---Tells whether an error is the one of a cancelled wait.
---@param err any
---@return boolean
function panto.task.is_cancelled(err) end

---Waits until a task ends, in whatever way.
---@param t panto.Task
function panto.task.join(t) end

---Runs the luv loop until `main(...)` ends; returns its results, raises its error with the traceback.
---@param main fun(...): ...
---@param ... any
---@return ...
function panto.task.loop(main, ...) end

---Sets what is told of a task that failed while nobody awaited it.
---@param report fun(err: any, traceback: string?)
function panto.task.on_unhandled(report) end

---Starts `fn(...)` as a task; it runs at once until its first wait. What an extension's `activate`
---starts ends when the extension is loaded anew.
---@param fn fun(...): ...
---@param ... any
---@return panto.Task
function panto.task.run(fn, ...) end

---Sleeps for a number of milliseconds.
---@param ms number
function panto.task.sleep(ms) end

---Runs `fn(...)` for at most `ms` milliseconds: true and its results, or false when time ran out.
---@param ms number
---@param fn fun(...): ...
---@param ... any
---@return boolean in_time
---@return ...
function panto.task.timeout(ms, fn, ...) end

---Stops the running task until `resume(...)` is called; returns what it was called with.
---Outside of tasks a script's main chunk waits, and the loop runs meanwhile.
---`start(resume)` begins something and returns a function that closes it when the task is cancelled.
---@param start fun(resume: fun(...)): fun()?
---@return ...
function panto.task.wait(start) end

---Text as people and terminals see it.
---@class panto.text
panto.text = {}

---Bytes as base64 text.
---@class panto.text.base64
panto.text.base64 = {}

---Reads base64, also its URL form, with or without padding; blanks are skipped.
---@param text string
---@return string? bytes
---@return string? message
function panto.text.base64.decode(text) end

---Writes bytes as base64 with padding.
---@param bytes string
---@return string text
function panto.text.base64.encode(bytes) end

---Takes out every escape sequence, all controls but newline and tab, and bidi overrides. Broken
---UTF-8 becomes U+FFFD, `\r\n` becomes `\n`, a lone `\r` and backspaces overwrite as on a terminal.
---@param text string
---@return string text
function panto.text.clean(text) end

---Cuts text after so many columns and returns it with its width; styles are closed.
---@param s string
---@param cols integer
---@return string cut
---@return integer columns
function panto.text.cut(s, cols) end

---Finds the passage of a text that is most like a given one.
---@param haystack string[] the lines of the text
---@param needle string[] the lines of the passage
---@return integer? start_line nil when nothing is alike
---@return number ratio 0 to 1
function panto.text.diff_nearest(haystack, needle) end

---Counts the bytes at the end that begin a character which is not complete yet.
---@param text string
---@return integer bytes 0 to 3
function panto.text.incomplete_tail(text) end

---Says whether a text is valid UTF-8 (no surrogates, nothing over U+10FFFF, nothing overlong).
---@param text string
---@return boolean
function panto.text.is_utf8(text) end

---Finds the names that differ from a name in at most a third of its letters (two in a short one).
---@param name string
---@param names string[]
---@param count? integer how many at most, 3 when nil
---@return string[] found the likeliest first
function panto.text.nearest(name, names, count) end

---Replaces every broken sequence by one U+FFFD.
---@param text string
---@return string text
---@return boolean changed
function panto.text.repair_utf8(text) end

---Writes a unified diff; the empty text when nothing changed.
---@param old string
---@param new string
---@param options? panto.diff.Options
---@return string text
function panto.text.unified_diff(old, new, options) end

---Returns how many columns text takes; escape sequences and control characters take none.
---@param s string
---@return integer columns
function panto.text.width(s) end

---TOML text as Lua tables.
---@class panto.toml
panto.toml = {}

---Parses TOML 1.0; the message of a failure names line and column.
---@param text string
---@return table?
---@return string? message
function panto.toml.decode(text) end

---Reads what the last start has parsed; without it every text is parsed anew.
function panto.toml.open_cache() end

---Writes what this start has parsed, for the next one: readable by the user alone, as the
---configuration may hold keys.
function panto.toml.save_cache() end

---What asks the user and draws; the questions need panto's screen.
---@class panto.ui
panto.ui = {}

---Asks for yes or no; Esc is no. Waits.
---@param question string
---@return boolean
function panto.ui.confirm(question) end

---Gives the keys to a component with handleInput that is on the screen; nil gives them back, as
---Esc does.
---@param component table?
function panto.ui.focus(component) end

---Asks for a text; nil when it is left with Esc. Waits.
---@param options { title: string, text: string? }
---@return string? text
function panto.ui.input(options) end

---Says that a component has changed: the next frame draws it.
function panto.ui.invalidate() end

---Shows a message in the transcript; on standard error where there is no screen.
---@param text string?
---@param level? "info"|"warning"|"error"
function panto.ui.notify(text, level) end

---Lets the user choose from a list that typing filters; nil when it is left with Esc. Waits.
---@param options { title: string?, items: (string|panto.tui.Choice)[], selected: any }
---@return any? value of the item, its text when it has none
function panto.ui.select(options) end

---Says a text as the user would: it begins a turn, or is queued while one runs; a line that begins
---with "/" is a command.
---@param text string
function panto.ui.submit(text) end

return panto
