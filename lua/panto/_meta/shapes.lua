---@meta
-- The shapes of the data that crosses rooms: what one room makes and another takes, field by field.

-- Messages ------------------------------------------------------------------------------------

---Text that the model or the user wrote, or a tool returned.
---@class panto.TextPart
---@field type "text" what this part is
---@field text string valid UTF-8
---@field field string? what the API calls this part of an answer, such as "commentary"
---@field note boolean? of a user's message: panto tells it to the model, the user did not type it

---A picture.
---@class panto.ImagePart
---@field type "image" tells it from the others
---@field media_type "image/png"|"image/jpeg"|"image/gif"|"image/webp" what `data` decodes to
---@field data string base64

---What the model thought, kept as far as its API wants it back.
---@class panto.ThinkingPart
---@field type "thinking" tells it from the others
---@field text string what can be shown of it
---@field signature string? the API's proof that the text is its own
---@field field string? the wire field that it came in, such as "reasoning_content"
---@field opaque any what only the API that sent it understands

---A call that the model asks for.
---@class panto.ToolCallPart
---@field type "tool_call" tells it from the others
---@field id string names the call; its result carries it
---@field name string the wire name, such as "std_read"
---@field arguments string the JSON text as it was received
---@field input table? the decoded arguments; nil when they are no valid JSON object

---A piece of a message that only the style that sent it understands.
---@class panto.OpaquePart
---@field type "opaque" tells it from the others
---@field style panto.Style who may have it back
---@field value any JSON data, sent back unchanged

---@alias panto.Part panto.TextPart|panto.ImagePart|panto.ThinkingPart|panto.ToolCallPart|panto.OpaquePart

---What the user said.
---@class panto.UserMessage
---@field role "user" who speaks
---@field content (panto.TextPart|panto.ImagePart)[] its parts in order
---@field summary boolean? it stands for the messages that a compaction summarised

---What the model answered.
---@class panto.AssistantMessage
---@field role "assistant" who speaks
---@field content panto.Part[] its parts in order
---@field stop_reason panto.StopReason? nil when the stream was cut or aborted
---@field usage panto.Usage? what it cost
---@field model string? the wire name of the model
---@field provider string? the provider's name
---@field style panto.Style? the wire style that it was decoded from
---@field aborted boolean? true when the user ended it early: its text is a part

---What a tool call brought.
---@class panto.ToolMessage
---@field role "tool" who speaks
---@field tool_call_id string the call that it answers
---@field tool_name string the wire name
---@field content (panto.TextPart|panto.ImagePart)[] its parts in order
---@field is_error boolean whether the call failed
---@field details table? for the screen only, never sent

---@alias panto.Message panto.UserMessage|panto.AssistantMessage|panto.ToolMessage

-- Requests and streams ------------------------------------------------------------------------

---@alias panto.Style "openai_chat"|"anthropic_messages"|"openai_responses"|"script"

---A tool as the model is told of it.
---@class panto.ToolDeclaration
---@field name string the wire name
---@field description string what it does, told to the model
---@field schema table JSON Schema of its arguments

---What a model is asked.
---@class panto.Request
---@field system string the system prompt
---@field messages panto.Message[] the conversation, oldest first
---@field tools panto.ToolDeclaration[] what the model may call
---@field effort string? overrides the model's own reasoning effort
---@field kept table? what one request of a conversation leaves to the next, as growing.lua has it

---Tokens of one request; nil means unknown, never none.
---@class panto.Usage
---@field input integer? read at the full price, without cache reads and writes
---@field output integer? written, thinking included
---@field cache_read integer? read at the cached price
---@field cache_write integer? put into the cache
---@field reasoning integer? the part of `output` that was thought

---Why a message ended: one of these words, or the API's own.
---@alias panto.StopReason "stop"|"tool_use"|"length"|"refusal"|"content_filter"|"pause"|"stop_sequence"|string

---What kind of thing went wrong: who is to blame and whether to try again follows from it. "cut" is
---a stream that ended without a finish, "invalid" an answer that cannot be read.
---@alias panto.ErrorKind "auth"|"quota"|"rate_limit"|"overloaded"|"overflow"|"bad_request"|"not_found"|"server"|"transport"|"timeout"|"cut"|"invalid"|"aborted"

---More of the answer's text.
---@class panto.TextDelta
---@field type "text_delta" tells it from the others
---@field delta string what came, to be appended
---@field field string? what the API calls this part of the answer

---More of the model's thinking.
---@class panto.ThinkingDelta
---@field type "thinking_delta" tells it from the others
---@field delta string what came, to be appended
---@field field string? the wire field that it came in

---The proof that belongs to the thinking before it.
---@class panto.ThinkingSignature
---@field type "thinking_signature" tells it from the others
---@field signature string opaque text, sent back unchanged

