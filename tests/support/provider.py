"""A model server on loopback that answers from a script and keeps every request it got.

In a test: `with Provider([{"text": "Hello."}]) as provider:`, then `provider.url`, `.requests`.
As a program: `python -m tests.support.provider --script file.json --port 0`, which prints its URL.

A response is a dict, or a function from the request's JSON to one, with any of: text, deltas
(texts or raw delta objects), thinking, thinking_field, tool_calls [{id, name, arguments}], usage,
finish, done (false: no [DONE]), status with error {message, type, code}, headers, raw (the whole
body, bytes or str), chunk_bytes (bytes a write), cut_after (bytes, then the connection breaks),
wait_s (before the head), delay_s (before each event), stall_s (silence after stall_after events,
1 when left out), hold (a threading.Event to wait for before the last event).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from . import provider_anthropic, provider_responses
from . import provider_stream as stream

MAX_WAIT_S = 300.0
# What is answered at a path: a module with events() and whole().
STYLES = {
    "/v1/chat/completions": stream,
    provider_responses.PATH: provider_responses,
    provider_anthropic.PATH: provider_anthropic,
}


class ClientGone(Exception):
    """The client closed the connection before its answer was whole."""


@dataclass
class Recorded:
    """One request as it came: verbatim body, and whether its client left early."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    at: float
    left: threading.Event = field(default_factory=threading.Event)

    @property
    def json(self) -> dict[str, Any]:
        """The body, decoded."""
        return cast(dict[str, Any], json.loads(self.body))


