"""HTTP on one worker thread: head, chunks, then end or failure are posted to the inbox."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections import deque

import panto_host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import httpx

    Post = Callable[[int, str, bytes], None]

UNREAD_LIMIT = 1 << 20
JOIN_LIMIT = 1 << 16


class Http:
    """Requests by number. Methods are called by Lua's thread; everything else is the worker's.

    The worker imports httpx at the first call and keeps one client, whose connections live on.
    """

    def __init__(self, post: Post) -> None:
        self._post = post
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: deque[tuple[Callable[..., object], tuple[object, ...]]] = deque()
        self._streams: dict[int, _Stream] = {}
        self._client: httpx.AsyncClient | None = None
        threading.Thread(target=self._work, name="panto-http", daemon=True).start()

    def warm(self) -> None:
        """Makes sure the worker has everything loaded for the first request."""
        self._tell(self._get_client)

    def start(self, identity: int, spec: bytes, body: bytes) -> bool:
        """Begins a request; ``spec`` is the JSON of RUNTIME's contract. All failures are posted."""
        stream = _Stream(identity, self._post)
        self._streams[identity] = stream
        self._tell(self._begin, stream, spec, body)
        return True

    def cancel(self, identity: int) -> None:
        """Ends a request at whatever point it is; nothing of it is posted from now on."""
        stream = self._streams.pop(identity, None)
        if stream is not None:
            stream.silent = True
            self._tell(stream.stop)

    def resume(self, identity: int) -> None:
        """Says that all chunks were read; cheap unless the worker holds the request."""
        stream = self._streams.get(identity)
        if stream is not None:
            stream.taken = stream.posted
            if stream.held:
                self._tell(stream.released.set)

    def _tell(self, function: Callable[..., object], *arguments: object) -> None:
        with self._lock:
            if self._loop is None:
                self._waiting.append((function, arguments))
            else:
                self._loop.call_soon_threadsafe(function, *arguments)

    def _work(self) -> None:
        loop = asyncio.new_event_loop()
        loop.set_exception_handler(lambda *_: None)  # a lost connection is no news for stderr
        asyncio.set_event_loop(loop)
        with self._lock:
            for function, arguments in self._waiting:
                loop.call_soon(function, *arguments)
            self._waiting.clear()
            self._loop = loop
        loop.run_forever()

    def _get_client(self) -> httpx.AsyncClient:
        if self._client is None:
            import httpx

            self._client = httpx.AsyncClient(
                http2=True,
                timeout=None,
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
                headers={"user-agent": f"panto/{panto_host.__version__}"},
            )
        return self._client

    def _begin(self, stream: _Stream, spec: bytes, body: bytes) -> None:
        if not stream.silent:
            stream.task = asyncio.ensure_future(self._run(stream, spec, body))

    async def _run(self, stream: _Stream, spec: bytes, body: bytes) -> None:
        """Carries one request through; every way out is a post, or silence when cancelled."""
        place = "the server"
        try:
            client = self._get_client()
            request, place, idle = _build(client, json.loads(spec), body)
            stream.watch(idle)
            await self._exchange(stream, client, request)
            stream.flush()
            stream.send("end", b"")
        except BaseException as error:
            from panto_host.http_failure import classify

            stream.flush()
            failure = classify(error, place, stream.idle if stream.expired else 0)
            stream.send("fail", json.dumps(failure).encode())
        finally:
            stream.close()
            if self._streams.get(stream.identity) is stream:
                del self._streams[stream.identity]

    async def _exchange(
        self, stream: _Stream, client: httpx.AsyncClient, request: httpx.Request
    ) -> None:
        response = await client.send(request, stream=True)
        finished = False
        try:
            stream.send("head", _head(response))
            async for chunk in response.aiter_bytes():
                await stream.chunk(chunk)
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
            if not finished and response.http_version == "HTTP/2":
                if self._client is client:
                    self._client = None
                if len(self._streams) <= 1:
                    await client.aclose()


class _Stream:
    """One request's state between the two threads."""

    def __init__(self, identity: int, post: Post) -> None:
        self.identity = identity
        self.task: asyncio.Future[None] | None = None
        self.released = asyncio.Event()
        self.posted = self.taken = 0  # bytes; the first is the worker's, the second Lua's thread's
        self.held = self.silent = self.expired = False
        self.idle = 0.0
        self._post = post
        self._pieces: list[bytes] = []
        self._size = 0
        self._heard = 0.0
        self._watch: asyncio.TimerHandle | None = None

    def stop(self) -> None:
        if self.task is not None:
            self.task.cancel()

    def send(self, kind: str, data: bytes) -> None:
        self._heard = asyncio.get_event_loop().time()
        if not self.silent:
            self._post(self.identity, kind, data)

    async def chunk(self, data: bytes) -> None:
        """Posts bytes; what is at hand without waiting for the network goes as one piece."""
        if not self._pieces:
            asyncio.get_event_loop().call_soon(self.flush)
        self._pieces.append(data)
        self._size += len(data)
        if self._size >= JOIN_LIMIT:
            self.flush()
        if self.posted - self.taken >= UNREAD_LIMIT:
            await self._hold()

    def flush(self) -> None:
        data = b"".join(self._pieces)
        self._pieces.clear()
        self._size = 0
        if data:
            self.posted += len(data)
            self.send("chunk", data)

    async def _hold(self) -> None:
        self.released.clear()
        self.held = True
        try:
            if self.posted - self.taken >= UNREAD_LIMIT:
                await self.released.wait()
        finally:
            self.held = False
            self._heard = asyncio.get_event_loop().time()

    def watch(self, idle: float) -> None:
        """Ends the request when nothing arrives for ``idle`` seconds; 0 is for ever."""
        self.idle = idle
        self._heard = asyncio.get_event_loop().time()
        if idle > 0:
            self._look()

    def _look(self) -> None:
        loop = asyncio.get_event_loop()
        now = loop.time()
        left = self.idle if self.held else self._heard + self.idle - now
        if left <= 0:
            self.expired = True
            self.stop()
        else:
            self._watch = loop.call_at(now + left, self._look)

    def close(self) -> None:
        if self._watch is not None:
            self._watch.cancel()


def _build(
    client: httpx.AsyncClient, spec: dict[str, Any], body: bytes
) -> tuple[httpx.Request, str, float]:
    """Makes the request; also names the server for messages and gives the idle time in seconds."""
    import httpx

    url = httpx.URL(spec["url"])
    place = url.host + (f":{url.port}" if url.port else "")
    request = client.build_request(
        spec.get("method", "GET"),
        url,
        headers=[(name.encode(), value.encode()) for name, value in spec.get("headers", [])],
        content=body or None,
        timeout=httpx.Timeout(None, connect=spec.get("connect_timeout_ms", 30_000) / 1000),
    )
    return request, place, spec.get("idle_timeout_ms", 300_000) / 1000


def _head(response: httpx.Response) -> bytes:
    return json.dumps(
        {
            "status": response.status_code,
            "headers": response.headers.multi_items(),
            "http_version": response.http_version,
        }
    ).encode()
