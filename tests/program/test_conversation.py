"""The whole path in a real terminal: a request, tools over several turns, resume, the list."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
from collections.abc import Callable
from typing import Any

from support.home import PANTO, Home
from support.provider import Provider
from support.tmux import Terminal


def call(name: str, id: str, **arguments: Any) -> dict[str, str]:
    return {"name": name, "id": id, "arguments": json.dumps(arguments)}


SCRIPT: list[dict[str, Any]] = [
    {
        "thinking": "The file must be read first.\n",
        "text": "I look at it first.",
        "tool_calls": [
            call("std_shell", "c1", command="printf 'alpha\\nbeta\\n' && exit 3"),
            call("std_read", "c2", path="notes.txt"),
        ],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 10},
    },
    {
        "tool_calls": [
            call("std_edit", "c3", path="notes.txt", old_text="two", new_text="zwei"),
            call("std_write", "c4", path="deep/new.txt", content="fresh\n"),
        ],
        "usage": {"prompt_tokens": 2000, "completion_tokens": 10},
    },
    {
        "text": "All done: 中文, 😀 and e\u0301 are fine.",
        "usage": {"prompt_tokens": 3000, "completion_tokens": 20},
    },
]


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


def test_a_request_is_worked_on_with_all_four_tools(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    (agent_home.work / "notes.txt").write_text("one\ntwo\nthree\n")
    with Provider(SCRIPT) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "translate the second line")
        screen = terminal.wait("are fine")
        terminal.wait("esc to stop", gone=True)
        screen = terminal.history()
        for shown in (
            "› translate the second line",
            "I look at it first.",
            "std.shell printf",
            "alpha\n",
            "· exit 3",
            "std.read notes.txt",
            "std.edit notes.txt",
            "-two",
            "+zwei",
            "std.write deep/new.txt",
            "All done: 中文, 😀 and e\u0301 are fine.",
            "in 6.0k",
            "out 40",
            "$0.006",
        ):
            assert shown in screen, f"{shown!r} is not on the screen:\n{screen}"
        assert (agent_home.work / "notes.txt").read_text() == "one\nzwei\nthree\n"
        assert (agent_home.work / "deep/new.txt").read_text() == "fresh\n"
        assert len(provider.bodies) == 3
        second = json.loads(provider.bodies[1])["messages"]
        results = {m["tool_call_id"]: m["content"] for m in second if m["role"] == "tool"}
        assert list(results) == ["c1", "c2"]
        assert "alpha\nbeta" in results["c1"] and "3" in results["c1"]
        assert "one\ntwo\nthree" in results["c2"]


def test_each_request_begins_with_the_bytes_of_the_one_before(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    (agent_home.work / "notes.txt").write_text("one\ntwo\nthree\n")
    with Provider([*SCRIPT, {"text": "Yes, again."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "go")
        terminal.wait("are fine")
        ask(terminal, "again?")
        terminal.wait("Yes, again")
        bodies = provider.bodies
        assert len(bodies) == 4
        for earlier, later in itertools.pairwise(bodies):
            prefix = earlier[: messages_end(earlier)]
            assert later.startswith(prefix)


def messages_end(body: bytes) -> int:
    """Where the list of messages ends, without its closing bracket."""
    messages = json.loads(body)["messages"]
    last = json.dumps(messages[-1]["content"], ensure_ascii=False).encode()
    return body.rindex(last) + len(last)


def test_resume_goes_on_with_the_same_bytes_on_the_wire(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    (agent_home.work / "notes.txt").write_text("one\ntwo\nthree\n")
    with Provider([*SCRIPT, {"text": "Second answer."}, {"text": "Third answer."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "first")
        terminal.wait("are fine")
        ask(terminal, "stay or go?")
        terminal.wait("Second answer")
        terminal.wait("esc to stop", gone=True)
        terminal.keys("C-d")
        farewell = terminal.wait(r"panto --resume [0-9a-f]{8}")
        match = re.search(r"--resume ([0-9a-f]{8})", farewell)
        assert match is not None

        again = open_panto("--resume", match[1])
        shown = again.wait(r"resumed session " + match[1])
        assert "All done: 中文" in shown and "stay or go?" in shown
        ask(again, "third")
        again.wait("Third answer")
        before, after = provider.bodies[3], provider.bodies[4]
        assert after.startswith(before[: messages_end(before)])
        roles = [m["role"] for m in json.loads(after)["messages"]]
        tools = ["assistant", "tool", "tool"]
        assert roles == ["system", "user", *tools, *tools, "assistant", "user", "assistant", "user"]
        again.keys("C-d")
        again.wait("left with 0")

    listed = subprocess.run(
        [PANTO, "sessions"],
        cwd=agent_home.work,
        env=agent_home.full_env(),
        stdout=subprocess.PIPE,
        timeout=30,
        check=True,
    ).stdout.decode()
    assert re.fullmatch(match[1] + r" \d{4}-\d\d-\d\d \d\d:\d\d 12 messages\n", listed), listed


def test_resume_without_an_id_takes_the_latest_and_says_when_there_is_none(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    none = subprocess.run(
        [PANTO, "sessions"], cwd=agent_home.work, env=agent_home.full_env(),
        stdout=subprocess.PIPE, timeout=30, check=True,
    )
    assert none.stdout.decode() == f"no sessions for {agent_home.work}\n"
    with Provider([{"text": "Hello."}, {"text": "Once more."}]) as provider:
        agent_home.use_provider(provider.url)
        empty = Terminal([str(PANTO), "--resume"], folder=agent_home.work, env=agent_home.env())
        with empty:
            assert "no sessions" in empty.wait("left with 1")
        first = open_panto()
        ask(first, "hi")
        first.wait("Hello.")
        first.keys("C-d")
        first.wait("left with 0")
        second = open_panto("--resume")
        second.wait(r"resumed session [0-9a-f]{8} \(2 messages\)")


def test_a_line_with_a_slash_is_a_command_and_never_sent(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    folder = agent_home.work / ".panto/extensions"
    folder.mkdir(parents=True)
    (folder / "greet.lua").write_text(
        """
        return {
          name = "greet",
          activate = function()
            local panto = require("panto")
            panto.ext.register_command {
              name = "greet",
              description = "Print a greeting.",
              handler = function(args)
                local who = args ~= "" and args or "world"
                io.write("\\n[greet] hello, " .. who .. "!\\n")
              end,
            }
          end,
        }
        """
    )
    agent_home.trust()
    with Provider([]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "/greet Lua")
        terminal.wait(r"\[greet\] hello, Lua!")
        ask(terminal, "/greett")
        terminal.wait(r"no command /greett.*mean /greet")
        assert provider.requests == []


def test_what_is_typed_during_a_turn_is_told_to_the_model(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Provider(
        [
            {"tool_calls": [call("std_shell", "c1", command="sleep 3; echo slept")]},
            {"text": "Heard it."},
            {"text": "And the follow-up."},
        ]
    ) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "start")
        terminal.wait("std.shell sleep")
        ask(terminal, "look left too")
        terminal.wait(r"look left too\n\s+queued")
        terminal.type("after that, rest")
        terminal.keys("M-Enter")
        terminal.wait("for after the turn")
        terminal.wait("And the follow-up")
        texts = [m["content"] for m in json.loads(provider.bodies[1])["messages"]]
        assert "slept" in json.dumps(texts[-2])
        assert "look left too" in json.dumps(texts[-1])
        assert "after that, rest" not in json.dumps(texts)
        assert "after that, rest" in json.dumps(json.loads(provider.bodies[2])["messages"][-1])
