"""What every game promises, checked on every game there is and on a toy one with secret simultaneous choices."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from itertools import accumulate, pairwise
from math import isfinite, nextafter, sqrt
from random import Random
from statistics import mean

import pytest

import preau
from preau.core import NATURE, REFEREE, Event, Game, MalformedAction, Match, NotYourTurn, Record, State, registry
from preau.core.state import pick

from . import auction


def game_of(name: str) -> Game:
    return auction.GAME if name == "auction" else preau.game(name)


GAMES = [name for name in preau.game_ids() if name != "auction"]
ALL = [*GAMES, "auction"]
TABLES = [(name, seats) for name in ALL for seats in game_of(name).seats]


@pytest.fixture(autouse=True)
def _the_toy_is_on_the_shelf(monkeypatch):
    """Records find the toy by its name; other tests do not meet it."""
    monkeypatch.setitem(registry._games, "auction", auction.GAME)


def some_games(name: str, seats: int, games: int = 2):
    """Positions of random games, with who acts next and what they will do."""
    for seed in range(games):
        rng = Random(seed)
        state = game_of(name).start(seats, seed=seed)
        while not state.over:
            actor = state.to_act[int(rng.random() * len(state.to_act))]
            action = state.draw(rng) if actor == NATURE else rng.choice(state.legal(actor))
            yield state, actor, action
            state.apply(actor, action)
        yield state, None, None


def public(events: list[Event], seat: int | None) -> list[object]:
    return [event.seen_by(seat) for event in events]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_game_goes_on_until_it_is_over(name, seats):
    for state, actor, action in some_games(name, seats):
        if actor is None:
            assert state.over
            assert state.to_act == ()
            assert sorted(seat for group in state.ranking() for seat in group) == list(range(seats))
            assert len(state.scores()) == seats
            continue
        assert action in state.legal(actor)
        for other in (*range(seats), NATURE):
            assert bool(state.legal(other)) == (other in state.to_act)


STEP_BACK = 0.25
"""How far progress may fall in one step: three cards of a hand that ends the game at seven are put away at once."""


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_progress_goes_from_none_to_all(name, seats):
    progress: list[float] = []
    for state, actor, _ in some_games(name, seats, games=3):
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


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_chances_add_up(name, seats):
    for state, actor, _ in some_games(name, seats, games=1):
        if actor == NATURE:
            outcomes = state.outcomes()
            assert tuple(action for action, _ in outcomes) == state.legal(NATURE)
            assert sum(chance for _, chance in outcomes) == pytest.approx(1.0)
            assert all(chance > 0 for _, chance in outcomes)


class Point(Random):
    """A source of chance that gives one number, once."""

    def __init__(self, point: float) -> None:
        super().__init__(0)
        self.points = [point]

    def random(self) -> float:
        return self.points.pop()


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_nature_draws_what_the_list_of_outcomes_gives(name, seats):
    """Also for the numbers on the borders between outcomes, where a rounding error would show."""
    for state, actor, _ in some_games(name, seats, games=1):
        if actor != NATURE:
            assert state.outcomes() == []
            with pytest.raises(NotYourTurn):
                state.draw(Random(1))
            continue
        outcomes = state.outcomes()
        points = [0.0, nextafter(1.0, 0.0)]
        for border in accumulate(chance for _, chance in outcomes):
            points += [nextafter(border, 0.0), border, nextafter(border, 1.0)]
        for point in points:
            if point < 1.0:
                assert state.draw(Point(point)) is pick(outcomes, Point(point))


@pytest.mark.parametrize("name", GAMES)
def test_nature_draws_as_often_as_it_is_likely(name):
    rng = Random(5)
    for state, actor, _ in some_games(name, 4, games=1):
        if actor == NATURE and len(state.outcomes()) > 2 and rng.random() < 0.05:
            drawn = Counter(state.draw(rng) for _ in range(3_000))
            for action, chance in state.outcomes():
                assert abs(drawn[action] - 3_000 * chance) < 6 * sqrt(3_000 * chance * (1 - chance))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_is_allowed_is_what_is_listed(name, seats):
    """Of all actions of the game, and of those of other games and another card set."""
    every = [action for other in ALL for action in game_of(other).actions()]
    every += preau.game("bagarre").actions({"cards": "leaflet"})
    for number, (state, _, _) in enumerate(some_games(name, seats, games=1)):
        if number % 10 == 0:
            for actor in (*range(seats), NATURE, REFEREE):
                listed = state.referee() if actor == REFEREE else state.legal(actor)
                assert [action for action in every if state.allows(actor, action)] == list(listed)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_game_played_inside_the_engine_is_the_one_played_outside(name, seats):
    inside = game_of(name).start(seats, seed=3)
    outside = inside.copy()
    decisions = inside.playout(Random(4))
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


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_json_keeps_everything(name, seats):
    game = game_of(name)
    for state, actor, _ in some_games(name, seats, games=1):
        again = game.load(json.loads(json.dumps(state.to_json())))
        assert again == state
        assert hash(again) == hash(state)
        if actor is not None:
            assert again.legal(actor) == state.legal(actor)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_copy_stands_alone(name, seats):
    for state, actor, action in some_games(name, seats, games=1):
        if actor is None:
            continue
        before = state.key()
        twin = state.copy()
        assert twin == state
        first = twin.apply(actor, action)
        assert state.key() == before
        other = state.copy()
        assert other.apply(actor, action.text.upper()) == first
        assert other == twin
        quiet = state.copy()
        quiet.advance(actor, action)
        assert quiet == twin


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_numbers_and_texts_belong_to_one_action(name, seats):
    for state, actor, _ in some_games(name, seats, games=1):
        if actor is None:
            continue
        table = game_of(name).actions(state.options)
        for legal in state.legal(actor):
            assert table[legal.number].text == legal.text
            assert state.action(f"  {legal.text.upper()} ") is legal
        seat = actor if actor != NATURE else 0
        seen = game_of(name).observe(state, seat)
        assert [number for number, on in enumerate(seen.mask) if on] == sorted(
            legal.number for legal in state.legal(seat)
        )
        assert len(seen.values) == seen.layout.size
        assert all(isfinite(value) for value in seen.values)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_refusals_change_nothing(name, seats):
    for turn, (state, actor, _) in enumerate(some_games(name, seats, games=1)):
        if turn > 60:
            break
        before = state.copy()
        with pytest.raises(MalformedAction) as garbled:
            state.apply(actor if actor is not None else 0, "dance on the table")
        assert garbled.value.rule
        for other in (*range(seats), NATURE):
            if other not in state.to_act:
                with pytest.raises(NotYourTurn):
                    state.apply(other, game_of(name).actions(state.options)[0])
            else:
                legal = state.legal(other)
                illegal = next(one for one in game_of(name).actions(state.options) if one not in legal)
                with pytest.raises(preau.PreauError) as refused:
                    state.apply(other, illegal)
                assert refused.value.rule or isinstance(refused.value, NotYourTurn)
                assert str(refused.value)
        assert state == before


@pytest.mark.parametrize("name", GAMES)
def test_every_text_is_there_in_both_languages(name):
    game = game_of(name)
    english, french = game.texts("en"), game.texts("fr")
    assert set(english.messages) == set(french.messages)
    names = [f"player {seat}" for seat in range(8)]
    rng = Random(3)
    for seats in game.seats:
        match = Match.new(game, seats, seed=seats)
        events = list(match.opening)
        while not match.over:
            seat = match.to_act[0]
            for who in (None, *range(seats)):
                asked = match.state.prompt(who)
                for texts in (english, french):
                    assert texts.say(asked["key"], asked, names)
            events = match.apply(seat, rng.choice(match.legal(seat)))
            for event in events:
                for who in (None, *range(seats)):
                    seen = event.seen_by(who)
                    if seen is not None:
                        for texts in (english, french):
                            assert texts.say(f"event.{event.key}", seen, names)
                assert f"rule.{event.rule}" in english
        assert english.say(match.state.prompt(0)["key"], match.state.prompt(0), names)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_records_replay_without_a_seed(name, seats, tmp_path):
    match = Match.new(game_of(name), seats, seed=5)
    rng = Random(5)
    while not match.over:
        seat = match.to_act[-1]
        match.apply(seat, rng.choice(match.legal(seat)))
    match.record.save(tmp_path / "game.json")
    again = Record.load(tmp_path / "game.json")
    assert again.to_json() == json.loads(json.dumps(match.record.to_json()))
    assert again.verify() == match.state
    middle = len(again.entries) // 2
    assert again.replay(middle).copy() == again.replay(middle)
    (tmp_path / "many.jsonl").write_text(match.record.dump_line() * 3, encoding="utf-8")
    assert len([record.verify() for record in preau.read_records(tmp_path / "many.jsonl")]) == 3


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_undo_goes_back_to_an_equal_position(name, seats):
    match = Match.new(game_of(name), seats, seed=9)
    rng = Random(9)
    trail: list[State] = [match.state.copy()]
    for _ in range(25):
        if match.over:
            break
        seat = match.to_act[0]
        match.apply(seat, rng.choice(match.legal(seat)))
        trail.append(match.state.copy())
    for back in (1, 2):
        match.undo(back)
        trail = trail[:-back]
        assert match.state == trail[-1]
        assert match.record.result is None
    match.undo(10_000)
    assert match.state == trail[0]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_seat_learns_nothing_it_may_not_know(name, seats):
    """Non-interference: worlds drawn from a seat's view look the same to it, before and after what others do."""
    game = game_of(name)
    rng = Random(11)
    for turn, (state, actor, action) in enumerate(some_games(name, seats, games=1)):
        if turn % 5 or actor is None:
            continue
        for seat in range(seats):
            view = json.loads(json.dumps(state.view(seat)))
            other = game.sampler(view).draw(rng)
            assert json.loads(json.dumps(other.view(seat))) == view
            assert other.legal(seat) == state.legal(seat)
            assert other.prompt(seat) == state.prompt(seat)
            assert other.to_act == state.to_act
            if actor != seat and action in other.legal(actor):
                one, two = state.copy(), other
                seen_one, seen_two = one.apply(actor, action), two.apply(actor, action)
                if json.dumps(public(seen_one, seat)) == json.dumps(public(seen_two, seat)):
                    assert one.view(seat) == two.view(seat)
                    assert one.legal(seat) == two.legal(seat)


