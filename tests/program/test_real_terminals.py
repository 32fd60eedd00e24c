"""Real kitty and xterm under Xvfb: real keys, real pastes, resizes, the end. Deselected by default.

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

pytestmark = pytest.mark.real_terminal

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


def panto_of(pid: int) -> int:
    """The process of panto below a terminal."""
    for child in children(pid):
        words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        if any(word.endswith(b"bin/panto") for word in words[:3]) and words[0] != b"sh":
            return child
        if found := panto_of(child):
            return found
    return 0


@pytest.mark.parametrize("kind", ["kitty", "xterm"])
def test_keys_pastes_resizes_and_the_end(kind: str, agent_home: Home, tmp_path: Path) -> None:
    if lacking := missing(kind):
        pytest.skip(f"not installed: {', '.join(lacking)}")
    pictures = Path(os.environ.get("PANTO_PICTURES", tmp_path))
    after = tmp_path / "after"
    script = f"{shlex.quote(str(PANTO))}; echo left; stty -a > {after}; sleep 60"
    turns = [{"text": ANSWER}, {"text": "Pasted."}, {"text": "Small again."}]
    with Provider(turns) as provider:
        agent_home.use_provider(provider.url)
        models = agent_home.config / "models.toml"
        models.write_text(models.read_text() + '\n[loop.other]\nmodel = "other-model"\n')
        with Display(kind, script, agent_home.work, agent_home.env()) as screen:
            wait_until(lambda: screen.title() == "panto · work", "panto's title")
            screen.type("first line")
            time.sleep(1)  # until the terminal has said what it knows; nothing shows that
            screen.keys("shift+Return")
            screen.type("Second Line")
            screen.keys("Return")
            assert last_text(said(provider, 1)) == "first line\nSecond Line"
            wait_until(lambda: screen.title() == "panto · work", "the end of the turn")
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
            if kind == "kitty":
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
            if kind == "kitty":
                screen.resize(600, 500)
                text = screen.text()
                assert text.count("panto --resume") == 1 and text.count("left") == 1, text
            screen.keys("shift+Return", "ctrl+m")
            screen.picture(pictures / f"{kind}-left.png")
