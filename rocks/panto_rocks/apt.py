"""Turns a Debian source package's name into its upstream archive, by the machine's own apt."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator

from panto_host.rocks import read

from panto_rocks.fetch import Table, run_client

SETTINGS = """\
Dir::State "{home}";
Dir::State::lists "{home}/lists";
Dir::Cache "{home}/cache";
Dir::Etc::SourceList "{home}/panto.sources";
Dir::Etc::SourceParts "-";
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "0";
Acquire::http::Timeout "10";
Acquire::https::Timeout "10";
"""


class Apt:
    """A private apt beside the system's: one suite, source packages only, its lists fetched once.

    The system's own lists, sources and cache are neither needed nor touched, so no root is needed.
    """

    def __init__(self, suite: str, home: str) -> None:
        self.suite, self.home = suite, home
        self.env = {"APT_CONFIG": f"{home}/apt.conf"}
        self.lock = threading.Lock()
        self.failure: str | None = None

    def fetch(self, one: Table, place: str) -> str:
        """Downloads a source package's archive into a folder; answers "" or why it failed.

        A 404 on a part that nobody needs fails apt although the archive came: look at the file.
        """
        words = ["apt-get", "-qq", "source", "--download-only", "--tar-only", one["package"]]
        with self.lock:
            if self.failure is None:
                self.failure = self._update()
            return self.failure or run_client(words, place, self.env)

    def _update(self) -> str:
        uri, key = next(_mirrors(), ("", ""))
        if not uri:
            return "apt has no mirror here"
        for name in ("lists/partial", "cache/archives/partial"):
            os.makedirs(os.path.join(self.home, name), exist_ok=True)
        entry = f"Types: deb-src\nURIs: {uri}\nSuites: {self.suite}\nComponents: main\n"
        with open(f"{self.home}/panto.sources", "w", encoding="utf-8") as file:
            file.write(entry + (f"Signed-By: {key}\n" if key else ""))
        with open(f"{self.home}/apt.conf", "w", encoding="utf-8") as file:
            file.write(SETTINGS.format(home=self.home))
        return run_client(["apt-get", "-qq", "update"], self.home, self.env)


def _mirrors() -> Iterator[tuple[str, str]]:
    """Yields (URI, keyring or "") of the machine's main archives, read from apt's own files."""
    folder = "/etc/apt/sources.list.d"
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    release = re.search(r"(?m)^VERSION_CODENAME=(\S+)", read("/etc/os-release").decode())
    suites = {"stable", "oldstable", "testing", "sid", release[1] if release else "sid"}
    for path in [*(f"{folder}/{name}" for name in names), "/etc/apt/sources.list"]:
        text = read(path).decode("utf-8", "replace")
        for uri, key, named, components in _entries(text, path.endswith(".sources")):
            if "main" in components.split() and not suites.isdisjoint(named.split()):
                yield uri.split()[0], key


def _entries(text: str, deb822: bool) -> Iterator[tuple[str, str, str, str]]:
    """Yields (URIs, keyring or "", suites, components) of a file in either of apt's formats."""
    if deb822:
        for part in re.split(r"\n\s*\n", text):
            keys = dict(re.findall(r"(?m)^([\w-]+):[ \t]*(\S.*)$", part))
            if "URIs" in keys:
                key = keys.get("Signed-By", "")
                yield keys["URIs"], key, keys.get("Suites", ""), keys.get("Components", "")
        return
    pattern = r"(?m)^deb(?:-src)?[ \t]+(?:\[([^]]*)\][ \t]+)?(\S+)[ \t]+(\S+)[ \t]+(.*)$"
    for options, uri, suite, components in re.findall(pattern, text):
        key = re.search(r"signed-by=(\S+)", options)
        yield uri, key[1] if key else "", suite, components
