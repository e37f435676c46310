"""What a judge of positions is, and one that can judge any game by its scores."""

from __future__ import annotations

from abc import abstractmethod
from math import exp

from ...core.mypyc_shims import mypyc_attr
from ...core.state import NATURE, Action, State

UNSEEN = -1
"""The label of an action that not everybody sees."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Judge:
    """Says how likely each seat is to win a position, which actions look good, and what of an action everybody sees.

    `weights` are numbers to be tuned; each game's file names them, in order. This judge knows scores only and serves
    any game.
    """

    def __init__(self, weights: list[float]) -> None:
        self.weights = weights
        self.open = False
        """Whether the game has neither secrets nor chance, so that results can be proven."""

    def values(self, state: State) -> list[float]:
        """For each seat how likely it is to win; they sum to 1. Exact when the game is over."""
        if not state.to_act:
            return outcome(state)
        return shares([float(score) for score in state.scores()], self.weights[0])

    def label(self, state: State, actor: int, action: Action) -> int:
        """A number for what everybody sees of an action: its own number, or UNSEEN. Asked before it is taken."""
        if actor == NATURE or len(state.to_act) > 1:
            return UNSEEN
        return action.number

    def policy(self, state: State, seat: int, legal: tuple[Action, ...]) -> list[float]:
        """How promising each action looks at a glance, as logarithms: where to look first, and how others may play."""
        return [0.0] * len(legal)

    def quiet(self, state: State) -> bool:
        """Whether nothing is under way that `values` would misjudge, so that looking ahead may stop here."""
        return True


@mypyc_attr(allow_interpreted_subclasses=True)
class Player(Judge):
    """A judge that plays games out by rules of thumb, fast enough to judge by how they end."""

    @abstractmethod
    def play_out(self, state: State, luck: int) -> None:
        """Play on to the end; the same luck means the same draws of nature, as far as there are the same draws."""

    def final(self, state: State) -> list[float]:
        """The values of a game that was played out: who won, or by how much."""
        return outcome(state)

    def matters(self, state: State) -> bool:
        """Whether what is decided here is worth much thought."""
        return True


def outcome(state: State) -> list[float]:
    """A win for each winner of a finished game, shared if there are several."""
    winners = state.result().winners
    values = [0.0] * state.seats
    for seat in winners:
        values[seat] = 1.0 / len(winners)
    return values


def shares(worth: list[float], spread: float = 1.0) -> list[float]:
    """Worths as chances to win: a worth that is `spread` higher makes a win e times as likely.

    >>> [round(one, 2) for one in shares([3.0, 1.0, 1.0], 1.0)]
    [0.79, 0.11, 0.11]
    """
    best = worth[0]
    for one in worth:
        best = one if one > best else best
    total = 0.0
    chances: list[float] = []
    for one in worth:
        chance = exp((one - best) / spread)
        chances.append(chance)
        total += chance
    for seat in range(len(chances)):
        chances[seat] /= total
    return chances
