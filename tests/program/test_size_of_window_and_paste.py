"""A window whose size changes under a streamed answer, and a paste of five megabytes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from support.home import Home
from support.provider import Provider
from support.tmux import Terminal


def ask(terminal: Terminal, text: str) -> None:
    terminal.type(text)
    terminal.keys("Enter")


def test_a_streamed_answer_is_whole_after_the_window_was_lower_and_higher_in_turn(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    words = [f"w{number:03d} yada yada yadayada. " for number in range(160)]
    with Provider([{"deltas": [*words, "\nEND-MARK"], "delay_s": 0.01}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        ask(terminal, "go")
        for word, rows in [(30, 8), (50, 30), (70, 8), (90, 30), (110, 8), (130, 30)]:
            terminal.wait(f"w{word:03d}")
            terminal.resize(100, rows)
        terminal.wait("END-MARK")
        shown = "".join(terminal.history().split())
        assert [word for word in words if word[:4] not in shown] == []


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
