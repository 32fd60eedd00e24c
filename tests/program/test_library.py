"""require("panto") in `panto lua`: the agent as a library."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.child import Finished, run_bounded
from support.home import PANTO, Home
from support.provider import Provider

MANY = 1000


def lua(home: Home, text: str, *words: str, timeout_s: float = 60) -> Finished:
    script = home.work / "script.lua"
    script.write_text('local panto = require("panto")\n' + text)
    command: list[str | Path] = [PANTO, "lua", script, *words]
    return run_bounded(command, env=home.full_env(), cwd=home.work, timeout_s=timeout_s)


class EchoServer:
    """An answer for each request that says what was asked, all of them at the same time."""

    def __init__(self, hold: int) -> None:
        self.hold, self.open, self.peak = hold, 0, 0
        self.full = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = next(
                int(line.split(b":")[1])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length")
            )
            request = json.loads(await reader.readexactly(length))
            self.open += 1
            self.peak = max(self.peak, self.open)
            if self.peak >= self.hold:
                self.full.set()
            await asyncio.wait_for(self.full.wait(), 60)
            writer.write(self.answer(request["messages"][-1]["content"]))
            await writer.drain()
            self.open -= 1

    @staticmethod
    def answer(said: str) -> bytes:
        pieces = [{"choices": [{"index": 0, "delta": {"content": "echo " + said}}]}]
        pieces.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        body = "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces) + "data: [DONE]\n\n"
        head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
        return f"{head}content-length: {len(body)}\r\n\r\n{body}".encode()


@contextmanager
def echo_server(hold: int) -> Iterator[tuple[str, EchoServer]]:
    """The server in a thread of its own: its base_url and what it saw."""
    started = threading.Event()
    seen: dict[str, object] = {}
    loop = asyncio.new_event_loop()

    async def open_server() -> None:
        echo = EchoServer(hold)

        async def quietly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await echo.serve(reader, writer)
            except (asyncio.IncompleteReadError, ConnectionError):
                writer.close()

        server = await asyncio.start_server(quietly, "127.0.0.1", 0, backlog=4096)
        seen["echo"], seen["port"] = echo, server.sockets[0].getsockname()[1]
        seen["server"] = server
        started.set()

    async def close() -> None:
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)
        loop.stop()

    def work() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(open_server())
        loop.run_forever()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert started.wait(10)
    echo = seen["echo"]
    assert isinstance(echo, EchoServer)
    try:
        yield f"http://127.0.0.1:{seen['port']}/v1", echo
    finally:
        asyncio.run_coroutine_threadsafe(close(), loop)
        thread.join(10)


def test_a_prompt_is_an_iterator_of_events_in_a_plain_script(home: Home) -> None:
    call = {"id": "c", "name": "std_shell", "arguments": '{"command": "echo hi"}'}
    with Provider([{"text": "I look.", "tool_calls": [call]}, {"text": "hi there"}]) as provider:
        home.use_provider(provider.url)
        done = lua(
            home,
            'local agent = panto.agent.new({ model = "loop:m", tools = { "std.sh*" } })\n'
            'for event in agent:run("say hi") do\n'
            '  if event.type == "tool_result" then print(event.tool_name, event.output) end\n'
            '  if event.type == "done" then print(event.status, event.text, event.session) end\n'
            "end\n"
            "print(#agent:messages())\n",
        )
    assert done.code == 0, done.output
    assert done.stdout == "std.shell\thi\n\n[exit code 0]\ndone\thi there\tnil\n4\n"
    tools = [tool["function"]["name"] for tool in provider.requests[0].json["tools"]]
    assert tools == ["std_shell"]
    assert not list(home.sessions.rglob("*.jsonl")), "a session is kept only when it is asked for"


def test_a_kept_session_is_found_opened_and_queried(home: Home) -> None:
    with Provider([{"text": "one"}, {"text": "two"}]) as provider:
        home.use_provider(provider.url)
        done = lua(
            home,
            "local agent <close> = panto.agent.new({ session = true })\n"
            'local _, _, ended = agent:ask("first")\n'
            "agent:close()\n"
            "local again = panto.agent.new({ session = ended.session })\n"
            'print(again:ask("second"))\n'
            "again:close()\n"
            "print(#panto.session.list(), panto.session.list()[1].id == ended.session)\n"
            "local opened = assert(panto.session.open())\n"
            'local said = panto.session.query(opened, { role = "assistant" })\n'
            "print(#said, said[2].message.content[1].text)\n"
            "local kinds = {}\n"
            "for record in panto.session.entries(opened) do kinds[record.type] = true end\n"
            "print(kinds.system, kinds.model, kinds.message)\n",
        )
    assert done.code == 0, done.output
    assert done.stdout.splitlines() == [
        "two\tnil\ttable: " + done.stdout.split("table: ")[1].split("\n")[0],
        "1\ttrue",
        "2\ttwo",
        "true\ttrue\ttrue",
    ]


def test_waiting_functions_work_outside_and_inside_of_tasks(home: Home) -> None:
    done = lua(
        home,
        "panto.task.sleep(1)\n"
        'print(panto.process.run({ file = "echo", args = { "hi" } }).stdout)\n'
        'print(select(2, panto.http.request({ url = "http://127.0.0.1:9/" })).kind)\n'
        "local both = panto.task.all({\n"
        "  function() panto.task.sleep(2) return 1 end,\n"
        "  function() return 2 end,\n"
        "})\n"
        "print(both[1], both[2])\n"
        "panto.task.loop(function() panto.task.sleep(1) end)\n"
        "print(pcall(coroutine.wrap(function() panto.task.sleep(1) end)))\n",
    )
    assert done.code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "hi" and lines[2:4] == ["connect", "1\t2"]
    assert lines[4].startswith("false\t") and "coroutine of its own" in lines[4]


def test_an_error_crosses_with_its_traceback(home: Home) -> None:
    done = lua(
        home,
        "local function broken_tool() error('deep inside') end\n"
        "local agent = panto.agent.new({ tools = {}, stream = function()\n"
        "  broken_tool()\n"
        "end })\n"
        'for event in agent:run("x") do\n'
        '  if event.type == "done" then print(event.status, event.error.traceback) end\n'
        "end\n"
        "panto.task.await(panto.task.run(function() panto.task.sleep(1) broken_tool() end))\n",
    )
    assert done.code == 1
    assert "error\t" in done.stdout and "script.lua:4: in " in done.stdout, done.output
    assert "script.lua:2: deep inside" in done.stderr and "stack traceback" in done.stderr


def test_wrong_options_are_raised_at_the_callers_line(home: Home) -> None:
    home.use_provider("http://127.0.0.1:9/v1")
    done = lua(home, 'panto.agent.new({ tools = { "std.raed" } })\n')
    assert done.code == 1
    assert 'script.lua:2: agent.new: there is no tool "std.raed"' in done.stderr, done.output
    assert 'did you mean "std.read"' in done.stderr


def test_leaving_the_iterator_early_aborts_the_turn(home: Home) -> None:
    with Provider([{"deltas": ["a ", "b "] * 50, "delay_s": 0.2}]) as provider:
        home.use_provider(provider.url)
        done = lua(
            home,
            "local agent = panto.agent.new({ tools = {} })\n"
            'for event in agent:run("x") do\n'
            '  if event.type == "assistant_text_delta" then break end\n'
            "end\n"
            "panto.task.sleep(50)\n"
            "print(agent.last.status)\n",
        )
    assert (done.code, done.stdout) == (0, "aborted\n"), done.output


def test_a_tool_of_an_extension_asks_an_agent_of_its_own(home: Home) -> None:
    folder = home.config / "tools"
    folder.mkdir()
    (folder / "second.lua").write_text(
        'return { name = "second", description = "Ask another.", schema = { type = "object" },\n'
        "  handler = function()\n"
        '    local agent = require("panto").agent.new({ tools = {}, system = "You are second." })\n'
        '    return agent:ask("what does the second say?")\n'
        "  end }\n"
    )
    call = {"id": "c", "name": "second", "arguments": "{}"}
    script = [{"tool_calls": [call]}, {"text": "from the second"}, {"text": "heard"}]
    with Provider(script) as provider:
        home.use_provider(provider.url)
        done = run_bounded(
            [PANTO, "run", "--json", "ask"], env=home.full_env(), cwd=home.work, timeout_s=60
        )
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[-1]["text"] == "heard", done.output
    results = [event["output"] for event in events if event["type"] == "tool_result"]
    assert results == ["from the second"]
    said = [event["delta"] for event in events if event["type"] == "assistant_text_delta"]
    assert "".join(said) == "heard", "what the second says is not the first one's answer"
    assert provider.requests[1].json["messages"][0]["content"] == "You are second."


def test_a_thousand_agents_at_once_are_all_right_in_little_memory(home: Home) -> None:
    text = """
local url, count = arg[1], tonumber(arg[2])
local turns, right = {}, 0
for i = 1, count do
  turns[i] = function()
    local provider = { style = "openai_chat", base_url = url }
    local agent = panto.agent.new({ provider = provider, model = "m", tools = {}, system = "s" })
    local answer = agent:ask("number " .. i)
    right = right + (answer == "echo number " .. i and 1 or 0)
  end
end
panto.task.all(turns)
local peak_kb
for line in io.lines("/proc/self/status") do
  peak_kb = line:match("^VmHWM:%s*(%d+)") or peak_kb
end
print(right, peak_kb)
"""
    with echo_server(MANY) as (url, echo):
        done = lua(home, text, url, str(MANY), timeout_s=120)
    assert done.code == 0, done.output
    right, peak_kb = map(int, done.stdout.split())
    assert echo.peak == MANY, "they were not at the same time"
    assert right == MANY and peak_kb < 300 * 1024, done.output