---A tool call begins.
---@class panto.ToolCallStart
---@field type "tool_call_start" tells it from the others
---@field index integer tells the calls of one message apart
---@field id string names the call; empty when the API gave none
---@field name string the wire name

---More of a call's arguments.
---@class panto.ToolCallDelta
---@field type "tool_call_delta" tells it from the others
---@field index integer tells the blocks of one message apart
---@field delta string JSON text, cut anywhere

---A call's arguments are complete.
---@class panto.ToolCallEnd
---@field type "tool_call_end" tells it from the others
---@field index integer tells the blocks of one message apart

---A piece that only this style understands, to be sent back as it is.
---@class panto.OpaqueItem
---@field type "opaque" tells it from the others
---@field style panto.Style? who may have it back; the answer's own style when left out
---@field value any JSON data, sent back unchanged

---What the request cost so far; a later one replaces an earlier one.
---@class panto.UsageItem
---@field type "usage" tells it from the others
---@field usage panto.Usage tokens so far

---The message is complete.
---@class panto.StopItem
---@field type "stop" tells it from the others
---@field reason panto.StopReason why it ended
---@field raw string? the API's own word

---The stream failed; nothing follows.
---@class panto.ErrorItem
---@field type "error" tells it from the others
---@field kind panto.ErrorKind what kind of failure
---@field message string for the user, without secrets
---@field retry_after_ms integer? how long the server asks to wait

---The client waits before it asks again.
---@class panto.RetryItem
---@field type "retry" tells it from the others
---@field attempt integer the attempt that failed, from 1
---@field max_attempts integer how many there will be at most
---@field wait_ms integer how long until the next
---@field message string what went wrong

---What this attempt yielded so far is to be dropped: a new attempt begins.
---@class panto.RestartItem
---@field type "restart" tells it from the others

---@alias panto.Item
---| panto.TextDelta
---| panto.ThinkingDelta
---| panto.ThinkingSignature
---| panto.ToolCallStart
---| panto.ToolCallDelta
---| panto.ToolCallEnd
---| panto.OpaqueItem
---| panto.UsageItem
---| panto.StopItem
---| panto.ErrorItem
---| panto.RetryItem
---| panto.RestartItem

---Turns the events of one answer into items.
---@class panto.Decoder
---@field feed fun(event: panto.sse.Event): panto.Item[] takes one server-sent event
---@field finish fun(): panto.Item[] takes the end of the stream

---@alias panto.Encode fun(r: panto.Request, p: panto.Provider, m: panto.Model): panto.WireRequest

---A wire style: one file that knows how its API speaks, and nothing of HTTP.
---@class panto.Codec
---@field encode panto.Encode what is sent for a request
---@field headers fun(credential: panto.Credential?): table<string, string> what carries a credential
---@field decoder fun(): panto.Decoder a new one for each answer

---What a provider is asked with; never logged.
---@class panto.Credential
---@field token string the key or access token
---@field scheme "bearer"? for APIs whose keys go in a header of their own: this is no such key
---@field headers table<string, string>? what it adds to each request, such as the account
---@field variable string? the environment variable that it came from, for messages
---@field base_url string? overrides the provider's, when a token exchange named one

-- Configuration -------------------------------------------------------------------------------

---Where models are asked, as `[providers.<name>]` says.
---@class panto.Provider
---@field name string as `[providers.<name>]` says
---@field style panto.Style how its API speaks
---@field base_url string what paths are appended to
---@field auth string the name of an auth session
---@field prompt_cache boolean whether anthropic_messages marks a cache breakpoint
---@field extra_headers table<string, string> merged onto each request
---@field steps (table|function)? of the style script: what its file would return

---A provider that was left out because its key is empty.
---@class panto.DroppedProvider
---@field auth string the auth session without a key
---@field variables string[] the environment variables to export

---An auth session, as `[auth.<name>]` says.
---@class panto.AuthSession
---@field type "api_key"|"oauth_device" how it gets its token
---@field key string? the key of an api_key session
---@field dialect ("token"|"codex")? how an oauth_device session speaks
---@field client_id string? of the OAuth application
---@field device_code_url string? where a login begins
---@field token_url string? where codes and refresh tokens become tokens
---@field device_poll_url string? where the codex dialect asks whether the user agreed
---@field verification_url string? shown instead of what the server names
---@field scope string? asked for at login
---@field token_request_format ("form"|"json")? how bodies are written; "form" when left out
---@field redirect_uri string? sent where the server wants one
---@field account_id_jwt_claim string? the claim that holds the account id
---@field exchange_url string? turns the token into a second one
---@field exchange_method string? "GET" when left out
---@field exchange_token_path string? dotted path in the answer; "token" when left out
---@field exchange_expires_path string? dotted path of the expiry
---@field exchange_base_url_path string? dotted path of the base URL to use

