"""Takes the README's pictures: panto in a real xterm on a virtual screen, played by a script.

Needs Debian's xvfb, xterm, xdotool and imagemagick: python tests/support/picture.py docs
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.home import PANTO, Home
from support.provider import Provider

DISPLAY = ":77"
ANSWER = """## What was wrong

The function `add` returned **a + c**, but `c` is never defined:

```lua
local function add(a, b)
  return a + b -- fixed
end
```

| file  | change    |
| ----- | --------- |
| a.lua | `c` → `b` |

It prints 3 now.
"""


def call(name: str, id: str, **arguments: object) -> dict[str, str]:
    """One tool call of the script."""
    return {"id": id, "name": name, "arguments": json.dumps(arguments)}


SCRIPT = [
    {
        "thinking": "Look at the file, then run it.\n",
        "text": "I will look at it and run it.",
        "tool_calls": [
            call("std_read", "c1", path="a.lua"),
            call("std_shell", "c2", command="lua5.4 a.lua"),
        ],
        "usage": {"prompt_tokens": 1800, "completion_tokens": 60},
    },
    {
        "tool_calls": [
            call("std_edit", "c3", path="a.lua", old_text="a + c", new_text="a + b"),
        ],
        "usage": {"prompt_tokens": 2300, "completion_tokens": 40},
    },
    {
        "tool_calls": [call("std_shell", "c4", command="lua5.4 a.lua")],
        "usage": {"prompt_tokens": 2500, "completion_tokens": 20},
    },
    {"text": ANSWER, "usage": {"prompt_tokens": 2700, "completion_tokens": 140}},
]


def tell(*words: str) -> None:
    """Presses keys or types in the xterm."""
    subprocess.run(["xdotool", *words], env={**os.environ, "DISPLAY": DISPLAY}, check=True)


def take(target: Path, rows: int, prompt: str, wait_s: float) -> None:
    """Plays the script in an xterm of `rows` lines and saves what it shows."""
    root = Path(tempfile.mkdtemp()) / "home"
    home = Home(root)
    (home.work / "a.lua").write_text(
        "local function add(a, b)\n  return a + c\nend\n\nprint(add(1, 2))\n"
    )
    with Provider(SCRIPT) as provider:
        home.use_provider(provider.url)
        models = home.config / "models.toml"
        models.write_text(models.read_text().replace("[loop.m]", "[work.coder]"))
        config = home.config / "config.toml"
        text = config.read_text().replace("loop:m", "work:coder")
        config.write_text(text.replace("loop", "work"))
        env = {**home.full_env(), "DISPLAY": DISPLAY, "COLORTERM": "truecolor"}
        xterm = subprocess.Popen(
            ["xterm", "-fa", "DejaVu Sans Mono", "-fs", "12", "-geometry", f"92x{rows}",
             "-bg", "#16161e", "-fg", "#c0caf5", "-e", str(PANTO)],
            cwd=home.work, env=env,
        )
        try:
            time.sleep(3)
            tell("type", "--delay", "10", prompt)
            tell("key", "Return")
            time.sleep(wait_s)
            subprocess.run(
                ["import", "-window", "root", "-trim", "+repage", str(target)], env=env, check=True
            )
        finally:
            xterm.terminate()
            xterm.wait(10)


def main(folder: Path) -> None:
    """Takes all pictures into `folder`."""
    screen = subprocess.Popen(
        ["Xvfb", DISPLAY, "-screen", "0", "1000x1100x24", "-nolisten", "tcp"]
    )
    try:
        time.sleep(1)
        take(folder / "turn.png", 44, "a.lua crashes, please fix it", 8)
    finally:
        screen.terminate()
        screen.wait(10)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
