"""The variables that lead HTTP through proxies and make it trust: as curl and httpx read them."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from host.loopback import Loopback
from host.proxy import BODY, Proxy
from host.test_http import Desk

VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
needs_openssl = pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl")


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what this machine has set."""
    for name in (*VARIABLES, "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
def test_plain_requests_go_through_the_proxy(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Proxy() as proxy:
        monkeypatch.setenv(variable, proxy.url)
        desk = Desk("http://model.invalid:8080")
        assert desk.finish(desk.start("/v1/x"))[::2] == ("end", BODY)
        assert proxy.asked == ["GET http://model.invalid:8080/v1/x HTTP/1.1"]


@pytest.mark.parametrize("names", ["127.0.0.1", "other.invalid,127.0.0.1", "*"])
def test_what_no_proxy_names_is_reached_directly(
    names: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Proxy() as proxy, Loopback() as server:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("NO_PROXY", names)
        desk = Desk(server.url)
        assert desk.finish(desk.start("/hello"))[0] == "end"
        assert proxy.asked == []
        assert len(server.heads) == 1


def test_the_account_in_a_proxys_address_is_used_and_never_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Proxy(account="me:pass-word") as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        desk = Desk("http://model.invalid")
        assert desk.finish(desk.start("/x"))[::2] == ("end", BODY)
        monkeypatch.setenv("HTTP_PROXY", proxy.url.replace("me:", "you:"))
        desk = Desk("http://model.invalid")
        last = desk.start("/x")
        assert desk.finish(last)[0] == "end"
        assert json.loads(desk.posts[last][0][1])["status"] == 407
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("me:", "you:"))
        desk = Desk("https://model.invalid")
        kind, failure, _ = desk.finish(desk.start("/x"))
        assert (kind, failure["kind"]) == ("fail", "connect")
        assert "407" in failure["message"]
        assert "pass-word" not in failure["message"]


def test_a_proxy_that_is_not_there_is_a_failure_to_connect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Proxy() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
    desk = Desk("http://model.invalid")
    kind, failure, _ = desk.finish(desk.start("/x"))
    assert (kind, failure["kind"]) == ("fail", "connect")
    assert "refused" in failure["message"]


def test_a_kind_of_proxy_that_is_not_supported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    desk = Desk("http://model.invalid")
    kind, failure, _ = desk.finish(desk.start("/x"))
    assert (kind, failure["kind"]) == ("fail", "invalid")
    assert "SOCKS" in failure["message"]


class Authority:
    """A certificate authority of its own, and a server with a certificate of it."""

    def __init__(self, folder: Path) -> None:
        self.certificate, key = folder / "ca.pem", folder / "ca.key"
        own, own_key, asked = folder / "own.pem", folder / "own.key", folder / "own.csr"
        extra = folder / "extra.cnf"
        extra.write_text("subjectAltName=DNS:localhost,DNS:model.invalid\n")
        rsa = ["-newkey", "rsa:2048", "-nodes"]
        for words in (
            ["req", "-x509", *rsa, "-days", "2", "-subj", "/CN=Garden CA", "-keyout", key,
             "-out", self.certificate],
            ["req", *rsa, "-subj", "/CN=localhost", "-keyout", own_key, "-out", asked],
            ["x509", "-req", "-in", asked, "-CA", self.certificate, "-CAkey", key, "-days", "2",
             "-set_serial", "7", "-extfile", extra, "-out", own],
        ):  # fmt: skip
            subprocess.run(["openssl", *words], check=True, capture_output=True)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _Hello)
        self.server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(own, own_key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.port = self.server.server_address[1]

    def hashed_folder(self, folder: Path) -> Path:
        """A folder in which OpenSSL finds the certificate by the hash of its name."""
        found = subprocess.run(
            ["openssl", "x509", "-hash", "-noout", "-in", self.certificate],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        folder.mkdir()
        shutil.copy(self.certificate, folder / f"{found.stdout.strip()}.0")
        return folder


class _Hello(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing."""

    def do_GET(self) -> None:
        """Say hello."""
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    """The authority and its server, for all tests."""
    made = Authority(tmp_path_factory.mktemp("ca"))
    yield made
    made.server.shutdown()
    made.server.server_close()


def ask(port: int) -> tuple[str, str]:
    """Ask the server; how that ended, and the body or the failure's kind."""
    desk = Desk(f"https://localhost:{port}")
    kind, failure, body = desk.finish(desk.start("/"))
    return kind, body.decode() or failure["kind"]


@needs_openssl
def test_an_authority_of_ones_own_is_trusted_by_file_or_folder(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask(authority.port) == ("fail", "tls")
    with monkeypatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(authority.certificate))
        assert ask(authority.port) == ("end", "hello")
    with monkeypatch.context() as patch:
        patch.setenv("SSL_CERT_DIR", str(authority.hashed_folder(tmp_path / "certs")))
        assert ask(authority.port) == ("end", "hello")


def test_a_certificate_file_that_cannot_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/ca.pem")
    desk = Desk("https://localhost:9")
    kind, failure, _ = desk.finish(desk.start("/"))
    assert (kind, failure["kind"]) == ("fail", "invalid")
    assert "SSL_CERT_FILE: No such file" in failure["message"]
    (tmp_path / "empty.pem").write_text("nothing\n")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "empty.pem"))
    desk = Desk("https://localhost:9")
    kind, failure, _ = desk.finish(desk.start("/"))
    assert (kind, failure["kind"]) == ("fail", "invalid")
    assert "SSL_CERT_FILE" in failure["message"]


@needs_openssl
@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_tls_goes_through_a_tunnel_and_the_proxy_sees_nothing_of_it(
    authority: Authority, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Proxy(tunnel_to=authority.port) as proxy:
        monkeypatch.setenv(variable, proxy.url)
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.certificate))
        desk = Desk("https://model.invalid")
        assert desk.finish(desk.start("/secret/path"))[::2] == ("end", b"hello")
        assert proxy.asked == ["CONNECT model.invalid:443 HTTP/1.1"]
