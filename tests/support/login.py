"""`panto auth login` as a child: its URL and code read, the rest waited for."""

from __future__ import annotations

import json
import os
import re
import selectors
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.child import Finished, run_bounded
from support.home import PANTO, Home


def device_section(url: str, *, client: str = "panto-test", more: str = "") -> str:
    """Write an oauth_device section for a server with /device and /token."""
    return (
        f'[auth.dev]\nclient_id = "{client}"\ndevice_code_url = "{url}/device"\n'
        f'token_url = "{url}/token"\nscope = "read"\n{more}\n'
    )


def use_login(home: Home, section: str, *, base_url: str = "http://127.0.0.1:9/v1") -> None:
    """Write a user layer with the auth section `dev` and a provider that uses it."""
    (home.config / "config.toml").write_text(
        f'{section}\n[providers.loop]\nstyle = "openai_chat"\nbase_url = "{base_url}"\n'
        'auth = "dev"\n\n[defaults]\nmodel = "loop:m"\n'
    )


def auth(home: Home, *words: str) -> Finished:
    """Run `panto auth …` to its end."""
    return run_bounded([PANTO, "auth", *words], env=home.full_env(), cwd=home.work, timeout_s=60)


def stored(home: Home) -> dict[str, Any]:
    """What auth.json holds; its mode is checked on the way."""
    path = home.data / "auth.json"
    assert path.stat().st_mode & 0o777 == 0o600
    value: dict[str, Any] = json.loads(path.read_text())
    return value


def store(home: Home, **records: Any) -> Path:
    """Write auth.json as an earlier panto would have."""
    path = home.data / "auth.json"
    path.write_text(json.dumps(records))
    path.chmod(0o600)
    return path


@dataclass
class Login:
    """A running login; end it by `finish` or leave the `with`."""

    home: Home
    name: str = "dev"
    output: str = field(default="", init=False)

    def __enter__(self) -> Login:
        """Start it and wait for the code."""
        self.child = subprocess.Popen(
            [PANTO, "auth", "login", self.name],
            cwd=self.home.work,
            env=self.home.full_env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.read_until(r"enter the code: \S+\n")
        return self

    def __exit__(self, *_: object) -> None:
        """End it if it still runs."""
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait(10)
        if self.child.stdout:
            self.child.stdout.close()

    @property
    def user_code(self) -> str:
        """The code it shows."""
        found = re.search(r"enter the code: (\S+)\n", self.output)
        assert found, self.output
        return found.group(1)

    def read_until(self, pattern: str | None, timeout_s: float = 40) -> None:
        assert self.child.stdout
        limit = time.monotonic() + timeout_s
        with selectors.DefaultSelector() as selector:
            selector.register(self.child.stdout, selectors.EVENT_READ)
            while pattern is None or not re.search(pattern, self.output):
                left = limit - time.monotonic()
                assert left > 0 and selector.select(left), f"nothing more came:\n{self.output}"
                data = os.read(self.child.stdout.fileno(), 65536)
                if not data:
                    assert pattern is None, f"it ended:\n{self.output}"
                    return
                self.output += data.decode()

    def finish(self, timeout_s: float = 40) -> int:
        """Wait for its end; the exit code."""
        self.read_until(None, timeout_s)
        return self.child.wait(10)

    def interrupt(self) -> None:
        """Press Ctrl+C."""
        self.child.send_signal(signal.SIGINT)
