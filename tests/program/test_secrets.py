"""API keys of all three styles, and servers that repeat them: in nothing that panto leaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from program.test_auth_turn import leaks, type_in
from support.child import run_bounded
from support.home import PANTO, Home
from support.provider import Provider
from support.tmux import Terminal

KEY = "sk-loopback/very+secret=0123456789-abcdefghijklmnopqrstuvwxyz"
TOKEN = "team-secret-9876543210"
NOW = {"retry-after-ms": "1"}
LONG = "x" * (500 - len("Incorrect API key: ") - 20)


def event(message: str) -> str:
    """Write an error inside of a stream that is not worth another try."""
    error = {"type": "invalid_request_error", "code": "invalid_prompt", "message": message}
    return f"event: error\ndata: {json.dumps({'type': 'error', 'error': error})}\n\n"


# What a server may say with the key in it: whole, in a page, cut short by panto, and to be retried.
ECHOES: dict[str, list[dict[str, Any]]] = {
    "error": [{"status": 401, "error": {"message": f"Incorrect API key provided: {KEY}"}}],
    "header": [{"status": 400, "error": {"message": f"x-api-key: {KEY}; X-Team-Token: {TOKEN}"}}],
    "page": [{"status": 403, "raw": f"<html><h1>Authorization: Bearer {KEY}</h1></html>"}],
    "long": [{"status": 400, "error": {"message": f"{LONG} Incorrect API key: {KEY} is no key"}}],
    "code": [{"status": 400, "error": {"message": "no", "code": KEY, "param": KEY}}],
    "text": [{"raw": f"upstream said: bad key {KEY}"}],
    "event": [{"raw": event(KEY)}],
    "long-event": [{"raw": event(f"{LONG} {KEY}")}],
    "retry": [{"status": 529, "error": {"message": f"busy: {KEY}"}, "headers": NOW}, {"text": "k"}],
}
STYLES = ["openai_chat", "anthropic_messages", "openai_responses"]


def use(home: Home, url: str, style: str) -> None:
    """Write a user layer with the key and a secret extra header."""
    home.use_provider(url, key=KEY)
    config = home.config / "config.toml"
    more = f'\n[providers.loop.extra_headers]\nX-Team-Token = "{TOKEN}"\n'
    config.write_text(config.read_text().replace("openai_chat", style) + more)


def parts(secret: str) -> list[str]:
    """The secret, and what would already tell too much of it."""
    return [secret, secret[:12]]


@pytest.mark.parametrize("style", STYLES)
def test_a_key_that_a_server_repeats_is_shown_and_kept_nowhere(
    agent_home: Home, open_panto: Callable[..., Terminal], style: str
) -> None:
    with Provider() as provider:
        for answers in ECHOES.values():
            provider.add(*answers)
        provider.add({"text": "Fine now."})
        use(agent_home, provider.url, style)
        terminal = open_panto()
        for name, answers in ECHOES.items():
            before = len(provider.bodies)
            type_in(terminal, f"say {name}")
            provider.wait_for_requests(before + len(answers))
            terminal.wait("esc to stop", gone=True)
        type_in(terminal, "and now?")
        terminal.wait(r"Fine now\.")
        sent = provider.requests[0].headers
        assert KEY in (sent.get("authorization", "") + sent.get("x-api-key", ""))
        assert sent["x-team-token"] == TOKEN
        screen = terminal.history().replace("\n", "")
        terminal.keys("C-d")
        terminal.wait("left with 0")
        assert not [word for word in parts(KEY) + parts(TOKEN) if word in screen]
        assert "[secret]" in screen
        found = leaks(agent_home, parts(KEY) + parts(TOKEN), spare=("config.toml",))
        assert found == []


@pytest.mark.parametrize("words", [["run", "hi"], ["run", "--json", "hi"], ["doctor"]])
def test_no_command_writes_a_key(agent_home: Home, words: list[str]) -> None:
    with Provider([ECHOES["error"][0], *ECHOES["page"]]) as provider:
        use(agent_home, provider.url, "anthropic_messages")
        done = run_bounded(
            [PANTO, *words], env=agent_home.full_env(), cwd=agent_home.work, timeout_s=60
        )
        assert not [word for word in parts(KEY) + parts(TOKEN) if word in done.output], done.output
        assert leaks(agent_home, parts(KEY) + parts(TOKEN), spare=("config.toml",)) == []
