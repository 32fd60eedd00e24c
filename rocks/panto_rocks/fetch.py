"""Turns a pinned source into a checked archive on disk: cache, upstream, apt, pip."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from panto_rocks.progress import Progress

SECONDS_PER_CLIENT = 240
Table = dict[str, Any]


class RocksError(Exception):
    """A bootstrap that cannot go on: what was wanted, what was tried, and what the user can do."""

    def __init__(self, wanted: str, tried: list[str], mend: str) -> None:
        super().__init__(wanted)
        self.wanted, self.tried, self.mend = wanted, tried, mend


class Fetcher:
    """One bootstrap's downloads into `cache`; `pins` is the folder of the pin."""

    def __init__(self, pin: Table, pins: str, cache: str, progress: Progress) -> None:
        from panto_rocks.apt import Apt

        self.sources, self.cache, self.progress = pin["source"], cache, progress
        self.scratch = os.path.join(cache, f".part-{os.getpid()}")
        self.kinds = os.environ.get("PANTO_SOURCES", "url,apt,pip").split(",")
        apt = Apt(pin["apt"]["suite"], os.path.join(self.scratch, "apt"))
        self.ways = {"url": _from_url, "apt": apt.fetch, "pip": _Pip(pins).fetch}
        self.found: dict[str, tuple[str, Table]] = {}

    def fetch_all(self) -> dict[str, tuple[str, Table]]:
        """Answers source name → (archive, its [[source.from]]); raises RocksError for a miss."""
        for entry in os.scandir(self.cache):
            if entry.name.startswith(".part-") and entry.stat().st_mtime < time.time() - 3600:
                shutil.rmtree(entry.path, ignore_errors=True)
        missing = [source for source in self.sources if not self._is_cached(source)]
        if not missing:
            return self.found
        try:
            step = self.progress.step(f"fetching {len(missing)} archives", self._state)
            with step, ThreadPoolExecutor(len(missing)) as pool:
                list(pool.map(self._fetch, missing))
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)
        return self.found

    def _state(self) -> str:
        return f"{len(self.found)} of {len(self.sources)} here"

    def _is_cached(self, source: Table) -> bool:
        for one in source["from"]:
            path = os.path.join(self.cache, one["file"])
            if os.path.isfile(path):
                if _sha256(path) == one["sha256"]:
                    self.found[source["name"]] = path, one
                    return True
                self.progress.say(f"{one['file']} in the cache is damaged: fetching it again")
        return False

    def _fetch(self, source: Table) -> None:
        """Asks one place after the other; each that fails is told while the next is asked."""
        tried: list[str] = []
        places = [(_place(one), one) for one in source["from"]]
        open_places = [where for where, one in places if one["kind"] in self.kinds]
        for where, one in places:
            if one["kind"] not in self.kinds:
                tried.append(f"{where}: switched off by PANTO_SOURCES")
                continue
            open_places.remove(where)
            began = time.monotonic()
            failure = self._try(one, os.path.join(self.scratch, f"{source['name']}-{one['kind']}"))
            if not failure:
                self.found[source["name"]] = os.path.join(self.cache, one["file"]), one
                return
            tried.append(f"{where}: {failure} ({time.monotonic() - began:.1f} s)")
            then = f": asking {open_places[0]}" if open_places else ""
            self.progress.say(f"{where} did not give {source['what']} ({failure}){then}")
        files = " or ".join(one["file"] for one in source["from"])
        mend = "check the network (https_proxy is honoured) and run panto bootstrap again, or put "
        mend += f"{files} into {self.cache}"
        raise RocksError(f"could not get {source['what']}", tried, mend)

    def _try(self, one: Table, place: str) -> str:
        """Answers "" when the file with the pinned hash has reached the cache, else why not."""
        os.makedirs(place, exist_ok=True)
        failure = self.ways[one["kind"]](one, place)
        got = os.path.join(place, one["file"])
        if not os.path.isfile(got):
            return failure or "brought another file than the pinned one"
        if _sha256(got) != one["sha256"]:
            return failure or "the file does not have the pinned SHA-256"
        os.replace(got, os.path.join(self.cache, one["file"]))
        return ""


def _place(one: Table) -> str:
    """What a source is called: its host, or the client that is asked."""
    return str(one["url"]).split("/")[2] if one["kind"] == "url" else str(one["kind"])


def _from_url(one: Table, place: str) -> str:
    import httpx

    limits = httpx.Timeout(20, connect=5)
    try:
        with httpx.stream("GET", one["url"], follow_redirects=True, timeout=limits) as answer:
            if answer.status_code != 200:
                return f"HTTP {answer.status_code}"
            with open(os.path.join(place, one["file"]), "wb") as file:
                for chunk in answer.iter_raw():
                    file.write(chunk)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        return re.sub(r"^\[Errno -?\d+\] ", "", str(error)) or type(error).__name__
    return ""


class _Pip:
    """pip's download of a source archive, kept from building it only to learn its name."""

    def __init__(self, pins: str) -> None:
        self.env = {"PYTHONPATH": f"{pins}/sdist", "PYTHONDONTWRITEBYTECODE": "1"}

    def fetch(self, one: Table, place: str) -> str:
        """Downloads a pinned package's archive into a folder; answers "" or why it failed."""
        pip = [sys.executable, "-m", "pip"]
        if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode:
            pip = [shutil.which("pip3") or "pip"]
        words = ["download", "--no-deps", "--no-binary", ":all:", "--no-build-isolation"]
        words += ["--retries", "0", "--timeout", "15", "-d", place, one["package"]]
        return run_client([*pip, *words], place, self.env | {"PANTO_SDIST": one["package"]})


def run_client(words: list[str], place: str, env: Table) -> str:
    """Runs a package client in a folder; answers "" or one line that names no host."""
    try:
        done = subprocess.run(
            words, cwd=place, env={**os.environ, "LC_ALL": "C", **env}, capture_output=True,
            stdin=subprocess.DEVNULL, timeout=SECONDS_PER_CLIENT,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS_PER_CLIENT} s"
    except FileNotFoundError:
        return f"there is no {words[0]} here"
    if done.returncode == 0:
        return ""
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    if re.search(r"(?i)resolv|connect|timed? ?out|max retries|unreachable|versions: none", text):
        return "no connection"
    lines = [line for line in text.splitlines() if re.match(r"E:|ERROR|\S*Error", line)]
    line = (lines or text.split("\n"))[-1].strip() or f"exit status {done.returncode}"
    return re.sub(r"\w+://\S+", "the mirror", line)[:200]


def _sha256(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
