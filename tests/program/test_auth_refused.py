"""A login whose token the model API refuses before its time: renewed once, asked again once."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from support.home import Home
from support.login import device_section, store, stored, use_login
from support.oauth_fake import Answer, Fake, Request, Rotating, device_codes
from support.provider import Provider
from support.tmux import Terminal


def keep(home: Home, fake: Fake, access: str, **more: Any) -> None:
    """Store a login that by its own word is good for an hour."""
    place = {"client_id": "panto-test", "token_url": f"{fake.url}/token"}
    expires_at = int(time.time()) + 3600
    store(home, dev={"access_token": access, "expires_at": expires_at, **place, **more})


def ask(terminal: Terminal, text: str) -> None:
    """Send a line."""
    terminal.type(text)
    terminal.keys("Enter")


def keys_of(provider: Provider) -> list[str]:
    """The bearer tokens that came, in order."""
    return [item.headers["authorization"].removeprefix("Bearer ") for item in provider.requests]


def test_a_refused_token_is_refreshed_and_the_request_repeated(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Fake() as fake, Provider([{"text": "Welcome."}], api_key="none yet") as provider:
        server = Rotating(fake, expires_in=3600)
        first = server.access

        def refresh(request: Request) -> Answer:
            answer = server.answer(request)
            provider.api_key = server.access
            return answer

        fake.routes["/token"] = refresh
        use_login(agent_home, device_section(fake.url), base_url=provider.url)
        keep(agent_home, fake, server.access, refresh_token=server.refresh)
        terminal = open_panto()
        ask(terminal, "hi")
        screen = terminal.wait(r"Welcome\.")
        assert "401" not in screen
        assert keys_of(provider) == [first, server.access]
        assert provider.bodies[0] == provider.bodies[1]
        assert server.refreshes == 1
        assert stored(agent_home)["dev"]["refresh_token"] == server.refresh


def test_a_refused_exchange_is_made_anew_and_nothing_else(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Fake() as fake, Provider([{"text": "Welcome."}], api_key="none yet") as provider:
        access, old = fake.secret("access"), fake.secret("tid")

        def exchange(_: Request) -> Answer:
            provider.api_key = fake.secret("tid")
            return 200, {"token": provider.api_key, "expires_at": 1800}

        fake.routes["/exchange"] = exchange
        section = device_section(fake.url, more=f'exchange_url = "{fake.url}/exchange"\n')
        use_login(agent_home, section, base_url=provider.url)
        given = {"token": old, "expires_at": int(time.time()) + 1800}
        keep(agent_home, fake, access, exchange=given)
        terminal = open_panto()
        ask(terminal, "hi")
        terminal.wait(r"Welcome\.")
        assert keys_of(provider) == [old, provider.api_key]
        assert [item.path for item in fake.requests] == ["/exchange"]


def test_a_token_that_stays_refused_is_told_after_one_renewal(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Fake() as fake, Provider(api_key="never") as provider:
        server = Rotating(fake, expires_in=3600)
        use_login(agent_home, device_section(fake.url), base_url=provider.url)
        keep(agent_home, fake, server.access, refresh_token=server.refresh)
        terminal = open_panto(cols=160)
        ask(terminal, "hi")
        screen = terminal.wait("panto auth login dev")
        assert "loop: 401 login refused (Incorrect API key provided): log in again" in screen
        assert (len(provider.requests), server.refreshes) == (2, 1)


def test_a_refused_token_that_cannot_be_refreshed_asks_for_a_login(
    agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    with Fake() as fake, Provider([{"text": "Welcome."}], api_key="none yet") as provider:
        device_codes(fake)

        def token(_: Request) -> Answer:
            provider.api_key = fake.secret("access")
            return 200, {"access_token": provider.api_key, "expires_in": 3600}

        fake.routes["/token"] = token
        use_login(agent_home, device_section(fake.url), base_url=provider.url)
        keep(agent_home, fake, fake.secret("access"))
        terminal = open_panto()
        ask(terminal, "hi")
        screen = terminal.wait(r"Welcome\.")
        assert "enter the code: WDJB-MJHT" in screen
        assert len(provider.requests) == 2
        assert not [word for word in fake.secrets if word in screen]
