"""What the lab counts in La grande bagarre: what each toy, special move and friend brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ...core.counts import Column, Table
from ...core.counts import Watch as Counting
from ...core.state import Event, State
from .deck import EFFECTS, FRIENDS
from .rules import BagarreState

_FIGHTS = ("fight", "general_fight")
_GAINS = ("convert", "marie_edwige")


def tables(state: State) -> Sequence[Table]:
    """The cards of the set, by kind; a set without special moves has no table of them."""
    deck = cast(BagarreState, state).deck
    toys = [deck.names[kind] for kind in deck.toys()]
    specials = [EFFECTS[deck.effect[kind]] for kind in range(deck.first_special, deck.kinds)]
    found = [
        Table(
            "toys",
            toys,
            [Column("laid"), Column("fought", "laid"), Column("lost", "fought", part=True), Column("marbles", "laid")],
            words="card",
        ),
        Table("friends", deck.names[:FRIENDS], [Column("turned"), Column("won", "turned", part=True)], words="card"),
    ]
    if specials:
        found.insert(1, Table("specials", specials, [Column("played")], words="card"))
    return found


class Watch(Counting):
    """Everything that is counted is told as it happens."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._turned: dict[int, str] = {}
        """The friends turned in the fight or game of marbles at hand, by seat."""

    def see(self, event: Event) -> None:
        """Note what becomes of a card (B8, B10, B15 to B20, B23)."""
        key, data = event.key, event.data
        if key == "lay":
            self.add("toys", "laid", cast(str, data["card"]), cast(int, data["seat"]))
        elif key in _GAINS:
            self.add("toys", "marbles", cast(str, data["card"]), cast(int, data["seat"]), cast(int, data["marbles"]))
        elif key in _FIGHTS:
            self._turned = {}
            self.add("toys", "fought", cast(str, data["card"]), cast(int, data["owner"]))
        elif key == "show":
            self._turned[cast(int, data["seat"])] = cast(str, data["card"])
            self.add("friends", "turned", cast(str, data["card"]), cast(int, data["seat"]))
        elif key in ("win_toy", "keep_toy", "bet_won"):
            self._decided(cast(int, data["seat"]))
            if key == "win_toy":
                self.add("toys", "lost", cast(str, data["card"]), cast(int, data["owner"]))
        elif key in ("tie", "challenge"):
            self._turned = {}
        elif key == "special":
            self.add("specials", "played", cast(str, data["card"]), cast(int, data["seat"]))
        elif key == "maman":
            self.add("specials", "played", key, cast(int, data["seat"]))

    def _decided(self, winner: int) -> None:
        """The friend that a fight was won with (B19, B20)."""
        if winner in self._turned:
            self.add("friends", "won", self._turned[winner], winner)
        self._turned = {}
