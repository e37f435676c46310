"""The exact posterior of a seat by brute force: all full positions that look to it like the true one.

It knows nothing of `belief.py`. It follows a game action by action, carries every position that could be the true
one through every action that could have been taken, and keeps those whose visible events are the ones that were seen.
The weights are those that `belief.py` promises.
"""

from __future__ import annotations

from preau.core.state import NATURE, Event, Json
from preau.games.bagarre.position import SAID_NO, SAID_YES
from preau.games.bagarre.rules import BagarreState

from .helpers import CARD_KINDS


class Watcher:
    """One seat's exact knowledge along a game."""

    def __init__(self, state: BagarreState, seat: int | None) -> None:
        self.seat = seat
        self.could_be: dict[tuple[object, ...], tuple[BagarreState, float]] = {state.table_key(): (state.copy(), 1.0)}

    def follow(self, actor: int, seen: list[Json | None], true_state: BagarreState) -> None:
        """Take into account that `actor` did something, of which this seat saw `seen`."""
        found: dict[tuple[object, ...], tuple[BagarreState, float]] = {}
        for state, weight in self.could_be.values():
            for action, factor in _possible(state, actor):
                child = state.copy()
                if self.seen(child.apply(actor, action)) != seen or child.to_act != true_state.to_act:
                    continue
                key = child.table_key()
                known = found.get(key)
                found[key] = (child, weight * factor + (known[1] if known else 0.0))
        total = sum(weight for _, weight in found.values())
        self.could_be = {key: (state, weight / total) for key, (state, weight) in found.items()}

    def seen(self, events: list[Event]) -> list[Json | None]:
        """What this seat sees of the events."""
        return [event.seen_by(self.seat) for event in events]


def _possible(state: BagarreState, actor: int):
    """What the actor could do, with the weight of each: chances of nature, single cards of a player."""
    if actor == NATURE:
        yield from state.outcomes()
        return
    legal = state.legal(actor)
    for action in legal:
        word, _, rest = action.text.partition(" ")
        if word in CARD_KINDS:
            yield action, float(state.hands[actor].count(state.deck.numbers[rest.lower()]))
        elif word == "maman":
            yield action, 1.0 / len(legal) * _settled(state, actor, rest)
        else:
            yield action, 1.0


def _settled(state: BagarreState, actor: int, answer: str) -> float:
    """What the last answer to a Maman question changes.

    Until then a seat with Maman says yes or no with equal chances. Then it is known that some said no, which proves
    nothing, and that one spent her Maman, which could have been any one she holds.
    """
    if state.to_act != (actor,):
        return 1.0
    factor = 1.0
    for step in range(1, state.seats + 1):
        seat = (state.active + step) % state.seats
        said = answer if seat == actor else {SAID_YES: "yes", SAID_NO: "no"}.get(state.answers[seat], "")
        mamans = state.hands[seat].count(state.deck.maman)
        if said and mamans:
            factor *= 2.0
        if said == "yes":
            return factor * mamans
    return factor
