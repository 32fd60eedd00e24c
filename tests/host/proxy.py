"""An HTTP proxy on loopback that keeps what it was asked, and opens tunnels where it is told to."""

from __future__ import annotations

import base64
import contextlib
import socket
import threading
from types import TracebackType

BODY = b"from the proxy"


class Proxy:
    """The proxy: a context manager; `asked` are the first lines that came, `keys` who asked."""

    def __init__(self, *, tunnel_to: int | None = None, account: str | None = None) -> None:
        """Take the loopback port that every tunnel leads to, and the account that it wants."""
        self.asked: list[str] = []
        self.tunnel_to, self.account = tunnel_to, account
        self._server = socket.create_server(("127.0.0.1", 0))

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.getsockname()[1])

    @property
    def url(self) -> str:
        """Its address, with the account."""
        account = f"{self.account}@" if self.account else ""
        return f"http://{account}127.0.0.1:{self.port}"

    def __enter__(self) -> Proxy:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._server.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client:
            client.settimeout(30)
            head = b""
            while b"\r\n\r\n" not in head:
                piece = client.recv(65536)
                if not piece:
                    return
                head += piece
            self.asked.append(head.split(b"\r\n")[0].decode())
            if self.account and base64.b64encode(self.account.encode()) not in head:
                client.sendall(b"HTTP/1.1 407 Who Are You\r\ncontent-length: 0\r\n\r\n")
            elif not head.startswith(b"CONNECT"):
                size = b"content-length: %d" % len(BODY)
                client.sendall(b"HTTP/1.1 200 OK\r\nconnection: close\r\n%s\r\n\r\n" % size + BODY)
            elif self.tunnel_to is None:
                client.sendall(b"HTTP/1.1 403 Not There\r\ncontent-length: 0\r\n\r\n")
            else:
                client.sendall(b"HTTP/1.1 200 Go On\r\n\r\n")
                self._join(client, self.tunnel_to)

    def _join(self, client: socket.socket, port: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as server:
            back = threading.Thread(target=_pump, args=(server, client), daemon=True)
            back.start()
            _pump(client, server)
            back.join(10)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
