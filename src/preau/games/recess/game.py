"""Recess! as the rest of the product sees it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ...core.game import Game
from ...core.options import Option, Setups, data_option, first_seat, read_options, read_seats, settle_first
from ...core.state import Action, Json
from . import data
from .actions import ACTIONS
from .position import Setup
from .rules import RecessState, fresh


def _read_layout(value: Any) -> Any:
    if isinstance(value, str) and value.strip().lower() in ("standard", "random"):
        return value.strip().lower()
    return value


_FIRST = first_seat("R6")
_NUN = re.compile(r"^(\s*(?:nun|tattle)\s+)(\d+)\b", re.IGNORECASE)

OPTIONS = (
    Option(
        "layout",
        "standard",
        en="How the four sections lie: standard, random, or a string such as B1 A0 D2 C3.",
        fr="La disposition des quatre sections : standard, random, ou un texte comme B1 A0 D2 C3.",
        rule="R2",
        check=_read_layout,
        form="standard, random, or four sections with their quarter turns such as B1 A0 D2 C3",
        named=("standard", "random"),
    ),
    data_option(
        "sections",
        ("standard",),
        data.read_sections,
        en="The set of four sections to build the yard from.",
        fr="Le jeu de quatre sections dont la cour est faite.",
        rule="R2",
        what="set of sections",
        file="section file",
    ),
    _FIRST,
    Option(
        "turns",
        30,
        en="How many turns the break lasts, all seats together.",
        fr="Combien de tours dure la récréation, tous sièges confondus.",
        rule="R7",
        low=1,
        high=300,
    ),
    Option(
        "equal_turns",
        False,
        en="Play on to the end of a full round, so that all seats have as many turns.",
        fr="Jouer jusqu'au bout d'une manche entière, pour que chacun ait autant de tours.",
        rule="R7",
        choices=(False, True),
    ),
    Option(
        "exits",
        "three",
        en="Which cells an entrance opens on: the three around its corner, or the corner alone.",
        fr="Les cases où donne une entrée : les trois de son coin, ou le coin seul.",
        rule="R4",
        choices=("three", "corner"),
    ),
    Option(
        "shove",
        8,
        en="How many neighbouring cells a shove can use: all eight, or the four beside.",
        fr="Vers combien de cases voisines on peut pousser : les huit, ou les quatre d'à côté.",
        rule="R28",
        choices=(8, 4),
    ),
    Option(
        "nun_may_stay",
        False,
        en="The nun step may be skipped.",
        fr="On peut ne pas bouger de bonne sœur.",
        rule="R31",
        choices=(False, True),
    ),
)


_SETUPS: Setups[Setup] = Setups(OPTIONS)


class Recess(Game):
    """Recess! / Récré !"""

    id = "recess"
    titles: Mapping[str, str] = {"en": "Recess!", "fr": "Récré !"}
    seats: Sequence[int] = (3, 4, 5)
    rules_version = "1"
    turn_rule = "R6"
    secrets = False
    options: Sequence[Option] = OPTIONS
    folder = data.FOLDER

    def start(
        self, seats: int | None = None, options: Mapping[str, Any] | None = None, *, seed: int | None = None
    ) -> RecessState:
        """The first position (R5): everybody at the entrances, seat `first` to move."""
        state = fresh(self.setup(4 if seats is None else seats, options, Random(seed)))
        state.begin()
        return state

    def setup(self, seats: object, options: Mapping[str, Any] | None, rng: Random | None) -> Setup:
        """The fixed part of a game: options read, what is random drawn, the yard built."""
        found = _SETUPS.find(seats, options)
        if found is not None:
            return found
        number = read_seats(seats, self.seats, self.titles["en"], "R1")
        values = read_options(self.options, options, self.titles["en"])
        rng = rng or Random()
        sections = data.standard_sections()
        if values["sections"] != "standard":
            sections = data.read_sections(values["sections"])
        if values["layout"] == "random":
            values["layout"] = data.random_layout(sections, rng)
        elif values["layout"] != "standard":
            values["layout"] = data.read_layout(values["layout"], sections)
        layout = data.standard_layout(sections) if values["layout"] == "standard" else values["layout"]
        settle_first(values, number, rng, _FIRST)
        yard = data.yard(sections, layout, values["exits"], values["shove"])
        return _SETUPS.keep(number, values, Setup(self, number, values, ACTIONS, yard))

    def actions(self, options: Mapping[str, Any] | None = None) -> Sequence[Action]:
        """All actions in their numbering, the same for every number of seats and all options."""
        return ACTIONS.all

    def shown(self, text: str) -> str:
        """People count the nuns from 1.

        >>> GAME.shown("nun 0 f6"), GAME.shown("b1 d4")
        ('nun 1 f6', 'b1 d4')
        """
        return _NUN.sub(lambda found: f"{found[1]}{int(found[2]) + 1}", text)

    def typed(self, shown: str) -> str:
        """The nun that people mean; nun 0 is the first, too, for whoever knows how she is written down.

        >>> GAME.typed("Nun 2 f6"), GAME.typed("tattle 0 e5")
        ('Nun 1 f6', 'tattle 0 e5')
        """
        return _NUN.sub(lambda found: f"{found[1]}{max(0, int(found[2]) - 1)}", shown)

    def provenance(self) -> list[Json]:
        """Where the equipment stands; the sheets do not say."""
        return [
            {
                "what": f"section {letter}",
                "value": " ".join(rows),
                "where": f"standard: sections.{letter}",
                "source": "reconstructed",
                "rule": "R2",
            }
            for letter, rows in data.standard_sections()
        ]


GAME = Recess()
