"""What every game promises of how it is played: who acts, what is legal, and what chance does."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, pairwise
from math import isclose, nextafter, sqrt
from random import Random
from statistics import mean

from ..core.errors import NotYourTurn
from ..core.game import Game
from ..core.state import NATURE, REFEREE, Action, pick
from .helpers import decisions, refused_with, some_games

STEP_BACK = 0.25
"""How far progress may fall in one step: three cards of a hand that ends the game at seven are put away at once."""

BORDERS = 200
"""Borders between outcomes of a chance node that are looked at."""


def goes_on_until_it_is_over(game: Game, seats: int) -> None:
    """Whoever owes a decision can take one, and nobody else; at the end everybody has a score and a rank."""
    for state, actor, action in some_games(game, seats):
        if actor is None:
            assert state.over
            assert state.to_act == ()
            assert sorted(seat for group in state.ranking() for seat in group) == list(range(seats))
            assert len(state.scores()) == seats
            continue
        assert action in state.legal(actor)
        for other in (*range(seats), NATURE):
            assert bool(state.legal(other)) == (other in state.to_act)


def progress_goes_from_none_to_all(game: Game, seats: int) -> None:
    """It begins at 0, ends at 1, falls little in a step, and is greater in each third of a game than before."""
    progress: list[float] = []
    for state, actor, _ in some_games(game, seats, games=3):
        progress.append(state.progress())
        if actor is None:
            assert progress[0] == 0.0
            assert progress[-1] == 1.0
            assert max(progress[:-1]) < 1.0
            assert max(before - after for before, after in pairwise(progress)) <= STEP_BACK
            third = len(progress) // 3
            early, middle, late = (mean(progress[third * part : third * (part + 1)]) for part in range(3))
            assert early < middle < late
            progress = []


def chances_add_up(game: Game, seats: int) -> None:
    """What nature may do is what is listed, and the chances sum to 1."""
    for state, actor, _ in decisions(game, seats):
        if actor == NATURE:
            outcomes = state.outcomes()
            assert tuple(action for action, _ in outcomes) == state.legal(NATURE)
            assert isclose(sum(chance for _, chance in outcomes), 1.0, rel_tol=1e-6)
            assert all(chance > 0 for _, chance in outcomes)


class _Point(Random):
    """A source of chance that gives one number, once."""

    def __init__(self, point: float) -> None:
        super().__init__(0)
        self.points = [point]

    def random(self) -> float:
        return self.points.pop()


def draws_what_the_list_of_outcomes_gives(game: Game, seats: int) -> None:
    """Also for the numbers on the borders between outcomes, where a rounding error would show."""
    for state, actor, _ in decisions(game, seats):
        if actor != NATURE:
            assert state.outcomes() == []
            with refused_with(NotYourTurn):
                state.draw(Random(1))
            continue
        outcomes = state.outcomes()
        points = [0.0, nextafter(1.0, 0.0)]
        borders = list(accumulate(chance for _, chance in outcomes))
        for border in borders if len(borders) <= BORDERS else Random(1).sample(borders, BORDERS):
            points += [nextafter(border, 0.0), border, nextafter(border, 1.0)]
        for point in points:
            if point < 1.0:
                assert state.draw(_Point(point)) is pick(outcomes, _Point(point))


def draws_as_often_as_it_is_likely(game: Game, seats: int) -> None:
    """Of many draws each outcome gets its share."""
    rng = Random(5)
    for state, actor, _ in decisions(game, seats):
        if actor == NATURE and len(state.outcomes()) > 2 and rng.random() < 0.05:
            drawn = Counter(state.draw(rng) for _ in range(3_000))
            for action, chance in state.outcomes():
                assert abs(drawn[action] - 3_000 * chance) < 6 * sqrt(3_000 * chance * (1 - chance))


def allows_what_it_lists(game: Game, seats: int) -> None:
    """Of all actions of the game, and of actions that only look like its own. What people read they may type."""
    every = [*game.actions(), *(Action(action.number, action.text) for action in game.actions())]
    assert all(game.typed(game.shown(action.text)) == action.text for action in game.actions())
    for number, (state, _, _) in enumerate(some_games(game, seats, games=1)):
        if number % 10 == 0:
            for actor in (*range(seats), NATURE, REFEREE):
                listed = state.referee() if actor == REFEREE else state.legal(actor)
                assert [action for action in every if state.allows(actor, action)] == list(listed)


def plays_inside_as_outside(game: Game, seats: int) -> None:
    """A game that the engine plays out by itself is the one that is played from outside, action by action."""
    inside = game.start(seats, seed=3)
    outside = inside.copy()
    decisions = game.playout(inside, Random(4))
    assert decisions > 0
    assert inside.over
    rng = Random(4)
    while actors := outside.to_act:
        if actors == (NATURE,):
            outside.advance(NATURE, outside.draw(rng))
        else:
            legal = outside.legal(actors[0])
            outside.advance(actors[0], legal[int(rng.random() * len(legal))])
            decisions -= 1
    assert outside == inside
    assert decisions == 0


def absent_seats_do_something_legal(game: Game, seats: int) -> None:
    """What is done for somebody who is away."""
    for state, actor, _ in decisions(game, seats):
        if actor != NATURE:
            assert state.zombie(actor) in state.legal(actor)
