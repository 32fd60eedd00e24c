"""The screen's frames, judged by two terminals: pyte and a real tmux."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyte
import pytest

ROOT = Path(__file__).resolve().parents[2]
LUA = shutil.which("lua5.4") or "lua5.4"
PLAY = ROOT / "spec" / "support" / "tui_play.lua"
DEMO = ROOT / "spec" / "support" / "tui_demo.lua"
SGR = re.compile(rb"\x1b\[[\d;]*m")


@dataclass
class Play:
    """What a played transcript wrote: frames, sizes in between, and the lines it must leave."""

    steps: list[bytes | tuple[int, int]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def play(seed: int, cols: int, rows: int, *, resize: bool, frames: int = 60) -> Play:
    """Run the random transcript of a seed and read its records."""
    words = [LUA, str(PLAY), str(seed), str(cols), str(rows), str(frames)]
    words += ["resize" if resize else "fixed", "cut"]
    data = subprocess.run(words, check=True, capture_output=True, timeout=60, cwd=ROOT).stdout
    result, at = Play(), 0
    while at < len(data):
        end = data.index(b"\n", at)
        kind, *numbers = data[at:end].split()
        at = end + 1
        if kind == b"W":
            size = int(numbers[0])
            result.steps.append(data[at : at + size])
            at += size
        elif kind == b"R":
            result.steps.append((int(numbers[0]), int(numbers[1])))
        else:
            result.lines = [line.rstrip() for line in data[at:].decode().splitlines()]
            break
    return result


def rows_of(screen: pyte.HistoryScreen) -> list[str]:
    """The scrollback and the screen of pyte as text, blank rows at the end left out."""
    above = [
        "".join(row[x].data for x in range(max(row, default=-1) + 1)).rstrip()
        for row in screen.history.top
    ]
    rows = above + [line.rstrip() for line in screen.display]
    while rows and not rows[-1]:
        rows.pop()
    return rows


@pytest.mark.parametrize("seed", range(1, 25))
def test_scrollback_and_screen_equal_a_plain_rendering(seed: int) -> None:
    """Whatever comes in whatever pieces, every finished line is there once and in order."""
    cols, rows = 20 + seed * 2, 6 + seed % 9
    result = play(seed, cols, rows, resize=False)
    screen = pyte.HistoryScreen(cols, rows, history=100_000, ratio=0.1)
    stream = pyte.ByteStream(screen)
    for step in result.steps:
        assert isinstance(step, bytes)
        stream.feed(step)
    assert rows_of(screen) == result.lines
    assert (screen.cursor.x, screen.display[screen.cursor.y].rstrip()) == (2, "draft")


@pytest.mark.parametrize("seed", range(1, 13))
def test_after_any_resizes_the_live_part_stands_once(seed: int) -> None:
    """A terminal that cuts its lines when resized shows one live part, with the cursor in it."""
    cols, rows = 40, 14
    result = play(seed, cols, rows, resize=True)
    screen = pyte.HistoryScreen(cols, rows, history=100_000, ratio=0.1)
    stream = pyte.ByteStream(screen)
    for step in result.steps:
        if isinstance(step, bytes):
            stream.feed(step)
        else:
            screen.resize(step[1], step[0])
    shown = [line.rstrip() for line in screen.display]
    assert sum(1 for line in rows_of(screen) if line.startswith("====")) == 1
    assert shown[screen.cursor.y] == "draft"
    assert shown[screen.cursor.y - 1] == "=" * screen.columns


def test_every_frame_is_one_synchronized_write_without_trailing_style() -> None:
    """A frame opens and closes mode 2026 once, and switches wrapping and styles back."""
    for step in play(3, 40, 12, resize=False).steps:
        assert isinstance(step, bytes)
        assert step.startswith(b"\x1b[?2026h") and step.endswith(b"\x1b[?2026l")
        assert step.count(b"\x1b[?2026h") == 1
        assert step.count(b"\x1b[?7l") == step.count(b"\x1b[?7h")
        styles = SGR.findall(step)
        assert not styles or styles[-1] == b"\x1b[0m"


class Tmux:
    """A real terminal: one tmux server of its own with one window."""

    def __init__(self, name: Path, cols: int, rows: int, command: str) -> None:
        self.base = ["tmux", "-S", str(name), "-f", "/dev/null"]
        new = ["new-session", "-d", "-x", str(cols), "-y", str(rows), command]
        options = ["set", "-g", "history-limit", "100000", ";", "set", "-s", "escape-time", "10"]
        self.run("start-server", ";", *options, ";", *new)

    def run(self, *words: str) -> str:
        """Run a tmux command and return what it prints."""
        done = subprocess.run(
            [*self.base, *words], check=True, capture_output=True, timeout=20, cwd=ROOT
        )
        return done.stdout.decode()

    def lines(self) -> list[str]:
        """The scrollback and the screen, blank rows at the end left out."""
        return self.run("capture-pane", "-p", "-S", "-").rstrip().split("\n")

    def wait_for(self, wanted: str, timeout_s: float = 10) -> list[str]:
        """Wait until the last screen holds a text."""
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            shown = self.run("capture-pane", "-p")
            if wanted in shown:
                return shown.rstrip().split("\n")
            time.sleep(0.05)
        raise AssertionError(f"{wanted!r} never came:\n{shown}")

    def close(self) -> None:
        """End the server."""
        subprocess.run([*self.base, "kill-server"], capture_output=True, timeout=20, check=False)


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[list[Tmux]]:
    """A list whose terminals are ended after the test."""
    opened: list[Tmux] = []
    yield opened
    for terminal in opened:
        terminal.close()


needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@needs_tmux
@pytest.mark.parametrize("seed", [31, 32, 33, 34])
def test_a_real_terminal_shows_the_same_as_a_plain_rendering(
    seed: int, tmp_path: Path, terminals: list[Tmux]
) -> None:
    """tmux gets the same bytes and ends with the same lines as pyte."""
    cols, rows = 30 + seed % 7, 9 + seed % 5
    result = play(seed, cols, rows, resize=False)
    frames = tmp_path / "frames"
    frames.write_bytes(b"".join(step for step in result.steps if isinstance(step, bytes)))
    terminal = Tmux(tmp_path / "tmux", cols, rows, f"cat {frames}; sleep 60")
    terminals.append(terminal)
    end = time.monotonic() + 5
    while terminal.lines()[-1] != "foot" and time.monotonic() < end:
        time.sleep(0.05)
    assert [line.rstrip() for line in terminal.lines()] == result.lines


def luv_found() -> bool:
    """Whether the plain interpreter has luv, which the demo program needs."""
    words = [LUA, "-e", "require('luv')"]
    return subprocess.run(words, capture_output=True, timeout=20, check=False).returncode == 0


@needs_tmux
@pytest.mark.skipif(not luv_found(), reason="lua5.4 has no luv here (Debian: lua-luv)")
def test_a_stream_while_the_window_is_resized_loses_and_repeats_nothing(
    tmp_path: Path, terminals: list[Tmux]
) -> None:
    """The editor stands once at the end and every word of the answer is there, in order."""
    terminal = Tmux(tmp_path / "tmux", 60, 16, f"{LUA} {DEMO}; sleep 60")
    terminals.append(terminal)
    terminal.wait_for("no model")
    terminal.run("send-keys", "-l", "3000 words")
    terminal.run("send-keys", "Enter")
    for cols, rows in [(50, 16), (44, 12), (70, 18), (65, 9), (90, 24)]:
        terminal.run("resize-window", "-x", str(cols), "-y", str(rows))
        time.sleep(0.4)
    terminal.wait_for("3000 words")
    time.sleep(0.1)
    lines = terminal.lines()
    found = re.findall(r"\bword(\d+)\b", "\n".join(lines))
    assert found == [str(number) for number in range(1, 3001)]
    assert sum(1 for line in lines if line.startswith("───")) == 2
    assert lines[-1].endswith("3000 words") and len(lines[-1]) == 90
