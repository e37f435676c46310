"""One, two, three, sun! as the rest of the product sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from preau.core import Action, Game, Option
from preau.core.options import read_options, read_seats

from .actions import ACTIONS
from .position import Setup
from .rules import SoleilState, fresh

OPTIONS = (
    Option(
        "steps",
        10,
        en="How many steps it is to the wall.",
        fr="Combien de pas il y a jusqu'au mur.",
        rule="S1",
        low=5,
        high=30,
    ),
    Option(
        "back",
        "line",
        en="How far back a child goes that was seen: to the line, or three steps.",
        fr="Jusqu'où recule un enfant qui a été vu : à la ligne, ou de trois pas.",
        rule="S5",
        choices=("line", "three"),
    ),
    Option(
        "rounds",
        15,
        en="After how many rounds the bell rings.",
        fr="Après combien de manches la cloche sonne.",
        rule="S8",
        low=5,
        high=50,
    ),
)


class Soleil(Game):
    """One, two, three, sun!"""

    id = "soleil"
    titles: Mapping[str, str] = {"en": "One, two, three, sun!", "fr": "Un, deux, trois, soleil !"}
    seats: Sequence[int] = (2, 3, 4, 5)
    rules_version = "1"
    turn_rule = "S3"
    secrets = True
    options: Sequence[Option] = OPTIONS
    folder = Path(__file__).parent

    def start(
        self, seats: int | None = None, options: Mapping[str, Any] | None = None, *, seed: int | None = None
    ) -> SoleilState:
        """The first position: everybody on the line, and nature deals."""
        return fresh(self.setup(4 if seats is None else seats, options))

    def setup(self, seats: object, options: Mapping[str, Any] | None) -> Setup:
        """The fixed part of a game."""
        number = read_seats(seats, self.seats, self.titles["en"], "S1")
        return Setup(self, number, read_options(self.options, options, self.titles["en"]), ACTIONS)

    def actions(self, options: Mapping[str, Any] | None = None) -> Sequence[Action]:
        """All actions in their numbering."""
        return ACTIONS.all


GAME = Soleil()
