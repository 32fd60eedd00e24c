"""HTTP on one worker thread: head, chunks, then end or failure are posted to the inbox."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
from collections.abc import Callable
from typing import Any

import httpx

import panto_host
from panto_host.http_failure import classify

UNREAD_LIMIT = 1 << 20
CLIENT_LOAD = 50
JOIN_LIMIT = 1 << 16
# A long answer that comes in drops is read a few times per frame, not at every drop.
PACED_AFTER_READS, PACED_READ_BYTES, PACE_S = 64, 1 << 14, 0.025


class Http:
    """Requests by number. The methods are for any thread; their work is done in that of ``run``."""

    def __init__(self, post: Callable[[int, str, bytes], None]) -> None:
        self._post = post
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda *_: None)  # a lost connection is no news
        self._streams: dict[int, _Stream] = {}
        self._loads: dict[httpx.AsyncClient, int] = {}  # requests of each client
        self._tls: ssl.SSLContext | None = None

    def run(self) -> None:
        """Works for ever."""
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def warm(self) -> None:
        """Has everything ready for the first request."""
        self._loop.call_soon_threadsafe(self._get_client)

    def start(self, identity: int, spec: bytes, body: bytes | None = None) -> bool:
        """Begins a request: ``spec`` is JSON with method, url, headers as pairs,
        connect_timeout_ms and idle_timeout_ms (0 is for ever). Every failure is posted."""
        stream = _Stream(self._loop, lambda kind, data: self._post(identity, kind, data))
        self._streams[identity] = stream
        work = self._carry(identity, stream, spec, body or b"")
        self._loop.call_soon_threadsafe(stream.begin, work)
        return True

    def cancel(self, identity: int) -> None:
        """Ends a request at whatever point it is; nothing of it is posted from now on."""
        stream = self._streams.pop(identity, None)
        if stream is not None:
            stream.silent = True
            self._loop.call_soon_threadsafe(stream.stop)

    def resume(self, identity: int) -> None:
        """Says that all chunks were read; cheap unless the request is held."""
        stream = self._streams.get(identity)
        if stream is not None:
            stream.taken = stream.posted
            if stream.held:
                self._loop.call_soon_threadsafe(stream.released.set)

    def _get_client(self) -> httpx.AsyncClient:
        """Gives a client with room: a pool's work grows with the square of its requests."""
        client = next((known for known, load in self._loads.items() if load < CLIENT_LOAD), None)
        if client is None:
            self._tls = self._tls or httpx.create_ssl_context()
            client = httpx.AsyncClient(
                http2=True,
                verify=self._tls,
                timeout=None,
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
                headers={"user-agent": f"panto/{panto_host.__version__}"},
            )
            self._loads[client] = 0
        return client

    async def _carry(self, identity: int, stream: _Stream, spec: bytes, body: bytes) -> None:
        """Carries one request through; every way out is a post, or silence when cancelled."""
        place, client = "", None
        try:
            client = self._get_client()
            self._loads[client] += 1
            wanted = json.loads(spec)
            request = _build(client, wanted, body)
            place = request.url.netloc.decode()
            stream.watch(wanted.get("idle_timeout_ms", 300_000) / 1000)
            await self._exchange(stream, client, request)
            stream.flush()
            stream.send("end", b"")
        except BaseException as error:
            stream.flush()
            failure = classify(error, place, stream.idle if stream.expired else 0)
            stream.send("fail", json.dumps(failure).encode())
        finally:
            stream.unwatch()
            if client in self._loads:
                self._loads[client] -= 1
            if self._streams.get(identity) is stream:
                del self._streams[identity]

    async def _exchange(
        self, stream: _Stream, client: httpx.AsyncClient, request: httpx.Request
    ) -> None:
        response = await client.send(request, stream=True)
        finished = False
        try:
            head = {
                "status": response.status_code,
                "headers": response.headers.multi_items(),
                "http_version": response.http_version,
            }
            stream.send("head", json.dumps(head).encode())
            _pace(response, self._loop)
            async for data in response.aiter_bytes():
                await stream.take(data)
            finished = True
        finally:
            await asyncio.shield(self._close(client, response, finished))

    async def _close(
        self, client: httpx.AsyncClient, response: httpx.Response, finished: bool
    ) -> None:
        """Closes a response. One that was left early over HTTP/2 takes its connection along:
        the library would leave the stream open, and the server talking."""
        with contextlib.suppress(Exception):
            await response.aclose()
            left = not finished and response.http_version == "HTTP/2"
            if left and self._loads.pop(client, 0) <= 1:
                await client.aclose()


