"""What `panto local` fetches and builds, in small: a source on loopback, a pin, model and build."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import sys
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

from support.home import Home

PART = 100_000
TEMPLATE = (
    r"{%- if tools %}within <tool_call></tool_call> XML tags:\n<tool_call>\n"
    r"{{\"name\": <function-name>, \"arguments\": <args-json-object>}}\n</tool_call>"
    r"{{- '\n<tool_call>\n{' }}{{- '}\n</tool_call>' }}{{- '\n</tool_response>' }}"
)
CMAKE = """#!/bin/sh
# A build in small: configuring makes the folder, building waits while the file `hold` is there.
here=$(dirname "$0")
case "$1" in
--version) echo "cmake 0"; exit 0 ;;
-S) mkdir -p "$4"; cp "$2/server.py" "$4/server.py"; exit 0 ;;
esac
echo "[ 50%] Building CXX object server.cpp.o"
echo build >> "$here/builds"
while [ -e "$here/hold" ]; do sleep 0.05; done
[ -e "$here/full" ] && { echo "cc1plus: error: No space left on device"; exit 1; }
[ -e "$here/fails" ] && { echo "server.cpp:1: error: no"; exit 1; }
mkdir -p "$2/bin"
{ echo "#!@PYTHON@"; cat "$2/server.py"; } > "$2/bin/llama-server"
chmod +x "$2/bin/llama-server"
"""


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def gguf(template: str, size: int) -> bytes:
    """A model's file: a list of words, the template, and zeros that no two places share."""
    words = ["a", "bc", ""]
    fields = text("tokens") + struct.pack("<IIQ", 9, 8, len(words)) + b"".join(map(text, words))
    fields += text("layers") + struct.pack("<II", 4, 28)
    fields += text("tokenizer.chat_template") + struct.pack("<I", 8) + text(template)
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, 3) + fields
    filler = b"".join(struct.pack("<Q", i) for i in range(size // 8))
    return (head + filler)[:size]


def archive() -> bytes:
    """A source archive: the folder that is compiled, and one that is not wanted."""
    made = io.BytesIO()
    server = (Path(__file__).parent / "fake_llama_server.py").read_bytes()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for name, content in (("s-1/code/server.py", server), ("s-1/glue/x.py", b"unwanted")):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return made.getvalue()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Source:
    """Files on loopback HTTP: a context manager. `hold` stops a file after so many bytes."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files, self.ranges = files, list[tuple[str, str]]()
        self.hold: dict[str, int] = {}
        self.cut: dict[str, int] = {}  # once: the connection ends after so many bytes
        self.knows_ranges = True
        self.held, self.release = threading.Event(), threading.Event()
        source = self

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                source.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        """Send a file, or the rest of it; a name below /moved/ is told to be elsewhere."""
        path = request.path.lstrip("/")
        if path.startswith("moved/"):
            request.send_response(302)
            request.send_header("Location", "/" + path.removeprefix("moved/"))
            request.end_headers()
        elif path not in self.files:
            request.send_error(404)
        else:
            self._send(request, path)

    def _send(self, request: BaseHTTPRequestHandler, path: str) -> None:
        asked = request.headers.get("Range", "")
        self.ranges.append((path, asked))
        content = self.files[path]
        start = int(asked[6:-1]) if asked and self.knows_ranges else 0
        request.send_response(206 if start else 200)
        if start:
            request.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        request.send_header("Content-Length", str(len(content) - start))
        request.end_headers()
        stop = self.cut.pop(path, None) or self.hold.get(path) or len(content)
        request.wfile.write(content[start:stop])
        request.wfile.flush()
        if path in self.hold:
            self.held.set()
            self.release.wait(60)
        request.close_connection = True

    def __enter__(self) -> Source:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()


class Parts:
    """A home that would fetch from the source; `tools` is the folder of its fake cmake."""

    def __init__(self, home: Home, source: Source) -> None:
        self.home, self.source = home, source
        self.model = gguf(TEMPLATE, 5 * PART // 2)
        source.files |= {"model.gguf": self.model, "s-1.tar.gz": archive()}
        self.folder = home.data / "local"
        self.tools = home.root / "tools"
        self.tools.mkdir()
        self.tools.joinpath("cmake").write_text(CMAKE.replace("@PYTHON@", sys.executable))
        self.tools.joinpath("cmake").chmod(0o755)
        home.extra["PATH"] = f"{self.tools}:/usr/bin:/bin"
        home.extra["PANTO_LOCAL_PIN"] = str(home.root / "pin.toml")
        self.write_pin()

    def write_pin(self, **changes: Any) -> None:
        """Write the pin; `model_…` and `server_…` change one of its values."""
        files = self.source.files
        model = {
            "title": "A small model",
            "id": "small-model",
            "file": "model.gguf",
            "bytes": len(self.model),
            "sha256": sha256(self.model),
            "context_window": 4096,
            "memory_bytes": 1_000_000,
            "from": [{"kind": "url", "url": f"{self.source.url}/moved/model.gguf"}],
        }
        server = {
            "title": "A small server",
            "version": "1",
            "program": "bin/llama-server",
            "file": "s-1.tar.gz",
            "bytes": len(files["s-1.tar.gz"]),
            "sha256": sha256(files["s-1.tar.gz"]),
            "root": "s-1/code",
            "build_bytes": 1000,
            "minutes": "a moment",
            "configure": ["-DX=1"],
            "target": "llama-server",
            "arguments": ["--jinja"],
            "from": [{"kind": "url", "url": f"{self.source.url}/s-1.tar.gz"}],
        }
        cmake = changes.pop("cmake", None)
        for name, value in changes.items():
            table, _, key = name.partition("_")
            {"model": model, "server": server}[table][key] = value
        lines = []
        tables = {"model": model, "server": server} | ({"cmake": cmake} if cmake else {})
        for name, table in tables.items():
            lines += [f"[{name}]", *(f"{key} = {toml(value)}" for key, value in table.items())]
        Path(self.home.extra["PANTO_LOCAL_PIN"]).write_text("\n".join(lines) + "\n")

    def hide_cmake(self, folder: Path) -> None:
        """Have all programs but cmake on PATH."""
        folder.mkdir()
        for path in Path("/usr/bin").iterdir():
            if path.name != "cmake":
                (folder / path.name).symlink_to(path)
        self.home.extra["PATH"] = str(folder)

    def cmake_wheel(self, folder: Path) -> dict[str, Any]:
        """Write the fake cmake as a wheel into a folder, and tell of it as the pin does."""
        folder.mkdir()
        path = folder / "tiny_cmake-1-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            program = zipfile.ZipInfo("data/cmake")
            program.external_attr = 0o100755 << 16
            wheel.writestr(program, (self.tools / "cmake").read_bytes())
            self._describe(wheel, "tiny_cmake")
        self.home.extra |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder)}
        self.home.extra |= {"PIP_CONFIG_FILE": "/dev/null"}
        pinned = ["0" * 64, sha256(path.read_bytes())]
        return {"package": "tiny-cmake==1", "program": "data/cmake", "sha256": pinned}

    def _describe(self, wheel: zipfile.ZipFile, name: str) -> None:
        about = f"{name}-1.dist-info"
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n"
        wheel.writestr(f"{about}/METADATA", metadata)
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")

    def wheels(self, folder: Path) -> list[dict[str, Any]]:
        """Write the model as wheels into a folder, and tell of them as the pin does."""
        folder.mkdir()
        parts = []
        for i, start in enumerate(range(0, len(self.model), PART)):
            content = self.model[start : start + PART]
            name = f"tiny_part{i}"
            path = folder / f"{name}-1-py3-none-any.whl"
            with zipfile.ZipFile(path, "w") as wheel:
                wheel.writestr(f"{name}/data.bin", content)
                self._describe(wheel, name)
            parts.append(
                {
                    "package": f"tiny-part{i}==1",
                    "member": f"{name}/data.bin",
                    "bytes": len(content),
                    "sha256": sha256(path.read_bytes()),
                }
            )
        self.home.extra |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder)}
        self.home.extra |= {"PIP_CONFIG_FILE": "/dev/null"}
        return parts


def toml(value: Any) -> str:
    """A value as TOML writes it: tables inline."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)
