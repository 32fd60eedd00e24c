"""Authlib's authorization server on loopback: device codes, genuine slow_down, rotation.

`decide(user_code, approved)` is the person. The pace is the server's own, shortened.
"""

from __future__ import annotations

import os
import threading
import time
from types import TracebackType
from typing import Any

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc8628 import (
    DeviceAuthorizationEndpoint,
    DeviceCodeGrant,
    DeviceCredentialDict,
)
from flask import Flask, request
from werkzeug.serving import make_server

CLIENT = "panto-test"


class _Client(ClientMixin):
    def get_client_id(self) -> str:
        return CLIENT

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "none"

    def check_grant_type(self, grant_type: str) -> bool:
        return True


class _Token(TokenMixin):
    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields, self.revoked = fields, False

    def check_client(self, client: Any) -> bool:
        return True

    def get_scope(self) -> str:
        return str(self.fields.get("scope") or "")

    def is_revoked(self) -> bool:
        return self.revoked


class AuthlibServer:
    """The server: a context manager with `url`, `polls` (times) and the tokens it gave."""

    def __init__(
        self, *, interval: int = 1, enforced: float = 0, expires_in: int = 60, token_s: int = 3600
    ) -> None:
        """Announce `interval`, but answer slow_down to polls closer than `enforced` seconds."""
        self.codes: dict[str, Any] = {}
        self.decisions: dict[str, bool] = {}
        self.tokens: list[_Token] = []
        self.polls: list[float] = []
        self.errors: list[str] = []
        self._app = Flask("authlib-loopback")
        self._app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {
            "urn:ietf:params:oauth:grant-type:device_code": token_s,
            "refresh_token": token_s,
        }
        self._app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
        self._server = make_server("127.0.0.1", 0, self._app, threaded=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._build(interval, enforced, expires_in)

    def _build(self, interval: int, enforced: float, expires_in: int) -> None:
        outer = self

        class Codes(DeviceAuthorizationEndpoint):
            INTERVAL, EXPIRES_IN = interval, expires_in

            def get_verification_uri(self) -> str:
                return f"{outer.url}/enter"

            def save_device_credential(self, client_id: str, scope: str, data: Any) -> None:
                at = time.time() + data["expires_in"]
                outer.codes[data["device_code"]] = DeviceCredentialDict(
                    client_id=client_id, scope=scope, user_code=data["user_code"], expires_at=at
                )

        class Grant(DeviceCodeGrant):
            def query_device_credential(self, device_code: str) -> Any:
                return outer.codes.get(device_code)

            def query_user_grant(self, user_code: str) -> Any:
                decision = outer.decisions.get(user_code)
                return None if decision is None else ("someone", decision)

            def should_slow_down(self, credential: Any) -> bool:
                now = time.monotonic()
                last = credential.get("polled", now - 3600 if len(outer.polls) else now - enforced)
                credential["polled"] = now
                return now - last < enforced

        class Refresh(grants.RefreshTokenGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["none"]  # noqa: RUF012
            INCLUDE_NEW_REFRESH_TOKEN = True

            def authenticate_refresh_token(self, refresh_token: str) -> Any:
                for token in outer.tokens:
                    if token.fields["refresh_token"] == refresh_token and not token.revoked:
                        return token
                return None

            def authenticate_user(self, refresh_token: Any) -> str:
                return "someone"

            def revoke_old_credential(self, refresh_token: Any) -> None:
                refresh_token.revoked = True

        server = AuthorizationServer(
            self._app,
            query_client=lambda client_id: _Client() if client_id == CLIENT else None,
            save_token=lambda token, _: self.tokens.append(_Token(token)),
        )
        server.register_endpoint(Codes)
        server.register_grant(Grant)
        server.register_grant(Refresh)
        self._app.add_url_rule(
            "/device",
            "device",
            lambda: server.create_endpoint_response("device_authorization"),
            methods=["POST"],
        )
        self._app.add_url_rule("/token", "token", lambda: self._token(server), methods=["POST"])

    def _token(self, server: Any) -> Any:
        if "device_code" in request.form:
            self.polls.append(time.monotonic())
        answer = server.create_token_response()
        self.errors.append((answer.get_json() or {}).get("error", ""))
        return answer

    def decide(self, user_code: str, approved: bool) -> None:
        """Be the person who enters a code."""
        self.decisions[user_code] = approved

    def __enter__(self) -> AuthlibServer:
        """Start to serve."""
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
