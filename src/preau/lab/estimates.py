"""Means and shares over games, with intervals that know that games of one deal have the same luck.

Everything here is a ratio of two sums over games: wins by games, coins by seats, fights won by fights fought. How sure
it is follows from how much it varies from deal to deal (a deal is the unit that is drawn anew), so games that tend to
end alike are not trusted more than they deserve. Of two runs with the same deals the difference is taken deal by deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.intervals import Z95, wilson

Floats = NDArray[np.float64]
DIGITS = 4


class Estimate(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    def rounded(self) -> list[float]:
        """As it stands in files."""
        return [round(one, DIGITS) + 0.0 for one in self]


@dataclass(frozen=True)
class Ratio:
    """Several ratios over the same deals: `above` and `below` hold the sums of every deal, one column for each."""

    above: Floats
    below: Floats
    share: bool = False
    """Whether they are shares, between 0 and 1."""
    repeats: float = 1.0
    """How often each different game was played: games that are the same say nothing new."""

    @classmethod
    def of(cls, above: ArrayLike, below: ArrayLike, block: int, *, share: bool = False, repeats: float = 1.0) -> Ratio:
        """Ratios from values game by game, of which `block` make a deal.

        >>> one = Ratio.of([1, 0, 1, 1], [1, 1, 1, 1], 2, share=True).estimates()[0]
        >>> one.value, round(one.low, 2), round(one.high, 2)
        (0.75, 0.26, 0.96)
        """
        over = np.asarray(above, dtype=float)
        over = over.reshape(len(over), -1)
        under = np.broadcast_to(np.asarray(below, dtype=float).reshape(len(over), -1), over.shape)
        return cls(_by_deal(over, block), _by_deal(under, block), share, repeats)

    @property
    def values(self) -> Floats:
        """The ratios; not a number where nothing was counted."""
        below = self.below.sum(axis=0)
        found: Floats = self.above.sum(axis=0) / np.where(below > 0, below, np.nan)
        return found

    def _leverages(self) -> Floats:
        """How far every deal pulls each ratio away from where it is."""
        below = self.below.sum(axis=0)
        found: Floats = (self.above - self.values * self.below) / np.where(below > 0, below, np.nan)
        return found

    def estimates(self) -> list[Estimate | None]:
        """All of them with their intervals; None where nothing was counted."""
        spreads = _spreads(self._leverages()) * sqrt(self.repeats)
        counts = self.below.sum(axis=0) / self.repeats
        least = np.where(self.above.min(axis=0) < 0, -np.inf, 0.0)  # what is never below 0 is not on average
        return [
            self._estimate(float(value), float(spread), float(count), float(low))
            for value, spread, count, low in zip(self.values, spreads, counts, least, strict=True)
        ]

    def _estimate(self, value: float, spread: float, count: float, least: float) -> Estimate | None:
        if not isfinite(value):
            return None
        if not self.share:
            return Estimate(value, max(least, value - Z95 * spread), value + Z95 * spread)
        if spread > 0 and 0 < value < 1:
            count = min(count, value * (1 - value) / spread**2)
        return Estimate(value, *wilson(value * count, count))

    def minus(self, other: Ratio) -> list[Estimate | None]:
        """How much greater these are than others, deal by deal if the deals are the same."""
        mine, theirs = self._leverages(), other._leverages()
        if len(mine) == len(theirs):
            spreads = _spreads(mine - theirs)
        else:
            spreads = np.sqrt(_spreads(mine) ** 2 + _spreads(theirs) ** 2)
        spreads = spreads * sqrt(max(self.repeats, other.repeats))
        return [
            Estimate(float(gap), float(gap - Z95 * spread), float(gap + Z95 * spread)) if isfinite(gap) else None
            for gap, spread in zip(self.values - other.values, spreads, strict=True)
        ]


def _by_deal(values: Floats, block: int) -> Floats:
    found: Floats = values.reshape(-1, block, values.shape[1]).sum(axis=1)
    return found


def _spreads(leverages: Floats) -> Floats:
    """The standard error of each ratio; with one deal nothing is known of it."""
    deals = len(leverages)
    if deals < 2:
        return np.full(leverages.shape[1], np.inf)
    found: Floats = np.sqrt(deals / (deals - 1) * (leverages**2).sum(axis=0))
    return found


FOLDS = 40
"""Into how many parts the deals are put to see how much a figure varies."""


def alike(wins: Floats, block: int, repeats: float = 1.0) -> Estimate | None:
    """How much of who wins goes with the deal: the correlation between two games of one deal, all seats together.

    0 says that games of one deal have no more in common than any two, 1 that the deal decides. `wins` has a row for
    each game and a column for each seat. None where all seats always fare alike, or there are too few deals to tell.
    """
    deals = len(wins) // block
    if block < 2 or deals < 2 * 2:
        return None
    games = wins.reshape(deals, block, -1)
    means = games.mean(axis=1)
    between = (means * means).sum(axis=1)
    within = ((games - means[:, None, :]) ** 2).sum(axis=(1, 2))
    value = _correlation(means, between, within, block)
    if value is None:
        return None
    folds = np.arange(deals) % min(FOLDS, deals)
    left_out = []
    for fold in range(min(FOLDS, deals)):
        kept = folds != fold
        one = _correlation(means[kept], between[kept], within[kept], block)
        left_out.append(value if one is None else one)
    many = len(left_out)
    spread = sqrt((many - 1) / many * sum((one - np.mean(left_out)) ** 2 for one in left_out) * repeats)
    return Estimate(value, value - Z95 * spread, value + Z95 * spread)


def _correlation(means: Floats, between: Floats, within: Floats, block: int) -> float | None:
    deals = len(means)
    outside = block * (between.sum() - deals * (means.mean(axis=0) ** 2).sum()) / (deals - 1)
    inside = within.sum() / (deals * (block - 1))
    total = outside + (block - 1) * inside
    return float((outside - inside) / total) if total > 0 else None


def rounded(estimates: list[Estimate | None]) -> list[Any]:
    """Estimates as they stand in files."""
    return [None if one is None else one.rounded() for one in estimates]
