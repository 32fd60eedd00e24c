"""A terminal for tests that gives each grapheme cluster one cell, as kitty, ghostty and tmux do.

pyte alone takes characters one by one and drops the rest of a text behind a joiner or a variation
selector, which have no width and are no combining marks. It also loses rows when it gets lower.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyte
from pyte import modes
from wcwidth import iter_graphemes, wcswidth


class ClusterScreen(pyte.HistoryScreen):
    """pyte with clusters (or, as xterm, every character by itself), and real resizes."""

    def __init__(self, cols: int, rows: int, *, clusters: bool = True) -> None:
        super().__init__(cols, rows, history=100_000, ratio=0.1)
        self.clusters = clusters
        self.overflows: list[str] = []

    def parts(self, data: str) -> Iterator[tuple[str, int]]:
        """Split text into what gets a cell of its own, with its columns."""
        pieces = iter_graphemes(data) if self.clusters and not data.isascii() else data
        for piece in pieces:
            yield piece, max(0, wcswidth(piece))

    def draw(self, data: str) -> None:
        """Write text at the cursor; what goes over the right edge is kept in `overflows`."""
        for part, wide in self.parts(data):
            if wide == 0:
                self.add_mark(part)
                continue
            if self.cursor.x + wide > self.columns:
                self.overflows.append(part)
                if modes.DECAWM in self.mode:
                    self.carriage_return()
                    self.linefeed()
                else:
                    self.cursor.x = self.columns - wide
            row, x = self.buffer[self.cursor.y], self.cursor.x
            row[x] = self.cursor.attrs._replace(data=part)
            if wide == 2:
                row[x + 1] = self.cursor.attrs._replace(data="")
            self.cursor.x += wide

    def add_mark(self, mark: str) -> None:
        """Put a mark onto what stands before the cursor."""
        row, x = self.buffer[self.cursor.y], self.cursor.x - 1
        if x > 0 and row[x].data == "":
            x -= 1
        if x >= 0:
            row[x] = row[x]._replace(data=row[x].data + mark)

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        """Take a size as xterm does: rows go off the top only for the cursor, others are cut."""
        lines, columns = lines or self.lines, columns or self.columns
        pushed = max(0, self.cursor.y + 1 - lines)
        at = self.cursor.y
        self.set_margins()
        self.cursor.y = self.lines - 1
        for _ in range(pushed):
            self.index()
        self.cursor.y = at - pushed
        for y in [y for y in self.buffer if y >= lines]:
            del self.buffer[y]
        for row in self.buffer.values():
            for x in [x for x in row if x >= columns]:
                del row[x]
        self.lines, self.columns = lines, columns
        self.cursor.x = min(self.cursor.x, columns)

    def rows(self) -> list[str]:
        """The scrollback and the screen as text, blank rows at the end left out."""
        every: list[Any] = [*self.history.top, *(self.buffer[y] for y in range(self.lines))]
        rows = ["".join(r[x].data for x in range(max(r, default=-1) + 1)).rstrip() for r in every]
        while rows and not rows[-1]:
            rows.pop()
        return rows