class _Stream:
    """One request's state. ``taken`` is Lua's thread's to write, all else the worker's."""

    def __init__(self, loop: asyncio.AbstractEventLoop, post: Callable[[str, bytes], None]) -> None:
        self.released = asyncio.Event()
        self.posted = self.taken = 0
        self.held = self.silent = self.expired = False
        self.idle = self._heard = 0.0
        self._loop, self._post = loop, post
        self._task: asyncio.Task[None] | None = None
        self._pieces = bytearray()
        self._watch: asyncio.TimerHandle | None = None

    def begin(self, work: Any) -> None:
        if self.silent:
            work.close()
        else:
            self._task = self._loop.create_task(work)

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def send(self, kind: str, data: bytes) -> None:
        self._heard = self._loop.time()
        if not self.silent:
            self._post(kind, data)

    async def take(self, data: bytes) -> None:
        """Posts bytes; what is at hand without waiting for the network goes as one piece."""
        if not self._pieces:
            self._loop.call_soon(self.flush)
        self._pieces += data
        if len(self._pieces) >= JOIN_LIMIT:
            self.flush()
        while self.posted - self.taken >= UNREAD_LIMIT:
            self.released.clear()
            self.held = True
            if self.posted - self.taken >= UNREAD_LIMIT:  # not released meanwhile
                await self.released.wait()
            self.held = False
            self._heard = self._loop.time()

    def flush(self) -> None:
        data = bytes(self._pieces)
        self._pieces.clear()
        if data:
            self.posted += len(data)
            self.send("chunk", data)

    def watch(self, idle: float) -> None:
        """Ends the request when nothing arrives for ``idle`` seconds while it is not held."""
        self.idle, self._heard = idle, self._loop.time()
        if idle > 0:
            self._look()

    def unwatch(self) -> None:
        if self._watch is not None:
            self._watch.cancel()

    def _look(self) -> None:
        due = (self._loop.time() if self.held else self._heard) + self.idle
        if due <= self._loop.time():
            self.expired = True
            self.stop()
        else:
            self._watch = self._loop.call_at(due, self._look)


def _pace(response: httpx.Response, loop: asyncio.AbstractEventLoop) -> None:
    """Lets an HTTP/1.1 connection that has been read often rest a little before each read."""
    network = response.extensions.get("network_stream")
    if network is None or response.http_version == "HTTP/2":
        return
    read, reads, due = type(network).read, 0, 0.0

    async def paced(max_bytes: int, timeout: float | None = None) -> Any:
        nonlocal reads, due
        reads += 1
        if reads > PACED_AFTER_READS and due > loop.time():
            await asyncio.sleep(due - loop.time())
        data = await read(network, max_bytes, timeout)
        due = loop.time() + PACE_S if len(data) < PACED_READ_BYTES else 0.0
        return data

    network.read = paced


def _build(client: httpx.AsyncClient, spec: dict[str, Any], body: bytes) -> httpx.Request:
    return client.build_request(
        spec.get("method", "GET"),
        httpx.URL(spec["url"]),
        headers=[(name.encode(), value.encode()) for name, value in spec.get("headers", [])],
        content=body or None,
        timeout=httpx.Timeout(None, connect=spec.get("connect_timeout_ms", 30_000) / 1000),
    )
