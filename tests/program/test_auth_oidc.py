"""`panto auth` against an independent server, npm's oidc-provider, which names no interval."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support.home import Home
from support.login import Login, stored, use_login
from support.oidc_provider import OidcProvider, decide
from support.resolver import Resolver


def complete(login: Login) -> str:
    """The address that has the code in it, as the login shows it."""
    found = re.search(r"has the code in it: (\S+)\n", login.output)
    assert found, login.output
    return found.group(1)


def test_oidc_provider_lets_one_in_and_rotates_and_denies_another(
    home: Home, tmp_path: Path
) -> None:
    other = Home(tmp_path / "other")
    with OidcProvider(access_s=100) as server, ThreadPoolExecutor() as pool:
        use_login(home, server.section())
        use_login(other, server.section())
        with Login(home) as yes, Login(other) as no:
            yes.read_until(r"has the code in it: \S+\n")
            no.read_until(r"has the code in it: \S+\n")
            decide(complete(yes), approve=True)
            decide(complete(no), approve=False)
            codes = list(pool.map(Login.finish, (yes, no)))
        assert codes == [0, 1], yes.output + no.output
        assert "the login to 'dev' failed: the login was denied" in no.output
        # One poll more after the success would have ended the whole family.
        with Resolver(home) as panto:
            tokens = {panto.get()["token"] for _ in range(3)}
        assert len(tokens) == 3
        record = stored(home)["dev"]
        assert record["access_token"] in tokens and record["refresh_token"]
        with Resolver(home) as panto:
            store_old(home, record["refresh_token"])
            panto.get()
            store_old(home, record["refresh_token"])
            message = panto.get()["message"]
        assert "invalid_grant" in message and message.endswith("log in again: panto auth login dev")


def store_old(home: Home, refresh: str) -> None:
    """Put a refresh token back as if its successor had been lost."""
    path = home.data / "auth.json"
    text = re.sub(r'"refresh_token":"[^"]*"', f'"refresh_token":"{refresh}"', path.read_text())
    path.write_text(re.sub(r'"expires_at":\d+', '"expires_at":1', text))


def test_oidc_provider_lets_a_code_expire(home: Home) -> None:
    with OidcProvider(code_s=2) as server:
        use_login(home, server.section())
        with Login(home) as login:
            assert login.finish() == 1
        assert "the code has expired before it was entered" in login.output
