"""Refresh with rotation, the codex dialect and the secondary exchange, against loopback fakes."""

from __future__ import annotations

import time
from typing import Any

import pytest
from support.home import Home
from support.login import Login, auth, device_section, store, stored, use_login
from support.oauth_authlib import AuthlibServer
from support.oauth_fake import Answer, Fake, Request, Rotating, device_codes, in_turn, jwt
from support.resolver import Resolver


def record(fake: Fake, access: str, refresh: str, left_s: int, **more: Any) -> dict[str, Any]:
    """Write a login as panto stores it."""
    return {
        "access_token": access,
        "refresh_token": refresh,
        "expires_at": int(time.time()) + left_s,
        "client_id": "panto-test",
        "token_url": f"{fake.url}/token",
        **more,
    }


def test_fifty_races_of_two_processes_never_lose_the_login(home: Home) -> None:
    with Fake() as fake:
        server = Rotating(fake)
        use_login(home, device_section(fake.url))
        store(home, dev=record(fake, server.access, server.refresh, 60))
        with Resolver(home) as one, Resolver(home) as two:
            for turn in range(50):
                one.ask()
                two.ask()
                tokens = {one.answer().get("token"), two.answer().get("token")}
                assert server.reused == 0, f"turn {turn}: a refresh token was used twice"
                assert server.access in tokens and None not in tokens, f"turn {turn}"
        assert 50 <= server.refreshes <= 100
        assert stored(home)["dev"]["refresh_token"] == server.refresh
        assert len(list(home.data.glob("auth*"))) == 2


def test_authlib_rotates_the_tokens_that_panto_keeps(home: Home) -> None:
    with AuthlibServer(token_s=200) as server:
        use_login(home, device_section(server.url))
        with Login(home) as login:
            server.decide(login.user_code, True)
            assert login.finish() == 0, login.output
        with Resolver(home) as panto:
            for count in (2, 3, 4):
                assert panto.get()["token"] == server.tokens[-1].fields["access_token"]
                assert len(server.tokens) == count
        assert [token.revoked for token in server.tokens] == [True, True, True, False]


def test_a_login_that_is_good_for_six_minutes_is_left_alone(home: Home) -> None:
    with Fake() as fake:
        server = Rotating(fake)
        use_login(home, device_section(fake.url))
        store(home, dev=record(fake, server.access, server.refresh, 360))
        with Resolver(home) as panto:
            assert panto.get() == {"token": server.access}
        assert server.refreshes == 0


def test_what_a_refresh_leaves_out_is_kept(home: Home) -> None:
    with Fake() as fake:
        new = fake.secret("access")
        fake.routes["/token"] = lambda _: (200, {"access_token": new, "expires_in": "3600"})
        use_login(home, device_section(fake.url, more='token_request_format = "json"'))
        store(home, dev=record(fake, "old", "refresh-kept", 10, account_id="acc"))
        with Resolver(home) as panto:
            assert panto.get() == {"token": new, "headers": {"chatgpt-account-id": "acc"}}
        assert stored(home)["dev"]["refresh_token"] == "refresh-kept"
        assert fake.requests[0].headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": "invalid_grant"}),
        (401, {"error": {"code": "refresh_token_expired", "message": "old"}}),
        (401, {"error": {"code": "refresh_token_reused"}}),
        (400, {"error": "x", "code": "refresh_token_invalidated", "error_description": "…"}),
    ],
)
def test_a_dead_refresh_token_asks_for_a_login_once(home: Home, status: int, body: Any) -> None:
    if body["error"] == "x":
        body = {"code": body["code"]}
    with Fake() as fake:
        refresh = fake.secret("refresh")
        fake.routes["/token"] = lambda _: (status, {**body, "echo": refresh})
        use_login(home, device_section(fake.url))
        store(home, dev=record(fake, fake.secret("access"), refresh, -5))
        with Resolver(home) as panto:
            message = panto.get()["message"]
            assert message.endswith("log in again: panto auth login dev"), message
            assert refresh not in message
            assert "log in again: panto auth login dev" in panto.get()["message"]
        assert len(fake.requests) == 1
        assert "dev: not logged in" in auth(home, "status").stdout


