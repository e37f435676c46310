"""What every game promises, checked on every game there is and on a toy one with secret simultaneous choices."""

from __future__ import annotations

import pytest

import preau
from preau import testing
from preau.core import NATURE, REFEREE, Event, Game, Match, NotYourTurn, State
from preau.testing import contents, some_games
from tests.support import registered

from . import auction


def game_of(name: str) -> Game:
    return auction.GAME if name == "auction" else preau.game(name)


GAMES = [name for name in preau.game_ids() if name != "auction"]
ALL = [*GAMES, "auction"]
OF_TEXTS = {
    "texts_are_there_in_both_languages",
    "has_words_for_how_games_end",
    "its_texts_can_be_said",
    "has_every_text_that_is_asked_for",
    "puts_actions_into_words",
    "its_lesson_can_be_followed",
    "its_rule_book_shows_what_it_says",
}
"""The toy has no texts."""
TABLES = [(name, seats) for name in ALL for seats in game_of(name).seats]
CASES = [
    (name, check, seats)
    for name in ALL
    for check, seats in testing.cases(game_of(name))
    if check is not contents.has_the_shapes_it_declares  # test_shapes.py looks at more games
    if name != "auction" or check.__name__ not in OF_TEXTS
]


@pytest.fixture(autouse=True)
def _auction_is_registered():
    """Records find the toy by its name; other tests do not meet it."""
    with registered(auction.GAME):
        yield


def public(events: list[Event], seat: int | None) -> list[object]:
    return [event.seen_by(seat) for event in events]


@pytest.mark.parametrize(("name", "check", "seats"), CASES, ids=lambda one: getattr(one, "__name__", str(one)))
def test_the_contract(name, check, seats):
    """The checks themselves are `preau.testing`, where packages find them too."""
    check(game_of(name), seats)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_is_allowed_is_what_is_listed(name, seats):
    """Of all actions of the game, and of those of other games and another card set."""
    every = [action for other in ALL for action in game_of(other).actions()]
    every += preau.game("bagarre").actions({"cards": "leaflet"})
    for number, (state, _, _) in enumerate(some_games(game_of(name), seats, games=1)):
        if number % 10 == 0:
            for actor in (*range(seats), NATURE, REFEREE):
                listed = state.referee() if actor == REFEREE else state.legal(actor)
                assert [action for action in every if state.allows(actor, action)] == list(listed)


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
