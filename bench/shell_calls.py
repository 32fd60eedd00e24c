"""Twenty shell calls: from the last byte of a response to the arrival of the next request.

`python bench/shell_calls.py [RUNS]` measures it in a session of 10 and of 1,000 messages; the
floor is a bare Python loop that starts the same shell and asks over one raw socket; another asks
over httpx and makes two records durable, as an agent does that loses nothing.
"""

from __future__ import annotations

import itertools
import statistics
import subprocess
import tempfile
from pathlib import Path

import options
from chat_events import call_events, text_events
from checkout import PYTHON, Home
from model_server import Answer, ModelServer
from panto_run import panto_run
from row import Row, median_row, percentile
from session_file import IDENTITY, place_of, small_message, write_session

CALLS = 20
BARE_LOOP = """
import socket, subprocess, sys
connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
said = b"go"
for _ in range(int(sys.argv[2])):
    connection.sendall(b"POST / HTTP/1.1\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(said), said))
    seen = b""
    while not seen.endswith(b"\\r\\n0\\r\\n\\r\\n"):
        seen += connection.recv(65536)
    said += subprocess.run(["bash", "-c", "echo hi"], stdout=subprocess.PIPE).stdout
"""

DURABLE_LOOP = """
import httpx, os, subprocess, sys, tempfile
client, said, file = httpx.Client(), b"go", tempfile.TemporaryFile(buffering=0)
def keep(record):
    file.write(record)
    os.fsync(file.fileno())
for _ in range(int(sys.argv[2])):
    with client.stream("POST", f"http://127.0.0.1:{sys.argv[1]}/v1", content=said) as answer:
        keep(b"".join(answer.iter_bytes()))
    said += subprocess.run(["bash", "-c", "echo hi"], stdout=subprocess.PIPE).stdout
    keep(said)
"""


def answers() -> list[Answer]:
    """Twenty calls, each other than the one before, then a word."""
    calls = [
        Answer(call_events(f"call_{n}", "std_shell", {"command": "echo hi", "timeout_s": 60 + n}))
        for n in range(CALLS)
    ]
    return [*calls, Answer(text_events(["done"]))]


def gaps(server: ModelServer) -> tuple[list[float], int]:
    """The milliseconds between the exchanges of one run; the size of the last request."""
    seen = [server.exchange() for _ in range(CALLS + 1)]
    pairs = itertools.pairwise(seen)
    return [(after.arrived - before.answered) * 1000 for before, after in pairs], seen[-1].size


def of_panto(home: Home, messages: int) -> tuple[list[float], float, int]:
    """One run in a session of so many messages: the gaps, CPU, the last request's size."""
    with ModelServer(answers()) as server:
        home.use_provider(server.url)
        models = home.config / "models.toml"
        models.write_text(models.read_text().replace("100000", "1000000"))
        write_session(place_of(home), home.work, messages, message=small_message)
        run = panto_run(home, ["--resume", IDENTITY, "go"])
        found, size = gaps(server)
        return found, run.cpu_s * 1000, size


def of_loop(program: str) -> list[float]:
    """One run of a floor."""
    with ModelServer(answers()) as server:
        port = server.url.split(":")[2].split("/")[0]
        subprocess.run([PYTHON, "-c", program, port, str(CALLS + 1)], check=True)
        return gaps(server)[0]


def measure(runs: int) -> list[Row]:
    """The rows of this group."""
    found: dict[int, list[float]] = {10: [], 1000: []}
    cpu: dict[int, list[float]] = {10: [], 1000: []}
    sizes, bare, durable = {}, [], []
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "h")
        of_panto(home, 10)  # compiled files are kept from the first
        for _ in range(runs):
            bare += of_loop(BARE_LOOP)
            durable += of_loop(DURABLE_LOOP)
            for messages, list_ in found.items():
                one, spent, sizes[messages] = of_panto(home, messages)
                list_ += one
                cpu[messages].append(spent)
    floor = {"floor": "bare loop", "floor_value": statistics.median(bare)}
    rows = [
        median_row("shell", "bare loop of 20 shell calls, gap", bare, "ms"),
        median_row("shell", "bare loop, httpx, two fsyncs, gap", durable, "ms", **floor),
    ]
    for messages, bar in ((10, 4), (1000, 6)):
        gap, name = found[messages], f"20 shell calls at {messages:,} messages"
        row = median_row("shell", f"{name}, gap", gap, "ms", at_most=bar, **floor)
        row.note = f"the last request has {sizes[messages] / 1000:.0f} KB"
        rows.append(row)
        if messages == 10:
            p90 = percentile(gap, 0.9)
            rows.append(Row("shell", f"{name}, gap p90", p90, "ms", at_most=6, runs=len(gap)))
        rows.append(median_row("shell", f"{name}, CPU of all", cpu[messages], "ms"))
    return rows


if __name__ == "__main__":
    options.main(measure, 5)
