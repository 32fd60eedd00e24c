"""More adversities: huge pastes, output that is not panto's own, files and streams that are odd."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.child import run_bounded
from support.home import PANTO, Home
from support.processes import wait_gone
from support.provider import Provider
from support.tmux import Terminal


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


def test_a_paste_of_5_mb_is_sent_whole_and_shown_folded(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    line = "The quick brown fox, \u00e9.\n"
    text = "FIRST-LINE\n" + line * (5_000_000 // len(line.encode())) + "LAST-LINE"
    with Provider([{"text": "The answer."}]) as provider:
        agent_home.use_provider(provider.url)
        (agent_home.config / "models.toml").write_text("[loop.m]\n")
        terminal = open_panto()
        terminal.paste(text)
        terminal.wait(r"\[paste #1: \d+ lines\]")
        started = time.monotonic()
        terminal.keys("Enter")
        shown = terminal.wait("The answer.", timeout_s=20)
        assert time.monotonic() - started < 8  # it took 11 s and more
        assert "FIRST-LINE" in shown and "LAST-LINE" in shown and "MB more" in shown
        assert shown.count("quick brown") < 60
        assert json.loads(provider.bodies[0])["messages"][-1]["content"] == text


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("help >/dev/full", 1, "panto: cannot write to standard output: No space left on device"),
        ("help <&- >&- 2>&-", 0, ""),
        ("nothing-such <&- >&- 2>&-", 2, ""),
        ("help | true", 0, ""),
    ],
)
def test_standard_files_that_are_closed_or_full_end_in_a_clean_code(
    agent_home: Home, line: str, code: int, said: str
) -> None:
    script = f'set -o pipefail; "{PANTO}" {line}'
    done = run_bounded(["bash", "-c", script], env=agent_home.full_env(), timeout_s=20)
    assert (done.code, done.output.strip()) == (code, said)


def test_what_lua_and_its_commands_write_stays_off_the_live_lines(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    tools = agent_home.config / "tools"
    tools.mkdir()
    (tools / "loud.lua").write_text(
        "local write, print = io.write, print\n"
        'return { name = "loud", description = "", handler = function()\n'
        '  write("BY-WRITE\\n")\n  print("BY-PRINT")\n'
        '  io.stdout:write("BY-STDOUT\\n"):write("AND-MORE\\n")\n'
        '  io.stdout:flush()\n  io.stderr:write("BY-STDERR\\n")\n'
        '  os.execute("echo BY-CHILD")\n'
        '  io.popen("echo TAKEN; echo HIDDEN >&2"):read("a")\n'
        '  return "made"\nend }\n'
    )
    call = {"name": "loud", "id": "c1", "arguments": "{}"}
    with Provider([{"tool_calls": [call]}, {"text": "The end."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "go")
        terminal.wait("The end.")
        terminal.type("drafted")
        shown = terminal.wait("drafted")
        for word in ["BY-WRITE", "BY-PRINT", "BY-STDOUT", "AND-MORE", "BY-STDERR", "BY-CHILD"]:
            assert shown.count(word) == 1, shown
        assert "HIDDEN" not in shown
        assert "HIDDEN" in (agent_home.root / "state/panto/panto.log").read_text()
        rows = terminal.screen().rstrip().split("\n")
        assert sum(row.startswith("\u203a") for row in rows) == 2, shown  # the prompt, the editor
        assert sum(row.startswith("\u2500") for row in rows) == 2, shown
        terminal.keys("C-u", "C-d")
        terminal.wait("left with 0")


def test_a_killed_panto_leaves_no_command_behind(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    command = "trap '' TERM; echo ready; while :; do sleep 0.3047; done"
    call = {"name": "std_shell", "id": "c1", "arguments": json.dumps({"command": command})}
    with Provider([{"tool_calls": [call]}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "go")
        terminal.wait("  ready")
        parent = terminal.pid()
        [child] = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        os.kill(int(child), signal.SIGKILL)
        terminal.wait("left with 137")
        wait_gone("sleep 0.3047", 1)


def test_control_characters_of_a_model_do_nothing_to_a_terminal(agent_home: Home) -> None:
    with Provider([{"text": "SEEN\rover\x1b[2Jit\x07 END"}]) as provider:
        agent_home.use_provider(provider.url)
        for words, shown in [
            (["run", "hello"], "SEEN\noverit END"),
            (["sessions", "show"], "SEEN\u240dover\u241b[2Jit\u2407 END"),
        ]:
            if words[0] == "sessions":
                [file] = agent_home.sessions.rglob("*.jsonl")
                words = [*words, file.stem]
            command = [str(PANTO), *words]
            with Terminal(command, folder=agent_home.work, env=agent_home.env()) as terminal:
                assert shown in terminal.wait("left with 0")