---A model by its alias, as models.toml says. Prices are USD per million tokens; nil is unknown.
---@class panto.Model
---@field alias string the short name, as in "<provider>:<alias>"
---@field provider string whose model it is
---@field model string the wire name
---@field max_tokens integer the most it may answer
---@field reasoning string? "default", "off", "minimal", "low", "medium" or "high"
---@field context_window integer? tokens
---@field input number? price of input tokens
---@field output number? price of output tokens
---@field cache_read number? price of tokens read from the cache
---@field cache_write number? price of tokens put into it
---@field api_version string? of anthropic_messages
---@field thinking ("disabled"|"enabled"|"adaptive")? of anthropic_messages
---@field effort string? of anthropic_messages with adaptive thinking
---@field thinking_budget_tokens integer? of anthropic_messages with enabled thinking
---@field thinking_interleaved boolean? of anthropic_messages with enabled thinking

---Globs that let names in or keep them out.
---@class panto.Policy
---@field allow string[] empty lets every name in
---@field deny string[] wins over `allow`

---Which extensions are loaded, and from where besides the layers' own folders.
---@class panto.ExtensionPolicy: panto.Policy
---@field paths string[] more files and folders to load
---@field rocks string[] rocks to load as extensions

---The four layers merged, checked and expanded.
---@class panto.Config
---@field providers table<string, panto.Provider> by name
---@field dropped table<string, panto.DroppedProvider> by name
---@field auth table<string, panto.AuthSession> by name
---@field defaults { model: string?, models: string[]? } each "<provider>:<alias>"; of models the first that can be used
---@field tools panto.Policy which tools the model gets
---@field extensions panto.ExtensionPolicy which entries are activated
---@field compaction { keep_verbatim: integer, model: string? } keep_verbatim in tokens
---@field tui { theme: string?, mode: string?, images: string?, bell: boolean? } how it looks
---@field keys table<string, string> actions by the names of key events
---@field retry { max_attempts: integer, idle_timeout_s: integer } how often and how long to wait
---@field shell { timeout_s: integer } limit of a command when the call names none
---@field models table<string, table<string, panto.Model>> by provider, then alias
---@field warnings string[] what is odd but not wrong

-- Tools ---------------------------------------------------------------------------------------

---What a tool's handler is lent for one call.
---@class panto.ToolContext
---@field progress fun(text: string) shows live output
---@field cwd string the working folder, absolute
---@field call_id string the id of the call

---What a handler may return instead of a string.
---@class panto.ToolOutput
---@field text string what the model reads
---@field images { media_type: string, data: string }[]? data is base64
---@field details table? for the screen only, never sent
---@field is_error boolean? true tells the model that it failed

---A tool as an extension returns or registers it.
---@class panto.ToolEntry
---@field name string may be dotted
---@field description string what it does, told to the model
---@field schema table JSON Schema of its arguments
---@field handler fun(input: table<string, any>, ctx: panto.ToolContext): string|panto.ToolOutput may yield
---@field sequential boolean? true keeps it from running beside others
---@field timeout_s number? seconds after which it is ended with an error result

---A tool that is registered.
---@class panto.Tool: panto.ToolEntry
---@field wire_name string the name with every other character than A-Z a-z 0-9 _ - as _
---@field entry string the entry that registered it
---@field source string the file that it came from

---A slash command as an extension registers it.
---@class panto.CommandEntry
---@field name string without the slash
---@field description string one line for the list of commands
---@field handler fun(args: string) may yield; args is the trimmed rest of the line
---@field complete (fun(prefix: string): string[]|panto.tui.Choice[]|(string|panto.tui.Choice)[])? what the argument may become; cannot wait

---A key as an extension binds it.
---@class panto.KeyEntry
---@field key string such as "ctrl+t", "alt+shift+left", "f5"
---@field description string? one line for /help
---@field handler fun() may yield

---A named extension entry.
---@class panto.ExtensionEntry
---@field name string its identity across layers; may be dotted
---@field activate fun(state: any) registers what the extension brings
---@field deactivate (fun(): any)? gives the state that the next activation gets
---@field health (fun(): string|boolean, string?)? one line of `panto doctor`

---What extensions draw with.
---@class panto.Component
---@field render fun(self: any, width: integer): string[], panto.tui.Cursor? one string a line, and where the cursor is
---@field handleInput (fun(self: any, data: string, event: table): any)? takes what a key types, or its name ("up", "ctrl+x"), while it has the focus
---@field invalidate (fun(self: panto.Component))? panto gives it to a component: says that it has changed

