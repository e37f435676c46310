"""What the lab counts in Recess!: where fights, detentions and kisses happen, and how seats fare that do it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ...core.counts import Column, Table
from ...core.counts import Watch as Counting
from ...core.state import Event, State
from .rules import RecessState
from .yard import CELL_NAMES, SIDE

PLACES = ("fight", "detention", "kiss")
"""What has its place in the yard (R18, R30, R33)."""
DEEDS = ("fight", "break_up", "tattle", "detention", "kiss")
"""What children do (R18, R26, R29, R33), or what becomes of it (R30)."""


def tables(state: State) -> Sequence[Table]:
    """A map of the yard, and the deeds."""
    yard = cast(RecessState, state).yard
    return (
        Table(
            "yard",
            CELL_NAMES,
            [Column(name) for name in PLACES],
            width=SIDE,
            blank=[CELL_NAMES[cell] for cell in yard.blocked],
            brings=False,
        ),
        Table("deeds", DEEDS, [Column("done")], words="deed"),
    )


class Watch(Counting):
    """Everything that is counted is told as it happens."""

    def see(self, event: Event) -> None:
        """Note what a child did and where; a detention is the bully's."""
        key = event.key
        if key not in DEEDS:
            return
        seat = cast(int, event.data["bully" if key == "detention" else "seat"])
        self.add("deeds", "done", key, seat)
        if key in PLACES:
            self.add("yard", key, cast(str, event.data["cell"]), seat)
