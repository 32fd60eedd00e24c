"""Random conversations of any characters, pieces and sizes against a terminal's final content.

A test's parameter is its seed: `panto lua spec/support/transcript_play.lua SEED …` plays it again.
Terminals that wrap old lines anew are in test_resize_storm.py, with a real one.
"""

from __future__ import annotations

import re
import subprocess
import unicodedata
from dataclasses import dataclass, field

import pyte
import pytest
from support.child import ROOT
from support.cluster_screen import ClusterScreen
from support.home import PANTO, Home
from wcwidth import iter_graphemes, wcswidth, wcwidth

SCRIPT = ROOT / "spec" / "support" / "transcript_play.lua"


@dataclass
class Line:
    """A finished line, and how wide the screen has been since: at first, then when it got smaller.

    A line is cut as long as it is on the screen; when that ended is the terminal's affair.
    """

    text: str
    widths: list[int]


@dataclass
class Played:
    """A terminal after a play, with what the play says must be there."""

    screen: ClusterScreen
    finished: list[Line] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    frames: int = 0


def composed(line: str) -> str:
    """Compose letters with their marks, without blanks at the end and spaces of no width."""
    return unicodedata.normalize("NFC", line.replace("\u200b", "")).rstrip()


def play(home: Home, seed: int, size: tuple[int, int], *, how: str, clusters: bool) -> Played:
    """Run the conversation of a seed and show its frames on a terminal of its sizes."""
    command = [str(PANTO), "lua", str(SCRIPT), str(seed), *map(str, size), how, "wild"]
    done = subprocess.run(
        command, capture_output=True, timeout=60, cwd=ROOT, env=home.full_env(), check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    played = Played(ClusterScreen(*size, clusters=clusters))
    stream, data, at, last = pyte.ByteStream(played.screen), done.stdout, 0, b""
    while at < len(data):
        end = data.index(b"\n", at)
        kind, *words = data[at:end].split()
        numbers, at = [int(word) for word in words], end + 1
        body = data[at : at + numbers[0]]
        if kind == b"W":
            last, at = body, at + numbers[0]
            stream.feed(body)
            played.frames += 1
        elif kind == b"B":
            assert len(last) <= numbers[0], last
        elif kind == b"L":
            at += numbers[0]
            played.finished.append(Line(body.decode(), [played.screen.columns]))
        elif kind == b"R":
            played.screen.resize(numbers[1], numbers[0])
            for line in played.finished:
                line.widths.append(min(line.widths[-1], numbers[0]))
        else:
            played.expected = data[at:].decode().split("\n")[:-1]
            break
    return played


def cut(line: str, cols: int) -> str:
    """What a terminal keeps of a line when it cuts the cells beyond its edge."""
    kept, column = "", 0
    for part in iter_graphemes(line):
        if column >= cols:
            break
        kept, column = kept + part, column + max(0, wcswidth(part))
    return kept


def is_contested(line: str) -> bool:
    """Whether terminals without clusters see the line wider than panto does."""
    return any(
        wcswidth(part) != sum(max(0, wcwidth(character)) for character in part)
        for part in iter_graphemes(line)
    )


def assert_cursor_in_draft(screen: ClusterScreen) -> None:
    """The live part stands at the end, with the cursor in its second row."""
    below = screen.rows()[-3:]
    assert below == ["=" * screen.columns, "draft", "foot"]
    shown = ["".join(screen.buffer[screen.cursor.y][x].data for x in range(5))]
    assert (screen.cursor.x, shown) == (2, ["draft"])


@pytest.mark.parametrize("seed", range(101, 111))
def test_any_conversation_stands_as_its_plain_rendering(seed: int, agent_home: Home) -> None:
    """What came in pieces is what comes whole; no row goes over the edge."""
    size = (10 + seed * 7 % 80, 8 + seed % 11)
    played = play(agent_home, seed, size, how="fixed", clusters=True)
    assert played.frames > 5
    assert played.screen.overflows == []
    rows = [composed(row) for row in played.screen.rows()]
    assert rows == [composed(line) for line in played.expected]
    assert_cursor_in_draft(played.screen)


@pytest.mark.parametrize("seed", range(121, 125))
def test_a_terminal_with_other_widths_has_every_other_row_right(
    seed: int, agent_home: Home
) -> None:
    """Where each character has its own cell, a cluster may look odd, but only in its own row."""
    size = (10 + seed * 7 % 80, 8 + seed % 11)
    played = play(agent_home, seed, size, how="fixed", clusters=False)
    rows = played.screen.rows()
    assert len(rows) == len(played.expected)
    for row, line in zip(rows, played.expected, strict=True):
        if not is_contested(line):
            assert composed(row) == composed(line)
    assert_cursor_in_draft(played.screen)


@pytest.mark.parametrize("seed", range(131, 139))
def test_after_any_resizes_every_finished_line_is_there_once(seed: int, agent_home: Home) -> None:
    """In order, whole or cut where the terminal was narrower; no word of the prose is lost."""
    played = play(agent_home, seed, (60, 20), how="resize", clusters=True)
    assert played.screen.overflows == []
    rows = played.screen.rows()
    while rows and not rows[-4]:
        del rows[-4]
    assert_cursor_in_draft(played.screen)
    finished = list(played.finished)
    while finished and not finished[-1].text.strip():
        finished.pop()
    assert len(rows) - 3 == len(finished)
    for row, line in zip(rows, finished, strict=False):
        assert composed(row) in {composed(cut(line.text, cols)) for cols in line.widths}, line
    prose = re.sub(r"\s|│", "", "".join(line.text for line in played.finished))
    found = [int(number) for number in re.findall(r"w(\d+)\.", prose)]
    assert found == list(range(1, len(found) + 1))
