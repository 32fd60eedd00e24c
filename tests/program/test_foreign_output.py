"""What is not panto's own: prints of Lua, control characters, files that are closed or full."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.child import run_bounded
from support.home import PANTO, Home
from support.provider import Provider
from support.tmux import Terminal


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


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


def test_what_a_tool_leaves_for_the_screen_may_hold_itself(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    tools = agent_home.config / "tools"
    tools.mkdir()
    (tools / "ring.lua").write_text(
        'return { name = "ring", description = "", handler = function()\n'
        "  local ring = {}\n  ring.one, ring.other = ring, ring\n"
        '  return { text = "made", details = ring }\nend }\n'
    )
    call = {"name": "ring", "id": "c1", "arguments": "{}"}
    with Provider([{"tool_calls": [call]}, {"text": "The end."}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "go")
        terminal.wait("The end.", timeout_s=10)


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
