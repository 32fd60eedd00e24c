"""A window that changes its size many times in a second: nothing is lost, nothing stands twice."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from support.home import Home
from support.provider import Provider
from support.tmux import Terminal

SIZES = [(60, 24), (100, 12), (44, 30), (120, 10), (70, 25), (52, 14), (100, 30)]


def test_every_line_of_an_answer_stands_once_after_a_storm_of_resizes(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    answer = "\n\n".join(f"Paragraph {n} " + "with words " * 9 + f"end {n}." for n in range(1, 41))
    with Provider([{"text": answer}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("go")
        terminal.keys("Enter")
        terminal.wait("end 40")
        terminal.wait("working", gone=True)
        terminal.type("a draft")
        terminal.wait("› a draft")
        for cols, rows in SIZES * 2:
            terminal.resize(cols, rows)
            time.sleep(0.05)
        terminal.resize(110, 28)
        terminal.wait(r"(?m)^─{110}$[^─]*^─{110}$")
        text = terminal.history()
        assert re.findall(r"Paragraph (\d+)", text) == [str(n) for n in range(1, 41)]
        assert re.findall(r"end\s+(\d+)\.", text) == [str(n) for n in range(1, 41)]
        assert text.count("› a draft") == 1 and text.count("loop:m") == 1
        assert len(re.findall(r"^─+$", text, re.M)) == 2
