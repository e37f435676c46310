"""How often each choice wins: positions are drawn that agree with what the seat knows, and every choice is played out
in each of them, with the same luck, everybody going on by the policy of the game's judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from ..bots.evaluate import judges
from ..bots.evaluate.base import Judge, Player, outcome
from ..bots.search.hidden import HiddenSearch
from ..core.game import Game
from ..core.intervals import Z99, wilson
from ..core.state import Action, Json, State
from ..review.strength import TO_THE_END


class Estimate(NamedTuple):
    """How often a choice has won: the share, the interval that holds it with 99 % confidence, and of how many games."""

    action: Action
    share: float
    low: float
    high: float
    games: int

    def to_json(self) -> list[float]:
        """Its figures."""
        return [round(self.share, 4), round(self.low, 4), round(self.high, 4), self.games]


def estimate(game: Game, view: Json, seat: int, actions: Sequence[Action], seed: str, games: int) -> list[Estimate]:
    """Play each of the actions out in the same `games` drawn positions; the best comes first."""
    sampler = game.sampler(view)
    judge = judges.judge(game.id)
    rng = Random(seed)
    wins = [0.0] * len(actions)
    for _ in range(games):
        world = sampler.draw(rng)
        luck = rng.getrandbits(32)
        for at, action in enumerate(actions):
            state = world.copy()
            state.advance(seat, action)
            play_out(judge, state, seat, luck)
            wins[at] += outcome(state)[seat]
    found = [
        Estimate(action, won / games, *wilson(won, games, Z99), games)
        for action, won in zip(actions, wins, strict=True)
    ]
    return sorted(found, key=lambda one: -one.share)


def play_out(judge: Judge, state: State, seat: int, luck: int) -> None:
    """Play a position on to the end, by what the judge thinks of the actions."""
    if isinstance(judge, Player):
        judge.play_out(state, luck)
    else:
        HiddenSearch(seat, judge, 0.0, TO_THE_END, Random(luck)).play_on(state)