-- Events --------------------------------------------------------------------------------------
-- Each is emitted with its payload under the event's name; a subscriber may change the payload.

---What a handler gets. It is valid only while the handlers run.
---@class panto.Event
---@field name string the event's own name
---@field get_component fun(self: panto.Event): panto.Component what would be shown of it
---@field set_component fun(self: panto.Event, component: panto.Component) shows something else
---@field getComponent fun(self: panto.Event): panto.Component the same as get_component
---@field setComponent fun(self: panto.Event, component: panto.Component) the same as set_component

---What an extension has emitted itself.
---@class panto.CustomEvent: panto.Event
---@field data any as it was emitted
---@field [string] any the fields of the data

---@class panto.event.session_start: panto.Event
---@field version string panto's version
---@field cwd string the working folder, absolute
---@field model string? "<provider>:<alias>"

---@class panto.event.user_message: panto.Event
---@field text string writable

---@class panto.event.turn_start: panto.Event

---@class panto.event.thinking: panto.Event
---@field index integer tells the blocks of one message apart

---@class panto.event.thinking_delta: panto.Event
---@field index integer tells the blocks of one message apart
---@field delta string what came, to be appended

---@class panto.event.thinking_complete: panto.Event
---@field index integer tells the blocks of one message apart
---@field text string the whole text

---@class panto.event.assistant_text: panto.Event
---@field index integer tells the blocks of one message apart

---@class panto.event.assistant_text_delta: panto.Event
---@field index integer tells the blocks of one message apart
---@field delta string what came, to be appended

---@class panto.event.assistant_text_complete: panto.Event
---@field index integer tells the blocks of one message apart
---@field text string the whole text

---@class panto.event.tool: panto.Event
---@field index integer tells the blocks of one message apart
---@field id string the call's id
---@field tool_name string the tool's name

---@class panto.event.tool_delta: panto.Event
---@field index integer tells the blocks of one message apart
---@field id string the call's id
---@field tool_name string the tool's name
---@field delta string more of the arguments' JSON text

---@class panto.event.tool_call_complete: panto.Event
---@field index integer tells the blocks of one message apart
---@field id string the call's id
---@field tool_name string the tool's name
---@field input table writable
---@field denied string? the reason why the call must not run
---@field deny fun(self: panto.event.tool_call_complete, reason: string) lets the call fail

---@class panto.event.tool_details: panto.Event
---@field index integer? tells the blocks of one message apart
---@field id string the call's id
---@field tool_name string the tool's name
---@field input table<string, any> the decoded arguments

---@class panto.event.tool_progress: panto.Event
---@field id string the call's id
---@field tool_name string the tool's name
---@field delta string live output

---@class panto.event.tool_result: panto.Event
---@field id string the call's id
---@field tool_name string the tool's name
---@field output string writable
---@field is_error boolean whether the call failed
---@field details table? for the screen only

---@class panto.event.tool_collapse: panto.Event
---@field id string the call's id
---@field tool_name string the tool's name

---@class panto.event.retry: panto.Event
---@field attempt integer the one that failed, from 1
---@field max_attempts integer how many there will be at most
---@field wait_ms integer how long until the next
---@field message string for the user, without secrets

---@class panto.event.restart: panto.Event

---@class panto.event.error: panto.Event
---@field kind panto.ErrorKind what kind of failure
---@field message string for the user, without secrets

---@class panto.event.usage: panto.Event
---@field usage panto.Usage of one request

---@class panto.event.turn_end: panto.Event
---@field status "done"|"aborted"|"error" how it ended
---@field text string the last answer's text
---@field usage panto.Usage summed over the turn's requests

---@class panto.event.request: panto.Event
---@field provider string its name in config.toml
---@field model string such as "anthropic:sonnet"
---@field url string where it goes
---@field headers table<string, string> lower-case names; may be changed
---@field body string may be changed

---The beginning of the conversation was summarised.
---@class panto.event.compaction: panto.Event
---@field summary string what stands for it now
---@field tokens_before integer? in the context window
---@field tokens_after integer? then

---The editor is mounted: its component may be wrapped or replaced.
---@class panto.event.editor: panto.Event

---The footer is mounted.
---@class panto.event.footer: panto.Event

---What shows that work goes on is mounted.
---@class panto.event.spinner: panto.Event

---Another model answers from now on.
---@class panto.event.model_changed: panto.Event
---@field model string such as "anthropic:sonnet"

---A dialog opens: its component may be wrapped or replaced.
---@class panto.event.overlay: panto.Event
---@field kind string? such as "select" or "input"

---@class panto.event.session_end: panto.Event

---@class panto.event.notice: panto.Event
---@field text string what the user should know
---@field level "info"|"warning"|"error" how grave it is
