"""One line of the table: a figure, its floor, its bar, and whether the bar holds."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass
class Row:
    """A figure; `ratio` is to the floor named, `at_most_ratio` a bar on it."""

    group: str
    name: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None
    at_most_ratio: float | None = None
    floor: str = ""
    floor_value: float | None = None
    low: float | None = None
    high: float | None = None
    runs: int = 1
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The figure as a multiple of its floor."""
        return self.value / self.floor_value if self.floor_value else None

    @property
    def bar(self) -> str:
        """The bar in words; empty when there is none."""
        parts = []
        if self.at_most is not None:
            parts.append(f"≤ {self.at_most:g} {self.unit}".rstrip())
        if self.at_least is not None:
            parts.append(f"≥ {self.at_least:g} {self.unit}".rstrip())
        if self.at_most_ratio is not None:
            parts.append(f"≤ {self.at_most_ratio:g} x {self.floor}")
        return ", ".join(parts)

    @property
    def holds(self) -> bool | None:
        """Whether every bar holds; None without a bar."""
        if not self.bar:
            return None
        return (
            (self.at_most is None or self.value <= self.at_most)
            and (self.at_least is None or self.value >= self.at_least)
            and (self.at_most_ratio is None or (self.ratio or 0) <= self.at_most_ratio)
        )

    def plain(self) -> dict[str, Any]:
        """The row for the JSON file."""
        return {
            "group": self.group, "name": self.name, "value": round(self.value, 4),
            "unit": self.unit, "low": self.low, "high": self.high, "runs": self.runs,
            "bar": self.bar, "floor": self.floor, "floor_value": self.floor_value,
            "ratio": round(self.ratio, 3) if self.ratio else None, "holds": self.holds,
            "note": self.note,
        }  # fmt: skip


def median_row(group: str, name: str, samples: Sequence[float], unit: str, **more: Any) -> Row:
    """A row of repeated runs: their median, the lowest and the highest."""
    low, high = round(min(samples), 4), round(max(samples), 4)
    value = statistics.median(samples)
    return Row(group, name, value, unit, low=low, high=high, runs=len(samples), **more)


def lowest_row(group: str, name: str, samples: Sequence[float], unit: str, **more: Any) -> Row:
    """A row whose figure is the lowest run's, where two costs are compared: noise only adds."""
    row = median_row(group, name, samples, unit, **more)
    row.value = min(samples)
    return row


def percentile(samples: Sequence[float], part: float) -> float:
    """The value below which that part of the samples lies."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
