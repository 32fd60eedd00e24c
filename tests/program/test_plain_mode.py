"""[tui] mode = "plain": for a screen reader, text is appended and nothing is drawn over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from support.home import Home
from support.provider import Provider
from support.tmux import Terminal

ANSWER = "# Title\n\nSome **bold** text.\n\n- one\n- two\n"


def test_text_is_only_appended(
    agent_home: Home, open_panto: Callable[..., Terminal], tmp_path: Path
) -> None:
    written = tmp_path / "written"
    with Provider([{"text": ANSWER}, {"text": "Second."}]) as provider:
        agent_home.use_provider(provider.url, more='[tui]\nmode = "plain"\n')
        terminal = open_panto(rows=50)
        terminal.record(written)
        terminal.type("hellp")
        terminal.wait("› hellp")
        terminal.keys("BSpace")
        terminal.type("o")
        terminal.wait("› hello")
        terminal.keys("Enter")
        text = terminal.wait(r"loop:m, in \d+")
        for wanted in ("› hello\n", "Title\n", "Some bold text.", "one\n", "two\n"):
            assert text.count(wanted) == 1, text
        terminal.keys("C-r")
        terminal.wait("Reasoning effort")
        terminal.type("low")
        terminal.wait("› low")
        terminal.keys("Enter")
        terminal.type("next")
        terminal.wait("› next")
        terminal.keys("Enter")
        text = terminal.wait(r"Second\.[\s\S]*loop:m, low, in")
        assert json.loads(provider.requests[1].body)["reasoning_effort"] == "low"
        assert "───" not in text and "esc to stop" not in text
        raw = written.read_bytes()
        moves = [piece[:8] for piece in raw.split(b"\x1b[")[1:]]
        assert [move for move in moves if not move.startswith(b">4;")] == []  # the keyboard's
        terminal.keys("C-d")
        terminal.wait("left with 0")
