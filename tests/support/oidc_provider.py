"""npm's oidc-provider as an independent server, and the person who answers its pages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from types import TracebackType

import httpx
import pytest

VERSION = "9.13.3"
SCRIPT = Path(__file__).with_suffix(".mjs")
INSTALL_S = 90


def installed() -> Path:
    """The folder that holds the package; skips the test where npm cannot bring it."""
    if not (shutil.which("npm") and shutil.which("node")):
        pytest.skip("SKIPPED oidc-provider: no node and npm here")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "panto-tests" / f"oidc-provider-{VERSION}"
    if not (folder / "installed").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}')
        words = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"]
        try:
            done = subprocess.run(
                [*words, f"oidc-provider@{VERSION}"],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=INSTALL_S,
            )
        except subprocess.TimeoutExpired:
            pytest.skip(f"SKIPPED oidc-provider: npm did not bring it within {INSTALL_S} s")
        if done.returncode != 0:
            pytest.skip(f"SKIPPED oidc-provider: npm failed: {done.stdout.decode()[-200:]}")
        (folder / "installed").touch()
    return folder


class OidcProvider:
    """The server as a child: a context manager with `url`."""

    def __init__(self, *, access_s: int = 3600, code_s: int = 60) -> None:
        """Start it and read its address."""
        words = ["node", str(SCRIPT), str(installed()), str(access_s), str(code_s)]
        self.child = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.child.stdout
        self.url = self.child.stdout.readline().decode().strip()
        assert self.url, "oidc-provider did not start"

    def __enter__(self) -> OidcProvider:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it: its stdin closes."""
        for pipe in (self.child.stdin, self.child.stdout):
            if pipe:
                pipe.close()
        try:
            self.child.wait(5)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait(5)

    def section(self) -> str:
        """The auth section for panto."""
        return (
            f'[auth.dev]\nclient_id = "panto-test"\ndevice_code_url = "{self.url}/device/auth"\n'
            f'token_url = "{self.url}/token"\nscope = "openid offline_access"\n'
        )


def _form(page: str) -> tuple[str, dict[str, str]]:
    action = re.search(r'<form[^>]*action="([^"]+)"', page)
    assert action, page[:500]
    fields = {}
    for tag in re.findall(r"<input[^>]*>", page):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name:
            fields[name.group(1)] = value.group(1) if value else ""
    return action.group(1), fields


def decide(url_complete: str, *, approve: bool) -> None:
    """Be the person: enter the code, then confirm, log in and consent, or abort."""
    with httpx.Client(follow_redirects=True, timeout=10) as browser:
        action, fields = _form(browser.get(url_complete).text)
        page = browser.post(action, data=fields)
        action, fields = _form(page.text)
        answer = {"confirm": "yes"} if approve else {"abort": "yes"}
        page = browser.post(action, data={**fields, **answer})
        for _ in range(2 if approve else 0):
            action, fields = _form(page.text)
            if "login" in fields:
                fields |= {"login": "someone", "password": "any"}
            page = browser.post(str(page.url.join(action)), data=fields)
        assert page.status_code == 200, page.text[:500]
