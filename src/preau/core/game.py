"""What a game is, apart from any position of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from .observation import Observation
from .options import Option
from .state import Action, Json, State
from .texts import Texts


class Sampler(ABC):
    """Draws full positions that agree with everything one seat knows."""

    @abstractmethod
    def draw(self, rng: Random) -> State:
        """One position, drawn with the right probability."""


class Game(ABC):
    """The description of one game: everything the rest of the product needs to know to offer it.

    A game is added by a folder under `preau/games` whose package has a `GAME`; no other file changes.
    """

    id: str
    """Short name, as typed: `recess`."""
    titles: Mapping[str, str]
    """The title by language."""
    seats: Sequence[int]
    """The numbers of seats it can be played with."""
    rules_version: str
    """Changes when a record written under the old rules would no longer replay."""
    turn_rule: str = ""
    """The rule that says whose turn it is, for refusing those whose turn it is not."""
    secrets: bool
    """Whether seats know things that others do not."""
    options: Sequence[Option]
    folder: Path
    """Where its data and texts lie."""

    @abstractmethod
    def start(
        self, seats: int | None = None, options: Mapping[str, Any] | None = None, *, seed: int | None = None
    ) -> State:
        """The first position. `seed` matters only to options with the value `random`, which are drawn here."""

    @abstractmethod
    def load(self, data: Mapping[str, Any]) -> State:
        """The position written as JSON by `State.to_json`, or by hand. Raises `PositionError`."""

    @abstractmethod
    def actions(self, options: Mapping[str, Any] | None = None) -> Sequence[Action]:
        """Every action of the game in its fixed numbering."""

    @abstractmethod
    def sampler(self, view: Json) -> Sampler:
        """A source of full positions that agree with this seat's view. It never sees the true position."""

    @abstractmethod
    def observe(self, state: State, seat: int) -> Observation:
        """The position as numbers, seen from `seat`."""

    def playout(self, state: State, rng: Random) -> int:
        """Play `state` on at random to its end; returns the number of decisions taken."""
        return state.playout(rng)

    def texts(self, language: str = "en") -> Texts:
        """Its messages in one language."""
        if language not in _TEXTS.setdefault(self.id, {}):
            _TEXTS[self.id][language] = Texts.read(self.folder / "texts", language)
        return _TEXTS[self.id][language]

    def provenance(self) -> list[Json]:
        """The data of the game: `what` it is, its `value`, `where` it stands, its `source` and the `rule`.

        The source is `sheet`, or `reconstructed` where the sheet is silent and we had to lay something down.
        """
        return []

    def __repr__(self) -> str:
        return f"<game {self.id}>"


_TEXTS: dict[str, dict[str, Texts]] = {}
