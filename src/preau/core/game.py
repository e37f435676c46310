"""What a game is, apart from any position of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from .book import Figure, read_book
from .challenges import Plan, read_plan
from .counts import Table as Counted
from .counts import Watch
from .facts import PICTURE, Facts, read_facts
from .gallery import Gallery
from .lessons import Exercise, read_lessons
from .observation import Layout, Observation
from .options import Option
from .reasons import Reason, Step
from .slate import Slate
from .state import Action, Json, State
from .texts import Texts
from .themes import Table, Theme


class Sampler(ABC):
    """Draws full positions that agree with everything one seat knows."""

    @abstractmethod
    def draw(self, rng: Random) -> State:
        """One position, drawn with the right probability."""


class OpenSampler(Sampler):
    """The sampler of a game without secrets: the position itself, every time."""

    def __init__(self, state: State) -> None:
        self._state = state

    def draw(self, rng: Random) -> State:
        """The position."""
        return self._state.copy()


class Game(ABC):
    """The description of one game: everything the rest of the product needs to know to offer it.

    A game is a folder with the same few files as the others: under `preau/games`, or in a package of its own with an
    entry point in the group `preau.games`. No other file names it.
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
        """The first position. `seed` matters only to options with the value `random`, which are drawn here.

        >>> from preau import game
        >>> state = game("recess").start(seats=3, options={"turns": 12})
        >>> state.to_act, state.options["turns"], len(state.legal(0))
        ((0,), 12, 37)
        """

    @abstractmethod
    def actions(self, options: Mapping[str, Any] | None = None) -> Sequence[Action]:
        """Every action of the game in its fixed numbering."""

    def shown(self, text: str) -> str:
        """The text of an action as people read it at the terminal: as it stands, unless they count differently."""
        return text

    def typed(self, shown: str) -> str:
        """What somebody typed as the text of an action: the way back from `shown`."""
        return shown

    # What the other files of its folder hold.

    def part(self, name: str) -> Any:
        """The module of this name beside the one its class is in: `views`, `why`, `diagram`, `shapes`. Loaded when it
        is first wanted, for the rules themselves need none of them.
        """
        parts: dict[str, Any] = self.__dict__.setdefault("_parts", {})
        if name not in parts:
            parts[name] = import_module(f"{self._package}.{name}")
        return parts[name]

    def has_part(self, name: str) -> bool:
        """Whether there is such a module: a game need not have all of them."""
        return bool(self._package) and find_spec(f"{self._package}.{name}") is not None

    @property
    def _package(self) -> str:
        return type(self).__module__.rpartition(".")[0]

    def load(self, data: Mapping[str, Any]) -> State:
        """The position written as JSON by `State.to_json`, or by hand (`views.py`). Raises `PositionError`."""
        state: State = self.part("views").load(data)
        return state

    def sampler(self, view: Json) -> Sampler:
        """A source of full positions that agree with this seat's view (`sampler.py`). It never sees the true position.

        Without secrets the view says all there is.
        """
        if self.secrets:
            sampler: Sampler = self.part("sampler").sampler(view)
            return sampler
        return OpenSampler(self.load({field: view[field] for field in self.part("views").FIELDS if field in view}))

    def layout(self, state: State) -> Layout:
        """What its positions look like as numbers: the same through a game, and for all seats (`observe.py`)."""
        found: Layout = self.part("observe").layout(state)
        return found

    def observe(self, state: State, seat: int) -> Observation:
        """The position as numbers, seen from `seat`, and what it may do."""
        layout = self.layout(state)
        slate = Slate(1, layout.size)
        state.write(seat, slate)
        seen = Observation.read(layout, slate)
        for action in state.legal(seat):
            seen.mask[action.number] = 1
        return seen

    def advice(self, step: Step, seat: int) -> Json | None:
        """What a hint tells a seat to do whose action this step is: a key `do....` of its texts, with parameters
        (`reasons.py`). None where the game has no words for it; then the hint says its text `action.<verb>`.
        """
        if not self.has_part("reasons"):
            return None
        said: Json = self.part("reasons").advice(step, seat)
        return said

    def reasons(self, first: Step, rest: Iterator[Step], seat: int) -> list[Reason]:
        """What speaks for and against the action a tale begins with, for the seat that takes it (`reasons.py`). The
        rest of the tale is made up as it is asked for.
        """
        if not self.has_part("reasons"):
            return []
        found: list[Reason] = self.part("reasons").reasons(first, rest, seat)
        return found

    @cached_property
    def facts(self) -> Facts:
        """What it says about itself to whoever offers it (`facts.json`)."""
        return read_facts(self.folder, self.seats)

    @cached_property
    def lessons(self) -> tuple[Exercise, ...]:
        """The exercises of its lesson, in order (`lessons.json`); a game without has none."""
        return read_lessons(self.folder)

    @cached_property
    def challenge(self) -> Plan | None:
        """The table of its challenge of the day (`challenge.json`); a game without has none."""
        return read_plan(self.folder, self.seats)

    @cached_property
    def book(self) -> tuple[Figure, ...]:
        """The figures on the first page of its rule book, in order (`book.json`); a game without has none."""
        return read_book(self.folder)

    @cached_property
    def gallery(self) -> Gallery | None:
        """Everything in its box (`gallery.py`); None for a game that shows none."""
        if not self.has_part("gallery"):
            return None
        found: Gallery = self.part("gallery").gallery()
        return found

    @property
    def themes(self) -> Mapping[str, Theme]:
        """What its puzzles can be about, by name (`themes.py`); nothing, for a game without puzzles."""
        if not self.has_part("themes"):
            return {}
        return {theme.name: theme for theme in self.part("themes").THEMES}

    @property
    def tables(self) -> Sequence[Table]:
        """The tables at which bots play the games that its puzzles are found in (`themes.py`)."""
        tables: Sequence[Table] = self.part("themes").TABLES if self.has_part("themes") else ()
        return tables

    def counted(self, state: State) -> Sequence[Counted]:
        """What the lab counts in games that begin with this position, beyond what all games have (`lab.py`)."""
        found: Sequence[Counted] = self.part("lab").tables(state) if self.has_part("lab") else ()
        return found

    def watch(self, state: State) -> Watch:
        """What counts in a game that begins with this position (`lab.py`)."""
        watch: Watch = self.part("lab").Watch(state) if self.has_part("lab") else Watch(state)
        return watch

    @property
    def picture(self) -> Path | None:
        """Its picture, where it brings one along."""
        path = self.folder / PICTURE
        return path if path.is_file() else None

    def texts(self, language: str = "en") -> Texts:
        """Its messages in one language."""
        texts: dict[str, Texts] = self.__dict__.setdefault("_texts", {})
        if language not in texts:
            texts[language] = Texts.read(self.folder / "texts", language)
        return texts[language]

    def provenance(self) -> list[Json]:
        """The data of the game: `what` it is, its `value`, `where` it stands, its `source` and the `rule`.

        The source is `sheet`, or `reconstructed` where the sheet is silent and we had to lay something down.
        """
        return []

    def playout(self, state: State, rng: Random) -> int:
        """Play `state` on at random to its end; returns the number of decisions taken."""
        return state.playout(rng)

    def __repr__(self) -> str:
        return f"<game {self.id}>"
