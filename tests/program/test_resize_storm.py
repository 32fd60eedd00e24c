"""A window that changes its size many times in a second: nothing is lost, nothing stands twice."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from support.home import Home
from support.provider import Provider
from support.tmux import Terminal

NARROWER = [(cols, 30) for cols in range(94, 40, -6)]
WIDER = [(cols, 30) for cols in range(106, 160, 6)]
LOWER = [(100, rows) for rows in range(28, 10, -2)]
HIGHER = [(100, rows) for rows in range(32, 50, 2)]
WIDTHS = [(60, 30), (100, 30), (44, 30), (120, 30), (70, 30), (52, 30), (100, 30)]
HEIGHTS = [(100, 12), (100, 30), (100, 10), (100, 40), (100, 14), (100, 30)]
BOTH = [(60, 24), (100, 12), (44, 30), (120, 10), (70, 25), (52, 14), (100, 30)]


@dataclass
class Storm:
    """The sizes, one after the other, and how long each stays."""

    sizes: list[tuple[int, int]]
    stays_s: float = 0.05
    paragraphs: int = 30
    wide: bool = False


STORMS = {
    "narrower": Storm(NARROWER, wide=True),
    "narrower, slowly": Storm(NARROWER[::2], stays_s=0.5, paragraphs=3),
    "narrower, at the top of the screen": Storm(NARROWER, paragraphs=3, wide=True),
    "wider": Storm(WIDER),
    "lower": Storm(LOWER, paragraphs=3),
    "higher": Storm(HIGHER, wide=True),
    "widths": Storm(WIDTHS * 2, stays_s=0.15, wide=True),
    "heights": Storm(HEIGHTS * 2, stays_s=0.15),
    "both": Storm(BOTH * 2),
    "both, slowly": Storm(BOTH, stays_s=0.4, wide=True),
}

AT_REST = ["narrower, slowly", "narrower, at the top of the screen", "lower", "widths", "both"]
# Not the slow ones: a frame that is on its way when tmux changes the size can still spoil a row.
STREAMING = [name for name in STORMS if "slowly" not in name]


def text_of(storm: Storm) -> tuple[str, list[str]]:
    """Paragraphs of numbered words, some after wide characters, and the numbers."""
    count = storm.paragraphs * 23
    words = [
        ("中文字" if storm.wide and number % 3 == 0 else "") + f"w{number:04d}"
        for number in range(1, count + 1)
    ]
    paragraphs = [" ".join(words[at : at + 23]) for at in range(0, count, 23)]
    return "\n\n".join(paragraphs), [f"{number:04d}" for number in range(1, count + 1)]


def check(terminal: Terminal, numbers: list[str]) -> None:
    """Every word stands once and in order, and one live part, which is whole."""
    cols, rows = 90, 28
    terminal.resize(cols, rows)
    live = rf"(?m)^─{{{cols}}}\n› a draft\n─{{{cols}}}\n~/work · loop:m .*%\n*\Z"
    terminal.wait(live)
    text = terminal.history()
    assert re.findall(r"w(\d{4})", text) == numbers
    assert len(re.findall(r"(?m)^─+$", text)) == 2, text
    assert text.count("› go") == text.count("› a draft") == text.count("loop:m") == 1, text
    assert "esc to stop" not in text


@pytest.mark.parametrize("name", AT_REST)
def test_every_line_stands_once_after_a_storm_of_resizes_at_rest(
    name: str, agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    storm = STORMS[name]
    text, numbers = text_of(storm)
    with Provider([{"text": text}]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("go")
        terminal.keys("Enter")
        terminal.wait(f"w{numbers[-1]}")
        terminal.wait("esc to stop", gone=True)
        terminal.type("a draft")
        terminal.wait("› a draft")
        for cols, rows in storm.sizes:
            terminal.resize(cols, rows)
            time.sleep(storm.stays_s)
        check(terminal, numbers)


@pytest.mark.parametrize("name", STREAMING)
def test_every_line_stands_once_after_a_storm_of_resizes_while_an_answer_streams(
    name: str, agent_home: Home, open_panto: Callable[..., Terminal]
) -> None:
    storm = STORMS[name]
    text, numbers = text_of(storm)
    lasts_s = storm.stays_s * len(storm.sizes) + 1
    deltas = re.findall(r"\S+\s*", text)
    script = {"deltas": deltas, "delay_s": min(0.05, lasts_s / len(deltas))}
    with Provider([script]) as provider:
        agent_home.use_provider(provider.url)
        terminal = open_panto()
        terminal.type("go")
        terminal.keys("Enter")
        terminal.wait("w0020")
        for cols, rows in storm.sizes:
            terminal.resize(cols, rows)
            time.sleep(storm.stays_s)
        terminal.type("a draft")
        terminal.wait("› a draft")
        terminal.wait(f"w{numbers[-1]}", timeout_s=60)
        terminal.wait("esc to stop", gone=True)
        check(terminal, numbers)
