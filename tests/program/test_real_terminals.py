"""Real kitty, xterm and foot: real keys, pastes, resizes, the end. Deselected by default.

Run with `pytest -m real_terminal`; PANTO_PICTURES=FOLDER keeps the pictures there.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from support.display import Display, missing, wait_until
from support.home import PANTO, Home
from support.processes import children
from support.provider import Provider
from support.wayland import Foot
from support.wayland import missing as missing_foot

pytestmark = pytest.mark.real_terminal

KINDS = ["kitty", "xterm", "foot"]
PASTED = "one\ntwo\ttab \x1b[201~ evil é\r\nthree".encode()
ANSWER = (
    "# A table and code\n\n| name | wide |\n| --- | --- |\n| 中文 | 😀 |\n| e\u0301 | ok |\n\n"
    "```lua\nlocal answer = 42 -- highlighted\nreturn answer\n```\n\nThat is **all**.\n"
)


def said(provider: Provider, count: int) -> dict[str, Any]:
    """The body of a request, once it has come."""
    wait_until(lambda: len(provider.requests) >= count, f"request {count}")
    body: dict[str, Any] = json.loads(provider.requests[count - 1].body)
    return body


def last_text(body: dict[str, Any]) -> str:
    """What the user has said last."""
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def open_screen(kind: str, command: str, folder: Path, env: dict[str, str]) -> Display | Foot:
    """A terminal in which a shell command runs; skips where it cannot be had."""
    if lacking := missing_foot() if kind == "foot" else missing(kind):
        pytest.skip(f"not installed: {', '.join(lacking)}")
    return Foot(command, folder, env) if kind == "foot" else Display(kind, command, folder, env)


def wait_idle(screen: Display | Foot) -> None:
    """Waits until no turn runs."""
    time.sleep(0.5)  # a turn that has just begun is not in the title yet
    wait_until(lambda: screen.title() == "panto · work", "panto's title")


def panto_of(pid: int) -> int:
    """The process of panto below a terminal."""
    for child in children(pid):
        words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        if any(word.endswith(b"bin/panto") for word in words[:3]) and words[0] != b"sh":
            return child
        if found := panto_of(child):
            return found
    return 0


@pytest.mark.parametrize("kind", KINDS)
def test_keys_pastes_resizes_and_the_end(kind: str, agent_home: Home, tmp_path: Path) -> None:
    pictures = Path(os.environ.get("PANTO_PICTURES", tmp_path))
    after = tmp_path / "after"
    script = f"{shlex.quote(str(PANTO))}; echo left; stty -a > {after}; sleep 60"
    turns = [{"text": ANSWER}, {"text": "Pasted."}, {"text": "Small again."}]
    with Provider(turns) as provider:
        agent_home.use_provider(provider.url)
        models = agent_home.config / "models.toml"
        models.write_text(models.read_text() + '\n[loop.other]\nmodel = "other-model"\n')
        with open_screen(kind, script, agent_home.work, agent_home.env()) as screen:
            wait_idle(screen)
            screen.type("first line")
            time.sleep(1)  # until the terminal has said what it knows; nothing shows that
            screen.keys("shift+Return")
            screen.type("Second Line")
            screen.keys("Return")
            assert last_text(said(provider, 1)) == "first line\nSecond Line"
            wait_idle(screen)
            screen.picture(pictures / f"{kind}-turn.png")
            screen.keys("ctrl+m")
            screen.type("other")
            screen.picture(pictures / f"{kind}-models.png")
            screen.keys("Return")
            screen.paste(PASTED)
            screen.type(" end")
            screen.picture(pictures / f"{kind}-paste.png")
            screen.keys("Return")
            body = said(provider, 2)
            assert body["model"] == "other-model"
            text = last_text(body)
            assert text.startswith("one\ntwo\ttab") and text.endswith("three end")
            assert len(provider.requests) == 2
            for width, height in [(500, 300), (900, 250), (420, 600), (1000, 620)] * 3:
                screen.resize(width, height)
            screen.type("after the storm")
            screen.picture(pictures / f"{kind}-resized.png")
            if kind != "xterm":
                text = screen.text()
                for line in ("first line", "A table and code", "Pasted.", "› after the storm",
                             "~/work"):
                    assert text.count(line) == 1, text
            screen.keys("Return")
            assert last_text(said(provider, 3)) == "after the storm"
            os.kill(panto_of(screen.terminal.pid), signal.SIGTERM)
            wait_until(lambda: after.exists() and "echo" in after.read_text(), "the shell again")
            settings = after.read_text().split()
            assert {"icanon", "echo", "isig", "opost"} <= {word.rstrip(";") for word in settings}
            if kind != "xterm":
                screen.resize(600, 500)
                text = screen.text()
                assert text.count("panto --resume") == 1 and text.count("left") == 1, text
            screen.keys("shift+Return", "ctrl+m")
            screen.picture(pictures / f"{kind}-left.png")


@pytest.mark.parametrize("kind", KINDS)
def test_suspended_killed_and_broken_it_leaves_a_terminal_that_can_be_used(
    kind: str, agent_home: Home, tmp_path: Path
) -> None:
    pictures = Path(os.environ.get("PANTO_PICTURES", tmp_path))
    broken = agent_home.config / "extensions/broken.lua"
    broken.parent.mkdir()
    broken.write_text(
        '''local panto = require("panto")
        panto.ext.register_command { name = "fatal", description = "x", handler = function()
          require("panto.tui.frame").change = function() error("the renderer broke") end
        end }'''
    )
    after = tmp_path / "after"
    told = ("read -rp 'typed: ' word || word=none; echo got $word;"
            f" (stty -a; echo $word) > {after}.$n")
    with Provider([]) as provider:
        agent_home.use_provider(provider.url)
        environment = {**agent_home.env(), "PS1": "shell> "}
        with open_screen(kind, "exec bash --norc -i", agent_home.work, environment) as screen:

            def begin(number: int, then: str) -> None:
                screen.type(f"n={number}; {PANTO}{then}")
                screen.keys("Return")
                wait_until(lambda: panto_of(screen.terminal.pid) > 0, "panto")
                wait_idle(screen)
                time.sleep(1)  # until the terminal has said what it knows
                screen.type("a draft")

            def check(number: int) -> None:
                """The shell reads keys as they are: Enter, and a Ctrl key that it knows itself."""
                screen.type("wrong")
                screen.keys("ctrl+u")
                screen.type("right")
                screen.keys("Return")
                end = Path(f"{after}.{number}")
                wait_until(lambda: end.exists() and "right" in end.read_text(), "the shell")
                words = end.read_text().split()
                assert words[-1] == "right", words
                assert {"icanon", "echo", "isig", "opost"} <= {word.rstrip(";") for word in words}

            begin(1, "")
            screen.keys("ctrl+z")
            screen.type("echo $((6 * 7)) back")
            screen.keys("Return")
            screen.picture(pictures / f"{kind}-suspended.png")
            if kind != "xterm":
                assert screen.text().count("42 back") == 1
            screen.type("fg")
            screen.keys("Return")
            time.sleep(1)
            screen.type(" more")
            os.kill(panto_of(screen.terminal.pid), signal.SIGTERM)
            wait_until(lambda: panto_of(screen.terminal.pid) == 0, "panto's end")
            screen.type(told)
            screen.keys("Return")
            check(1)
            begin(2, "")
            os.kill(panto_of(screen.terminal.pid), signal.SIGKILL)
            wait_until(lambda: panto_of(screen.terminal.pid) == 0, "panto's end")
            # Nobody was left to give the terminal back: reset does, after whatever is on the line.
            screen.keys("Return")
            screen.type("tput reset")
            screen.keys("Return")
            screen.type(told)
            screen.keys("Return")
            check(2)
            begin(3, f"; {told}")
            screen.keys("ctrl+u")
            screen.type("/fatal ")
            screen.keys("Return")
            time.sleep(0.5)
            screen.type("x")
            check(3)
            screen.picture(pictures / f"{kind}-broken.png")