def test_a_server_that_stumbles_is_asked_again(home: Home) -> None:
    with Fake() as fake:
        good = (200, {"access_token": "after-the-storm", "expires_in": 3600})
        fake.routes["/token"] = in_turn((503, "<html>busy</html>"), (0, ""), good)
        use_login(home, device_section(fake.url))
        store(home, dev=record(fake, "old", "r-token", -5))
        with Resolver(home) as panto:
            assert panto.get() == {"token": "after-the-storm"}


def test_a_server_that_stays_away_costs_nothing_while_the_token_lives(home: Home) -> None:
    with Fake() as fake:
        fake.routes["/token"] = lambda _: (500, {})
        use_login(home, device_section(fake.url))
        store(home, dev=record(fake, "still-good", "r-token", 120))
        with Resolver(home) as panto:
            assert panto.get() == {"token": "still-good"}
            store(home, dev=record(fake, "dead", "r-token", -1))
            message = panto.get()["message"]
        assert message == f"the login of 'dev' cannot be renewed: {fake.url[7:]} answered 500"
        assert stored(home)["dev"]["refresh_token"] == "r-token"


CODEX = """[auth.dev]
dialect = "codex"
client_id = "panto-test"
device_code_url = "{url}/api/accounts/deviceauth/usercode"
device_poll_url = "{url}/api/accounts/deviceauth/token"
verification_url = "{url}/codex/device"
token_url = "{url}/token"
redirect_uri = "{url}/deviceauth/callback"
account_id_jwt_claim = "https://api.openai.com/auth.chatgpt_account_id"
"""
CLAIM = {"https://api.openai.com/auth": {"chatgpt_account_id": "acc-42"}}


def serve_codex(fake: Fake) -> dict[str, Any]:
    """Serve the dialect; what is returned tells the last access token."""
    state = {"access": ""}

    def grant(request: Request) -> Answer:
        is_refresh = request.fields["grant_type"] == "refresh_token"
        left_s = 3600 if is_refresh else 60
        state["access"] = jwt({"exp": int(time.time()) + left_s})
        fake.secrets.append(state["access"])
        answer = {"access_token": state["access"]}
        if not is_refresh:
            answer |= {"refresh_token": fake.secret("refresh"), "id_token": jwt(CLAIM)}
        return 200, answer

    fake.routes["/api/accounts/deviceauth/usercode"] = lambda _: (
        200,
        {"device_auth_id": fake.secret("auth-id"), "usercode": "CODE-1234", "interval": "0.1"},
    )
    done = {"authorization_code": fake.secret("code"), "code_verifier": fake.secret("verifier")}
    fake.routes["/api/accounts/deviceauth/token"] = in_turn(
        (403, {}), (404, {"error": "pending"}), (502, "<html>"), (200, done)
    )
    fake.routes["/token"] = grant
    return state


def test_the_codex_dialect_logs_in_and_refreshes(home: Home) -> None:
    with Fake() as fake:
        state = serve_codex(fake)
        use_login(home, CODEX.format(url=fake.url))
        with Login(home) as login:
            assert login.finish() == 0, login.output
        assert f"in a browser: {fake.url}/codex/device\n" in login.output
        first = fake.to("/api/accounts/deviceauth/usercode")[0]
        assert first.fields == {"client_id": "panto-test"}
        polls = fake.to("/api/accounts/deviceauth/token")
        assert len(polls) == 4 and set(polls[0].fields) == {"device_auth_id", "user_code"}
        (trade,) = fake.to("/token")
        assert trade.headers["content-type"] == "application/x-www-form-urlencoded"
        assert trade.fields["redirect_uri"] == f"{fake.url}/deviceauth/callback"
        assert trade.fields["code_verifier"] in fake.secrets
        with Resolver(home) as panto:
            found = panto.get()
            assert found == {"token": state["access"], "headers": {"chatgpt-account-id": "acc-42"}}
            assert panto.get() == found
        refresh = fake.to("/token")[1:]
        assert len(refresh) == 1
        assert refresh[0].headers["content-type"] == "application/json"
        assert set(refresh[0].fields) == {"client_id", "grant_type", "refresh_token"}
        assert not [secret for secret in fake.secrets if secret in login.output]


