"""The inbox, the locks, stamps of files, TOML and text widths."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from host.loopback import Loopback
from host.lua_file import as_interpreter
from panto_host.files import Locks, file_stamps
from panto_host.inbox import Inbox
from panto_host.text import text_graphemes, toml_to_json


def is_ringing(fd: int) -> bool:
    return bool(select.select([fd], [], [], 0)[0])


def test_the_inbox_keeps_order_and_rings_until_the_last_is_taken() -> None:
    inbox = Inbox()
    inbox.post(1, "early", b"")
    fd = inbox.fd()
    assert fd == inbox.fd()
    assert is_ringing(fd)
    for number in range(1000):
        inbox.post(2, "k", b"%d" % number)
    assert inbox.next() == (1, "early", b"", True)
    taken = [inbox.next() for _ in range(999)]
    assert taken == [(2, "k", b"%d" % n, True) for n in range(999)]
    assert is_ringing(fd)
    assert inbox.next() == (2, "k", b"999", False)
    assert not is_ringing(fd)
    assert inbox.next() is None
    inbox.post(3, "k", b"")
    assert is_ringing(fd)


def test_no_post_of_many_threads_is_lost() -> None:
    inbox = Inbox()
    fd = inbox.fd()
    threads = [
        threading.Thread(target=lambda i=i: [inbox.post(i, "k", b"%d" % n) for n in range(2000)])
        for i in range(8)
    ]
    for thread in threads:
        thread.start()
    got: dict[int, list[int]] = {i: [] for i in range(8)}
    while sum(map(len, got.values())) < 16_000:
        assert select.select([fd], [], [], 10)[0], "asleep with messages waiting"
        while (message := inbox.next()) is not None:
            got[message[0]].append(int(message[2]))
    for thread in threads:
        thread.join()
    assert all(numbers == list(range(2000)) for numbers in got.values())


def test_a_lock_is_held_by_one_process_at_a_time(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path / "lock")
    locks = Locks()
    held, _ = locks.take(path, False)
    assert held
    code = (
        "import sys; from panto_host.files import Locks\n"
        "print(Locks().take(sys.argv[1].encode(), False))\n"
        "print(Locks().take(sys.argv[1].encode(), True))\n"
    )
    words = [sys.executable, "-u", "-c", code, path]
    other = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert "held by another process" in other.stdout.readline()
    assert other.poll() is None
    assert locks.drop(held)
    assert not locks.drop(held)
    assert other.stdout.readline().endswith(", None)\n")
    assert other.wait(10) == 0
    identity, message = locks.take(os.fsencode(tmp_path / "no" / "folder"), False)
    assert identity is None
    assert message is not None
    assert "No such file or directory" in message


def test_toml_becomes_json_of_the_same_data() -> None:
    source = 'a = 1\nb = [1.5, true, "é"]\n[t.u]\nd = 2026-01-02T03:04:05Z\nt = 07:30:00\nn = nan\n'
    text, message = toml_to_json(source)
    assert message is None
    assert text is not None
    assert json.loads(text) == {
        "a": 1,
        "b": [1.5, True, "é"],
        "t": {"u": {"d": "2026-01-02T03:04:05+00:00", "t": "07:30:00", "n": None}},
    }
    assert toml_to_json("") == ("{}", None)


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("a = 1\nb = \n", "(at line 2, column 5)"),
        ("a = 1\nb = [", "(at line 2, column 6, the end)"),
        ('a = "', "(at line 1, column 6, the end)"),
        ("a = 1\na = 2\n", "line 2"),
        ("[" * 5000, ""),
        ("a = '\udcff'", "not UTF-8 (at line 1)"),
    ],
)
def test_a_toml_error_names_its_place(source: str, place: str) -> None:
    text, message = toml_to_json(source)
    assert text is None
    assert message is not None
    assert place in message


@pytest.mark.parametrize(
    ("text", "clusters"),
    [
        ("ab", "1:1,1:1"),
        ("é", "2:1"),
        ("e\u0301", "3:1"),
        ("한", "3:2"),
        ("👨\u200d👩\u200d👧", "18:2"),
        ("🇩🇪", "8:2"),
        ("\u2601\ufe0f", "6:2"),
        ("\x1b", "1:0"),
        ("\udcff", "1:1"),
        ("", ""),
    ],
)
def test_widths_are_by_grapheme_cluster(text: str, clusters: str) -> None:
    assert text_graphemes(text) == clusters


def test_lua_streams_a_response_through_the_inbox(panto_env: dict[str, str]) -> None:
    source = """
      local http, task = require("panto.sys.http"), require("panto.sys.task")
      task.loop(function()
        local response = assert(http.request({ url = arg[1] .. "/slow" }))
        io.write(response.status, " ", response.headers["content-type"], "\\n")
        for chunk in response.body do io.write(chunk) end
        local all = task.all({
          function() return assert(http.request({ url = arg[1] .. "/blob" })):read_all() end,
          function() return select(2, http.request({ url = "http://127.0.0.1:1" })).kind end,
          function()
            return task.timeout(200, function()
              return http.request({ url = arg[1] .. "/silent" })
            end)
          end,
        })
        print(#all[1], all[2], all[3])
      end)
    """
    with Loopback() as server:
        done = as_interpreter(panto_env, "-e", source.replace("arg[1]", f'"{server.url}"'))
        assert done.code == 0, done.output
        events = "".join(f"event {number}\n" for number in range(5))
        assert done.stdout == f"200 text/event-stream\n{events}300000\tconnect\tfalse\n"
        assert server.gone.acquire(timeout=10)


def test_stamps_of_many_files_tell_time_and_size_in_the_order_of_the_names(tmp_path: Path) -> None:
    names = [tmp_path / "one", tmp_path / "gone", tmp_path / "\U0001f980 two"]
    names[0].write_bytes(b"12345")
    names[2].write_bytes(b"")
    os.utime(names[0], ns=(0, 1_700_000_000_000_000_007))
    os.utime(names[2], ns=(0, 1_600_000_000_123_456_789))
    asked = b"\0".join(os.fsencode(name) for name in names)
    expected = b"1700000000000000007:5\n\n1600000000123456789:0"
    assert file_stamps(asked) == expected
    assert file_stamps(b"") == b""
