"""A llama.cpp server with the pinned small coder model on loopback, if both are on this machine.

PANTO_LOCAL_MODEL names the GGUF file, PANTO_LLAMA_SERVER the server; without them those count that
`panto local` has brought into the user's data home. PANTO_LOCAL_THREADS: 2 when left out; 1 on a
machine that is busy.
"""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import time
import tomllib
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType

from support.gguf import fenced_template, read_text
from support.home import REPO

PIN = tomllib.loads((REPO / "rocks" / "local.toml").read_text())
SHA256 = PIN["model"]["sha256"]
BROUGHT = Path.home() / ".local" / "share" / "panto" / "local"
MODEL = Path(os.environ.get("PANTO_LOCAL_MODEL") or BROUGHT / PIN["model"]["file"])
SERVER = Path(
    os.environ.get("PANTO_LLAMA_SERVER") or BROUGHT / f"llama-server-{PIN['server']['version']}"
)
THREADS = os.environ.get("PANTO_LOCAL_THREADS") or "2"
START_S = 240


def missing() -> str | None:
    """Say what of the two is not there, or is another model."""
    for variable, path in (("PANTO_LOCAL_MODEL", MODEL), ("PANTO_LLAMA_SERVER", SERVER)):
        if not path.is_file():
            return f"{path} is missing (set {variable})"
    with MODEL.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    return None if found == SHA256 else f"{MODEL} is another model: its sha256 is {found}"


class LocalModel:
    """The server: a context manager; `url` is a base_url of all three styles."""

    def __init__(self, folder: Path) -> None:
        """Take the folder for the template and the server's log."""
        self.log = folder / "server.log"
        self._template = folder / "template.jinja"
        self._template.write_text(fenced_template(read_text(MODEL, "tokenizer.chat_template")))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    @property
    def url(self) -> str:
        """The base_url, with /v1."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> LocalModel:
        """Start it and wait until it has loaded the model."""
        with self.log.open("wb") as log:
            self.child = subprocess.Popen(
                [SERVER, "-m", MODEL, "--host", "127.0.0.1", "--port", str(self.port),
                 "-c", "8192", "-t", THREADS, "-np", "1", "--temp", "0", "--seed", "1",
                 "--jinja", "--no-webui", "--offline", "--chat-template-file", self._template],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        end = time.monotonic() + START_S
        while time.monotonic() < end and self.child.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).close()
                return self
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)
        self.__exit__(None, None, None)
        raise AssertionError(f"llama-server did not come up:\n{self.log.read_text()[-3000:]}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it."""
        self.child.terminate()
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait(10)