@pytest.mark.parametrize("name", GAMES)
def test_positions_and_actions_can_be_pickled(name):
    for turn, (state, actor, action) in enumerate(some_games(name, game_of(name).seats[0], games=1)):
        if turn % 7 == 0 and actor is not None:
            assert pickle.loads(pickle.dumps(state)) == state
            again = pickle.loads(pickle.dumps(action))
            assert again.text == action.text
            assert state.check(actor, again) is action


@pytest.mark.parametrize("name", ALL)
def test_an_absent_seat_does_something_legal(name):
    for seats in game_of(name).seats:
        for state, actor, _ in some_games(name, seats, games=1):
            if actor is not None and actor != NATURE:
                assert state.zombie(actor) in state.legal(actor)


@pytest.mark.parametrize("name", ALL)
def test_random_play_inside_the_engine_comes_to_an_end(name):
    game = game_of(name)
    for seats in game.seats:
        state = game.start(seats, seed=1)
        assert game.playout(state, Random(1)) > 0
        assert state.over


def test_bids_stay_secret_until_all_are_in():
    state: State = auction.GAME.start(3)
    assert list(state.to_act) == [0, 1, 2]
    events = state.apply(1, "bid 3")
    assert list(state.to_act) == [0, 2]
    assert public(events, 1) == [{"key": "bid", "rule": "A1", "seat": 1, "bid": 3}]
    assert public(events, 0) == public(events, None) == [{"key": "bid", "rule": "A1", "seat": 1, "bid": "hidden"}]
    assert "bid" not in state.view(None)
    assert state.view(0)["bid"] is None
    with pytest.raises(NotYourTurn):
        state.apply(1, "bid 2")
    state.apply(2, "bid 3")
    state.apply(0, "bid 1")
    assert list(state.to_act) == [NATURE]
    assert [(action.text, chance) for action, chance in state.outcomes()] == [("win 1", 0.5), ("win 2", 0.5)]


def test_a_chance_with_one_outcome_is_recorded_too():
    match = Match.new(auction.GAME, 2, seed=1)
    match.apply(0, "bid 2")
    match.apply(1, "bid 0")
    assert [entry.text for entry in match.record.entries] == ["bid 2", "bid 0", "win 0"]


def test_the_referee_is_not_a_seat():
    state = preau.game("recess").start(3)
    assert [action.text for action in state.referee()] == ["timeout"]
    with pytest.raises(preau.PreauError) as refused:
        state.apply(0, "timeout")
    assert refused.value.rule == "R38"
    state.apply(REFEREE, "timeout")
    assert state.to_act == (1,)
