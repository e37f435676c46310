"""The proofs themselves: a search without shortcuts, and draws from what a seat knows, come to the same."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean, pstdev

import pytest

import preau
from preau.core.themes import Chance, Count, Goal, Unclear
from preau.learn import proofs
from preau.learn.chances import Estimate, estimate
from preau.learn.counts import after, begin, choices, goes_on
from preau.learn.grading import known
from preau.learn.proofs import NoPuzzle, clearly_best, prove
from preau.learn.puzzles import Puzzle, puzzles
from preau.learn.turn_search import MOST_POSITIONS, TurnSearch

GAMES = [name for name in preau.game_ids() if preau.game(name).themes]


def of_kind(kind: type, game: str = "") -> list[Puzzle]:
    names = [game] if game else GAMES
    return [puzzle for name in names for puzzle in puzzles(name) if isinstance(puzzle.about(), kind)]


def every_way(puzzle: Puzzle) -> tuple[int, int]:
    """How many first actions can reach the goal, and in how few decisions: by going through every way to its end."""
    theme, seat, task = puzzle.about(), puzzle.seat, dict(puzzle.task)
    assert isinstance(theme, Goal)
    start = puzzle.state()
    best = {}
    for first in start.legal(seat):
        after_first = start.copy()
        after_first.advance(seat, first)
        left, reached = [(after_first, 1)], []
        seen = set()
        while left:
            state, steps = left.pop(0)
            over = seat not in state.to_act
            if (over or theme.at_once) and theme.reached(start, state, seat, task):
                reached.append(steps)
                break
            if over or state in seen:
                continue
            seen.add(state)
            for action in state.legal(seat):
                child = state.copy()
                child.advance(seat, action)
                left.append((child, steps + 1))
        if reached:
            best[first.text] = reached[0]
    return len(best), min(best.values())


def narrow(game: str, most: int) -> list[Puzzle]:
    rows = [puzzle for puzzle in of_kind(Goal, game) if puzzle.proof["positions"] <= most]
    return rows[::3]


@pytest.mark.parametrize("puzzle", narrow("recess", 700) + narrow("bagarre", 700), ids=lambda one: one.id)
def test_a_search_without_shortcuts_finds_the_same(puzzle):
    assert every_way(puzzle) == (len(puzzle.best), len(puzzle.line))


@pytest.mark.nightly
@pytest.mark.parametrize("puzzle", of_kind(Goal), ids=lambda one: one.id)
def test_a_search_without_shortcuts_finds_the_same_everywhere(puzzle):
    assert every_way(puzzle) == (len(puzzle.best), len(puzzle.line))


def test_a_turn_that_is_too_wide_is_passed_over():
    puzzle = max(of_kind(Goal, "recess"), key=lambda one: one.proof["positions"])
    theme, state = puzzle.about(), puzzle.state()
    assert isinstance(theme, Goal)
    search = TurnSearch(theme, state, puzzle.seat, dict(puzzle.task), puzzle.proof["positions"] - 1)
    with pytest.raises(Unclear):
        search.outlook(state)


def test_a_goal_that_cannot_be_reached_is_no_puzzle():
    state = preau.game("recess").start(3)
    with pytest.raises(NoPuzzle, match="no way"):
        prove(preau.game("recess").themes["kiss"], state, 0, {}, "")


@pytest.mark.parametrize("puzzle", of_kind(Goal, "bagarre")[::2], ids=lambda one: one.id)
def test_what_is_sure_is_sure_whatever_is_hidden(puzzle):
    """The search took one position that agrees with what the seat knows; any other one comes to the same."""
    theme, state = puzzle.about(), puzzle.state()
    assert isinstance(theme, Goal)
    sampler, rng = state.game.sampler(state.view(puzzle.seat)), Random(7)
    for _ in range(5):
        world = sampler.draw(rng)
        search = TurnSearch(theme, world, puzzle.seat, dict(puzzle.task), MOST_POSITIONS)
        assert [one.text for one, outlook in search.first_actions(world) if outlook.winning] == list(puzzle.best)


DRAWS = 400


@pytest.mark.parametrize("puzzle", of_kind(Count)[::3], ids=lambda one: f"{one.theme}-{one.id}")
def test_draws_from_what_the_seat_knows_come_to_the_same_values(puzzle):
    """The values are exact; the mean over positions that the sampler draws must not be far from them."""
    theme, state, seat, task = puzzle.about(), puzzle.state(), puzzle.seat, dict(puzzle.task)
    assert isinstance(theme, Count)
    view = state.view(seat)
    exact = {one.action.text: one.worth for one in choices(theme, begin(theme.cases(view) or []), seat, task)}
    assert {text: str(value) for text, value in exact.items()} == puzzle.proof["values"]
    sampler, rng = state.game.sampler(view), Random(11)
    drawn = begin([(sampler.draw(rng), 1) for _ in range(DRAWS)])
    for action in state.legal(seat):
        moved = after(drawn, seat, action)
        if goes_on(theme, moved, seat):
            continue
        gains = [float(theme.worth(before, one, seat, task, action)) for before, one, _ in moved]
        reach = 5 * pstdev(gains) / sqrt(DRAWS) + 1e-9
        assert abs(fmean(gains) - float(exact[action.text])) <= reach, action.text


def test_the_solver_knows_only_what_the_seat_knows():
    """Another position with the same view has the same proof."""
    changed = 0
    for puzzle in of_kind(Count)[::5]:
        state = puzzle.state()
        other = state.game.sampler(state.view(puzzle.seat)).draw(Random(3))
        if other == state:
            continue
        changed += 1
        proof = prove(puzzle.about(), other, puzzle.seat, dict(puzzle.task), "")
        assert (proof.best, proof.line, proof.figures) == (puzzle.best, puzzle.line, dict(puzzle.proof))
    assert changed


def found(*shares: float, games: int = 1000) -> list[Estimate]:
    actions = preau.game("recess").actions()
    return [Estimate(actions[at], share, share - 0.03, share + 0.03, games) for at, share in enumerate(shares)]


def test_what_is_clearly_best():
    assert [one.share for one in clearly_best(found(0.6, 0.4, 0.3))] == [0.6]
    assert clearly_best(found(0.6, 0.55, 0.3)) == []
    assert [one.share for one in clearly_best(found(0.6, 0.59, 0.3, 0.2))] == [0.6, 0.59]
    assert clearly_best(found(0.6, 0.59, 0.3, 0.2), least=0.4) == []
    assert clearly_best(found(0.6, 0.59, 0.58, 0.2)) == []


def test_an_estimate_finds_what_is_certain():
    """Seat 0 can win by swapping its toys now; drawing a card leaves that to the others, who can win too."""
    players = [
        {"hand": ["F1", "F2", "F3", "F4", "F5"], "front": ["T24"], "marbles": 8},
        {"hand": ["F6", "F6", "F7", "F7", "F8"], "front": ["T25"], "marbles": 8},
    ]
    state = preau.game("bagarre").load({"game": "bagarre", "seats": 2, "players": players})
    rows = estimate(state.game, state.view(0), 0, state.legal(0), "certain", 60)
    assert rows[0].action.text == "convert T24"
    assert rows[0].share == 1.0
    assert rows[-1].share < 0.5
    again = estimate(state.game, state.view(0), 0, state.legal(0), "certain", 60)
    assert again == rows
    assert estimate(state.game, state.view(0), 0, state.legal(0), "other", 60) != rows


def test_estimated_puzzles_say_how():
    for puzzle in of_kind(Chance):
        chances = puzzle.proof["chances"]
        best = [chances[text] for text in puzzle.best]
        rest = [figures for text, figures in chances.items() if text not in puzzle.best]
        assert min(low for _, low, _, _ in best) > max(high for _, _, high, _ in rest)
        assert min(share for share, *_ in best) - max(share for share, *_ in rest) >= proofs.LEAST_GAP - 1e-4
        assert set(chances) == {action.text for action in puzzle.state().legal(puzzle.seat)}


def test_known_is_the_position_itself_where_nothing_is_hidden():
    state = preau.game("recess").start(3)
    assert known(state.game, state.view(0)) == state
