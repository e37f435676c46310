"""The public tally of leaves and chestnuts (C10, C11): from it alone follows whether a seat is asked to trade.

A blind theft may bring a third leaf, and asking only those who have three would tell the table what was stolen. So the
question follows a count that everybody could keep. For every seat and for leaf and chestnut it says how many the seat
can hold at most, as far as the public knows:

- a card gained openly counts one more;
- a blind gain counts one more if the hand it came from may hold such a card, whatever it really was;
- a trade counts three fewer;
- after every change of a hand, never more than the hand.

Nothing here is ever told which card a blind theft moved, so the tally cannot give it away.
"""

from __future__ import annotations

from typing import Final

from .deck import bit

LEAF: Final = 0
CHESTNUT: Final = 1
TRADED: Final = 3
"""How many of a kind make a trade."""


class Tally:
    """How many leaves and chestnuts each seat can hold at most, as far as the public knows."""

    def __init__(self, most: list[int], sizes: list[int]) -> None:
        self.most = most
        """For seat s, leaves at 2 s and chestnuts at 2 s + 1."""
        self.sizes = sizes
        """How many cards each hand holds."""

    def copy(self) -> Tally:
        """An independent copy."""
        return Tally(self.most.copy(), self.sizes.copy())

    def _trim(self, seat: int) -> None:
        size = self.sizes[seat]
        most = self.most
        place = 2 * seat
        most[place] = min(most[place], size)
        most[place + 1] = min(most[place + 1], size)

    def may_trade(self, seat: int) -> bool:
        """Whether the seat may hold three of a kind that is traded."""
        return max(self.most[2 * seat : 2 * seat + 2]) >= TRADED

    def gain(self, seat: int, what: int) -> bool:
        """An open gain; `what` is LEAF, CHESTNUT or -1. Whether the seat may now hold three of the kind gained."""
        self.sizes[seat] += 1
        if what < 0:
            return False
        self.most[2 * seat + what] += 1
        return self.most[2 * seat + what] >= TRADED

    def steal(self, seat: int, victim: int) -> int:
        """A blind gain. The answer holds LEAF, CHESTNUT or both: of which it may have brought the thief to three."""
        sizes = self.sizes
        most = self.most
        sizes[seat] += 1
        sizes[victim] -= 1
        may = 0
        for what in range(LEAF, CHESTNUT + 1):
            if most[2 * victim + what] > 0:
                most[2 * seat + what] += 1
                may |= bit(what)
        self._trim(seat)
        self._trim(victim)
        for what in range(LEAF, CHESTNUT + 1):
            if most[2 * seat + what] < TRADED:
                may &= ~bit(what)
        return may

    def trade(self, seat: int, what: int) -> None:
        """Three of a kind leave the hand."""
        self.sizes[seat] -= TRADED
        self.most[2 * seat + what] -= TRADED
        self._trim(seat)


def empty(seats: int) -> Tally:
    """The tally of empty hands."""
    return Tally([0] * (2 * seats), [0] * seats)
