"""What the lab counts in Dans la cour d'école: what each character and each card brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ...core.counts import Column, Table
from ...core.counts import Watch as Counting
from ...core.state import Event, State
from .deck import CHARACTERS, TOYS
from .rules import CourState

CARDS = (*TOYS, "leaf", "chestnut", "friend", "glue", "king", "chestnut_man")


def tables(state: State) -> Sequence[Table]:
    """Who one is, and what one has in the end."""
    return (
        Table("characters", CHARACTERS, [Column("dealt")], words="character"),
        Table("cards", CARDS, [Column("held"), Column("kept"), Column("given")], words="card"),
    )


class Watch(Counting):
    """Cards are counted as they are kept and given, and at the end as they are held (C6, C16)."""

    def see(self, event: Event) -> None:
        """Note what is kept, and what is given away."""
        if event.key == "kept":
            self.add("cards", "kept", cast(str, event.data["card"]), cast(int, event.data["seat"]))
        elif event.key == "given":
            self.add("cards", "given", cast(str, event.data["card"]), cast(int, event.data["to"]))

    def end(self, state: State) -> None:
        """Note what every seat is and has."""
        found = cast(CourState, state)
        for seat in range(found.seats):
            self.add("characters", "dealt", CHARACTERS[found.characters[seat]], seat)
            for kind, many in enumerate(found.hand(seat)):
                self.add("cards", "held", found.deck.types[kind], seat, many)
            self.add("cards", "held", "friend", seat, found.friends[seat].bit_count())
            self.add("cards", "held", "king", seat, found.kings[seat])
            self.add("cards", "held", "glue", seat, int(found.pot == seat))
            self.add("cards", "held", "chestnut_man", seat, int(found.man == seat))
