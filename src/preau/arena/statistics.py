"""The few figures that tables of results need: intervals for shares, spreads, and times of decisions.

>>> low, high = wilson(300, 600)
>>> f"{low:.3f} {high:.3f}"
'0.460 0.540'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil, exp, log
from statistics import NormalDist
from typing import Any

from ..core.intervals import wilson as wilson

STEP = log(1.05)
"""Times are counted in classes that are 5 % apart."""


def z_for(confidence: float, comparisons: int = 1) -> float:
    """The number of standard deviations for an interval that holds with this confidence in all comparisons at once.

    >>> round(z_for(0.95), 3), round(z_for(0.95, comparisons=3), 3)
    (1.96, 2.394)
    """
    return NormalDist().inv_cdf(1 - (1 - confidence) / (2 * comparisons))


def design_effect(groups: Iterable[Sequence[float]]) -> float:
    """How many times more a share varies than it would if all values were independent, and at least 1.

    `groups` holds the values that belong together, such as all games of one deal.

    >>> design_effect([[1, 1], [0, 0], [1, 1], [0, 0]] * 50) > 1.9
    True
    >>> design_effect([[1, 0], [0, 1]] * 50)
    1.0
    """
    sums = [(len(group), sum(group)) for group in groups]
    count, total = sum(size for size, _ in sums), sum(value for _, value in sums)
    if len(sums) < 2 or not 0 < total < count:
        return 1.0
    share = total / count
    between = sum((value - share * size) ** 2 for size, value in sums) * len(sums) / (len(sums) - 1)
    return max(1.0, between / (count * share * (1 - share)))


def spread(numbers: Sequence[int]) -> dict[str, float]:
    """Mean, extremes and percentiles.

    >>> spread([3, 1, 2])
    {'mean': 2.0, 'min': 1, 'p5': 1, 'p50': 2, 'p95': 3, 'max': 3}
    """
    if not numbers:
        return {}
    rising = sorted(numbers)

    def percentile(percent: int) -> int:
        return rising[max(0, -(-percent * len(rising) // 100) - 1)]

    return {
        "mean": round(sum(rising) / len(rising), 2),
        "min": rising[0],
        "p5": percentile(5),
        "p50": percentile(50),
        "p95": percentile(95),
        "max": rising[-1],
    }


class Times:
    """How long decisions took: their number and sum exactly, their percentiles to within 5 %.

    >>> times = Times()
    >>> for milliseconds in range(1, 101):
    ...     times.add(milliseconds / 1000)
    >>> times.count, round(times.mean, 4), 0.094 < times.percentile(99) < 0.104
    (100, 0.0505, True)
    """

    def __init__(self) -> None:
        self.count = 0
        self.seconds = 0.0
        self._classes: Counter[int] = Counter()

    def add(self, seconds: float) -> None:
        """Count one decision."""
        self.count += 1
        self.seconds += seconds
        self._classes[round(log(max(seconds, 1e-7)) / STEP)] += 1

    def join(self, others: Times) -> None:
        """Count the decisions of another tally as well."""
        self.count += others.count
        self.seconds += others.seconds
        self._classes.update(others._classes)

    @property
    def mean(self) -> float:
        """Seconds a decision."""
        return self.seconds / self.count if self.count else 0.0

    def percentile(self, percent: float) -> float:
        """The seconds that so many per cent of the decisions took at most."""
        left = ceil(self.count * percent / 100)
        for step in sorted(self._classes):
            left -= self._classes[step]
            if left <= 0:
                return exp(step * STEP)
        return 0.0

    def to_json(self) -> list[Any]:
        """The tally as JSON data."""
        return [round(self.seconds, 6), {str(step): count for step, count in sorted(self._classes.items())}]

    @classmethod
    def from_json(cls, data: Any) -> Times:
        """The tally written by `to_json`."""
        times = cls()
        seconds, classes = data
        times.seconds = float(seconds)
        times._classes.update({int(step): int(count) for step, count in classes.items()})
        times.count = times._classes.total()
        return times