def test_a_codex_server_without_device_login_says_so(home: Home) -> None:
    with Fake() as fake:
        use_login(home, CODEX.format(url=fake.url))
        done = auth(home, "login", "dev")
        assert done.code == 1 and "offers no login by device code (404)" in done.stderr


EXCHANGE = """exchange_url = "{url}/exchange"
exchange_token_path = "data.token"
exchange_expires_path = "data.expires_at"
exchange_base_url_path = "data.endpoints.api"

[auth.dev.exchange_headers]
Editor-Version = "panto/1"
"""


def serve_exchange(fake: Fake, expires: Any) -> list[str]:
    """Serve a GitHub-like login and an exchange; the tokens that the exchange gave."""
    device_codes(fake, interval="0.1")
    pending = (200, {"error": "authorization_pending", "error_description": "wait"})
    slow = (200, {"error": "slow_down", "interval": 0.3})
    token = "access_token=ghu-long-lived&token_type=bearer&scope="
    fake.routes["/token"] = in_turn(pending, slow, (0, ""), (200, token))
    fake.secrets.append("ghu-long-lived")
    given: list[str] = []

    def exchange(request: Request) -> Answer:
        if request.headers.get("authorization") != "Bearer ghu-long-lived":
            return 401, {"message": "Bad credentials"}
        given.append(fake.secret("tid"))
        endpoints = {"api": f"{fake.url}/"}
        data = {"token": given[-1], "expires_at": expires, "endpoints": endpoints}
        return 200, {"data": data}

    fake.routes["/exchange"] = exchange
    return given


@pytest.mark.parametrize(
    ("expires", "exchanges"),
    [(1800, 1), (int(time.time()) + 3600, 1), ("2099-01-01T00:00:00Z", 1), (60, 4)],
    ids=["seconds left", "a moment", "a date", "soon"],
)
def test_the_exchange_runs_at_login_and_again_when_due(
    home: Home, expires: Any, exchanges: int
) -> None:
    with Fake() as fake:
        given = serve_exchange(fake, expires)
        use_login(home, device_section(fake.url, more=EXCHANGE.format(url=fake.url)))
        with Login(home) as login:
            assert login.finish() == 0, login.output
        assert len(given) == 1
        assert fake.to("/exchange")[0].headers["editor-version"] == "panto/1"
        with Resolver(home) as panto:
            for _ in range(3):
                assert panto.get() == {"token": given[-1], "base_url": fake.url}
        assert len(given) == exchanges
        assert "dev: logged in (access does not expire)" in auth(home, "status").stdout


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "log in again: panto auth login dev"), (403, "a seat"), (404, "check client_id")],
)
def test_a_refused_exchange_is_told_with_its_mend(home: Home, status: int, words: str) -> None:
    with Fake() as fake:
        serve_exchange(fake, 1800)
        echo = {"message": "no: ghu-long-lived \x1b[2J"}
        fake.routes["/exchange"] = lambda _: (status, echo)
        use_login(home, device_section(fake.url, more=EXCHANGE.format(url=fake.url)))
        with Login(home) as login:
            assert login.finish() == 1, login.output
        assert "logged in to 'dev'" in login.output
        assert words in login.output and f"answered {status} (no: …)" in login.output
        assert "ghu-long-lived" not in login.output and "\x1b" not in login.output
