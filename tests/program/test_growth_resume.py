"""A session twice as long is opened for the same, and exported in the same memory."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import ptyprocess
import pytest
from support.home import PANTO, Home
from support.processes import peak_rss_kb

IDENTITY = "0197a1b2-c3d4-7000-8000-000000000001"
TEXT = "the quick brown fox jumps over the lazy dog; " * 20
SHORT, LONG = 4000, 8000


def write_session(home: Home, records: int, text: str = TEXT) -> int:
    """Write a session as panto does; give its bytes."""
    path = home.sessions / str(home.work).replace("/", "+") / f"{IDENTITY}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    stamp = "2026-01-01T00:00:00.000Z"
    header = {"created": stamp, "cwd": str(home.work), "id": IDENTITY, "type": "session"}
    lines = [json.dumps({**header, "version": 1})]
    for n in range(1, records + 1):
        role = "user" if n % 2 else "assistant"
        body = {"content": [{"text": f"{n} {text}", "type": "text"}], "role": role}
        head = {"id": str(n), "parent": str(n - 1) if n > 1 else None, "time": stamp}
        told = {"using": {"model": "loop:m"}} if n % 2 else {"totals": {"input": 1, "output": 1}}
        record = {**head, "type": "message", "n": n, **told, "message": body}
        lines.append(json.dumps(record, separators=(",", ":")))
    path.write_text("\n".join(lines) + "\n")
    return path.stat().st_size


def resumed(home: Home) -> tuple[int, int]:
    """The bytes that panto has read when the session is on the screen, and its memory in KiB."""
    env = {**home.full_env(), "TERM": "xterm-256color"}
    child = ptyprocess.PtyProcess.spawn([str(PANTO), "--resume"], cwd=str(home.work), env=env)
    try:
        seen, end = b"", time.monotonic() + 60
        while b"resumed session" not in seen:
            assert time.monotonic() < end, seen[-500:]
            if select.select([child.fd], [], [], 0.2)[0]:
                seen += os.read(child.fd, 65536)
        read = Path(f"/proc/{child.pid}/io").read_text().split()[1]
        return int(read), peak_rss_kb(child.pid)
    finally:
        child.kill(9)
        child.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_session_twice_as_long_takes_no_more_to_be_resumed(agent_home: Home) -> None:
    agent_home.use_provider("http://127.0.0.1:9/v1")
    write_session(agent_home, SHORT)
    resumed(agent_home)  # what is compiled and indexed by the first is read by the others
    short_read, short_memory = resumed(agent_home)
    grown = write_session(agent_home, LONG) // 2
    long_read, long_memory = resumed(agent_home)
    assert long_read - short_read < grown / 20, (short_read, long_read)
    assert long_memory - short_memory < grown / 1024 / 4, (short_memory, long_memory)


def exported(home: Home, page: Path) -> int:
    """The most memory, in KiB, that an export was seen to have before its end."""
    command = [PANTO, "sessions", "export", IDENTITY, "-o", page]
    child = subprocess.Popen(command, env=home.full_env(), cwd=home.work)
    peak, end = 0, time.monotonic() + 60
    try:
        while child.poll() is None:
            assert time.monotonic() < end
            words = Path(f"/proc/{child.pid}/status").read_text().partition("VmHWM:")[2].split()
            peak = max(peak, int(words[0]) if words else 0)
            time.sleep(0.002)
    finally:
        child.kill()
        assert child.wait() == 0
    return peak


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("kind", ["md", "html"])
def test_a_session_twice_as_long_is_exported_in_the_same_memory(
    agent_home: Home, tmp_path: Path, kind: str
) -> None:
    agent_home.use_provider("http://127.0.0.1:9/v1")
    page = tmp_path / f"page.{kind}"
    write_session(agent_home, SHORT // 4, TEXT * 8)
    exported(agent_home, page)
    short_memory, size = exported(agent_home, page), page.stat().st_size
    write_session(agent_home, LONG // 4, TEXT * 8)
    long_memory = exported(agent_home, page)
    grown = page.stat().st_size - size
    assert grown > 5_000_000
    assert f"{LONG // 4} the quick brown fox" in page.read_text()[-9000:]
    assert long_memory - short_memory < grown / 1024 * 0.75, (short_memory, long_memory)
    assert [path.name for path in tmp_path.iterdir()] == [page.name]
