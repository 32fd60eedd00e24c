"""Chunks of an HTTP/1.1 body that came together are one piece; all else is as h11 reads it."""

from __future__ import annotations

import random
import subprocess
import sys

import h11
import pytest
from panto_host import http_chunks

HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def connection(reader: type[h11._readers.ChunkedReader]) -> h11.Connection:
    """A client that has asked and got the head of a chunked answer."""
    made = h11.Connection(h11.CLIENT)
    made.send(h11.Request(method="GET", target="/", headers=[("host", "h")]))
    made.send(h11.EndOfMessage())
    made.receive_data(HEAD)
    assert isinstance(made.next_event(), h11.Response)
    made._reader = reader()
    return made


def read(reader: type[h11._readers.ChunkedReader], pieces: list[bytes]) -> list[object]:
    """The data of each event, and the kind of the one that ends the body."""
    found: list[object] = []
    client = connection(reader)
    for piece in pieces:
        client.receive_data(piece)
        while True:
            try:
                event = client.next_event()
            except h11.RemoteProtocolError:
                return [*found, "broken"]
            if event in (h11.NEED_DATA, h11.PAUSED):
                break
            found.append(bytes(event.data) if isinstance(event, h11.Data) else type(event).__name__)
            if isinstance(event, h11.EndOfMessage):
                return found
    return found


def body_of(found: list[object]) -> tuple[bytes, object]:
    """All data, and how it ended."""
    ended = found[-1] if found and isinstance(found[-1], str) else None
    return b"".join(piece for piece in found if isinstance(piece, bytes)), ended


def test_what_came_together_is_one_piece() -> None:
    bodies = [b"data: %d\n\n" % number for number in range(2000)]
    wire = b"".join(b"%x\r\n%s\r\n" % (len(body), body) for body in bodies)
    assert read(http_chunks.JoiningReader, [wire]) == [b"".join(bodies)]
    half = read(http_chunks.JoiningReader, [wire[:501], wire[501:]])
    assert b"".join(half) == b"".join(bodies)  # type: ignore[arg-type]
    assert len(half) <= 4


@pytest.mark.parametrize("seed", range(200))
def test_wherever_it_is_cut_it_says_what_h11_says(seed: int) -> None:
    dice = random.Random(seed)
    wire = b""
    for _ in range(dice.randint(0, 12)):
        body = bytes(dice.choice(b"\r\n0a1;f ") for _ in range(dice.randint(1, 40)))
        size = dice.choice([b"%x", b"%X", b"0%x"]) % len(body)
        wire += size + dice.choice([b"", b"", b"", b";name=value", b" "]) + b"\r\n" + body + b"\r\n"
    wire += dice.choice([b"0\r\n\r\n", b"0\r\nx: y\r\n\r\n", b"", b"zz\r\n", b"+1\r\na\r\n"])
    if dice.random() < 0.3:
        at = dice.randint(0, len(wire))
        wire = wire[:at] + dice.choice([b"\r", b"\n", b"0", b"x", b"-"]) + wire[at + 1 :]
    cuts = sorted(dice.randint(0, len(wire)) for _ in range(dice.randint(0, 8)))
    pieces = [wire[a:b] for a, b in zip([0, *cuts], [*cuts, len(wire)], strict=True) if a < b]
    expected = body_of(read(h11._readers.ChunkedReader, pieces))
    assert body_of(read(http_chunks.JoiningReader, pieces)) == expected


def test_every_connection_reads_so() -> None:
    readers = h11._readers.READERS[h11.SEND_BODY]
    assert isinstance(readers, dict)
    assert readers["chunked"] is http_chunks.JoiningReader


@pytest.mark.parametrize(
    "code",
    [
        "import h11._readers as r; del r.ChunkedReader",
        "import h11._readers as r; r.READERS.clear()",
        "import h11._readers as r; r.ChunkedReader.__call__ = lambda self, buf: None",
        "import sys, h11; sys.modules['h11._receivebuffer'] = None",
    ],
)
def test_an_h11_of_other_parts_is_left_as_it_is(code: str) -> None:
    code += """
import h11._readers as r
before = dict(r.READERS.get("x", {}), **(r.READERS.get(__import__("h11").SEND_BODY, {})))
import panto_host.http
assert (r.READERS.get(__import__("h11").SEND_BODY) or {}).get("chunked") is before.get("chunked")
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_without_the_library_every_request_fails() -> None:
    code = """
import json, os, sys, time
sys.modules["httpcore"] = None
from panto_host.host import Host
from panto_host.paths import Paths
host = Host(Paths(os.environ), [])
def wait():
    deadline = time.monotonic() + 30
    while not (found := host._inbox.next()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return found
host.tell_http("warm", b"https:")
for number in (1, 2, 3):
    host.tell_http("start", number, b"{}", b"")
    if number > 1:
        identity, kind, data, _ = wait()
        assert (kind, json.loads(data)["kind"]) == ("fail", "invalid"), data
        assert "HTTP cannot be loaded" in json.loads(data)["message"]
host.tell_http("cancel", 1)
assert wait()[1] == "fail"
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
