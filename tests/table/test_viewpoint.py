"""What each pair of eyes sees, and which decisions may be taken back because they told nobody anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count
from random import Random
from typing import Any

import pytest

import preau
from preau import testing
from preau.core import HIDDEN, NATURE, Action, OpenSampler, Sampler, State
from preau.core.state import Json
from preau.table import undo, viewpoint
from preau.table.chance import draw
from preau.table.live_game import LiveGame
from preau.testing import secrets, tells_nothing
from tests.core.auction import GAME as AUCTION
from tests.core.auction import AuctionState
from tests.table.sprint import GAME as SPRINT
from tests.table.sprint import RUN, Sprint, SprintState


def test_spectators_and_seats_see_their_own_events():
    match = preau.new("bagarre", seats=2, seed=1)
    public, own = (viewpoint.seen_from(match.opening, seat) for seat in (None, 0))
    assert public != own
    assert {event["key"] for event in public} <= {event["key"] for event in own}


# What each game says of its decisions.


class House:
    """A game with house rules: the checks of all games know defaults only."""

    def __init__(self, name: str, **options: Any) -> None:
        self.game = preau.game(name)
        self.options = options

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def start(self, seats: int, options: Mapping[str, Any] | None = None, *, seed: int) -> State:
        return self.game.start(seats, {**self.options, **(options or {})}, seed=seed)


HOUSES = {
    "recess": House("recess", nun_may_stay=True),
    "bagarre": House("bagarre", may_forfeit=True),
    "bagarre without Maman": House("bagarre", cards="leaflet", may_forfeit=True),
    "cour in the open": House("cour", slap_pick="choose", pile="bag"),
    "cour alone": House("cour", reaction="off"),
    "cour at once": House("cour", reaction="live"),
}


@pytest.mark.parametrize("house", HOUSES)
def test_with_house_rules_too_the_games_say_what_tells(house):
    game: Any = HOUSES[house]
    secrets.what_tells_nothing_looks_the_same_in_all_worlds(game, 3)
    secrets.whether_it_tells_is_no_secret(game, 3)


def decisions(game: str, seats: int, games: int, **options: Any) -> Iterator[tuple[State, int, Action]]:
    house: Any = House(game, **options)
    for state, actor, action in testing.some_games(house, seats, games):
        if actor is not None and action is not None and actor != NATURE:
            yield state, actor, action


SAYS = {
    "bagarre": {
        "turn draw": {False},
        "turn convert": {False},
        "convert convert": {False},
        "convert done": {False},
        "action lay": {True},
        "action discard": {True},
        "action fight": {True},
        "action special": {True},
        "attack place": {True},
        "answer place": {False},
        "answer forfeit": {False},
        "maman maman": {False, True},
        "give give": {False},
        "take take": {False},
        "seat seat": {False},
        "bet place": {True},
        "reply place": {True},
        "lay lay": {True},
        "lay_more lay": {True},
        "lay_more done": {False},
        "lay_maybe lay": {True},
        "lay_maybe done": {False},
        "excess discard": {True},
    },
    "cour": {
        "keep keep": {False},
        "give give": {False},
        "glue glue": {False},
        "challenge challenge": {False},
        "friend friend": {False},
        "steal steal": {False},
        "point point": {False, True},
        "throw throw": {False, True},
        "trade trade": {False, True},
        "take take": {True},
    },
}
"""For each phase and kind of action of the games with secrets, whether it tells; both where that depends."""


@pytest.mark.parametrize(("game", "options"), [("bagarre", {"may_forfeit": True}), ("cour", {"slap_pick": "choose"})])
def test_most_of_what_a_finger_slips_on_can_be_taken_back_freely(game, options):
    """All kinds there are: none is missing, and none asks without need."""
    said: dict[str, set[bool]] = {}
    for state, actor, action in decisions(game, 3, 60, **options):
        kind = f"{state.view(None)['phase']} {action.text.split()[0]}"
        said.setdefault(kind, set()).add(state.tells(actor, action))
    assert said == SAYS[game]


def test_secret_answers_tell_once_the_last_is_in():
    """Until then they can be taken back freely, whatever they are."""
    for state, actor, action in decisions("bagarre", 4, 6):
        if state.view(None)["phase"] == "maman":
            last = state.to_act == (actor,)
            champion = state.view(None)["special"] == "championne"
            assert state.tells(actor, action) == (last and not (champion and action.text == "maman no"))
    for state, actor, action in decisions("bagarre", 4, 6, cards="leaflet"):
        if state.view(None)["phase"] == "answer":
            assert state.tells(actor, action) == (state.to_act == (actor,)), "without Maman all is turned at once"
    for state, actor, action in decisions("cour", 4, 6):
        if action.text.split()[0] in ("point", "throw"):
            assert state.tells(actor, action) == (state.to_act == (actor,))


def test_a_trade_tells_nothing_if_all_three_were_gained_openly():
    told = Counter[bool]()
    for state, actor, action in decisions("cour", 3, 40):
        if action.text == "trade yes":
            view = state.view(None)
            kind = view["ledger"][-1]["card"]
            openly = kind is not None and view["memory"][actor]["sure"].get(kind, 0) >= 3
            assert state.tells(actor, action) != openly
            assert not openly or tells_nothing(state, actor, action, Random(1), worlds=40)
            told[openly] += 1
    assert told[True] > 3
    assert told[False] > 3


def test_a_game_with_secrets_that_says_nothing_always_asks():
    class Mum(Sprint):
        secrets = True

    state = SPRINT.start(2)
    assert not state.tells(0, RUN)
    state.game = Mum()
    assert state.tells(0, RUN)


# At a table.


def after(state: State, seat: int, text: str) -> LiveGame:
    """A table after a step in this position."""
    live = LiveGame(state)
    live.adopt(live.plan(seat, text, 0, draw))
    return live


def positions(verb: str, number: int) -> Iterator[tuple[State, int, Action]]:
    """Positions of random games of La grande bagarre in which a seat does this."""
    found = 0
    for state, actor, action in decisions("bagarre", 3, 60):
        if action.text.startswith(verb):
            found += 1
            yield state, actor, action
        if found == number:
            return
    raise AssertionError(f"only {found} times {verb}")


@pytest.mark.parametrize("verb", ["fight", "place", "maman", "convert", "done"])
def test_the_answer_to_an_undo_does_not_depend_on_hidden_hands(verb):
    """Of thirty positions, whoever asks or looks on: in all worlds they hold possible the answer is the same."""
    rng = Random(30)
    for state, actor, action in positions(verb, 30):
        free = undo.is_free(after(state.copy(), actor, action.text), actor)
        for seat in range(state.seats):
            sampler = state.game.sampler(state.view(seat))
            for _ in range(8):
                world = sampler.draw(rng)
                if action in world.legal(actor):
                    assert undo.is_free(after(world, actor, action.text), actor) == free, (seat, action)
        assert not (free and verb == "fight"), "it shows that the attacker has a friend"


def test_nothing_is_free_once_the_game_is_over():
    for state, actor, action in decisions("recess", 3, 1, turns=2):
        live = after(state.copy(), actor, action.text)
        assert live.free == (None if live.state.over else actor)


# The search that the games are held against.


def test_the_search_finds_what_a_card_out_of_the_hand_tells():
    told = 0
    for state, actor, action in decisions("bagarre", 3, 3):
        if action.text.startswith("lay "):
            told += 1
            assert not tells_nothing(state, actor, action, Random(1)), action
    assert told


@pytest.mark.parametrize("game", ["bagarre", "cour"])
def test_what_a_seat_may_do_next_counts_among_what_it_sees(game, monkeypatch):
    """A seat that could do something else in another world has learned which world it is in."""
    quiet, choices = 0, count()
    observed = secrets.observed
    for state, actor, action in decisions(game, 3, 1):
        if tells_nothing(state, actor, action, Random(1), worlds=4):
            quiet += 1
            with monkeypatch.context() as patch:
                patch.setattr(secrets, "observed", lambda *seen: (*observed(*seen)[:2], next(choices)))
                assert not tells_nothing(state, actor, action, Random(1), worlds=4)
    assert quiet


class Whisper(SprintState):
    """A sprint where whoever runs tells seat 1 something: the same, whatever is hidden."""

    def advance(self, actor: int, action: Action) -> None:
        super().advance(actor, action)
        self.say("whisper", "S9", {"word": HIDDEN}, {1: {"word": "psst"}})

    def copy(self) -> Whisper:
        return Whisper(self.options, self.seats)


class Whispers(Sprint):
    def sampler(self, view: Json) -> Sampler:
        return OpenSampler(Whisper({"rounds": 1}, 2))


def test_what_another_seat_was_told_in_private_is_found():
    """However alike all worlds look: it was told."""
    state = Whisper({"rounds": 1}, 2)
    state.game = Whispers()
    assert tells_nothing(state, 1, RUN, Random(1))
    assert not tells_nothing(state, 0, RUN, Random(1))


def test_a_game_that_calls_a_peek_nothing_is_found_out(monkeypatch):
    advance = AuctionState.advance

    def peek(state: AuctionState, actor: int, action: Action) -> None:
        advance(state, actor, action)
        state.say("peek", "A1", {"bids": list(state.bids)})

    monkeypatch.setattr(AuctionState, "advance", peek)
    with pytest.raises(AssertionError, match="told something"):
        secrets.what_tells_nothing_looks_the_same_in_all_worlds(AUCTION, 3)


def test_a_game_that_gives_a_secret_away_by_what_it_calls_nothing_is_found_out(monkeypatch):
    monkeypatch.setattr(AuctionState, "tells", lambda state, seat, action: action.text == "bid 3")
    with pytest.raises(AssertionError, match="does not tell as"):
        secrets.whether_it_tells_is_no_secret(AUCTION, 3)