class Provider:
    """The server: a context manager; `url` is a base_url, `requests` grow in order."""

    def __init__(
        self,
        script: Iterable[stream.Script] = (),
        *,
        port: int = 0,
        models: Sequence[str] = ("fake",),
        api_key: str | None = None,
        log: Path | None = None,
    ) -> None:
        """Take the script; with `api_key`, any other bearer token is answered 401."""
        self.script = [item if callable(item) else stream.check(item) for item in script]
        self.models, self.api_key, self.log = list(models), api_key, log
        self.requests: list[Recorded] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._taken = 0
        self._server = _Server(("127.0.0.1", port), _Answer)
        self._server.provider = self

    @property
    def url(self) -> str:
        """The base_url, with /v1."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def bodies(self) -> list[bytes]:
        """The bodies of the chat requests, in order."""
        return [item.body for item in self.requests if item.method == "POST"]

    @property
    def unused(self) -> int:
        """How many scripted responses no request has taken yet."""
        return len(self.script) - self._taken

    def add(self, *responses: stream.Script) -> None:
        """Append responses to the script of a running server."""
        with self._lock:
            self.script += [item if callable(item) else stream.check(item) for item in responses]

    def wait_for_requests(self, count: int, timeout_s: float = 10) -> list[Recorded]:
        """Wait until so many chat requests have come; fail when they do not."""
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            found = [item for item in list(self.requests) if item.method == "POST"]
            if len(found) >= count:
                return found
            time.sleep(0.01)
        raise AssertionError(f"{len(self.bodies)} requests came, {count} were expected")

    def record(self, request: Recorded) -> None:
        """Keep a request, and write its body to the log if there is one."""
        with self._lock:
            self.requests.append(request)
            if self.log and request.method == "POST":
                with self.log.open("ab") as file:
                    file.write(request.body.replace(b"\n", b" ") + b"\n")

    def take(self, request: dict[str, Any]) -> stream.Response:
        """Give the next response of the script."""
        with self._lock:
            if self._taken >= len(self.script):
                message = "the script of the loopback provider has no response left"
                return {"status": 400, "error": {"message": message, "code": "script_ended"}}
            item = self.script[self._taken]
            self._taken += 1
        return stream.check(item(request)) if callable(item) else item

    def __enter__(self) -> Provider:
        """Start to serve."""
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop serving; answers that still wait break off."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    provider: Provider

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay silent about clients that went away, tell of anything else."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, ClientGone, ValueError)):
            super().handle_error(request, client_address)


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = MAX_WAIT_S
    server: _Server
    recorded: Recorded

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing."""

    def do_GET(self) -> None:
        """Answer /models and /health."""
        self._record(b"")
        if self.path.rstrip("/").endswith("/models"):
            models = [{"id": name, "object": "model"} for name in self.server.provider.models]
            self._send_json(200, {"object": "list", "data": models})
        elif self.path == "/health":
            self._send_json(200, {"status": "ok"})
        else:
            self._send_json(404, {"error": {"message": f"no such path: {self.path}"}})

    def do_POST(self) -> None:
        """Answer a chat request with the next response of the script."""
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self._record(body)
        provider = self.server.provider
        key = provider.api_key
        if self.path not in STYLES:
            self._send_json(404, {"error": {"message": f"no such path: {self.path}"}})
        elif key is not None and self._key() != key:
            error = {"message": "Incorrect API key provided", "type": "invalid_request_error"}
            self._send_json(401, {"error": {**error, "code": "invalid_api_key"}})
        else:
            self._answer(body)

    def _key(self) -> str:
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        return bearer or str(self.headers.get("X-Api-Key", ""))

    def _record(self, body: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.recorded = Recorded(self.command, self.path, headers, body, time.monotonic())
        self.server.provider.record(self.recorded)

    def _answer(self, body: bytes) -> None:
        try:
            request = json.loads(body)
        except ValueError as problem:
            self._send_json(400, {"error": {"message": f"the body is no JSON: {problem}"}})
            return
        response = self.server.provider.take(request)
        try:
            self._pause(response.get("wait_s", 0))
            if "error" in response or ("status" in response and "raw" not in response):
                error = response.get("error", {"message": "scripted error"})
                self._send_json(
                    response.get("status", 500), {"type": "error", "error": error}, response
                )
            elif not request.get("stream") and "raw" not in response:
                self._send(200, STYLES[self.path].whole(response, request, body), response)
            else:
                self._stream(response, request, body)
        except (ClientGone, ConnectionError):
            self.recorded.left.set()
            self.close_connection = True

    def _stream(self, response: stream.Response, request: dict[str, Any], body: bytes) -> None:
        if "raw" in response:
            raw = response["raw"]
            pieces = [raw.encode() if isinstance(raw, str) else raw]
        else:
            pieces = list(STYLES[self.path].events(response, request, body))
        self._head(response.get("status", 200), "text/event-stream", response)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        left = response.get("cut_after")
        for index, piece in enumerate(pieces):
            if "stall_s" in response and index == response.get("stall_after", 1):
                self._pause(response["stall_s"])
            if "hold" in response and index == len(pieces) - 1:
                self._pause(MAX_WAIT_S, response["hold"])
            self._pause(response.get("delay_s", 0))
            self._write_chunks(piece if left is None else piece[:left], response)
            if left is not None:
                left -= len(piece)
                if left <= 0:
                    return self._break()
        self.wfile.write(b"0\r\n\r\n")
        return None

    def _write_chunks(self, piece: bytes, response: stream.Response) -> None:
        size = int(response.get("chunk_bytes", 0)) or max(1, len(piece))
        for start in range(0, len(piece), size):
            part = piece[start : start + size]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))

    def _break(self) -> None:
        """Close so that the client sees a broken connection, not an end."""
        self.wfile.flush()
        time.sleep(0.05)
        with contextlib.suppress(OSError):
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.shutdown(socket.SHUT_WR)
        self.close_connection = True

    def _pause(self, seconds: float, until: threading.Event | None = None) -> None:
        """Wait so long, but no longer than the client, the server or the event."""
        end = time.monotonic() + min(seconds, MAX_WAIT_S)
        while (left := end - time.monotonic()) > 0 and not (until and until.is_set()):
            readable, _, _ = select.select([self.connection], [], [], min(left, 0.02))
            if self.server.provider.closing.is_set():
                raise ClientGone
            if readable and self.connection.recv(1, socket.MSG_PEEK) == b"":
                raise ClientGone

    def _head(self, status: int, content_type: str, response: stream.Response) -> None:
        self.send_response(status)
        own = {name.lower(): value for name, value in response.get("headers", {}).items()}
        for name, value in {"content-type": content_type, **own}.items():
            self.send_header(name, str(value))

    def _send_json(self, status: int, value: Any, response: stream.Response | None = None) -> None:
        self._send(status, json.dumps(value).encode(), response or {})

    def _send(self, status: int, body: bytes, response: stream.Response) -> None:
        self._head(status, "application/json", {**response, "headers": response.get("headers", {})})
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    """Serve a script from a JSON file until stdin closes or the time is over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--script", type=Path, required=True, help="JSON list of responses")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=600, help="stop after so long")
    parser.add_argument("--log", type=Path, help="append each request body here, one a line")
    parser.add_argument("--api-key", help="answer 401 to any other key")
    words = parser.parse_args()
    script = json.loads(words.script.read_text())
    with Provider(script, port=words.port, log=words.log, api_key=words.api_key) as provider:
        print(provider.url, flush=True)
        time.sleep(words.seconds)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
