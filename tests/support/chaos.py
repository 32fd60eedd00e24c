"""A proxy on loopback between panto and the loopback provider that breaks what it is told to.

`with Chaos(provider.url) as chaos:`, then `chaos.plan("name", broken("reset", HEAD), answer(502))`
gives a base_url whose first requests meet these faults in turn; all later ones pass.
`chaos.seen["name"]` tells how many came; `chaos.closed("name")` gives a base_url that refuses
until GET <root>/slept/name.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import struct
import threading
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit

HEAD, BODY = "head", "body"
STALL_S = 30.0


@dataclass
class Exchange:
    """One request on its way: the client's socket, and what the provider answers."""

    client: socket.socket
    path: str
    headers: dict[str, str]
    body: bytes
    provider: str
    closing: threading.Event

    def ask(self) -> tuple[int, list[tuple[str, str]], Iterator[bytes]]:
        """Sends the request on; gives status, headers, and the body as it comes."""
        connection = http.client.HTTPConnection(self.provider, timeout=STALL_S)
        kept = {k: v for k, v in self.headers.items() if k not in ("host", "connection")}
        connection.request("POST", self.path, self.body, kept)
        response = connection.getresponse()

        def pieces() -> Iterator[bytes]:
            with contextlib.closing(connection):
                while piece := response.read1(65536):
                    yield piece

        return response.status, response.getheaders(), pieces()

    def head(self, status: int, headers: list[tuple[str, str]], **more: str) -> None:
        """Sends the head of a chunked answer."""
        dropped = ("transfer-encoding", "content-length", "connection", "date", "server")
        lines = [f"HTTP/1.1 {status} Said"]
        lines += [f"{name}: {value}" for name, value in headers if name.lower() not in dropped]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
        lines += ["transfer-encoding: chunked", "", ""]
        self.client.sendall("\r\n".join(lines).encode())

    def chunk(self, data: bytes) -> None:
        """Sends a piece of the body; an empty one ends it."""
        if data:
            self.client.sendall(b"%x\r\n%s\r\n" % (len(data), data))

    def end(self) -> bool:
        """Ends the body; the connection stays."""
        self.client.sendall(b"0\r\n\r\n")
        return True

    def reset(self) -> bool:
        """Breaks the connection so that the client gets a reset."""
        linger = struct.pack("ii", 1, 0)
        self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        return False


# Handles an exchange; true when the connection can be used again.
Fault = Callable[[Exchange], bool]


def passed(exchange: Exchange) -> bool:
    """Lets the exchange pass."""
    status, headers, pieces = exchange.ask()
    exchange.head(status, headers)
    for piece in pieces:
        exchange.chunk(piece)
    return exchange.end()


def zipped(exchange: Exchange) -> bool:
    """Lets the answer pass gzipped, each piece flushed."""
    status, headers, pieces = exchange.ask()
    exchange.head(status, headers, content_encoding="gzip")
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    for piece in pieces:
        exchange.chunk(packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH))
    exchange.chunk(packer.flush())
    return exchange.end()


def broken(how: str, at: str | bytes, then: bytes = b"") -> Fault:
    """Breaks an answer: by "reset", "close" (no end of the body), "end" (a proper end) or "stall";
    before its head (HEAD), after it (BODY), or where these bytes stand in the body: in the middle
    of their event, or with `then` at its beginning, and `then` is sent."""

    def fault(exchange: Exchange) -> bool:
        status, headers, pieces = exchange.ask()
        data = b"".join(pieces)
        if at != HEAD:
            exchange.head(status, headers)
        if isinstance(at, bytes):
            assert at in data, f"{at!r} is not in {data!r}"
            end = data.index(at)
            end = data.rindex(b"\n\n", 0, end) + 2 if then else end
            exchange.chunk(data[:end] + then)
        if how == "reset":
            time.sleep(0.05)  # what was sent before is to arrive first
            return exchange.reset()
        if how == "stall":
            exchange.closing.wait(STALL_S)
        return how == "end" and exchange.end()

    return fault


def answer(
    status: int, body: str, headers: Mapping[str, str | Callable[[], str]] | None = None
) -> Fault:
    """Answers in the provider's place; a header may be a function, called for each answer."""

    def fault(exchange: Exchange) -> bool:
        kind = "text/html" if body.startswith("<") else "application/json"
        found = {"content-type": kind, **(headers or {})}
        exchange.head(status, [(k, v() if callable(v) else v) for k, v in found.items()])
        exchange.chunk(body.encode())
        return exchange.end()

    return fault


class Chaos:
    """The proxy: a context manager."""

    def __init__(self, provider: str, certificate: tuple[Path, Path] | None = None) -> None:
        """Take the provider's base_url; with a certificate and its key, https is spoken."""
        self.provider = urlsplit(provider).netloc
        self.plans: dict[str, list[Fault]] = defaultdict(list)
        self.seen: Counter[str] = Counter()
        self.connections = 0
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._closed: dict[str, socket.socket] = {}
        self._tls: ssl.SSLContext | None = None
        if certificate:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(*certificate)
        self._server = socket.create_server(("127.0.0.1", 0), backlog=256)

    @property
    def root(self) -> str:
        """The address, without a path."""
        scheme = "https" if self._tls else "http"
        return f"{scheme}://127.0.0.1:{self._server.getsockname()[1]}"

    def plan(self, name: str, *faults: Fault) -> str:
        """Has the first requests of a name meet faults; returns its base_url."""
        self.plans[name] = list(faults)
        return f"{self.root}/{name}/v1"

    def closed(self, name: str) -> str:
        """Gives a base_url whose connections are refused until /slept/name was asked for."""
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        self._closed[name] = listener
        return f"http://127.0.0.1:{listener.getsockname()[1]}/{name}/v1"

    def __enter__(self) -> Chaos:
        """Start to serve."""
        threading.Thread(target=self._accept, args=(self._server,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop serving."""
        self._closing.set()
        for listener in (self._server, *self._closed.values()):
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()

    def _accept(self, listener: socket.socket) -> None:
        while not self._closing.is_set():
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client:
            client.settimeout(STALL_S)
            if self._tls:
                client = self._tls.wrap_socket(client, server_side=True)
            with self._lock:
                self.connections += 1
            with client, client.makefile("rb") as lines:
                while line := lines.readline():
                    if not self._request(client, line, lines.readline, lines.read):
                        return

    def _request(
        self,
        client: socket.socket,
        line: bytes,
        readline: Callable[[], bytes],
        read: Callable[[int], bytes],
    ) -> bool:
        headers: dict[str, str] = {}
        while field := readline().strip():
            name, _, value = field.decode().partition(":")
            headers[name.lower()] = value.strip()
        body = read(int(headers.get("content-length", "0")))
        name, path = line.split(b" ")[1].decode().removeprefix("/").split("/", 1)
        exchange = Exchange(client, f"/{path}", headers, body, self.provider, self._closing)
        if name == "slept":
            self._open(path)
            return answer(200, "{}")(exchange)
        with self._lock:
            self.seen[name] += 1
            fault = self.plans[name].pop(0) if self.plans[name] else passed
        return fault(exchange)

    def _open(self, name: str) -> None:
        listener = self._closed.get(name)
        if listener:
            listener.listen(64)
            threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
