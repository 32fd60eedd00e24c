"""A rocks server of our own: a folder of source rocks, served as a folder or over loopback HTTP."""

from __future__ import annotations

import io
import ssl
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

C_MODULE = """
#include <lua.h>
#include <lauxlib.h>
static int hello(lua_State *L) {{ lua_pushliteral(L, "hello from C"); return 1; }}
static const luaL_Reg functions[] = {{ {{ "hello", hello }}, {{ NULL, NULL }} }};
int luaopen_{name}(lua_State *L) {{ luaL_newlib(L, functions); return 1; }}
"""


class RockServer:
    """Rocks in a folder; `add` may be called while it is served."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rocks: dict[str, list[str]] = {}
        folder.mkdir(parents=True)

    def add(self, name: str, version: str, files: dict[str, str | bytes], build: str) -> None:
        """Packs a source rock; `build` is what stands in the rockspec's table of that name."""
        root = f"{name}-{version.rpartition('-')[0]}"
        tar_bytes = io.BytesIO()
        with tarfile.open(fileobj=tar_bytes, mode="w:gz") as tar:
            for path, content in files.items():
                data = content.encode() if isinstance(content, str) else content
                info = tarfile.TarInfo(f"{root}/{path}")
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        rockspec = (
            f'package = "{name}"\nversion = "{version}"\n'
            f'source = {{ url = "file://{root}.tar.gz", dir = "{root}" }}\n'
            f'description = {{ summary = "The {name} of a test." }}\n'
            f'build = {{ type = "builtin", {build} }}\n'
        )
        with zipfile.ZipFile(self.folder / f"{name}-{version}.src.rock", "w") as rock:
            rock.writestr(f"{name}-{version}.rockspec", rockspec)
            rock.writestr(f"{root}.tar.gz", tar_bytes.getvalue())
        self.rocks.setdefault(name, []).append(version)
        self._write_manifest()

    def add_c(self, name: str, version: str = "1.0-1") -> None:
        """Adds a rock with a C module, `hello()`, and a script, NAME-say."""
        files: dict[str, str | bytes] = {
            f"{name}.c": C_MODULE.format(name=name),
            f"{name}-say": f'print(require("{name}").hello(), ...)\n',
        }
        build = (
            f'modules = {{ {name} = {{ "{name}.c" }} }}, install = {{ bin = {{ "{name}-say" }} }}'
        )
        self.add(name, version, files, build)

    def add_lua(self, name: str, version: str, source: str) -> None:
        """Adds a rock with one Lua module of its own name."""
        module = name.replace("-", "_")
        self.add(
            name, version, {f"{module}.lua": source}, f'modules = {{ {module} = "{module}.lua" }}'
        )

    def _write_manifest(self) -> None:
        lines = []
        for name, versions in self.rocks.items():
            items = "".join(f'["{version}"] = {{ {{ arch = "src" }} }}, ' for version in versions)
            lines.append(f'["{name}"] = {{ {items} }},\n')
        text = "commands = {} modules = {}\nrepository = {\n" + "".join(lines) + "}\n"
        (self.folder / "manifest-5.4").write_text(text)

    @contextmanager
    def serve(self, certificate: Path | None = None) -> Iterator[str]:
        """Serves the folder on loopback; with a certificate (and key in the same file) as https."""
        handler = partial(_Quiet, directory=str(self.folder))
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            if certificate:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(certificate)
                server.socket = context.wrap_socket(server.socket, server_side=True)
            thread = threading.Thread(target=server.serve_forever, daemon=True)
            thread.start()
            scheme = "https" if certificate else "http"
            yield f"{scheme}://127.0.0.1:{server.server_address[1]}"
            server.shutdown()
            thread.join()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Says nothing."""
