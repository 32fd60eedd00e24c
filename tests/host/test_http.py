"""The HTTP worker against a real server on loopback: what it posts, and when it stops."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from host.loopback import BLOB, Loopback
from panto_host.http import UNREAD_LIMIT, Http

LIMIT_S = 10.0


class Desk:
    """A worker, and everything it has posted so far."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.news = threading.Condition()
        self.posts: dict[int, list[tuple[str, bytes]]] = defaultdict(list)
        self.http = Http(self._post)
        self._last = 0

    def _post(self, identity: int, kind: str, data: bytes) -> None:
        with self.news:
            self.posts[identity].append((kind, data))
            self.news.notify_all()

    def start(self, path: str, body: bytes = b"", **spec: Any) -> int:
        """Begins a request to a path, or to a whole URL."""
        self._last += 1
        url = path if "://" in path else self.url + path
        whole = {"method": "POST" if body else "GET", "url": url, "headers": [], **spec}
        self.http.start(self._last, json.dumps(whole).encode(), body)
        return self._last

    def wait(self, identity: int, *kinds: str) -> list[tuple[str, bytes]]:
        """Waits for a post of one of these kinds, and returns all posts."""
        with self.news:
            arrived = self.news.wait_for(
                lambda: any(kind in kinds for kind, _ in self.posts[identity]), LIMIT_S
            )
        assert arrived, self.posts[identity]
        return list(self.posts[identity])

    def finish(self, identity: int) -> tuple[str, Any, bytes]:
        """Waits for the end: its kind, its data, and the whole body before it."""
        posts = self.wait(identity, "end", "fail")
        kind, data = posts[-1]
        body = b"".join(part for what, part in posts if what == "chunk")
        return kind, json.loads(data) if data else None, body


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback() as running:
        yield running


@pytest.fixture
def desk(server: Loopback) -> Desk:
    return Desk(server.url)


def test_head_comes_first_with_every_header_and_the_body_follows(desk: Desk) -> None:
    posts = desk.wait(desk.start("/hello"), "end", "fail")
    assert [kind for kind, _ in posts] == ["head", "chunk", "end"]
    head = json.loads(posts[0][1])
    assert head["status"] == 200
    assert head["http_version"] == "HTTP/1.1"
    assert [value for name, value in head["headers"] if name == "set-cookie"] == ["a=1", "b=2"]
    assert posts[1][1] == b"hello"


def test_chunks_are_posted_as_they_arrive(desk: Desk) -> None:
    posts = desk.wait(desk.start("/slow"), "end", "fail")
    assert [data for kind, data in posts if kind == "chunk"] == [
        b"event %d\n" % number for number in range(5)
    ]


def test_a_binary_body_goes_and_comes_whole(desk: Desk, server: Loopback) -> None:
    assert desk.finish(desk.start("/echo", BLOB))[::2] == ("end", BLOB)
    assert server.bodies == [BLOB]
    assert desk.finish(desk.start("/blob"))[::2] == ("end", BLOB)


def test_a_zipped_body_arrives_unzipped(desk: Desk) -> None:
    assert desk.finish(desk.start("/zipped"))[::2] == ("end", BLOB)
    kind, failure, _ = desk.finish(desk.start("/badzip"))
    assert (kind, failure["kind"]) == ("fail", "protocol")


def test_redirects_are_not_followed(desk: Desk) -> None:
    posts = desk.wait(desk.start("/moved"), "end", "fail")
    assert json.loads(posts[0][1])["status"] == 302


def test_a_connection_is_used_again(desk: Desk, server: Loopback) -> None:
    for _ in range(5):
        desk.finish(desk.start("/hello"))
    assert server.connections == 1


def test_headers_are_sent_and_the_agent_is_named(desk: Desk, server: Loopback) -> None:
    desk.finish(desk.start("/hello", headers=[["X-Name", "Grüße"], ["Authorization", "Bearer k"]]))
    head = server.heads[0]
    assert b"X-Name: Gr\xc3\xbc\xc3\x9fe\r\n" in head
    assert b"authorization: bearer k\r\n" in head.lower()
    assert b"user-agent: panto/" in head.lower()


