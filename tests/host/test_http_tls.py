"""TLS over HTTP/1.1: small records are taken together, connections that closed are not used."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from host.loopback import CHUNKED, chunk
from host.test_http import LIMIT_S, Desk

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl")
HELLO = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"


class Server:
    """Accepts in a thread; each connection's requests get what `answer` does with the socket."""

    def __init__(self, context: ssl.SSLContext, answer: Callable[[ssl.SSLSocket], None]) -> None:
        self.context, self.answer = context, answer
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://localhost:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                raw, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(raw,), daemon=True).start()

    def _serve(self, raw: socket.socket) -> None:
        try:
            with self.context.wrap_socket(raw, server_side=True) as client:
                raw.close()
                while client.recv(65536):
                    self.answer(client)
        except OSError:
            return


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(certificate, key)
    return made


Serve = Callable[[Callable[[ssl.SSLSocket], None]], Server]


@pytest.fixture
def serve(context: ssl.SSLContext) -> Iterator[Serve]:
    servers: list[Server] = []

    def start(answer: Callable[[ssl.SSLSocket], None]) -> Server:
        servers.append(Server(context, answer))
        return servers[-1]

    yield start
    for each in servers:
        each.listener.close()


def test_small_records_that_came_together_are_read_after_one_rest(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests, sent = [], threading.Event()
    bodies = [b"data: %d\n\n" % number for number in range(600)]

    def answer(client: ssl.SSLSocket) -> None:
        for piece in (CHUNKED, *map(chunk, bodies), b"0\r\n\r\n"):
            client.sendall(piece)
        sent.set()

    def rest(seconds: float) -> None:
        rests.append(seconds)
        assert sent.wait(LIMIT_S)

    monkeypatch.setattr("panto_host.http.time.sleep", rest)
    desk = Desk(serve(answer).url)
    assert desk.finish(desk.start("/"))[::2] == ("end", b"".join(bodies))
    assert len(rests) < 10, "a rest for each record"


def test_what_came_before_a_reset_is_not_lost(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = threading.Event()
    bodies = [b"data: %d\n\n" % number for number in range(200)]

    def answer(client: ssl.SSLSocket) -> None:
        for body in bodies:
            client.sendall(chunk(body) if body != bodies[0] else CHUNKED + chunk(body))
        client.close()
        sent.set()

    monkeypatch.setattr("panto_host.http.time.sleep", lambda _: sent.wait(LIMIT_S))
    desk = Desk(serve(answer).url)
    kind, failure, body = desk.finish(desk.start("/"))
    assert (kind, failure["kind"], body) == ("fail", "closed", b"".join(bodies))


def test_a_connection_that_the_server_closed_is_not_used_again(serve: Serve) -> None:
    closed = threading.Semaphore(0)

    def answer(client: ssl.SSLSocket) -> None:
        client.sendall(HELLO)
        client.shutdown(socket.SHUT_RDWR)
        client.close()
        closed.release()

    server = serve(answer)
    desk = Desk(server.url)
    for number in range(1, 4):
        assert desk.finish(desk.start("/"))[::2] == ("end", b"hello")
        assert closed.acquire(timeout=LIMIT_S)
        assert server.connections == number
    assert len(desk.http._idle) <= 1


def test_the_protocols_are_offered_once(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    real = ssl.SSLContext.set_alpn_protocols
    monkeypatch.setattr(
        ssl.SSLContext, "set_alpn_protocols", lambda self, names: calls.append(real(self, names))
    )
    desk = Desk(serve(lambda client: client.sendall(HELLO)).url)
    for identity in [desk.start("/") for _ in range(8)]:
        assert desk.finish(identity)[0] == "end"
    assert len(calls) == 1
