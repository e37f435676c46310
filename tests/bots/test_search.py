"""The search and the levels: what holds of them whatever the position."""

from __future__ import annotations

import importlib
import json
from itertools import count
from math import isclose
from random import Random

import pytest

import preau
from preau.bots import LEVELS, Budget, LevelBot, Seen, explain
from preau.bots.evaluate import judges
from preau.bots.evaluate.base import UNSEEN, shares
from preau.bots.levels import strength
from preau.bots.search.think import begin, think
from preau.bots.search.thought import PORTION, Opinion, choose
from preau.core import NATURE, Match, SetupError
from preau.core.registry import find_game
from tests.core import auction
from tests.support import plain_twin, says_what_to_do

GAMES = ("recess", "bagarre", "cour")


def positions(game: str, seats: int, seed: int, every: int):
    """Some positions of a random game at which somebody has a choice."""
    rng = Random(seed)
    match = Match.new(find_game(game), seats, {}, seed)
    number = 0
    while not match.over:
        seat = match.to_act[0]
        number += 1
        if number % every == 0 and len(match.legal(seat)) > 1:
            yield match.state.copy(), seat
        match.apply(seat, rng.choice(match.legal(seat)))


@pytest.mark.parametrize("game", GAMES)
def test_chances_to_win_are_chances(game):
    for seats in (find_game(game).seats[0], find_game(game).seats[-1]):
        for state, seat in positions(game, seats, 3, 5):
            judge = judges.judge(game)
            values = judge.values(state)
            assert len(values) == seats
            assert isclose(sum(values), 1.0)
            assert all(0.0 <= value <= 1.0 for value in values)
            assert len(judge.policy(state, seat, state.legal(seat))) == len(state.legal(seat))


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_game_is_judged_by_its_result(game):
    for seed in range(4):
        state = find_game(game).start(3, seed=seed)
        while state.to_act == (NATURE,):
            state.advance(NATURE, state.draw(Random(seed)))
        state.playout(Random(seed))
        winners = state.result().winners
        wanted = [1.0 / len(winners) if seat in winners else 0.0 for seat in range(3)]
        assert judges.judge(game).values(state) == wanted


@pytest.mark.parametrize("game", GAMES)
def test_better_off_means_a_better_chance(game):
    assert shares([3.0, 2.0, 1.0], 1.5) == sorted(shares([3.0, 2.0, 1.0], 1.5), reverse=True)
    data = judges.data(game)
    assert set(data["levels"]) == set(LEVELS)
    assert data["made_by"].startswith(("by hand", f"python -m preau.bots.tune {game}"))
    counts = [strength(game, level).simulations for level in LEVELS]
    assert counts == sorted(set(counts))
    slack = [strength(game, level).temperature for level in LEVELS]
    assert slack == sorted(set(slack), reverse=True)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_secret_makes_no_branch(game):
    judge = judges.judge(game)
    for state, seat in positions(game, 3, 4, 1):
        if len(state.to_act) > 1:
            assert judge.label(state, seat, state.legal(seat)[0]) == UNSEEN


@pytest.mark.parametrize("game", [*GAMES, "auction"])
def test_the_same_chance_gives_the_same_choice_and_other_chance_other_games(game):
    """Levels can be played again from a seed, and differ without one."""
    if game == "auction":
        state = auction.GAME.start(3)
        cases = [(state, 0)]
    else:
        cases = list(positions(game, 3, 6, 11))[:3]
    for state, seat in cases:
        thoughts = [
            think(state.game, seat, state.view(seat), Budget(40), Random(seed), judges.judge(game), None).to_json()
            for seed in (1, 1)
        ]
        assert thoughts[0] == thoughts[1]
        assert sum(arm["visits"] for arm in thoughts[0]["actions"]) >= 30


def test_no_two_games_are_alike():
    records = {str(preau.play("recess", ["easy"] * 3, seed=seed).record.entries) for seed in range(4)}
    assert len(records) == 4


@pytest.mark.parametrize("game", GAMES)
def test_levels_play_whole_games_from_views_alone(game):
    """Every level, in every seat, with many options drawn at random positions, answers legally."""
    match = preau.play(game, ["easy", "easy@3", "random"], seed=2)
    assert match.over
    match.record.verify()


