"""Proving what a puzzle claims, and proving it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..core.errors import PreauError
from ..core.game import Game
from ..core.state import Json, State
from ..core.themes import Chance, Count, Goal, Theme, Unclear
from .chances import Estimate, estimate
from .counts import begin, choices
from .grading import judge, known
from .puzzles import Puzzle, identity
from .turn_search import MOST_POSITIONS, TurnSearch

GAMES = 1_600
"""Games that a choice is played out in, if it is one of the best; the others get a quarter."""
CONTENDERS = 4
LEAST_GAP = 0.05
"""How much oftener the best choices must win than all others, besides the intervals being apart."""


class Proof(NamedTuple):
    """What was proven: every first action that solves it, one solution, and the figures."""

    best: tuple[str, ...]
    line: tuple[str, ...]
    figures: Json


class NoPuzzle(Exception):
    """There is nothing to find here, or too much; says what."""


def prove(theme: Theme, state: State, seat: int, task: Json, seed: str) -> Proof:
    """Prove what a position asks. Only the view of the seat is used; `seed` matters only to estimates."""
    game, view = state.game, state.view(seat)
    try:
        if isinstance(theme, Goal):
            return _prove_goal(theme, known(game, view), seat, task)
        if isinstance(theme, Count):
            return _prove_count(theme, view, seat, task)
        assert isinstance(theme, Chance)
        return _prove_chance(theme, game, view, seat, task, seed)
    except Unclear as error:
        raise NoPuzzle(str(error)) from None


def _prove_goal(theme: Goal, start: State, seat: int, task: Json) -> Proof:
    search = TurnSearch(theme, start, seat, task, MOST_POSITIONS)
    outlook = search.outlook(start)
    if not outlook.winning:
        raise NoPuzzle("no way reaches the goal")
    if not outlook.length:
        raise NoPuzzle("the goal is reached before anything is done")
    first = search.first_actions(start)
    best = tuple(action.text for action, one in first if one.winning)
    figures = {
        "kind": "turn",
        "positions": search.positions,
        "ways": outlook.ways,
        "winning": outlook.winning,
        "choices": len(first),
    }
    return Proof(best, tuple(action.text for action in search.line()), figures)


def _prove_count(theme: Count, view: Json, seat: int, task: Json) -> Proof:
    cases = theme.cases(view)
    if not cases:
        raise NoPuzzle("there are too many positions to count")
    found = choices(theme, begin(cases), seat, task)
    most = max(one.worth for one in found)
    best = [one for one in found if one.worth == most]
    if len(best) == len(found):
        raise NoPuzzle("all choices are alike")
    second = max(one.worth for one in found if one.worth < most)
    if most - second < theme.least:
        raise NoPuzzle(f"the best choice is better by {most - second} only")
    figures = {
        "kind": "count",
        "cases": len(cases),
        "values": {one.action.text: str(one.worth) for one in found},
    }
    line = (best[0].action, *best[0].rest)
    return Proof(tuple(one.action.text for one in best), tuple(action.text for action in line), figures)


def _prove_chance(theme: Chance, game: Game, view: Json, seat: int, task: Json, seed: str) -> Proof:
    world = known(game, view)
    first = estimate(game, view, seat, world.legal(seat), f"{seed} first", GAMES // 4)
    contenders = [one.action for one in first[:CONTENDERS]]
    found = estimate(game, view, seat, contenders, seed, GAMES) + first[CONTENDERS:]
    found.sort(key=lambda one: -one.share)
    best = [one.action for one in clearly_best(found)]
    if not best:
        raise NoPuzzle("no choice is beyond doubt better than the others")
    figures = {
        "kind": "chance",
        "seed": seed,
        "games": GAMES,
        "chances": {one.action.text: one.to_json() for one in found},
    }
    return Proof(tuple(action.text for action in best), (best[0].text,), figures)


def clearly_best(found: Sequence[Estimate], least: float = LEAST_GAP) -> list[Estimate]:
    """The choices, half of them at most, each of which wins beyond doubt oftener than each of the others: their
    intervals are apart, and the gap is wide enough. `found` begins with the best; nothing, if there are none such.
    """
    for many in range(1, len(found) // 2 + 1):
        best, rest = found[:many], found[many:]
        apart = min(one.low for one in best) > max(one.high for one in rest)
        if apart and best[-1].share - rest[0].share >= least:
            return list(best)
    return []


# Proving it again.


def check(puzzle: Puzzle, seed: str = "") -> list[str]:
    """What is wrong with a puzzle's claims, a sentence each: all of it is proven anew, from the position on. Estimates
    are made with the same seed as at first, or with another one.
    """
    try:
        theme, state = puzzle.about(), puzzle.state()
        task, position = dict(puzzle.task), dict(puzzle.position)
        if puzzle.id != identity(puzzle.game, puzzle.theme, task, puzzle.seat, position):
            return ["its id does not follow from what is asked"]
        if puzzle.seat not in state.to_act:
            return [f"seat {puzzle.seat} owes no decision in it"]
        if task not in list(theme.tasks(known(state.game, state.view(puzzle.seat)), puzzle.seat)):
            return ["the position does not ask this"]
        proof = prove(theme, state, puzzle.seat, task, seed or puzzle.proof.get("seed", ""))
    except NoPuzzle as error:
        return [str(error)]
    except PreauError as error:
        return [f"the position cannot be read: {error}"]
    faults = []
    if set(proof.best) != set(puzzle.best):
        faults.append(f"it is solved by {', '.join(proof.best)}, not by {', '.join(puzzle.best)}")
    if not seed and proof.figures != puzzle.proof:
        wrong = [
            name for name in {**proof.figures, **puzzle.proof} if proof.figures.get(name) != puzzle.proof.get(name)
        ]
        faults.append(f"the proof comes to other figures: {', '.join(wrong)}")
    if not faults:
        faults += _faults_of_line(puzzle)
    return faults


def _faults_of_line(puzzle: Puzzle) -> list[str]:
    """Whether the solution that is shown is one."""
    try:
        verdict = judge(puzzle, puzzle.line)
    except PreauError as error:
        return [f"its solution cannot be played: {error}"]
    return [] if verdict == "reached" else [f"its solution leaves it {verdict}"]