@pytest.mark.parametrize(
    ("path", "kind", "words", "body"),
    [
        ("/cut", "closed", "closed", b"halfnot all of it"),
        ("/reset", "closed", "reset", b"half"),
        ("/nothing", "closed", "disconnected", b""),
        ("/garbage", "protocol", "illegal", b""),
        ("http://127.0.0.1:1/", "connect", "Connection refused", b""),
        ("http://no-such-host.invalid/", "connect", "no-such-host.invalid", b""),
        ("ftp://127.0.0.1/", "invalid", "", b""),
        ("nonsense", "invalid", "", b""),
        ("http://[::1/", "invalid", "", b""),
    ],
)
def test_a_failure_has_a_kind_and_a_reason(
    desk: Desk, path: str, kind: str, words: str, body: bytes
) -> None:
    if path == "nonsense":
        desk.url = ""
    ended, failure, got = desk.finish(desk.start(path + "?key=secret"))
    assert (ended, failure["kind"], got) == ("fail", kind, body)
    assert words in failure["message"]
    assert "secret" not in failure["message"]


def test_a_header_with_a_line_break_is_refused(desk: Desk) -> None:
    _, failure, _ = desk.finish(desk.start("/hello", headers=[["X", "a\r\nY: b"]]))
    assert failure["kind"] == "invalid"


