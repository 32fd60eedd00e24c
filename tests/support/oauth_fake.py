"""Loopback fakes of what no package offers: the codex login, a token exchange, strict rotation.

`with Fake() as fake:` serves `fake.routes`: a path to a function from the request to an answer
(status, JSON value or text). `fake.requests` keeps what came, `fake.secrets` what was given out.
"""

from __future__ import annotations

import base64
import contextlib
import json
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qsl


@dataclass
class Request:
    """One request as it came; `fields` is its form or JSON object."""

    method: str
    path: str
    headers: dict[str, str]
    fields: dict[str, Any]


Answer = tuple[int, Any]
Route = Callable[[Request], Answer]


def jwt(claims: dict[str, Any]) -> str:
    """Write an unsigned token that carries the claims."""

    def part(value: dict[str, Any]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return f"{part({'alg': 'none'})}.{part(claims)}.{uuid.uuid4().hex}"


class Fake:
    """The server: a context manager."""

    def __init__(self) -> None:
        """Begin with no route."""
        self.routes: dict[str, Route] = {}
        self.requests: list[Request] = []
        self.secrets: list[str] = []
        self.lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.fake = self

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def secret(self, prefix: str) -> str:
        """Make a secret that no output may show."""
        value = f"{prefix}-{uuid.uuid4().hex}"
        self.secrets.append(value)
        return value

    def to(self, path: str) -> list[Request]:
        """What was sent to a path."""
        return [request for request in list(self.requests) if request.path == path]

    def __enter__(self) -> Fake:
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


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    fake: Fake

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay silent about clients that went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing."""

    def do_GET(self) -> None:
        """Answer by the route."""
        self._answer(b"")

    def do_POST(self) -> None:
        """Answer by the route."""
        self._answer(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

    def _answer(self, body: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        is_json = "json" in headers.get("content-type", "")
        fields = json.loads(body) if is_json else dict(parse_qsl(body.decode()))
        request = Request(self.command, self.path, headers, fields)
        fake = self.server.fake
        with fake.lock:
            fake.requests.append(request)
            route = fake.routes.get(self.path)
            status, value = route(request) if route else (404, {"message": "no such path"})
        if status == 0:
            self.close_connection = True
            return
        data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        form = isinstance(value, str) and not value.startswith("<")
        self.send_response(status)
        kind = "application/x-www-form-urlencoded" if form else "application/json"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(data)


class Rotating:
    """A token endpoint whose refresh tokens live once: a second use ends the whole family."""

    def __init__(self, fake: Fake, path: str = "/token", expires_in: int = 60) -> None:
        """Serve it at a path; the first pair is `access` and `refresh`."""
        self.fake, self.expires_in = fake, expires_in
        self.used: set[str] = set()
        self.reused = self.refreshes = 0
        self.access = fake.secret("access")
        self.refresh = fake.secret("refresh")
        fake.routes[path] = self.answer

    def answer(self, request: Request) -> Answer:
        """Rotate, or refuse for ever."""
        token = request.fields.get("refresh_token", "")
        if token in self.used:
            self.reused += 1
        if self.reused or token != self.refresh:
            return 400, {"error": "invalid_grant"}
        self.used.add(token)
        self.refreshes += 1
        self.access = self.fake.secret("access")
        self.refresh = self.fake.secret("refresh")
        return 200, {
            "access_token": self.access,
            "refresh_token": self.refresh,
            "token_type": "bearer",
            "expires_in": self.expires_in,
        }


def device_codes(fake: Fake, **more: Any) -> None:
    """Serve /device: a code to enter, at a quick pace."""
    fake.routes["/device"] = lambda _: (
        200,
        {
            "device_code": fake.secret("device"),
            "user_code": "WDJB-MJHT",
            "verification_uri": "http://127.0.0.1/enter",
            "expires_in": 60,
            "interval": 0.1,
            **more,
        },
    )


def in_turn(*answers: Answer) -> Route:
    """Give the answers one after another; the last one stays."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]
