"""A turn that needs a login, in a real terminal; and no secret in anything panto leaves behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.home import Home
from support.login import device_section, store, stored, use_login
from support.oauth_fake import Answer, Fake, Request, Rotating, device_codes
from support.provider import Provider
from support.tmux import Terminal


def serve_login(fake: Fake, decided: threading.Event) -> list[str]:
    """Serve a login that succeeds once `decided` is set, and its exchange; the API's tokens."""
    device_codes(fake)
    access, refresh = fake.secret("access"), fake.secret("refresh")
    given: list[str] = []

    def token(_: Request) -> Answer:
        if not decided.is_set():
            return 400, {"error": "authorization_pending"}
        return 200, {"access_token": access, "refresh_token": refresh, "expires_in": 3600}

    def exchange(_: Request) -> Answer:
        given.append(fake.secret("tid"))
        return 200, {"token": given[-1], "expires_at": 1800, "api": fake.routes["api"]}

    fake.routes |= {"/token": token, "/exchange": exchange}
    return given


def use_exchange(home: Home, fake: Fake, base_url: str) -> None:
    """Write a configuration whose base_url only the exchange knows."""
    more = f'exchange_url = "{fake.url}/exchange"\nexchange_expires_path = "expires_at"\n'
    more += 'exchange_base_url_path = "api"\n'
    fake.routes["api"] = base_url  # type: ignore[assignment]
    use_login(home, device_section(fake.url, more=more))


def leaks(home: Home, secrets: list[str], *, spare: tuple[str, ...] = ("auth.json",)) -> list[str]:
    """The files below the home that hold a secret, those that must hold it left out.

    The parsed configuration is kept with the keys in it, for the user alone to read.
    """
    found = []
    kept = home.data / "cache" / "toml"
    assert not kept.exists() or kept.stat().st_mode & 0o777 == 0o600
    for path in home.root.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.name not in spare and path != kept:
            data = path.read_bytes()
            found += [f"{path}: {word}" for word in secrets if word.encode() in data]
    return found


def type_in(terminal: Terminal, text: str) -> None:
    """Send a line."""
    terminal.type(text)
    terminal.keys("Enter")


def test_a_turn_waits_for_the_login_that_it_needs(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    decided = threading.Event()
    with Fake() as fake, Provider([{"text": "Hello there."}]) as provider:
        given = serve_login(fake, decided)
        use_exchange(agent_home, fake, provider.url)
        terminal = open_panto()
        type_in(terminal, "hi")
        screen = terminal.wait("waiting for the login")
        assert "To authorize, open this URL in a browser: http://127.0.0.1/enter" in screen
        assert "enter the code: WDJB-MJHT" in screen
        decided.set()
        terminal.wait("Hello there")
        terminal.wait("waiting for the login", gone=True)
        assert provider.requests[0].headers["authorization"] == f"Bearer {given[0]}"
        assert stored(agent_home)["dev"]["exchange"]["token"] == given[0]
        screen = terminal.history()
        assert not [word for word in fake.secrets if word in screen]
        assert leaks(agent_home, fake.secrets) == []


def test_esc_cancels_the_login_and_the_turn(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Fake() as fake:
        serve_login(fake, threading.Event())
        use_exchange(agent_home, fake, "http://127.0.0.1:9/v1")
        terminal = open_panto()
        type_in(terminal, "hi")
        terminal.wait("waiting for the login")
        terminal.keys("Escape")
        terminal.wait(r"Stopped\.")
        terminal.wait("waiting for the login", gone=True)
        polls = len(fake.to("/token"))
        type_in(terminal, "/nothing")
        terminal.wait("nothing")
        assert len(fake.to("/token")) <= polls + 1
        assert not (agent_home.data / "auth.json").exists()


def test_a_denied_login_ends_the_turn_with_its_words(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Fake() as fake:
        device_codes(fake)
        fake.routes["/token"] = lambda _: (200, {"error": "access_denied"})
        use_login(agent_home, device_section(fake.url))
        terminal = open_panto()
        type_in(terminal, "hi")
        terminal.wait("the login to 'dev' failed: the login was denied")


ECHOES: list[Callable[[str], dict[str, Any]]] = [
    lambda word: {"status": 401, "error": {"message": f"Incorrect API key provided: {word}"}},
    lambda word: {"status": 400, "error": {"message": f"bad header Bearer {word}"}},
    lambda word: {"status": 403, "raw": f"<html><h1>proxy: Authorization: Bearer {word}</h1>"},
    lambda word: {"deltas": [{"content": "a"}], "raw": f'data: {{"error": "{word}"}}\n\n'},
]


@pytest.mark.parametrize("echo", ECHOES)
def test_a_server_that_repeats_the_token_does_not_put_it_anywhere(
    agent_home: Home, open_panto: Callable[..., Terminal], echo: Callable[[str], dict[str, Any]]
) -> None:
    with Fake() as fake, Provider() as provider:
        server = Rotating(fake, expires_in=3600)
        use_login(agent_home, device_section(fake.url), base_url=provider.url)
        record = {"access_token": server.access, "refresh_token": server.refresh}
        place = {"client_id": "panto-test", "token_url": f"{fake.url}/token", "expires_at": 1}
        store(agent_home, dev={**record, **place})
        provider.add(lambda _: echo(server.access), {"text": "Fine now."})
        terminal = open_panto()
        type_in(terminal, "first")
        provider.wait_for_requests(1)
        terminal.wait("esc to stop", gone=True)
        type_in(terminal, "second")
        terminal.wait(r"Fine now\.")
        assert 1 <= server.refreshes <= 2  # a 401 asks for another
        screen = terminal.history()
        terminal.keys("C-d")
        terminal.wait(r"left with 0")
        assert not [word for word in fake.secrets if word in screen + terminal.history()]
        assert leaks(agent_home, fake.secrets) == []
        assert any(Path(agent_home.sessions).rglob("*.jsonl"))


def test_an_api_key_is_in_nothing_but_the_configuration(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    key = "sk-loopback-very-secret-0123456789"
    with Provider() as provider:
        provider.add(*[echo(key) for echo in ECHOES], {"text": "Fine now."})
        agent_home.use_provider(provider.url, key=key)
        terminal = open_panto()
        for turn in range(5):
            type_in(terminal, f"go {turn}")
            provider.wait_for_requests(turn + 1)
            terminal.wait("esc to stop", gone=True)
        terminal.wait(r"Fine now\.")
        assert key not in terminal.history()
        assert leaks(agent_home, [key], spare=("config.toml",)) == []
