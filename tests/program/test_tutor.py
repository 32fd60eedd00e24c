"""`panto tutor` from end to end in a terminal: no key, no network, the real agent and tools."""

from __future__ import annotations

from support.child import run_bounded
from support.home import PANTO, Home
from support.tmux import Terminal
from support.tour import WAIT_S, take_tour


def test_a_start_without_keys_offers_the_tour_and_tutor_begins_it(agent_home: Home) -> None:
    with Terminal([str(PANTO)], folder=agent_home.work, env=agent_home.env()) as terminal:
        terminal.wait(r"panto tutor`\s+\(in\s+panto:\s+/tutor\)", timeout_s=WAIT_S)
        terminal.type("/tutor")
        terminal.keys("Enter")
        terminal.wait("Type hello and press Enter", timeout_s=WAIT_S)
        terminal.type("hello")
        terminal.keys("Enter")
        terminal.wait(r"type\s+read\s+and press Enter", timeout_s=WAIT_S)
        terminal.wait("working", gone=True, timeout_s=WAIT_S)
        terminal.keys("C-d")
        terminal.wait(r"the tour's files are in .*(\n.*)*no model", timeout_s=WAIT_S)
        terminal.keys("C-d")
        terminal.wait(r"\[left with 0\]", timeout_s=WAIT_S)


def test_the_offer_names_the_program_as_it_can_be_called(agent_home: Home) -> None:
    done = run_bounded([PANTO, "run", "hi"], env=agent_home.full_env(), cwd=PANTO.parents[2])
    assert done.code == 2 and "`.venv/bin/panto tutor`" in done.stderr, done.output
    agent_home.extra["PATH"] = f"{PANTO.parent}:/usr/bin:/bin"
    done = run_bounded([PANTO, "run", "hi"], env=agent_home.full_env(), cwd=agent_home.work)
    assert done.code == 2 and "`panto tutor`" in done.stderr, done.output


def test_the_tour_wants_a_terminal(home: Home) -> None:
    done = run_bounded([PANTO, "tutor"], env=home.full_env(), cwd=home.work)
    assert done.code == 2 and "terminal" in done.stderr


def test_the_tour_leads_from_hello_to_the_end(agent_home: Home) -> None:
    agent_home.extra["TMPDIR"] = str(agent_home.root)
    with Terminal(
        [str(PANTO), "tutor"], folder=agent_home.work, env=agent_home.env(), cols=100, rows=40
    ) as terminal:
        take_tour(terminal)
        terminal.wait(r"\[left with 0\]", timeout_s=WAIT_S)
    assert list(agent_home.sessions.rglob("*.jsonl")), "the tour is a session like any other"
