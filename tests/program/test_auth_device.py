"""`panto auth` against Authlib's real server: every answer of RFC 8628, rotation, and the store."""

from __future__ import annotations

import json
import re
import time

from support.home import Home
from support.login import Login, auth, device_section, store, stored, use_login
from support.oauth_authlib import AuthlibServer


def test_a_login_waits_while_pending_and_stores_both_tokens(home: Home) -> None:
    with AuthlibServer() as server:
        use_login(home, device_section(server.url))
        assert "dev: not logged in (run: panto auth login dev)" in auth(home, "status").stdout
        with Login(home) as login:
            assert f"open this URL in a browser: {server.url}/enter\n" in login.output
            time.sleep(1.6)
            server.decide(login.user_code, True)
            assert login.finish() == 0, login.output
        assert f"{server.url}/enter?user_code={login.user_code}\n" in login.output
        assert "logged in to 'dev'" in login.output
        assert server.errors[0] == "authorization_pending" and server.errors[-1] == ""
        polls = len(server.polls)
        status = auth(home, "status").stdout
        assert re.search(r"dev: logged in \(access expires in ~(59|60)m\)\n", status)
        record = stored(home)["dev"]
        assert record["access_token"] == server.tokens[0].fields["access_token"]
        assert record["refresh_token"] == server.tokens[0].fields["refresh_token"]
        assert record["access_token"] not in login.output
        assert len(server.polls) == polls
        done = auth(home, "logout", "dev")
        assert done.stdout == "logged out of 'dev'\n"
        assert auth(home, "logout", "dev").stdout == "no stored token for 'dev'\n"
        assert stored(home) == {}


def test_slow_down_adds_five_seconds(home: Home) -> None:
    with AuthlibServer(interval=1, enforced=3) as server:
        use_login(home, device_section(server.url))
        with Login(home) as login:
            while "slow_down" not in server.errors:
                time.sleep(0.05)
            server.decide(login.user_code, True)
            assert login.finish() == 0, login.output
        gap = server.polls[-1] - server.polls[-2]
        assert 6 <= gap < 9, server.polls


def test_a_denied_login_says_so(home: Home) -> None:
    with AuthlibServer() as server:
        use_login(home, device_section(server.url))
        with Login(home) as login:
            server.decide(login.user_code, False)
            assert login.finish() == 1
        assert "the login to 'dev' failed: the login was denied\n" in login.output
        assert server.errors[-1] == "access_denied"
        assert not (home.data / "auth.json").exists()


def test_an_expired_code_says_so(home: Home) -> None:
    with AuthlibServer(expires_in=2) as server:
        use_login(home, device_section(server.url))
        with Login(home) as login:
            assert login.finish() == 1
        assert "the code has expired before it was entered" in login.output


def test_ctrl_c_cancels_with_130_and_stores_nothing(home: Home) -> None:
    with AuthlibServer() as server:
        use_login(home, device_section(server.url))
        with Login(home) as login:
            login.interrupt()
            assert login.finish(5) == 130, login.output
        assert "cancelled" in login.output and "Traceback" not in login.output
        assert not (home.data / "auth.json").exists()


def test_an_unknown_client_is_told_in_the_servers_words(home: Home) -> None:
    with AuthlibServer() as server:
        use_login(home, device_section(server.url, client="nobody"))
        done = auth(home, "login", "dev")
        assert done.code == 1
        assert "invalid_client" in done.stderr and server.url[7:] in done.stderr


def test_a_server_that_is_away_is_a_message_and_no_traceback(home: Home) -> None:
    use_login(home, device_section("http://127.0.0.1:9"))
    done = auth(home, "login", "dev")
    assert done.code == 1
    assert "the login to 'dev' failed: 127.0.0.1:9 cannot be asked" in done.stderr
    assert "traceback" not in done.output


def test_other_entries_of_the_store_survive_a_login_and_a_logout(home: Home) -> None:
    with AuthlibServer() as server:
        use_login(home, device_section(server.url))
        other = {"access_token": "x", "future": {"list": [], "none": None}}
        store(home, other=other, version=3).chmod(0o644)
        with Login(home) as login:
            server.decide(login.user_code, True)
            assert login.finish() == 0, login.output
        assert stored(home)["other"] == other and stored(home)["version"] == 3
        auth(home, "logout", "dev")
        assert stored(home) == {"other": other, "version": 3}


def test_a_damaged_store_is_set_aside_and_never_overwritten(home: Home) -> None:
    with AuthlibServer() as server:
        use_login(home, device_section(server.url))
        (home.data / "auth.json").write_text('{"dev": {"access_')
        done = auth(home, "status")
        assert done.code == 1 and "auth.json is damaged" in done.stderr
        assert (home.data / "auth.json").read_text() == '{"dev": {"access_'
        with Login(home) as login:
            server.decide(login.user_code, True)
            assert login.finish() == 0, login.output
        assert "was damaged and is set aside as auth.json.damaged-" in login.output
        (aside,) = home.data.glob("auth.json.damaged-*")
        assert aside.read_text() == '{"dev": {"access_'
        assert list(stored(home)) == ["dev"]


def test_an_api_key_session_has_nothing_to_log_in_to(home: Home) -> None:
    home.use_provider("http://127.0.0.1:9/v1")
    done = auth(home, "login", "loop")
    assert done.code == 0
    assert done.stdout == "'loop' is an api_key session; nothing to log in to\n"
    assert "loop: resolved\n" in auth(home, "status").stdout


def test_a_login_of_another_server_is_not_used(home: Home) -> None:
    use_login(home, device_section("http://127.0.0.1:9"))
    record = {"access_token": "x", "client_id": "panto-test", "token_url": "http://evil/token"}
    store(home, dev=record)
    assert "dev: not logged in" in auth(home, "status").stdout
    assert json.loads((home.data / "auth.json").read_text()) == {"dev": record}
