"""Builds a rocks tree beside the old one, under a lock.

The two are exchanged in one step, so that there is a whole tree or none at every moment.
"""

from __future__ import annotations

import os

from panto_host.paths import Paths
from panto_host.rocks import expected_stamp, is_built, read

from panto_rocks.progress import say


def ensure(paths: Paths) -> int:
    """Brings the tree in line at a start; answers 0 also when the old tree still serves."""
    code = bootstrap(paths, False)
    stamp = read(f"{paths.rocks_tree}/stamp.toml")
    same_machine = _machine(stamp) == _machine(expected_stamp(paths))
    if code == 1 and same_machine and is_built(paths.rocks_tree, stamp):
        say("panto goes on with the rocks that it had")
        return 0
    return code


def _machine(stamp: bytes) -> bytes:
    return stamp.partition(b"\n[built]\n")[2].partition(b"\n")[0]


def bootstrap(paths: Paths, force: bool) -> int:
    """Builds what is missing, or with `force` everything; answers an exit code, never raises."""
    from panto_rocks.fetch import RocksError

    try:
        say(f"the rocks are ready in {_Bootstrap(paths).run(force)}")
        return 0
    except RocksError as error:
        tried = f". Tried: {'; '.join(error.tried)}" if error.tried else ""
        say(f"panto bootstrap: {error.wanted}{tried}. To do: {error.mend}.")
    except OSError as error:
        name = error.filename if isinstance(error.filename, str) else paths.data_home
        mend = "free some space" if error.errno == 28 else "make it writable, or set PANTO_HOME"
        say(f"panto bootstrap: cannot write {name}: {error.strerror or error}. To do: {mend}.")
    except KeyboardInterrupt:
        say("panto bootstrap: interrupted; nothing was changed")
        return 130
    return 1


class _Bootstrap:
    """One run: the places it works in and the steps that it takes there."""

    def __init__(self, paths: Paths) -> None:
        import tomllib

        self.paths = paths
        self.stamp = expected_stamp(paths)
        self.pin = tomllib.loads(read(f"{paths.rocks_pins}/battery.toml").decode())
        self.folder = os.path.join(paths.data_home, "rocks")
        self.name = "lua-" + self.pin["lua"]
        self.tree = os.path.join(self.folder, self.name)
        self.cache = os.environ.get("PANTO_CACHE", "") or paths.cache

    def run(self, force: bool) -> str:
        """Takes the lock, looks again, and builds only what no other panto has built."""
        import fcntl

        from panto_rocks.fetch import RocksError
        from panto_rocks.home import write_home

        if not set(self.tree).isdisjoint(";?\\\n"):
            wanted = f"{self.tree} has one of ; ? \\ in it, which Lua's search paths cannot hold"
            raise RocksError(wanted, [], "set PANTO_HOME")
        os.makedirs(self.folder, exist_ok=True)
        os.makedirs(self.cache, exist_ok=True)
        with open(os.path.join(self.folder, f".{self.name}.lock"), "ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("waiting for another panto that is preparing the rocks")
                fcntl.flock(lock, fcntl.LOCK_EX)
            _mark("locked")
            self._recover()
            if force or not is_built(self.tree, self.stamp):
                self._build(force)
            write_home(self.paths)
        return self.tree

    def _recover(self) -> None:
        """Clears what a killed bootstrap left; a tree that was only set aside comes back."""
        from panto_rocks.build import remove

        for name in sorted(os.listdir(self.folder), reverse=True):
            path = os.path.join(self.folder, name)
            if name.startswith(f".{self.name}.old-") and not os.path.lexists(self.tree):
                os.rename(path, self.tree)
            elif name.startswith((f".{self.name}.old-", f".{self.name}.new-")):
                remove(path)

    def _build(self, force: bool) -> None:
        from panto_rocks.build import Builder, find_compiler, remove
        from panto_rocks.fetch import Fetcher, RocksError
        from panto_rocks.progress import Progress

        pins, compiler, progress = self.paths.rocks_pins, find_compiler(), Progress()
        log = os.path.join(self.cache, "luv-build.log")
        builder = Builder(self.pin, pins, self.paths.python, compiler, log, progress)
        if not force and self._differs_in_python_only():
            try:
                builder.write_programs(self.tree, self.tree)
                builder.check(self.tree)
                return self._write_stamp(self.tree)
            except RocksError:
                pass
        say(f"preparing luv {self.pin['version']}, once, in about half a minute")
        got = Fetcher(self.pin, pins, self.cache, progress).fetch_all()
        _mark("fetched")
        staging = os.path.join(self.folder, f".{self.name}.new-{os.getpid()}")
        old = self.tree if os.path.isdir(self.tree) and not force else ""
        try:
            builder.build(got, staging, self.tree, old, _mark)
            self._write_stamp(staging)
            _sync(staging)
            _mark("stamped")
            self._swap(staging)
            _mark("swapped")
        finally:
            remove(staging)

    def _differs_in_python_only(self) -> bool:
        stamp = read(f"{self.tree}/stamp.toml")
        before = stamp.rpartition(b"python = ")[0]
        return before == self.stamp.rpartition(b"python = ")[0] and is_built(self.tree, stamp)

    def _write_stamp(self, tree: str) -> None:
        with open(os.path.join(tree, "stamp.new"), "wb") as file:
            file.write(self.stamp)
        os.replace(file.name, os.path.join(tree, "stamp.toml"))

    def _swap(self, staging: str) -> None:
        """Puts the new tree in the old one's place; `staging` is then the old one, or nothing."""
        if not os.path.lexists(self.tree):
            os.rename(staging, self.tree)
        elif not _exchange(staging, self.tree):
            aside = os.path.join(self.folder, f".{self.name}.old-{os.getpid()}")
            os.rename(self.tree, aside)
            _mark("aside")
            os.rename(staging, self.tree)
            os.rename(aside, staging)


def _mark(step: str) -> None:
    """Ends the process here when a test asks for it."""
    if os.environ.get("PANTO_TEST_KILL_AT") == step:
        os.kill(os.getpid(), 9)


def _exchange(one: str, other: str) -> bool:
    """Swaps two folders in one step where the system can; answers False where it cannot."""
    import ctypes

    library, here = ctypes.CDLL(None), -100  # AT_FDCWD; 2 is RENAME_EXCHANGE, RENAME_SWAP
    a, b = os.fsencode(one), os.fsencode(other)
    if hasattr(library, "renameat2"):
        return bool(library.renameat2(here, a, here, b, 2) == 0)
    return hasattr(library, "renamex_np") and bool(library.renamex_np(a, b, 2) == 0)


def _sync(tree: str) -> None:
    """Has the files on disk before the folder gets its name: a power cut leaves no empty ones."""
    for folder, _, names in os.walk(tree):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                os.fsync(file)
