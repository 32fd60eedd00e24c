---@meta luv
-- The functions of luv, libuv for Lua, that an extension is likely to need. Its whole reference is
-- longer; most of what is here has a waiting form in require("panto"), which is to be preferred.
-- Without a callback a function waits for the answer; with one it is asynchronous. Failure is
-- nil, a message such as "ENOENT: no such file or directory", and the code, "ENOENT".

---@class luv
local uv = {}

-- Handles -------------------------------------------------------------------------------------

---Something that the loop watches.
---@class uv.uv_handle_t
local handle = {}

---Ends the handle; `done` is called when that has happened.
---@param done fun()?
function handle:close(done) end

---Tells whether it is closed or about to be.
---@return boolean
function handle:is_closing() end

---Tells whether it is doing something.
---@return boolean
function handle:is_active() end

---Keeps the loop running as long as the handle is active, which is so at first.
function handle:ref() end

---Lets the loop end although the handle is active.
function handle:unref() end

-- Timers --------------------------------------------------------------------------------------

---@class uv.uv_timer_t: uv.uv_handle_t
local timer = {}

---Makes a timer; panto.task.sleep is the waiting form.
---@return uv.uv_timer_t
function uv.new_timer() end

---Calls a function after a time, and then again and again when `again_ms` is not 0.
---@param after_ms integer
---@param again_ms integer
---@param callback fun()
function timer:start(after_ms, again_ms, callback) end

---Stops the timer; it may be started again.
function timer:stop() end

-- Streams -------------------------------------------------------------------------------------

---@class uv.uv_stream_t: uv.uv_handle_t
local stream = {}

---Calls a function with each piece that comes; with nil at the end.
---@param callback fun(err: string?, data: string?)
function stream:read_start(callback) end

---Stops reading.
function stream:read_stop() end

---Writes bytes; the callback is called when they are out.
---@param data string|string[]
---@param callback fun(err: string?)?
function stream:write(data, callback) end

---Says that nothing more will be written.
---@param callback fun(err: string?)?
function stream:shutdown(callback) end

---Waits for others to connect.
---@param backlog integer how many may be waiting
---@param callback fun(err: string?)
function stream:listen(backlog, callback) end

---Takes a connection into a fresh stream.
---@param client uv.uv_stream_t
function stream:accept(client) end

---@class uv.uv_pipe_t: uv.uv_stream_t
local pipe = {}

---Makes a pipe: for a child's stdio, or for a local socket.
---@param ipc boolean?
---@return uv.uv_pipe_t
function uv.new_pipe(ipc) end

---Connects to a local socket.
---@param path string
---@param callback fun(err: string?)
function pipe:connect(path, callback) end

---@class uv.uv_tcp_t: uv.uv_stream_t
local tcp = {}

---Makes a TCP socket.
---@return uv.uv_tcp_t
function uv.new_tcp() end

---Takes an address of this machine; port 0 lets the system choose.
---@param host string
---@param port integer
function tcp:bind(host, port) end

---Connects to another machine, by its address.
---@param host string
---@param port integer
---@param callback fun(err: string?)
function tcp:connect(host, port, callback) end

---Returns the address that the socket has.
---@return { ip: string, port: integer, family: string }
function tcp:getsockname() end

-- Processes -----------------------------------------------------------------------------------

---@class uv.SpawnOptions
---@field args string[]? words after the program's name
---@field stdio (uv.uv_stream_t|integer|nil)[]? of stdin, stdout, stderr; what is left out is closed
---@field env string[]? as "NAME=value"; the whole environment
---@field cwd string? its folder
---@field detached boolean? in a group of its own

---@class uv.uv_process_t: uv.uv_handle_t
local process = {}

---Starts a program; panto.process.spawn is the waiting form. Nil and a message when it cannot be.
---@param file string
---@param options uv.SpawnOptions
---@param on_exit fun(code: integer, signal: integer)?
---@return uv.uv_process_t?
---@return integer|string pid_or_message
function uv.spawn(file, options, on_exit) end

---Sends a signal.
---@param signal string|integer such as "sigterm"
function process:kill(signal) end

-- The file system -----------------------------------------------------------------------------

---Returns what is known of a file; panto.fs.stat is a shorter form.
---@param path string
---@param callback fun(err: string?, stat: table?)?
---@return { type: string, size: integer, mode: integer, mtime: { sec: integer, nsec: integer } }?
---@return string? message
---@return string? code
function uv.fs_stat(path, callback) end

---@class uv.uv_fs_event_t: uv.uv_handle_t
local fs_event = {}

---Makes a watcher of a file or folder.
---@return uv.uv_fs_event_t
function uv.new_fs_event() end

---Calls a function whenever something changes there.
---@param path string
---@param flags { recursive: boolean? }
---@param callback fun(err: string?, name: string, events: { change: boolean?, rename: boolean? })
function fs_event:start(path, flags, callback) end

---Stops watching.
function fs_event:stop() end

-- The system ----------------------------------------------------------------------------------

---Returns the current folder.
---@return string
function uv.cwd() end

---Returns nanoseconds of a clock that never jumps.
---@return integer
function uv.hrtime() end

---Returns the time as seconds and microseconds since 1970.
---@return integer seconds
---@return integer microseconds
function uv.gettimeofday() end

---Returns the environment.
---@return table<string, string>
function uv.os_environ() end

---Returns the number of panto's process.
---@return integer
function uv.os_getpid() end

---Returns the machine's name.
---@return string
function uv.os_gethostname() end

---Returns the user's home.
---@return string
function uv.os_homedir() end

---Returns what the system is called.
---@return { sysname: string, release: string, version: string, machine: string }
function uv.os_uname() end

---Returns how many processors a program may use.
---@return integer
function uv.available_parallelism() end

return uv
