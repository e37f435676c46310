"""What a position of Dans la cour d'école can ask of a seat.

Most of it can be counted: hidden are only the characters of the others and what was taken blind between two of them,
and all of that can be written down. Stars are those of the moment: what a card may become later does not count.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from fractions import Fraction

from ...core.state import Action, Json, State
from ...core.themes import Cases, Chance, Count, Table, Theme, Unclear
from .actions import CourAction
from .cases import every_world
from .position import BEFRIENDING, GIVING, KEEPING, LOSING, POINTING, STEALING, THRESHOLD, TRADING
from .rules import CourState
from .tally import TRADED


class Stars(Count):
    """A choice that is measured in stars."""

    characters = False
    """Whether it matters who the others are."""

    def cases(self, view: Json) -> Cases | None:
        """All positions that agree with the view."""
        worlds = every_world(view, characters=self.characters)
        return None if worlds is None else [(state, weight) for state, weight in worlds]

    def tasks(self, state: State, seat: int) -> Iterator[Json]:
        """Where the position asks for it."""
        assert isinstance(state, CourState)
        if self.asked(state, seat):
            yield {}

    @abstractmethod
    def asked(self, state: CourState, seat: int) -> bool:
        """Whether the position asks for it."""

    def worth(self, before: State, after: State, seat: int, task: Json, action: Action) -> Fraction:
        """What it brings."""
        assert isinstance(before, CourState)
        assert isinstance(after, CourState)
        assert isinstance(action, CourAction)
        return Fraction(self.brings(before, after, seat, action))

    @abstractmethod
    def brings(self, before: CourState, after: CourState, seat: int, action: CourAction) -> Fraction | int:
        """What the choice brings if this is the position."""


# Facts about positions.


def stars(state: CourState, seat: int, more: int = -1) -> int:
    """The stars of a hand with its character (C16, C17), with one card more if one is named, and the chestnut man."""
    hand = state.hand(seat)
    if more >= 0:
        hand[more] += 1
    man = state.deck.chestnut_man_stars if state.man == seat else 0
    return man + state.setup.rows.stars(hand, state.characters[seat], state.setup.agent_min)


def loot(state: CourState, seat: int, victim: int) -> Fraction:
    """What a card taken blind from a hand brings on average (C8, C10)."""
    size = state.sizes[victim]
    if not size:
        return Fraction(0)
    now = stars(state, seat)
    kinds = ((state.held(victim, kind), kind) for kind in range(state.width))
    return Fraction(sum(count * (stars(state, seat, kind) - now) for count, kind in kinds if count), size)


def plain(state: CourState) -> bool:
    """Whether all cards on the table are such as go into a hand, and several kinds."""
    return len(set(state.open_cards)) > 1 and max(state.open_cards) < state.width


def third(state: CourState, seat: int) -> bool:
    """Whether a card on the table may be the third of its kind for a seat, to be traded (C10, C11)."""
    kinds = (state.deck.leaf, state.deck.chestnut)
    return any(
        kind in state.open_cards and state.tally.most[2 * seat + place] >= TRADED - 1
        for place, kind in enumerate(kinds)
    )


# The themes.


class Last(Stars):
    """The last turn of the game: keep and give so as to win."""

    name = "last"
    characters = True
    least = Fraction(1, 10)

    def asked(self, state: CourState, seat: int) -> bool:
        """In the last turn of a round that is likely to be the last (C15)."""
        last = state.turn % state.seats == 0 and (state.ending or min(state.sizes) >= THRESHOLD - 1)
        return last and state.phase == KEEPING and state.to_keep == 1 and plain(state)

    def goes_on(self, state: State, seat: int) -> bool:
        """Giving belongs to it."""
        assert isinstance(state, CourState)
        return state.phase == GIVING

    def brings(self, before: CourState, after: CourState, seat: int, action: CourAction) -> Fraction | int:
        """The win, or a part of it if it is shared (C18)."""
        if not after.over:
            raise Unclear("the game goes on after this turn")
        scores = after.scores()
        return Fraction(scores[seat] == max(scores), scores.count(max(scores)))


class Trade(Stars):
    """Three leaves or three chestnuts: trade them, or keep them? (C10, C11)."""

    name = "trade"
    least = Fraction(1)

    def asked(self, state: CourState, seat: int) -> bool:
        """Where there is a choice."""
        return state.phase == TRADING and state.can_trade()

    def goes_on(self, state: State, seat: int) -> bool:
        """For leaves one more choice: from whom to steal."""
        assert isinstance(state, CourState)
        return state.phase == STEALING

    def brings(self, before: CourState, after: CourState, seat: int, action: CourAction) -> Fraction | int:
        """Stars of one's own, with what the theft brings on average."""
        gained = stars(after, seat) - stars(before, seat)
        return gained + (loot(after, seat, after.victim) if after.phase == LOSING else 0)


class Friendship(Stars):
    """Whom to turn a friend to (C12)."""

    name = "friend"
    least = Fraction(1)

    def asked(self, state: CourState, seat: int) -> bool:
        """Where a friend was gained."""
        return state.phase == BEFRIENDING

    def brings(self, before: CourState, after: CourState, seat: int, action: CourAction) -> Fraction | int:
        """A star for each card of the largest collection of that seat."""
        return max(before.setup.rows.collections(before.hand(action.seat)))


class Slap(Stars):
    """Spider or butterfly: whose hand to point at (C8)."""

    name = "slap"
    least = Fraction(1, 2)

    def asked(self, state: CourState, seat: int) -> bool:
        """Where everybody points."""
        return state.phase == POINTING

    def brings(self, before: CourState, after: CourState, seat: int, action: CourAction) -> Fraction | int:
        """What a card out of that hand brings on average."""
        return loot(before, seat, action.seat)


class Poisoned(Stars):
    """Which card to give away to whom, so that it helps least (C6)."""

    name = "give"
    characters = True
    least = Fraction(1, 3)

    def asked(self, state: CourState, seat: int) -> bool:
        """Where two different cards are left to give away, and nobody could trade what it gets."""
        return state.phase == GIVING and plain(state) and not any(third(state, other) for other in range(state.seats))

    def brings(self, before: CourState, after: CourState, seat: int, action: CourAction) -> Fraction | int:
        """The stars of whoever gets it, which are better few."""
        return stars(before, action.seat) - stars(before, action.seat, action.card)


class Row(Stars):
    """Which card makes the best row at once (C16)."""

    name = "row"
    least = Fraction(2)

    def asked(self, state: CourState, seat: int) -> bool:
        """Where a card is kept, and the row has some cards already."""
        keeping = state.phase == KEEPING and state.to_keep == 1 and plain(state)
        return keeping and state.sizes[seat] >= 3 and not third(state, seat)

    def brings(self, before: CourState, after: CourState, seat: int, action: CourAction) -> Fraction | int:
        """The stars it adds."""
        return stars(before, seat, action.card) - stars(before, seat)


class Best(Chance):
    """What wins most often, asked in one phase of the turn."""

    phase: int

    def tasks(self, state: State, seat: int) -> Iterator[Json]:
        """In this phase."""
        assert isinstance(state, CourState)
        if state.phase == self.phase:
            yield {}


class Keep(Best):
    """Which card to keep, so as to win."""

    name = "keep"
    phase = KEEPING


class Deny(Best):
    """Which card to give to whom, so as to win."""

    name = "deny"
    phase = GIVING


THEMES: tuple[Theme, ...] = (Last(), Trade(), Friendship(), Slap(), Poisoned(), Row(), Keep(), Deny())
TABLES = (Table(4), Table(3), Table(5))
