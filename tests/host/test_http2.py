"""HTTP/2 over TLS, against a small server made of the h2 library and a certificate of its own."""

from __future__ import annotations

import asyncio
import json
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from host.test_http import Desk

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl")


class Server:
    """Answers /whole at once, and anything else with a first piece and then silence."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.context.set_alpn_protocols(["h2"])
        self.connections = 0
        self.gone = threading.Semaphore(0)
        self.ready = threading.Event()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()
        assert self.ready.wait(10)

    def _run(self) -> None:
        self.loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self.stop = asyncio.Event()
        server = await asyncio.start_server(self._client, "127.0.0.1", 0, ssl=self.context)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await self.stop.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        connection = H2Connection(H2Configuration(client_side=False))
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        while data := await reader.read(65536):
            for event in connection.receive_data(data):
                if isinstance(event, RequestReceived):
                    whole = dict(event.headers or [])[b":path"] == b"/whole"
                    connection.send_headers(event.stream_id, [(":status", "200")])
                    connection.send_data(event.stream_id, b"piece", end_stream=whole)
            writer.write(connection.data_to_send())
        self.gone.release()
        writer.close()


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    running = Server(certificate, key)
    yield running
    running.loop.call_soon_threadsafe(running.stop.set)
    running.thread.join(10)


def test_streams_one_after_the_other_share_a_connection(server: Server) -> None:
    desk = Desk(f"https://localhost:{server.port}")
    first = desk.start("/whole")
    assert desk.finish(first)[::2] == ("end", b"piece")
    assert json.loads(desk.posts[first][0][1])["http_version"] == "HTTP/2"
    for _ in range(20):
        assert desk.finish(desk.start("/whole"))[::2] == ("end", b"piece")
    assert server.connections == 1


def test_leaving_a_stream_early_ends_its_connection_and_the_next_request_works(
    server: Server,
) -> None:
    desk = Desk(f"https://localhost:{server.port}")
    stalled = desk.start("/stalled")
    desk.wait(stalled, "chunk")
    desk.http.cancel(stalled)
    assert server.gone.acquire(timeout=10), "the server still has its client"
    assert desk.finish(desk.start("/whole"))[::2] == ("end", b"piece")
    kind, failure, body = desk.finish(desk.start("/stalled", idle_timeout_ms=300))
    assert (kind, failure["kind"], body) == ("fail", "timeout", b"piece")


def test_a_stream_that_goes_on_survives_its_neighbours_end(server: Server) -> None:
    desk = Desk(f"https://localhost:{server.port}")
    kept, left = desk.start("/stalled"), desk.start("/stalled")
    desk.wait(kept, "chunk")
    desk.wait(left, "chunk")
    desk.http.cancel(left)
    assert desk.finish(desk.start("/whole"))[0] == "end"
    assert [kind for kind, _ in desk.posts[kept]] == ["head", "chunk"]
    desk.http.cancel(kept)
    assert server.gone.acquire(timeout=10), "the server still has its client"


def test_an_unknown_certificate_is_a_tls_failure(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    desk = Desk(f"https://localhost:{server.port}")
    kind, failure, _ = desk.finish(desk.start("/whole"))
    assert (kind, failure["kind"]) == ("fail", "tls")
    assert "certificate" in failure["message"].lower()