def test_plain_text_where_tls_was_wanted_is_a_tls_failure(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        identity = desk.start(f"https://127.0.0.1:{listener.getsockname()[1]}/")
        client, _ = listener.accept()
        with client:
            client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            _, failure, _ = desk.finish(identity)
    assert failure["kind"] == "tls"


@pytest.mark.parametrize(("path", "body"), [("/silent", b""), ("/stall", b"first")])
def test_silence_for_the_idle_time_is_a_timeout(desk: Desk, path: str, body: bytes) -> None:
    began = time.monotonic()
    kind, failure, got = desk.finish(desk.start(path, idle_timeout_ms=300))
    assert (kind, failure["kind"], got) == ("fail", "timeout", body)
    assert "0.3 s" in failure["message"]
    assert 0.25 < time.monotonic() - began < 5


def test_bytes_that_keep_coming_are_no_silence(desk: Desk) -> None:
    assert desk.finish(desk.start("/slow", idle_timeout_ms=180))[0] == "end"


def test_a_connection_that_is_never_accepted_times_out(desk: Desk) -> None:
    with full_listener() as port:
        url = f"http://127.0.0.1:{port}/"
        _, failure, _ = desk.finish(desk.start(url, connect_timeout_ms=300))
    assert failure["kind"] == "timeout"


class full_listener:
    """A listening socket whose queue is full, so that a connection stays in the making."""

    def __enter__(self) -> int:
        self.sockets = [socket.socket()]
        self.sockets[0].bind(("127.0.0.1", 0))
        self.sockets[0].listen(0)
        port: int = self.sockets[0].getsockname()[1]
        for _ in range(4):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
            self.sockets.append(client)
        time.sleep(0.1)
        return port

    def __exit__(self, *_: object) -> None:
        for each in self.sockets:
            each.close()


def test_cancelling_while_connecting_posts_nothing(desk: Desk) -> None:
    with full_listener() as port:
        identity = desk.start(f"http://127.0.0.1:{port}/")
        time.sleep(0.3)
        desk.http.cancel(identity)
        desk.finish(desk.start("/hello"))
        assert desk.posts[identity] == []


@pytest.mark.parametrize("path", ["/silent", "/stall"])
def test_cancelling_closes_the_connection(desk: Desk, server: Loopback, path: str) -> None:
    identity = desk.start(path)
    assert server.there.acquire(timeout=LIMIT_S), "the client never came"
    if path == "/stall":
        desk.wait(identity, "chunk")
    before = list(desk.posts[identity])
    desk.http.cancel(identity)
    assert server.gone.acquire(timeout=LIMIT_S), "the server still has its client"
    assert desk.posts[identity] == before


def test_cancelling_at_once_or_twice_or_what_is_over_does_no_harm(desk: Desk) -> None:
    for _ in range(20):
        identity = desk.start("/hello")
        desk.http.cancel(identity)
        desk.http.cancel(identity)
        assert desk.posts[identity] == []
    done = desk.start("/hello")
    desk.finish(done)
    desk.http.cancel(done)
    desk.http.cancel(987)
    desk.http.resume(987)
    assert desk.finish(desk.start("/hello"))[0] == "end"


def test_an_unread_body_is_held_back_until_it_is_read(desk: Desk, server: Loopback) -> None:
    identity = desk.start("/flood", idle_timeout_ms=200)
    size = 0
    deadline = time.monotonic() + LIMIT_S
    while size < UNREAD_LIMIT and time.monotonic() < deadline:
        time.sleep(0.05)
        size = sum(len(data) for _, data in list(desk.posts[identity]))
    time.sleep(0.6)  # longer than the idle time, which does not count while it is held
    held = sum(len(data) for _, data in list(desk.posts[identity]))
    assert UNREAD_LIMIT <= held <= UNREAD_LIMIT + (1 << 17)
    while not any(kind in {"end", "fail"} for kind, _ in list(desk.posts[identity])):
        desk.http.resume(identity)
        assert time.monotonic() < deadline + 2 * LIMIT_S
        time.sleep(0.001)
    kind, _, body = desk.finish(identity)
    assert kind == "end"
    assert len(body) == 2000 * 16_384


def test_a_held_request_can_be_cancelled(desk: Desk) -> None:
    identity = desk.start("/flood")
    deadline = time.monotonic() + LIMIT_S
    while sum(len(data) for _, data in list(desk.posts[identity])) < UNREAD_LIMIT:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    desk.http.cancel(identity)
    assert desk.finish(desk.start("/hello"))[0] == "end"
    assert not any(kind in {"end", "fail"} for kind, _ in desk.posts[identity])


def test_two_hundred_streams_run_together(desk: Desk, server: Loopback) -> None:
    began = time.monotonic()
    started = [desk.start("/slow") for _ in range(200)]
    expected = b"".join(b"event %d\n" % number for number in range(5))
    assert all(desk.finish(identity)[::2] == ("end", expected) for identity in started)
    assert server.connections == 200
    assert time.monotonic() - began < LIMIT_S


def test_connections_of_many_streams_are_kept(desk: Desk, server: Loopback) -> None:
    for _ in range(2):
        started = [desk.start("/slow") for _ in range(60)]
        assert all(desk.finish(identity)[0] == "end" for identity in started)
    assert server.connections == 60


def test_a_connection_that_was_idle_for_long_is_not_used_again(
    desk: Desk, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.finish(desk.start("/hello"))
    now = time.monotonic
    with monkeypatch.context() as later:
        later.setattr("panto_host.http.time.monotonic", lambda: now() + 60)
        desk.finish(desk.start("/hello"))
        assert server.connections == 1, "a minute is not long"
        later.setattr("panto_host.http.time.monotonic", lambda: now() + 60 + 100)
        desk.finish(desk.start("/hello"))
    assert server.connections == 2


def test_no_thread_or_descriptor_for_a_request_may_be_tried_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_thread(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    def no_descriptor(*_: object) -> None:
        raise OSError(24, "Too many open files")

    for name, function in (
        ("panto_host.http.start_new_thread", no_thread),
        ("panto_host.http.Http._take_client", no_descriptor),
    ):
        with monkeypatch.context() as broken:
            broken.setattr(name, function)
            _, failure, _ = desk.finish(desk.start("/hello"))
        assert failure["kind"] == "connect"
        assert "SSL_CERT" not in failure["message"]
        assert desk.http._streams == {}


def test_no_time_to_connect_means_for_ever(desk: Desk) -> None:
    spec = {"connect_timeout_ms": 0, "idle_timeout_ms": 0}
    assert desk.finish(desk.start("/hello", **spec))[0] == "end"


def test_nonsense_from_lua_is_a_failure_and_not_an_exception(desk: Desk) -> None:
    for spec in (
        b"",
        b"[]",
        b"{}",
        b'{"url": 5}',
        b'{"url":"http://x","headers":[["a"]]}',
        b"\xff",
    ):
        desk._last += 1
        desk.http.start(desk._last, spec, b"")
        kind, failure, _ = desk.finish(desk._last)
        assert (kind, failure["kind"]) == ("fail", "invalid")
