"""Takes the tour in a terminal, from its first page to its end."""

from __future__ import annotations

from support.tmux import Terminal

WAIT_S = 60.0


def take_tour(terminal: Terminal) -> None:
    """Does what each page asks for; each answer must come."""

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
    terminal.wait(r"rolled a \d+", timeout_s=WAIT_S)
    say("end", "Have fun!")
    terminal.wait("working", gone=True, timeout_s=WAIT_S)
    terminal.keys("C-d")
