"""Median and 95th percentile."""

import statistics
from collections.abc import Sequence
from typing import NamedTuple, Self


class Figures(NamedTuple):
    """Two figures of many measurements, in milliseconds."""

    median_ms: float
    p95_ms: float

    @classmethod
    def of_ns(cls, values_ns: Sequence[int]) -> Self:
        """Return the figures of durations in nanoseconds."""
        ordered = sorted(values_ns)
        p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
        return cls(statistics.median(ordered) / 1e6, p95 / 1e6)

    def less(self, other: "Figures") -> "Figures":
        """Return the difference of both figures."""
        return Figures(self.median_ms - other.median_ms, self.p95_ms - other.p95_ms)

    def __str__(self) -> str:
        """Return both as they stand in the table."""
        return f"{self.median_ms:.1f} / {self.p95_ms:.1f} ms"
