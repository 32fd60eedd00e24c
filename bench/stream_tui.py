"""What a stream of 20,000 deltas of Markdown costs the real program in a terminal.

`python bench/stream_tui.py [flat|paced|both]` prints a table: CPU of the whole process, time from
the first byte of the answer to its last word on the terminal, bytes written, key echo, memory.
"""

from __future__ import annotations

import json
import os
import select
import socket
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import ptyprocess

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.home import PANTO, Home  # noqa: E402

DELTAS, PACED_S = 20_000, 20.0
END = "finis"
TICKS = os.sysconf("SC_CLK_TCK")
CODE = """\
```python
def walk(tree: dict[str, int], depth: int = 0) -> list[str]:
    # every name with its depth, the deepest first
    names = [f"{name}:{depth}" for name in sorted(tree)]
    if depth > 12 and not names:
        raise ValueError("too deep")
    return names
```
"""
PART = f"""\
## Part {{n}}

The **scanner** reads `line {{n}}` and hands it on; what was *settled* is never drawn again. A long
paragraph wraps at words, whatever the width of the window is, and stays as it was written.

- one item with `code` and a [link](https://example.com/{{n}})
- another with **bold words** and a longer text that has to be wrapped somewhere near its end
  1. nested, with a number

{CODE}
| name | value | note |
| --- | ---: | --- |
| alpha | {{n}} | first |
| beta | 17 | *second* |

> A quotation of one line.

"""


def deltas() -> list[str]:
    """Give the answer in pieces of three or four letters, as models send it."""
    pieces: list[str] = []
    number = 0
    while len(pieces) < DELTAS - 1:
        number += 1
        text = PART.replace("{n}", str(number))
        pieces += [text[at : at + 4] for at in range(0, len(text), 4)]
    return [*pieces[: DELTAS - 2], "\n```\n\n", END]


def events(pieces: list[str]) -> list[bytes]:
    """Make each piece an event of a chat completion."""
    base = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": "m",
        "system_fingerprint": "fp_0123456789",
    }
    made = []
    for piece in [*pieces, None]:
        delta = {} if piece is None else {"content": piece}
        finish = "stop" if piece is None else None
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        made.append(b"data: " + json.dumps({**base, "choices": [choice]}).encode() + b"\n\n")
    return [*made, b"data: [DONE]\n\n"]


def serve(listener: socket.socket, bodies: list[bytes], paced: bool) -> None:
    """Answer one request with the events, as fast as they go or spread over PACED_S."""
    connection, _ = listener.accept()
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(65536)
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        body = len(head.split(b"\r\n\r\n", 1)[1])
        while body < length:
            body += len(connection.recv(65536))
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        start = time.monotonic()
        for index, event in enumerate(bodies):
            if paced:
                wait = start + PACED_S * index / len(bodies) - time.monotonic()
                if wait > 0:
                    time.sleep(wait)
            connection.sendall(b"%x\r\n%s\r\n" % (len(event), event))
        connection.sendall(b"0\r\n\r\n")
        time.sleep(0.5)


@dataclass
class Watch:
    """The terminal's side: what the program wrote, and how long its key echoes took."""

    child: ptyprocess.PtyProcess
    written: int = 0
    tail: bytes = b""
    echoes: list[float] = field(default_factory=list)

    def read(self, timeout_s: float) -> bytes:
        """Read what is there now or comes within the time."""
        if not select.select([self.child.fd], [], [], timeout_s)[0]:
            return b""
        data = os.read(self.child.fd, 65536)
        self.written += len(data)
        self.tail = (self.tail + data)[-200_000:]
        return data

    def until(self, wanted: bytes, timeout_s: float) -> None:
        """Read until a text has come."""
        end = time.monotonic() + timeout_s
        while wanted not in self.tail:
            if time.monotonic() > end:
                raise SystemExit(f"{wanted!r} never came: {self.tail[-2000:]!r}")
            self.read(0.5)

    def echo(self, key: bytes) -> None:
        """Press a key and measure until it stands in what is written."""
        start = time.monotonic()
        self.child.write(key)
        while key not in self.read(1.0):
            if time.monotonic() - start > 1:
                return
        self.echoes.append((time.monotonic() - start) * 1000)


def cpu_s(stat: Path) -> float:
    """The CPU time of a process (all threads) or of one thread, user and system."""
    fields = stat.read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def rss_mb(pid: int) -> float:
    """The memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6


def measure(paced: bool) -> dict[str, float]:
    """Run the program once and return its figures."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        home = Home(Path(folder) / "h")
        home.use_provider(f"http://127.0.0.1:{server.getsockname()[1]}/v1")
        if extension := os.environ.get("BENCH_EXTENSION"):  # to profile from inside
            (home.config / "extensions").mkdir()
            (home.config / "extensions" / "bench.lua").write_text(Path(extension).read_text())
        serving = threading.Thread(
            target=serve, args=(server, events(deltas()), paced), daemon=True
        )
        serving.start()
        env = {**home.full_env(), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        child = ptyprocess.PtyProcess.spawn(
            [str(PANTO)], cwd=str(home.work), env=env, dimensions=(40, 120)
        )
        watch = Watch(child)
        watch.until("›".encode(), 10)
        while watch.read(0.5):
            pass
        place = Path(f"/proc/{child.pid}")
        main = place / "task" / str(child.pid) / "stat"
        start_cpu, start_rss, watch.written = cpu_s(place / "stat"), rss_mb(child.pid), 0
        start_main = cpu_s(main)
        child.write(b"go\r")
        if hook := os.environ.get("BENCH_HOOK"):
            os.system(hook.replace("PID", str(child.pid)) + " &")
        start, next_key = time.monotonic(), time.monotonic() + 1
        while END.encode() not in watch.tail and time.monotonic() - start < 90:
            watch.read(0.05)
            if paced and time.monotonic() > next_key:
                watch.echo(b"xq"[len(watch.echoes) % 2 :][:1])
                next_key = time.monotonic() + 0.15
        wall = time.monotonic() - start
        time.sleep(0.3)
        result = {
            "wall s": wall,
            "cpu s": cpu_s(place / "stat") - start_cpu,
            "main thread": cpu_s(main) - start_main,
            "with start": cpu_s(place / "stat"),
            "KB written": watch.written / 1000,
            "rss MB": rss_mb(child.pid),
            "rss grew": rss_mb(child.pid) - start_rss,
        }
        if watch.echoes:
            ordered = sorted(watch.echoes)
            result["echo ms"] = statistics.median(ordered)
            result["echo p99"] = ordered[int(len(ordered) * 0.99)]
        child.close(force=True)
        return result


def floor_ms() -> float:
    """CPU of decoding the same events with Python's json: how fast the machine is just now."""
    bodies = [event[6:] for event in events(deltas())[:-1]]
    start = time.process_time()
    for body in bodies:
        json.loads(body)
    return (time.process_time() - start) * 1000


def main() -> None:
    """Measure what is asked for and print the table."""
    print(f"json.loads of all events: {floor_ms():.0f} ms CPU (77 on a quiet machine)")
    wanted = sys.argv[1] if len(sys.argv) > 1 else "both"
    for name in ("flat", "paced"):
        if wanted in (name, "both"):
            figures = measure(name == "paced")
            print(f"{name:6}", "  ".join(f"{key} {value:.2f}" for key, value in figures.items()))


if __name__ == "__main__":
    main()
