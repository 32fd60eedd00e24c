---@meta panto.host
-- The host table: every primitive that Python lends to Lua. Only nil, booleans, numbers and strings
-- cross, both ways; strings are bytes; what may fail gives nil and a message, and nothing raises.

---@class panto.Host
local host = {}

---Gives panto's version.
---@return string
function host.version() end

---Counts the words of the command line after the program's name.
---@return integer
function host.argc() end

---Gives the `index`-th word (from 1) of the command line after the program's name.
---@param index integer
---@return string?
function host.argv(index) end

---Starts a program in a session of its own.
---@param words string the program and its words, joined by NUL bytes
---@param variables string `name=value` of its whole environment, joined by NUL bytes
---@param folder string where it is started
---@param stdin integer a descriptor
---@param stdout integer
---@param stderr integer
---@return integer? pid
---@return string? message
function host.child_spawn(words, variables, folder, stdin, stdout, stderr) end

---Gives the raw wait status of a program that has ended, once; nil while it runs.
---@param pid integer
---@return integer?
function host.child_status(pid) end

---Tells time and size of many files at once.
---@param names string absolute or relative names, joined by NUL bytes
---@return string stamps a line for each, "nanoseconds:bytes", empty where there is no such file
function host.file_stamps(names) end

---Gives one of panto's places in the file system, absolute, whether or not it is there.
---@param name "data_home"|"config_home"|"state_home"|"sessions"|"cache"|"lua_root"|"rocks_tree"|"rocks_pins"|"python"
---@return string?
---@return string? message
function host.path(name) end

---Restores the terminal, ends children, flushes every stream and leaves the process at once.
---@param code integer
function host.exit(code) end

---Gives the read end of the wake pipe: readable when something waits in the inbox.
---@return integer fd
function host.inbox_fd() end

---Takes the oldest post of the inbox; drains the wake pipe with the last one.
---@return integer? id the number under which the work was started
---@return string? kind
---@return string? data
---@return boolean? has_more others wait
function host.inbox_next() end

---Starts a request in a thread of its own. Its posts are "head" (JSON: status, headers, http_version),
---"chunk" (bytes), then "end" (nothing) or "fail" (JSON: kind, message).
---@param id integer the number that its posts carry
---@param spec_json string JSON: method, url, headers, connect_timeout_ms, idle_timeout_ms
---@param body string
---@return boolean?
---@return string? message
function host.http_start(id, spec_json, body) end

---Closes a request; no post of it follows.
---@param id integer
function host.http_cancel(id) end

---Says that the posted chunks were taken; a request is held after 1 MB unread.
---@param id integer
function host.http_resume(id) end

---Loads the HTTP library in a thread of its own, and the certificates if the address needs them, so
---that the first request finds it ready.
---@param url string
function host.http_warm(url) end

---Puts the terminal into raw mode.
---@return boolean?
---@return string? message
function host.term_raw() end

---Gives the terminal back as it was found, after writing the bytes of `term_on_restore`.
function host.term_restore() end

---Sets the bytes that are written whenever the terminal is given back, however the process ends.
---@param bytes string
function host.term_on_restore(bytes) end

---Writes bytes to the terminal, all of them, at once.
---@param bytes string
---@return boolean?
---@return string? message
function host.term_write(bytes) end

---Gives the terminal's size in cells, or nil when there is no terminal.
---@return integer? columns
---@return integer? rows
function host.term_size() end

---Tells whether a file descriptor is a terminal.
---@param fd integer
---@return boolean
function host.isatty(fd) end

---Locks a file (made when missing) against other processes, waiting for it if told to.
---@param path string
---@param wait boolean
---@return integer? id
---@return string? message
function host.file_lock(path, wait) end

---Releases a lock.
---@param id integer
function host.file_unlock(id) end

---Starts a shell command with its output ("r") or its input ("w") on a pipe: io.popen's ground.
---@param command string
---@param mode "r"|"w"
---@return integer? id
---@return integer|string fd the pipe's end, or the message of a failure
function host.popen_start(command, mode) end

---Closes the host's own copy of a pipe's end, once Lua has opened it.
---@param id integer
function host.popen_opened(id) end

---Waits for a command of `popen_start` to end.
---@param id integer
---@return integer? status as waitpid gives it
---@return string? message
function host.popen_wait(id) end

---Runs a shell command to its end: os.execute's ground.
---@param command string
---@return integer status as waitpid gives it
function host.system(command) end

---Turns TOML 1.0 into JSON text.
---@param text string
---@return string? json
---@return string? message names line and column
function host.toml_to_json(text) end

---Gives the grapheme clusters of a text as "bytes:columns,bytes:columns,…".
---@param text string
---@return string
function host.text_graphemes(text) end

---Brings headers, luarocks and luv into the rocks tree, with progress on stderr.
---@param force boolean wipes the tree first
---@return integer code the process's exit code
function host.bootstrap(force) end

---Gives the SHA-256 of bytes, as 64 hexadecimal digits.
---@param bytes string
---@return string digest
function host.sha256(bytes) end

---Has the next SIGINT raise an error in the main thread's Lua code; a second one ends the process.
---@param state string the address of the main thread, as `%p` writes it
function host.interrupt_arm(state) end

---Tells, once, whether SIGINT came since `interrupt_arm`; the error is then raised until the hook is taken away.
---@return boolean
function host.interrupt_take() end

return host
