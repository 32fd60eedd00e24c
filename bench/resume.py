"""How long `--resume` takes until one can type, by the length of the session; and the list.

`python bench/resume.py [RECORDS…]` builds sessions (5 KB a record) and prints a table: from the
start of the process to the notice on the screen, memory then, and the time from Enter to the
request for the first prompt; then `panto sessions` over 10,000 files.
"""

from __future__ import annotations

import json
import os
import select
import statistics
import sys
import tempfile
import time
from pathlib import Path

import ptyprocess

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.child import run_bounded  # noqa: E402
from support.home import PANTO, Home  # noqa: E402
from support.processes import peak_rss_kb  # noqa: E402
from support.provider import Provider  # noqa: E402

RUNS, FILES, WORDS = 5, 10_000, "the quick brown fox jumps over the lazy dog, again and again; "


def message(n: int) -> dict[str, object]:
    """A turn of ten messages: a question, four calls with their results, an answer."""
    place = (n - 1) % 10
    if place == 0:
        text = f"question {n}: " + WORDS * 3
        return {"content": [{"text": text, "type": "text"}], "role": "user"}
    if place == 9:
        return {"content": [{"text": f"answer {n}", "type": "text"}], "role": "assistant"}
    if place % 2:
        call = {"id": f"c{n}", "name": "std_shell", "type": "tool_call", "arguments": "{}"}
        call |= {"input": {"command": WORDS * 2}}  # type: ignore[dict-item]
        return {"content": [call], "role": "assistant", "stop_reason": "tool_use"}
    content = [{"text": WORDS * 140, "type": "text"}]
    return {
        "content": content, "is_error": False, "role": "tool",
        "tool_call_id": f"c{n - 1}", "tool_name": "std_shell",
    }  # fmt: skip


def write_session(path: Path, cwd: Path, records: int, identity: str) -> None:
    """Write a session as panto writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    stamp = "2026-01-01T00:00:00.000Z"
    with path.open("w") as file:
        header = {"created": stamp, "cwd": str(cwd), "id": identity, "type": "session"}
        file.write(json.dumps({**header, "version": 1}) + "\n")
        for n in range(1, records + 1):
            parent = f'"{n - 1}"' if n > 1 else "null"
            body = json.dumps(message(n), separators=(",", ":"))
            using = '"using":{"model":"loop:m"},' if (n - 1) % 10 == 0 else ""
            using += '"totals":{"input":1,"output":1},' if n % 2 == 0 else ""
            file.write(
                f'{{"id":"{n}","parent":{parent},"time":"{stamp}","type":"message","n":{n},'
                f'{using}"message":{body}}}\n'
            )


def wait_for(child: ptyprocess.PtyProcess, mark: bytes, limit_s: float = 120) -> float:
    """Read until the mark came; give the moment."""
    seen, end = b"", time.monotonic() + limit_s
    while mark not in seen:
        if time.monotonic() > end:
            raise AssertionError(f"{mark!r} never came: {seen[-500:]!r}")
        if select.select([child.fd], [], [], 0.2)[0]:
            seen = seen[-20000:] + os.read(child.fd, 65536)
    return time.monotonic()


def resume(home: Home, provider: Provider) -> tuple[float, float, float, float]:
    """Resume once: seconds to the notice, MB then, seconds to the request, MB at the end."""
    sent = len(provider.bodies)
    start = time.monotonic()
    child = ptyprocess.PtyProcess.spawn(
        [str(PANTO), "--resume"], cwd=str(home.work), env=home.full_env(), dimensions=(40, 100)
    )
    try:
        shown = wait_for(child, b"resumed session") - start
        memory = peak_rss_kb(child.pid) / 1024
        time.sleep(0.3)
        child.write(b"x\r")
        asked = time.monotonic()
        provider.wait_for_requests(sent + 1, 120)
        first = time.monotonic() - asked
        return shown, memory, first, peak_rss_kb(child.pid) / 1024
    finally:
        child.kill(9)
        child.wait()


def bench_resume(counts: list[int]) -> None:
    """Print the table of resumed sessions."""
    print("  records     file  usable after   memory  first request  memory then")
    for count in counts:
        with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
            home = Home(Path(folder) / "h")
            with Provider([{"text": "y"}] * (RUNS * 2)) as provider:
                home.use_provider(provider.url)
                place = home.sessions / str(home.work).replace("/", "+")
                identity = "0197a1b2-c3d4-7000-8000-000000000001"
                path = place / f"{identity}.jsonl"
                write_session(path, home.work, count, identity)
                length = path.stat().st_size
                size = length / 1e6
                runs = []
                for _ in range(RUNS):
                    runs.append(resume(home, provider))
                    os.truncate(path, length)  # a prompt may have compacted it
        shown, memory, first, after = (statistics.median(x) for x in zip(*runs, strict=True))
        print(
            f"{count:9,} {size:5.0f} MB {shown * 1000:10.0f} ms {memory:5.0f} MB"
            f" {first * 1000:11.0f} ms {after:9.0f} MB"
        )


def bench_list() -> None:
    """Print how long the list takes, the first time and then."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        home = Home(Path(folder) / "h")
        place = home.sessions / str(home.work).replace("/", "+")
        for n in range(FILES):
            identity = f"0197a1b2-c3d4-7000-8000-{n:012x}"
            write_session(place / f"{identity}.jsonl", home.work, 2, identity)
        times = []
        for _ in range(RUNS + 1):
            start = time.monotonic()
            done = run_bounded([PANTO, "sessions"], env=home.full_env(), cwd=home.work)
            times.append((time.monotonic() - start) * 1000)
            assert done.stdout.count("\n") == FILES, done.output[-500:]
        print(f"panto sessions over {FILES:,} files: {statistics.median(times[1:]):.0f} ms", end="")
        print(f" (the first time {times[0]:.0f} ms)")


if __name__ == "__main__":
    bench_resume([int(word) for word in sys.argv[1:]] or [10, 10_000, 100_000])
    bench_list()
