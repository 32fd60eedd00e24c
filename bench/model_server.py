"""A model server on loopback in a process of its own, so that the measured program's watcher and
the server do not wait for each other; it tells when each request came and each answer ended.

    with ModelServer([Answer(text_events(["hi"]))]) as server: server.url, server.exchange()
"""

from __future__ import annotations

import multiprocessing
import socket
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import TracebackType

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)


@dataclass
class Answer:
    """The events of one answer; with `over_s` they are spread over so many seconds."""

    events: Sequence[bytes]
    over_s: float = 0


@dataclass
class Exchange:
    """Moments of the monotonic clock, the same in every process."""

    began: float  # the request's first byte was there
    arrived: float  # its last byte was
    answered: float  # the answer's last byte was about to be sent
    size: int  # of the request's body


class ModelServer:
    """The server: a context manager. Answers are given in order, over any connections."""

    def __init__(self, answers: Iterable[Answer], tells: bool = True) -> None:
        """Listen at once; serve from `with` on. A pipe holds some hundred exchanges, no more."""
        self.tells = tells
        self.answers = list(answers)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/v1"
        self.told, self._tell = multiprocessing.Pipe(duplex=False)
        context = multiprocessing.get_context("fork")
        self.process = context.Process(target=self._serve, daemon=True)

    def exchange(self, timeout_s: float = 60) -> Exchange:
        """The next exchange that has ended; fails when none does in time."""
        if not self.told.poll(timeout_s):
            raise SystemExit(f"no request was answered within {timeout_s} s")
        found: Exchange = self.told.recv()
        return found

    def forget(self) -> None:
        """Pass over the exchanges that have ended by now."""
        while self.told.poll(0):
            self.told.recv()

    def __enter__(self) -> ModelServer:
        """Start to serve."""
        self.process.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self.listener.close()

    def _serve(self) -> None:
        lock, waiting = threading.Lock(), iter(self.answers)
        while True:
            connection, _ = self.listener.accept()
            words = (connection, lock, waiting, self._tell if self.tells else None)
            threading.Thread(target=_answer_all, args=words, daemon=True).start()


def _answer_all(
    connection: socket.socket,
    lock: threading.Lock,
    waiting: Iterable[Answer],
    tell: Connection | None,
) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while request := _read_request(connection):
        with lock:
            answer = next(iter(waiting), None)
        if answer is None:
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            continue
        try:
            answered = _send(connection, answer)
        except OSError:
            return
        began, arrived, size = request
        if tell is None:
            continue
        with lock:
            tell.send(Exchange(began, arrived, answered, size))


def _read_request(connection: socket.socket) -> tuple[float, float, int] | None:
    try:
        seen = connection.recv(262144)
        began = time.monotonic()
        while seen and b"\r\n\r\n" not in seen:
            seen += connection.recv(262144)
        if not seen:
            return None
        head, body = seen.split(b"\r\n\r\n", 1)
        size = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        left = size - len(body)
        while left > 0:
            left -= len(connection.recv(1048576))
    except OSError:
        return None
    return began, time.monotonic(), size


# Each event is a write of its own, as a model's server sends it; a short answer goes in one.
def _send(connection: socket.socket, answer: Answer) -> float:
    chunks = [b"%x\r\n%s\r\n" % (len(item), item) for item in answer.events]
    if len(chunks) < 10 and not answer.over_s:
        answered = time.monotonic()
        connection.sendall(HEAD + b"".join(chunks) + b"0\r\n\r\n")
        return answered
    connection.sendall(HEAD)
    start = time.monotonic()
    for index, chunk in enumerate(chunks):
        if answer.over_s:
            wait = start + answer.over_s * index / len(chunks) - time.monotonic()
            if wait > 0:
                time.sleep(wait)
        connection.sendall(chunk)
    answered = time.monotonic()
    connection.sendall(b"0\r\n\r\n")
    return answered
