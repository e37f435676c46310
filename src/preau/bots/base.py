"""What a bot is: something that chooses an action from what one seat knows.

A bot never meets the true position. It is handed a `Seen`, which holds plain data made for its seat.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.errors import PreauError, SetupError
from ..core.game import Game
from ..core.registry import find_game
from ..core.state import Action, Json

if TYPE_CHECKING:
    from .search.thought import Opinion


class BotError(PreauError):
    """A bot that broke down, took too long or chose what it may not."""


class Budget(NamedTuple):
    """How long a bot may think about one decision: a number of simulations, or of seconds.

    Simulations make a bot play the same on every machine; seconds make it use whatever machine it has.
    With both, whichever is used up first ends the thinking.

    >>> Budget.read("200")
    Budget(simulations=200, seconds=0.0)
    >>> Budget.read("0.5s")
    Budget(simulations=0, seconds=0.5)
    """

    simulations: int = 0
    seconds: float = 0.0

    @classmethod
    def read(cls, text: str) -> Budget:
        """The budget meant by a text: `200` simulations, `0.5s` seconds."""
        word = text.strip().lower()
        try:
            budget = cls(seconds=float(word[:-1])) if word.endswith("s") else cls(simulations=int(word))
        except ValueError:
            budget = cls()
        if not (0 < budget.simulations <= 10_000_000 or 0.0 < budget.seconds <= 3600.0):
            raise SetupError(
                f"{text!r} is no budget",
                field="bot",
                hint="It takes a number of simulations such as hard@200, or seconds such as hard@0.5s.",
            )
        return budget

    def __str__(self) -> str:
        return f"{self.simulations}" if self.simulations else f"{self.seconds:g}s"


class Seen:
    """What a bot is given for one decision. All of it is plain data or public tables, made for this seat.

    `view` is the seat's view as JSON data and `legal` what it may do. `events` is what it saw happen since its last
    decision, `history` all it has seen happen in this game, those included. `rng` is its own source of chance, and
    `budget`, if the table sets one, how long it may think. A bot that does not want views or events gets None and
    nothing.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        view: Json | None,
        legal: Sequence[Action],
        events: Sequence[Json],
        rng: Random,
        history: Sequence[Json] = (),
        budget: Budget | None = None,
    ) -> None:
        self.game = game
        self.seat = seat
        self.view = view
        self.legal = legal
        self.events = events
        self.rng = rng
        self.history = history or events
        self.budget = budget

    def to_json(self, known: int = 0) -> Json:
        """All of it but its chance as JSON data, for a bot in another process that knows the first `known` events."""
        return {
            "game": self.game.id,
            "seat": self.seat,
            "view": self.view,
            "legal": [[action.number, action.text] for action in self.legal],
            "known": known,
            "history": list(self.history[known:]),
            "news": len(self.events),
            "budget": list(self.budget) if self.budget else None,
        }

    @classmethod
    def from_json(cls, data: Json, rng: Random, known: Sequence[Json] = ()) -> Seen:
        """What `to_json` wrote, with the chance and the earlier events that the reader has of its own."""
        game = find_game(data["game"])
        view: Json | None = data["view"]
        legal = read_actions(game, view, data["legal"])
        history = (*known[: data["known"]], *data["history"])
        events = history[len(history) - data["news"] :]
        budget = Budget(*data["budget"]) if data["budget"] else None
        return cls(game, data["seat"], view, legal, events, rng, history, budget)


def read_actions(game: Game, view: Json | None, legal: Iterable[tuple[int, str]]) -> tuple[Action, ...]:
    """Return the actions with these numbers and texts, which are legal for the seat whose view this is.

    >>> from preau import game
    >>> state = game("recess").start(3)
    >>> read_actions(state.game, None, [(action.number, action.text) for action in state.legal(0)]) == state.legal(0)
    True
    """
    actions = game.actions(view.get("options") if view else None)
    return tuple(_action(actions, number, text) for number, text in legal)


def _action(actions: Sequence[Action], number: int, text: str) -> Action:
    """The game's own action where its numbering has it, else one made from the text."""
    if 0 <= number < len(actions) and actions[number].text == text:
        return actions[number]
    return Action(number, text)


class Bot(ABC):
    """A player. One bot plays one seat of one game."""

    wants_view = True
    """Whether `Seen.view` is to be filled in; making it costs time."""
    wants_events = True
    """Whether `Seen.events` and `Seen.history` are to be filled in; a bot without a view gets none either."""
    opinions: Sequence[Opinion] = ()
    """What it thought of its actions at its last decision; nothing where it did not think, or keeps it to itself."""

    @abstractmethod
    def choose(self, seen: Seen) -> Action:
        """One of `seen.legal`."""

    def check(self, game: Game, seats: int, options: Mapping[str, Any]) -> None:  # noqa: B027  # most play anything
        """Refuse (`SetupError`) a game or house rules that it was not made for, before anything is played."""

    def keeps(self) -> int:
        """How many positions it keeps in mind from one decision to the next, for whoever must bound memory."""
        return 0

    def close(self) -> None:  # noqa: B027  # most bots hold nothing
        """Let go of whatever the bot holds; it is not asked again."""
