"""`panto tutor` from end to end in a terminal: no key, no network, the real agent and tools."""

from __future__ import annotations

import re

from support.child import run_bounded
from support.home import PANTO, Home
from support.tmux import Terminal

WAIT_S = 60.0


def test_a_start_without_keys_offers_the_tour(agent_home: Home) -> None:
    with Terminal([str(PANTO)], folder=agent_home.work, env=agent_home.env()) as terminal:
        terminal.wait("panto tutor", timeout_s=WAIT_S)
        terminal.keys("C-d")
        terminal.wait(r"\[left with 0\]", timeout_s=WAIT_S)


def test_the_tour_wants_a_terminal(home: Home) -> None:
    done = run_bounded([PANTO, "tutor"], env=home.full_env(), cwd=home.work)
    assert done.code == 2 and "terminal" in done.stderr


def test_the_tour_leads_from_hello_to_the_end(agent_home: Home) -> None:
    agent_home.extra["TMPDIR"] = str(agent_home.root)
    with Terminal(
        [str(PANTO), "tutor"], folder=agent_home.work, env=agent_home.env(), cols=100, rows=40
    ) as terminal:

        def say(text: str, answer: str) -> None:
            terminal.type(text)
            terminal.keys("Enter")
            terminal.wait(answer, timeout_s=WAIT_S)

        terminal.wait("Type hello and press Enter", timeout_s=WAIT_S)
        say("hello", r"type\s+read\s+and press Enter")
        say("read", r"Type\s+fix\s+and I mend it")
        say("fix", r"while\s+the\s+command\s+counts")
        assert "Hello, world!" in terminal.history()
        say("work", r"Say something meanwhile")
        terminal.wait(r"\n\s+2\s*\n", timeout_s=WAIT_S)
        say("to the left", r"You said “to the\s+left”")
        terminal.wait(r"had\s+enough of me", timeout_s=WAIT_S)
        say("talk", "97 bottles")
        terminal.keys("Escape")
        terminal.wait("working", gone=True, timeout_s=WAIT_S)
        say("tool", r"then type\s+roll")
        say("roll", "Not yet:")
        terminal.wait(r"and then\s+roll", timeout_s=WAIT_S)
        say("/reload", "Load it")
        terminal.keys("Enter")
        terminal.wait("Reloaded", timeout_s=WAIT_S)
        say("roll", "for the last page")
        assert re.search(r"rolled a \d+", terminal.history())
        say("end", "Have fun!")
        terminal.wait("working", gone=True, timeout_s=WAIT_S)
        terminal.keys("C-d")
        terminal.wait(r"\[left with 0\]", timeout_s=WAIT_S)
    assert list(agent_home.sessions.rglob("*.jsonl")), "the tour is a session like any other"
