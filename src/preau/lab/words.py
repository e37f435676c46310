"""What a report calls things, and how it writes figures, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.registry import find_game
from ..core.state import Json
from ..core.texts import Texts

THIN = "\u202f"
OWN = Path(__file__).parent / "texts"

SHARES = {"seats", "shared", "score_bars", "length_bars", "endings", "bots", "deal", "blind"}
"""The figures that are shares; so are those that end in `:wins`."""


class Words:
    """The words of one report: the lab's own, those of the game for the lab, and the game's."""

    def __init__(self, game: str, language: str, parts: Collection[str] = ()) -> None:
        """`parts` are figures of the game's own that are told in per cent."""
        self.language = language
        self._parts = parts
        self._game = find_game(game)
        self._own = Texts.read(OWN, language)
        folder = self._game.folder / "texts" / "lab"
        self._lab = Texts.read(folder, language) if folder.is_dir() else Texts(language, {})
        self._texts = self._game.texts(language)
        self.title = self._game.titles[language]

    def say(self, key: str, /, **params: Any) -> str:
        """A sentence of the lab."""
        return self._set(self._own.say(key, params))

    def knows(self, key: str) -> bool:
        """Whether the lab has such a sentence."""
        return key in self._own

    def of_game(self, key: str, instead: str = "") -> str:
        """What the game says under a key, for the lab or else at all; or what is to be said instead."""
        for texts in (self._lab, self._texts):
            if key in texts:
                return self._set(texts.say(key))
        return instead or key

    def _set(self, text: str) -> str:
        """In French no line may begin with the second half of a sign."""
        return re.sub(r" ([;:!?%])", rf"{THIN}\1", text) if self.language == "fr" else text

    # Things.

    def thing(self, table: Json, name: str) -> str:
        """What a thing of a table is called."""
        return self.of_game(f"{table['words']}.{name}", name) if table["words"] else name

    def ending(self, reason: str) -> str:
        """How a game ended."""
        return self.of_game(f"ending.{reason}", reason)

    @property
    def colon(self) -> str:
        """What stands between a name and what is said of it."""
        return f"{THIN}: " if self.language == "fr" else ": "

    def seat(self, seat: int) -> str:
        """A seat, as people count them."""
        return self.say("seat", number=seat + 1)

    def options(self, options: Mapping[str, Any]) -> str:
        """Options and their values, as they are typed."""
        said = [f"{name}={_typed(value)}" for name, value in options.items()]
        return ", ".join(said) if said else self.say("usual")

    def chosen(self, options: Mapping[str, Any]) -> str:
        """The same in the words of the game."""
        said = [
            f"{self.of_game(f'option.{name}', name)}{self.colon}"
            f"{self.of_game(f'option.{name}.{_typed(value)}', _typed(value))}"
            for name, value in options.items()
        ]
        return ", ".join(said) if said else self.say("usual")

    # Figures.

    def is_share(self, name: str) -> bool:
        """Whether a figure is a share, told in per cent."""
        return name in SHARES or name in self._parts or name.endswith(":wins")

    def number(self, value: float, digits: int = 0) -> str:
        """A number, with so many digits after the point."""
        text = f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", "−")  # nothing is ever -0
        return text.replace(",", THIN).replace(".", ",") if self.language == "fr" else text

    def estimate(self, name: str, one: Sequence[float] | None, *, signed: bool = False) -> str:
        """A figure with its interval; a difference has its sign, and is told in points where it is one of shares."""
        if one is None:
            return "–"
        unit = f"{THIN}{'pts' if signed else '%'}"
        factor, digits, unit = (100, 1, unit) if self.is_share(name) else (1, _digits(one[0]), "")
        value, low, high = (self.number(factor * part, digits) for part in one)
        sign = "+" if signed and round(factor * one[0], digits) > 0 else ""
        return f"{sign}{value}{unit} ({low} – {high})"


def _digits(value: float) -> int:
    size = abs(value)
    return 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 1 else 3


def _typed(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if isinstance(value, str | int) else "@file.json"
