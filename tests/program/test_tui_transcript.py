"""Random conversations on the screen: Markdown, tool rows, thinking, whatever bytes they hold."""

from __future__ import annotations

import subprocess
import unicodedata
from pathlib import Path

import pyte
import pytest
from support.home import PANTO, Home
from test_tui_screen import Play, rows_of

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "spec" / "support" / "transcript_play.lua"


def play(home: Home, seed: int, cols: int, rows: int, *words: str) -> Play:
    """Run the random conversation of a seed and read its records."""
    command = [str(PANTO), "lua", str(SCRIPT), str(seed), str(cols), str(rows), *words]
    done = subprocess.run(
        command, capture_output=True, timeout=60, cwd=ROOT, env=home.full_env(), check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    data, result, at = done.stdout, Play(), 0
    while at < len(data):
        end = data.index(b"\n", at)
        kind, *numbers = data[at:end].split()
        at = end + 1
        if kind == b"W":
            result.steps.append(data[at : at + int(numbers[0])])
            at += int(numbers[0])
        elif kind == b"R":
            result.steps.append((int(numbers[0]), int(numbers[1])))
        else:
            result.lines = [line.rstrip() for line in data[at:].decode().split("\n")[:-1]]
            break
    return result


def shown_by_pyte(result: Play, cols: int, rows: int) -> pyte.HistoryScreen:
    """Feed the frames and sizes to a terminal."""
    screen = pyte.HistoryScreen(cols, rows, history=100_000, ratio=0.1)
    stream = pyte.ByteStream(screen)
    for step in result.steps:
        if isinstance(step, bytes):
            stream.feed(step)
        else:
            screen.resize(step[1], step[0])
    return screen


def composed(lines: list[str]) -> list[str]:
    """Compose letters with their marks, as the terminal does in its cells."""
    return [unicodedata.normalize("NFC", line) for line in lines]


@pytest.mark.parametrize("seed", range(1, 13))
def test_a_conversation_in_any_pieces_stands_as_its_plain_rendering(
    seed: int, agent_home: Home
) -> None:
    """Scrollback and screen hold what the same events give when they come whole."""
    cols, rows = 12 + seed * 5, 6 + seed % 9
    result = play(agent_home, seed, cols, rows, "fixed", "simple")
    assert composed(rows_of(shown_by_pyte(result, cols, rows))) == composed(result.lines)


@pytest.mark.parametrize("seed", range(21, 27))
def test_after_resizes_a_conversation_has_one_live_part_with_the_cursor_in_it(
    seed: int, agent_home: Home
) -> None:
    """Whatever the sizes were, the end of the screen is right."""
    result = play(agent_home, seed, 40, 14, "resize", "simple")
    screen = shown_by_pyte(result, 40, 14)
    shown = [line.rstrip() for line in screen.display]
    assert shown[screen.cursor.y] == "draft"
    assert shown[screen.cursor.y - 1] == "=" * screen.columns
    assert shown[screen.cursor.y + 1] == "foot"


@pytest.mark.parametrize("seed", range(31, 37))
def test_frames_hold_no_sequence_but_ours_and_few_bytes(seed: int, agent_home: Home) -> None:
    """Emoji, marks and sequences of others: nothing of theirs is sent, frames stay small."""
    result = play(agent_home, seed, 60, 20, "resize", "all")
    for step in result.steps:
        if isinstance(step, bytes):
            for sequence in step.split(b"\x1b")[1:]:
                assert sequence[:1] == b"[", sequence[:20]
            # A screen of rows with their styles, and what goes up into the scrollback.
            assert len(step) < 40_000
            assert b"title" not in step and b"\x1b[2J" not in step and b"\x1b[H" not in step
