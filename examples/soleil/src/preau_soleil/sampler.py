"""Full positions from what one seat knows. Nothing tells of the others' cards: any that are unseen are as likely."""

from __future__ import annotations

from random import Random

from preau.core import HIDDEN, PositionError, Sampler, State, ViewError
from preau.core.state import Json

from .deck import CARDS
from .rules import SoleilState, fresh
from .views import read_hand, read_table


class SoleilSampler(Sampler):
    """Positions that agree with one view."""

    def __init__(self, known: SoleilState, seat: int, hidden: list[tuple[int, int, bool]]) -> None:
        self._known = known
        self._seat = seat
        self._hidden = hidden
        """Of each other seat: how many cards it has, that on the table included, and whether there is one."""

    def draw(self, rng: Random) -> State:
        """Shuffle what is unseen and deal it out; of those who have chosen, any card lies on the table."""
        state = self._known.copy()
        unseen = [card for card, count in enumerate(state.pile()) for _ in range(count)]
        rng.shuffle(unseen)
        for seat, cards, chosen in self._hidden:
            dealt = [unseen.pop() for _ in range(cards)]
            if chosen:
                state.chosen[seat] = dealt.pop()
            for card in dealt:
                state.hands[seat][card] += 1
        return state


def sampler(view: Json) -> SoleilSampler:
    """A source of positions that agree with a seat's view."""
    try:
        return _read(view)
    except PositionError as error:
        raise ViewError(error.message, field=error.field, rule=error.rule, hint=error.hint) from None
    except (KeyError, TypeError, ValueError, IndexError):
        raise ViewError("this is no view of this game", field="view", rule="S2") from None


def _read(view: Json) -> SoleilSampler:
    from .game import GAME

    state = fresh(GAME.setup(view["seats"], view["options"]))
    read_table(state, view)
    seat = view["seat"]
    state.hands[seat] = read_hand(view["hand"])
    if view["chosen"][seat] is not None:
        state.chosen[seat] = CARDS.index(view["chosen"][seat])
    hidden = [
        (other, view["cards"][other] + (card == HIDDEN), card == HIDDEN)
        for other, card in enumerate(view["chosen"])
        if other != seat
    ]
    return SoleilSampler(state, seat, hidden)
