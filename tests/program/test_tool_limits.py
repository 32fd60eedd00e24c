"""Tools at their limits, in the real program: endless output, foreign bytes, a pipe kept open."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

from support.home import Home
from support.processes import children, peak_rss_kb, wait_gone
from support.provider import Provider
from support.tmux import Terminal


def run_command(
    home: Home, open_panto: Callable[..., Terminal], command: str, timeout_s: float = 60
) -> tuple[str, Terminal]:
    """What the model got for a shell command, and the terminal in which it ran."""
    call = {"name": "std_shell", "id": "c1", "arguments": json.dumps({"command": command})}
    with Provider([{"tool_calls": [call]}, {"text": "The end."}]) as provider:
        home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("run it")
        terminal.keys("Enter")
        terminal.wait("The end.", timeout_s=timeout_s)
        result: str = json.loads(provider.bodies[1])["messages"][-1]["content"]
        return result, terminal


def test_two_gigabytes_of_output_take_little_memory_and_none_is_lost(
    agent_home: Home, open_panto: Callable[..., Terminal], tmp_path: Path
) -> None:
    agent_home.extra["TMPDIR"] = str(tmp_path)
    line = "x" * 79
    result, terminal = run_command(
        agent_home, open_panto, f"yes {line} | head -c 2000000000; echo; echo last", timeout_s=110
    )
    [panto] = children(terminal.pid())
    assert peak_rss_kb(panto) < 100_000
    assert "last" in result[-600:]
    assert len(result) < 60_000
    spilled = re.search(rf"({re.escape(str(tmp_path))}\S+?)[\"',\s)]", result)
    assert spilled, result[-600:]
    assert Path(spilled[1]).stat().st_size == 2_000_000_006
    Path(spilled[1]).unlink()


def test_bytes_that_are_no_text_reach_model_and_screen_as_marks(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    result, terminal = run_command(
        agent_home, open_panto, r"printf 'a\377b\000c\033]0;title\007d\n'"
    )
    assert "a\ufffdb" in result
    shown = terminal.history()
    assert re.search(r"a.b.?c.?d", shown), shown
    assert terminal.title() != "title"


def test_a_grandchild_that_keeps_the_pipe_does_not_hang_the_call(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    started = time.monotonic()
    result, terminal = run_command(agent_home, open_panto, "(sleep 15.118 &) ; echo started")
    assert time.monotonic() - started < 12
    assert "started" in result
    terminal.keys("C-d")
    terminal.wait("left with 0")
    wait_gone("sleep 15.118", 30)


def test_a_command_over_its_time_limit_is_ended_and_the_model_told(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    (agent_home.work / ".panto").mkdir()
    (agent_home.work / ".panto/config.toml").write_text("[shell]\ntimeout_s = 1\n")
    agent_home.trust()
    result, _ = run_command(agent_home, open_panto, "echo before; sleep 300.119")
    assert "before" in result
    assert re.search(r"tim(ed )?e?.?out|time limit|after 1 s", result), result
    wait_gone("sleep 300.119", 1)
