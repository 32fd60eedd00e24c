"""A stand-in for llama.cpp's server: a health page, and one answer to every question.

What it does is told by files beside itself: `slow` delays its readiness, `broken` ends it at once,
`stolen` has another server, which writes its process's number there, take the port of the next.
"""

import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(sys.argv[0]).parent
STARTED = time.monotonic()


class Answers(BaseHTTPRequestHandler):
    """Says "from here" and ends."""

    def do_GET(self) -> None:
        """Tell whether the model is loaded: a second after the start when it is slow."""
        is_ready = time.monotonic() - STARTED > (1 if (HERE / "slow").exists() else 0)
        self.send_response(200 if is_ready else 503)
        self.end_headers()
        self.wfile.write(json.dumps({"data": [{"id": words.get("-a")}]}).encode())

    def do_POST(self) -> None:
        """Answer one request of the chat style."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        delta = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "from here"}}]}
        end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        for event in (delta, end):
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_: object) -> None:
        """Stay silent."""


if "--version" in sys.argv:
    sys.exit(0)
if (HERE / "broken").exists():
    sys.exit("the model's file is damaged")
words = dict(zip(sys.argv[1:], sys.argv[2:], strict=False))
with (HERE / "started").open("a") as file:
    file.write(f"{' '.join(sys.argv[1:])}\n")
assert "```json" in Path(words["--chat-template-file"]).read_text()
server = ThreadingHTTPServer(("127.0.0.1", int(words["--port"])), Answers)
stolen = HERE / "stolen"
if stolen.exists() and not stolen.read_text():
    if os.fork():
        server.socket.close()
        time.sleep(1)  # long enough that the other one is asked
        sys.exit("the address is in use")
    os.setsid()
    words["-a"] = "another"
    null = os.open("/dev/null", os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    threading.Timer(100, os._exit, [1]).start()
    stolen.write_text(str(os.getpid()))
server.serve_forever()
