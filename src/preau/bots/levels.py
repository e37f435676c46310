"""Bots of several strengths, all by the same search: a level is how far it looks and how strictly it chooses.

Its numbers stand in `evaluate/<game>.json`: `simulations` for a decision; `temperature`, how much chance to win it may
give away for the sake of variety; and `slips`, how often it plays without thinking. The card games need the last: there
even a short look finds most good actions, and a beginner's mistakes are not a matter of depth.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from ..core.errors import SetupError
from ..core.game import Game
from ..core.registry import find_game
from ..core.state import Action, Json
from .base import Bot, Budget, Seen
from .evaluate import judges
from .evaluate.base import Judge
from .search.open import Node
from .search.think import think
from .search.thought import choose

LEVELS = ("easy", "normal", "hard", "expert")
"""The levels that think, from the weakest on; `random` stands below them."""


class Strength(NamedTuple):
    """What makes a level: how many simulations for a decision, how much it may vary its choice, how often it slips."""

    simulations: int
    temperature: float
    slips: float = 0.0
    light: int = 0
    """So many simulations in a browser, where somebody waits and the rules are not compiled; 0: the same."""
    brisk: int = 0
    """So many in a browser where they are compiled; 0: the same."""


_ANY_GAME = {
    "easy": Strength(8, 0.1),
    "normal": Strength(60, 0.05),
    "hard": Strength(300, 0.02),
    "expert": Strength(1000, 0.005),
}


def strength(game: str, level: str) -> Strength:
    """How a level plays a game."""
    found = judges.data(game)["levels"].get(level)
    return Strength(**found) if found else _ANY_GAME[level]


class LevelBot(Bot):
    """A level by name, with the budget of its level or another."""

    wants_events = False

    def __init__(self, level: str, budget: Budget | None = None, judge: Judge | None = None) -> None:
        if level not in LEVELS:
            raise SetupError(f"there is no level {level!r}", field="bot", hint="There are " + ", ".join(LEVELS) + ".")
        self.level = level
        self.budget = budget
        self._judge = judge
        self._kept: Node | None = None
        """What is known of the position after the last action that was thought about."""

    def choose(self, seen: Seen) -> Action:
        """What looks best after some thought, or nearly so."""
        self.opinions = ()
        if len(seen.legal) == 1:
            return seen.legal[0]
        assert seen.view is not None
        how = strength(seen.game.id, self.level)
        if how.slips and seen.rng.random() < how.slips:
            return seen.legal[int(seen.rng.random() * len(seen.legal))]
        budget = self.budget or seen.budget or Budget(how.simulations)
        judge = self._judge = self._judge or judges.judge(seen.game.id)
        thought = think(seen.game, seen.seat, seen.view, budget, seen.rng, judge, self._kept)
        self.opinions = thought.opinions()
        action = choose(self.opinions, how.temperature, seen.rng)
        self._kept = thought.after(action)
        return next(one for one in seen.legal if one is action or one.text == action.text)

    def keeps(self) -> int:
        """The positions of its tree."""
        return int(self._kept.visits) + 1 if self._kept is not None else 0

    def __repr__(self) -> str:
        return f"LevelBot({self.level}{f'@{self.budget}' if self.budget else ''})"


def explain(seen: Seen | Json, budget: Budget | None = None, seed: int = 0) -> Json:
    """What the search thinks of every action in a position, from what one seat knows, as JSON data.

    `seen` is what a bot is given, or a seat's view. For each action: `value`, the chance to win; `visits`, how often it
    was looked at; `proven`, whether that value is certain; and the `line` the search expects after it.

    >>> import preau
    >>> view = preau.game("recess").start(seats=3).view(0)
    >>> thought = explain(view, Budget(50))
    >>> thought["seat"], len(thought["actions"]), thought["best"] == thought["actions"][0]["action"]
    (0, 37, True)
    """
    view = seen.view if isinstance(seen, Seen) else seen
    if view is None or not isinstance(view.get("seat"), int):
        raise SetupError("there is no seat to think for", field="view", hint="Give the view of a seat that is to act.")
    game: Game = find_game(view["game"])
    how = budget or Budget(strength(game.id, "expert").simulations)
    thought = think(game, view["seat"], view, how, Random(seed), judges.judge(game.id), None)
    return thought.to_json()
