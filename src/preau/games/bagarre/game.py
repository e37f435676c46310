"""La grande bagarre as the rest of the product sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...core.errors import DataError
from ...core.game import Game
from ...core.options import (
    Option,
    Setups,
    data_option,
    data_refused,
    first_seat,
    read_options,
    read_seats,
    settle_first,
)
from ...core.state import Action, Json
from ...core.texts import Texts
from . import data
from .actions import Actions
from .deck import Deck
from .position import Setup
from .rules import BagarreState, fresh

_FIRST = first_seat("B6")

OPTIONS = (
    Option(
        "goal",
        10,
        en="How many marbles win the game.",
        fr="Combien de billes il faut pour gagner.",
        rule="B14",
        low=1,
        high=99,
    ),
    _FIRST,
    data_option(
        "cards",
        data.SETS,
        data.deck,
        en="The set of cards: reconstructed, leaflet (without special moves), or one of your own.",
        fr="Le jeu de cartes : reconstructed, leaflet (sans coups spéciaux), ou le vôtre.",
        rule="B4",
        what="set of cards",
        file="card file",
    ),
    Option(
        "may_forfeit",
        False,
        en="In a duel the owner of the toy may give it up instead of placing a friend.",
        fr="Dans un duel, le propriétaire du jouet peut y renoncer au lieu de poser un copain.",
        rule="B16",
        choices=(False, True),
    ),
)


@lru_cache(maxsize=64)
def _actions(deck: Deck) -> Actions:
    """All actions with a set of cards, made once."""
    return Actions(deck)


_SETUPS: Setups[Setup] = Setups(OPTIONS)


class Bagarre(Game):
    """La grande bagarre."""

    id = "bagarre"
    titles: Mapping[str, str] = {"en": "La grande bagarre", "fr": "La grande bagarre"}
    seats: Sequence[int] = (2, 3, 4, 5, 6)
    rules_version = "1"
    turn_rule = "B6"
    secrets = True
    options: Sequence[Option] = OPTIONS
    folder = data.FOLDER

    def start(
        self, seats: int | None = None, options: Mapping[str, Any] | None = None, *, seed: int | None = None
    ) -> BagarreState:
        """The first position (B6): nobody has a card yet, and nature deals."""
        return fresh(self.setup(4 if seats is None else seats, options, seed))

    def setup(self, seats: object, options: Mapping[str, Any] | None, seed: int | None = None) -> Setup:
        """The fixed part of a game: options read, what is random drawn, the cards laid out."""
        found = _SETUPS.find(seats, options)
        if found is not None:
            return found
        number = read_seats(seats, self.seats, self.titles["en"], "B6")
        values = read_options(self.options, options, self.titles["en"])
        deck = data.deck(values["cards"])
        try:
            data.check_size(deck, number)
        except DataError as error:
            raise data_refused(error, "cards") from None
        settle_first(values, number, seed, _FIRST)
        return _SETUPS.keep(number, values, Setup(self, number, values, _actions(deck)))

    def actions(self, options: Mapping[str, Any] | None = None) -> Sequence[Action]:
        """All actions in their numbering: the same for every number of seats, and fixed for a set of cards."""
        values = read_options(self.options, options, self.titles["en"])
        return _actions(data.deck(values["cards"])).all

    def texts(self, language: str = "en") -> Texts:
        """Its messages; toys beyond those that ship are called by their number."""
        texts = super().texts(language)
        for number in range(1, data.MOST_TOYS + 1):
            if f"card.T{number:02}" not in texts:
                texts.messages[f"card.T{number:02}"] = texts.say("toy", {"number": number})
                texts.messages[f"the.T{number:02}"] = texts.say("the_toy", {"number": number})
        return texts

    def provenance(self) -> list[Json]:
        """Every datum of the sets that ship: what it is, where it stands, and who says so."""
        return [row for name in data.SETS for row in data.provenance(name)]


GAME = Bagarre()