@pytest.mark.parametrize("game", ["recess", "bagarre"])
def test_a_budget_in_seconds_ends_when_they_are_over(game):
    """By a clock that goes on a second whenever it is looked at, which is before and after every portion."""
    state, seat = next(positions(game, 3, 2, 5))
    seconds = count()
    thought = begin(game, seat, state.game.sampler(state.view(seat)), Random(1), judges.judge(game), None)
    thought.spend(Budget(seconds=5), lambda: float(next(seconds)))
    assert thought.simulations == 5 * PORTION
    thought = begin(game, seat, state.game.sampler(state.view(seat)), Random(1), judges.judge(game), None)
    thought.spend(Budget(20, seconds=5), lambda: float(next(seconds)))
    assert thought.simulations == 20, "whichever is used up first"


@pytest.mark.parametrize("game", GAMES)
def test_explain_is_json_and_its_lines_can_be_played(game):
    for state, seat in list(positions(game, 3, 8, 13))[:3]:
        view = state.view(seat)
        legal = state.legal(seat)
        thought = explain(view, Budget(60))
        assert json.loads(json.dumps(thought)) == thought
        assert thought["seat"] == seat
        assert isclose(sum(thought["chances"]), 1.0, abs_tol=0.001)
        told = [one["action"] for one in thought["actions"]]
        assert thought["best"] == told[0]
        assert set(told) <= {action.text for action in legal}
        for one in thought["actions"]:
            assert 0.0 <= one["value"] <= 1.0
            assert one["line"][0] == [seat, one["action"]]
        if game == "recess":
            assert set(told) == {action.text for action in legal}
            world = state.copy()
            for actor, text in thought["actions"][0]["line"]:
                world.apply(actor, text)


def test_explain_takes_what_a_bot_is_given_too():
    state = preau.game("recess").start(seats=3)
    seen = Seen(state.game, 0, state.view(0), state.legal(0), (), Random(1))
    assert explain(seen, Budget(20))["seat"] == 0


def test_explain_refuses_a_view_that_owes_nothing():
    state = preau.game("recess").start(seats=3)
    for view in (state.view(1), state.view(None)):
        with pytest.raises(SetupError) as refusal:
            explain(view, Budget(5))
        assert says_what_to_do(refusal.value)


def test_a_certain_win_is_taken_and_a_certain_loss_left():
    one, two, three = auction.ACTIONS[:3]
    win = [Opinion(one, 90, 0.9, False), Opinion(two, 1, 1.0, True)]
    assert all(choose(win, 0.5, Random(seed)) is two for seed in range(20))
    lose = [Opinion(one, 50, 0.4, False), Opinion(two, 3, 0.0, True), Opinion(three, 40, 0.39, False)]
    assert {choose(lose, 0.02, Random(seed)) for seed in range(60)} == {one, three}


def test_a_tree_is_gone_on_with_only_where_it_fits():
    """The thought about the decision before is used if the game went as thought, and not otherwise."""
    state = preau.game("recess").start(seats=3)
    bot = LevelBot("hard", Budget(120))
    rng = Random(1)
    first = bot.choose(Seen(state.game, 0, state.view(0), state.legal(0), (), rng))
    kept = bot._kept
    assert kept is not None
    state.apply(0, first)
    assert kept.state == state
    before = kept.visits
    assert 0 < before < 120
    assert bot.keeps() == before + 1
    bot.choose(Seen(state.game, 0, state.view(0), state.legal(0), (), rng))
    assert kept.visits == before + 120, "it was gone on with"
    known = bot._kept
    assert known is not None
    before = known.visits
    other = preau.game("recess").start(seats=3)
    bot.choose(Seen(other.game, 0, other.view(0), other.legal(0), (), rng))
    assert known.visits == before, "it did not fit and was left alone"


@pytest.mark.parametrize(("game", "seats"), [("recess", 3), ("bagarre", 3), ("cour", 3)])
def test_even_the_lowest_level_beats_chance(game, seats):
    """Rough on purpose: 24 games, far below what is expected and far above what chance gives."""
    won = 0.0
    for number in range(24):
        bots = ["random"] * seats
        bots[number % seats] = "normal@12"
        winners = preau.play(game, bots, seed=number // seats).result().winners
        won += (number % seats in winners) / len(winners)
    assert won > 24 / seats


@pytest.mark.parametrize("game", GAMES)
def test_plain_and_compiled_think_alike(game):
    """The same view, chance and budget give the same thought, number for number, however the search was built."""
    plain_explain = importlib.import_module(f"{plain_twin().__name__}.bots.levels").explain
    plain_budget = importlib.import_module(f"{plain_twin().__name__}.bots.base").Budget
    for state, seat in list(positions(game, 3, 9, 17))[:3]:
        view = state.view(seat)
        assert explain(view, Budget(25), seed=3) == plain_explain(view, plain_budget(25), seed=3)
