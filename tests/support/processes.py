"""Looks at the processes of this machine through /proc."""

from __future__ import annotations

import time
from pathlib import Path


def living(marker: str) -> list[int]:
    """The processes, zombies left out, whose command line holds `marker`."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            words = (folder / "cmdline").read_bytes().decode("utf-8", "replace").replace("\0", " ")
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if marker in words and state != "Z":
            found.append(int(folder.name))
    return found


def wait_gone(marker: str, timeout_s: float) -> None:
    """Waits until no process holds `marker`; fails when one still does."""
    limit = time.monotonic() + timeout_s
    while left := living(marker):
        assert time.monotonic() < limit, f"still running: {left}"
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    """The processes whose parent is `pid`."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(folder.name))
    return found


def peak_rss_kb(pid: int) -> int:
    """The most memory a process has ever had resident, in KiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise AssertionError(f"process {pid} has no VmHWM")
