"""HTTP by threads that block: head, chunks, then end or failure are posted to the inbox.

A thread carries a request over a connection that no other has, and leaves it to the next request.
Without asyncio and what httpx needs beside it, the library is loaded in half the time.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import ssl
import threading
import time
from _thread import start_new_thread
from collections.abc import Callable
from functools import partial
from typing import Any

import httpcore
import httpx

import panto_host
from panto_host.http_failure import classify

with contextlib.suppress(Exception):  # without it all is right, but slower
    import panto_host.http_chunks

UNREAD_LIMIT = 1 << 20
IDLE_CLIENTS, IDLE_S = min(1000, max(20, os.sysconf("SC_OPEN_MAX") // 2)), 90.0
# A long answer that comes in drops is read a few times per frame, not at every drop.
PACED_AFTER_READS, PACED_READ_BYTES, PACE_S = 64, 1 << 14, 0.033
NOTHING_YET = BlockingIOError | ssl.SSLWantReadError | ssl.SSLWantWriteError


class Http:
    """Requests by number. The methods are for any thread and never wait for the network."""

    def __init__(self, post: Callable[[int, str, bytes], None]) -> None:
        self._post = post
        self._streams: dict[int, _Stream] = {}
        self._idle: list[_Client] = []  # the last used is the last
        self._idle_lock, self._tls_lock = threading.Lock(), threading.Lock()
        self._tls: ssl.SSLContext | None = None

    def warm(self, url: bytes) -> None:
        """Has everything ready for a request to that address."""
        if url.startswith(b"https:") and self._tls is None:
            start_new_thread(self._get_tls, ())

    def start(self, identity: int, spec: bytes, body: bytes | None = None) -> None:
        """Begins a request: ``spec`` is JSON with method, url, headers as pairs,
        connect_timeout_ms and idle_timeout_ms (0 is for ever). Every failure is posted."""
        stream = self._streams[identity] = _Stream(partial(self._post, identity))
        try:
            stream.spec, stream.body = json.loads(spec), body
            url = httpx.URL(stream.spec["url"])
            origin = f"{url.scheme}://{url.netloc.decode()}"
            start_new_thread(self._carry, (identity, stream, origin))
        except Exception as error:
            self._streams.pop(identity, None)
            stream.end(classify(error, "", 0))

    def cancel(self, identity: int) -> None:
        """Ends a request at whatever point it is; nothing of it is posted from now on."""
        if stream := self._streams.pop(identity, None):
            stream.cancel()

    def resume(self, identity: int) -> None:
        """Says that all chunks were read; cheap unless the request is held."""
        if stream := self._streams.get(identity):
            stream.release()

    def _carry(self, identity: int, stream: _Stream, origin: str) -> None:
        """Carries one request through; every way out is a post, or silence when cancelled."""
        client, place, failure = None, "", None
        try:
            client = self._take_client(origin)
            place = origin.partition("://")[2]
            stream.exchange(client)
        except BaseException as error:
            is_silence = isinstance(error, httpx.ReadTimeout | httpx.WriteTimeout)
            failure = classify(error, place, stream.idle if is_silence else 0)
        is_left = self._streams.pop(identity, None) is None
        if client is not None:  # first, so that a request which follows the end at once finds it
            self._give_back(client, is_fit=not is_left and not failure)
        stream.end(failure)

    def _take_client(self, origin: str) -> _Client:
        """Gives the idle client that was last connected to that server, or a new one."""
        with self._idle_lock:
            for client in reversed(self._idle):
                if client.origin == origin and client.is_fit():
                    self._idle.remove(client)
                    return client
        return _Client(origin, self._get_tls() if origin.startswith("https:") else None)

    def _give_back(self, client: _Client, is_fit: bool) -> None:
        """Keeps a client for later, or closes it; and those before it that are of no more use."""
        client.used, surplus = time.monotonic(), [] if is_fit else [client]
        with self._idle_lock:
            self._idle += [client] if is_fit else []
            while self._idle and (len(self._idle) > IDLE_CLIENTS or not self._idle[0].is_fit()):
                surplus.append(self._idle.pop(0))
        for each in surplus:
            with contextlib.suppress(Exception):
                each.close()

    def _get_tls(self) -> ssl.SSLContext:
        """Reads the certificates, once; httpcore would set the protocols at each connection."""
        with self._tls_lock:
            if self._tls is None:
                tls = httpx.create_ssl_context()
                tls.set_alpn_protocols(["http/1.1", "h2"])
                vars(tls)["set_alpn_protocols"] = lambda _: None
                self._tls = tls
                start_new_thread(__import__, ("httpcore._sync.http2",))  # while it is connected to
        return self._tls


class _Client(httpx.Client):
    """A client for one server and one request at a time, which has one connection then."""

    network: Any = None  # the connection, once there is one
    used = 0.0

    def __init__(self, origin: str, tls: ssl.SSLContext | None) -> None:
        super().__init__(
            http2=True,
            verify=tls or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),  # which trusts nobody
            timeout=None,
            limits=httpx.Limits(keepalive_expiry=IDLE_S),
            headers={"user-agent": f"panto/{panto_host.__version__}"},
        )
        self.origin = origin

    def is_fit(self) -> bool:
        """Tells whether the server still has the connection, and nothing to say about it."""
        is_old = time.monotonic() > self.used + IDLE_S
        return not is_old and not self.network.get_extra_info("is_readable")


class _Stream:
    """One request's state. ``_taken`` is Lua's thread's to write, the rest its own thread's."""

    def __init__(self, post: Callable[[str, bytes], None]) -> None:
        self.spec: dict[str, Any] = {}
        self.body: bytes | None = None
        self.idle = 0.0  # the longest silence in seconds; 0 is for ever
        self._post = post
        self._network: Any = None
        self._posted = self._taken = 0
        self._silent = False
        self._released = threading.Event()

    def exchange(self, client: _Client) -> None:
        """Sends the request and posts the answer as it comes; raises what httpx raises."""

        def note(event: str, info: dict[str, Any]) -> None:
            if event.endswith(("connect_tcp.complete", "start_tls.complete")):
                client.network = info["return_value"]
                self._use(client.network)

        self._use(client.network)
        spec = self.spec
        self.idle = spec.get("idle_timeout_ms", 300_000) / 1000
        connect = spec.get("connect_timeout_ms", 30_000) / 1000
        request = client.build_request(
            spec.get("method", "GET"),
            spec["url"],
            headers=[(name.encode(), value.encode()) for name, value in spec.get("headers", [])],
            content=self.body or None,
            timeout=httpx.Timeout(self.idle or None, connect=connect or None, pool=None),
            extensions={"trace": note},
        )
        response = client.send(request, stream=True)
        network = response.extensions["network_stream"]
        network.read = _pace(partial(type(network).read, network))
        with contextlib.closing(response):
            head = {"status": response.status_code, "headers": response.headers.multi_items()}
            head["http_version"] = response.http_version
            self._send("head", json.dumps(head).encode())
            for data in response.iter_bytes():
                self._take(data)

    def end(self, failure: dict[str, str] | None) -> None:
        self._send("fail" if failure else "end", json.dumps(failure).encode() if failure else b"")

    def cancel(self) -> None:
        """Cuts the connection, at which its thread wakes; one in the making is cut when made."""
        self._silent = True
        self.release()
        self._use(self._network)

    def release(self) -> None:
        self._taken = self._posted
        self._released.set()

    def _use(self, network: Any) -> None:
        self._network = network
        if self._silent and network is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(network.get_extra_info("socket"), socket.SHUT_RDWR)

    def _send(self, kind: str, data: bytes) -> None:
        if not self._silent:
            self._post(kind, data)

    def _take(self, data: bytes) -> None:
        """Posts bytes, and waits while Lua has left too many of them."""
        self._posted += len(data)
        self._send("chunk", data)
        while self._posted - self._taken >= UNREAD_LIMIT and not self._silent:
            self._released.clear()
            if self._posted - self._taken >= UNREAD_LIMIT:  # not released meanwhile
                self._released.wait()


def _pace(read: Callable[..., bytes]) -> Callable[..., bytes]:
    """Lets a connection that was read often rest a little, and then takes all that came: TLS
    gives a record at a time. An end that is found so is told at the next read."""
    reads, due = 0, 0.0
    end: bytes | Exception | None = None

    def paced(max_bytes: int, timeout: float | None = None) -> bytes:
        nonlocal reads, due, end
        reads += 1
        if isinstance(end, Exception):
            raise end
        if reads > PACED_AFTER_READS:
            time.sleep(max(0.0, due - time.monotonic()))
        data = read(max_bytes, timeout) if end is None else end
        while reads > PACED_AFTER_READS and end is None and 0 < len(data) < max_bytes:
            try:
                more = read(max_bytes - len(data), 0)
                data, end = data + more, None if more else b""
            except httpcore.ReadError as error:
                if isinstance(error.__cause__, NOTHING_YET):
                    break
                end = error
        due = time.monotonic() + PACE_S if len(data) < PACED_READ_BYTES else 0.0
        return data

    return paced
