"""A raw HTTP/1.1 server on loopback whose behaviour is named by the request's path."""

from __future__ import annotations

import asyncio
import gzip
import os
import socket
import struct
import threading
from collections.abc import Awaitable, Callable
from types import TracebackType

BLOB = os.urandom(300_000)

Behaviour = Callable[
    ["Loopback", bytes, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]
]


def chunk(data: bytes) -> bytes:
    """One piece of a chunked body."""
    return b"%x\r\n%s\r\n" % (len(data), data)


CHUNKED = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
)


class Loopback:
    """The server, in a thread of its own; `gone` counts clients that left, `there` who waits."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.heads: list[bytes] = []
        self.gone, self.there = threading.Semaphore(0), threading.Semaphore(0)
        self.connections = 0
        self.sent = 0
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Loopback:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._client, "127.0.0.1", 0, backlog=500)
        self.port = server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._ready.set()
        await self._stop.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.heads.append(head)
                size = 0
                for line in head.lower().split(b"\r\n"):
                    if line.startswith(b"content-length:"):
                        size = int(line.split(b":")[1])
                body = await reader.readexactly(size)
                self.bodies.append(body)
                name = head.split(b" ")[1].split(b"?")[0].strip(b"/").decode() or "hello"
                await BEHAVIOURS[name](self, body, reader, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


async def hello(_: Loopback, __: bytes, ___: asyncio.StreamReader, w: asyncio.StreamWriter) -> None:
    w.write(
        b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n\r\nhello"
    )


async def slow(_: Loopback, __: bytes, ___: asyncio.StreamReader, w: asyncio.StreamWriter) -> None:
    w.write(CHUNKED)
    for number in range(5):
        w.write(chunk(b"event %d\n" % number))
        await w.drain()
        await asyncio.sleep(0.05)
    w.write(b"0\r\n\r\n")


async def silent(
    s: Loopback, __: bytes, reader: asyncio.StreamReader, ___: asyncio.StreamWriter
) -> None:
    s.there.release()
    if await reader.read(1) == b"":
        s.gone.release()


async def stall(
    s: Loopback, _: bytes, reader: asyncio.StreamReader, w: asyncio.StreamWriter
) -> None:
    w.write(CHUNKED + chunk(b"first"))
    await silent(s, _, reader, w)


async def cut(_: Loopback, __: bytes, ___: asyncio.StreamReader, w: asyncio.StreamWriter) -> None:
    w.write(CHUNKED + chunk(b"half") + b"400\r\nnot all of it")
    await w.drain()
    raise ConnectionError


async def reset(_: Loopback, __: bytes, ___: asyncio.StreamReader, w: asyncio.StreamWriter) -> None:
    w.write(CHUNKED + chunk(b"half"))
    await w.drain()
    await asyncio.sleep(0.05)
    raw = w.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise ConnectionError


async def nothing(_: Loopback, __: bytes, ___: asyncio.StreamReader, ____: object) -> None:
    raise ConnectionError


async def garbage(
    _: Loopback, __: bytes, ___: asyncio.StreamReader, w: asyncio.StreamWriter
) -> None:
    w.write(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")


async def echo(
    _: Loopback, body: bytes, ___: asyncio.StreamReader, w: asyncio.StreamWriter
) -> None:
    w.write(b"HTTP/1.1 201 Created\r\ncontent-length: %d\r\n\r\n" % len(body) + body)


async def blob(_: Loopback, __: bytes, ___: asyncio.StreamReader, w: asyncio.StreamWriter) -> None:
    w.write(CHUNKED + b"".join(chunk(BLOB[at : at + 999]) for at in range(0, len(BLOB), 999)))
    w.write(b"0\r\n\r\n")


async def zipped(
    _: Loopback, __: bytes, ___: asyncio.StreamReader, w: asyncio.StreamWriter
) -> None:
    data = gzip.compress(BLOB)
    w.write(b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(data))
    w.write(data)


async def badzip(
    _: Loopback, __: bytes, ___: asyncio.StreamReader, w: asyncio.StreamWriter
) -> None:
    w.write(b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 6\r\n\r\nnozip!")


async def flood(s: Loopback, __: bytes, ___: asyncio.StreamReader, w: asyncio.StreamWriter) -> None:
    w.write(CHUNKED)
    for _ in range(2000):
        w.write(chunk(b"x" * 16_384))
        s.sent += 16_384
        await w.drain()
    w.write(b"0\r\n\r\n")


async def moved(_: Loopback, __: bytes, ___: asyncio.StreamReader, w: asyncio.StreamWriter) -> None:
    w.write(b"HTTP/1.1 302 Found\r\nlocation: /hello\r\ncontent-length: 0\r\n\r\n")


BEHAVIOURS: dict[str, Behaviour] = {
    function.__name__: function
    for function in (
        hello, slow, silent, stall, cut, reset, nothing, garbage, echo, blob, zipped, badzip,
        flood, moved,
    )
}  # fmt: skip
