"""The contract suite finds deliberate faults: each test makes one fault in a game and names the check that fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

import preau
from preau.core import NATURE, Action, IllegalAction, Option, PositionError, Slate, State
from preau.core.state import Json
from preau.testing import CHECKS, playing, positions, secrets
from tests.core.contract_failures import SEATS, fails

from . import cup
from .auction import ACTIONS, GAME, PURSE, Auction, AuctionSampler, AuctionState
from .cup import Cup, CupSampler, CupState

VIEW, ADVANCE, LEGAL, WRITE = AuctionState.view, AuctionState.advance, AuctionState.legal, AuctionState.write
TO_ACT: Any = vars(AuctionState)["to_act"].fget
DRAW = AuctionSampler.draw
LOAD = Auction.load
CUP = Cup([0.4, 0.3, 0.2, 0.1])
CUP_ADVANCE = CupState.advance
CUP_TO_ACT: Any = vars(CupState)["to_act"].fget


# Choices of several seats at once.


def view_with_all_bids(state: AuctionState, seat: int | None) -> Json:
    return {**VIEW(state, seat), "bids": list(state.bids)}


def view_with_all_bids_for_spectators(state: AuctionState, seat: int | None) -> Json:
    return VIEW(state, seat) if seat is not None else view_with_all_bids(state, seat)


def view_with_the_highest_bid(state: AuctionState, seat: int | None) -> Json:
    return {**VIEW(state, seat), "highest": max((bid for bid in state.bids if bid is not None), default=None)}


def prompt_with_the_highest_bid(state: AuctionState, seat: int | None) -> Json:
    highest = max((bid for bid in state.bids if bid is not None), default=None)
    return {"key": "prompt.bid", "seats": list(state.to_act), "highest": highest}


def event_that_tells_all(state: AuctionState, actor: int, action: Action) -> None:
    ADVANCE(state, actor, action)
    state.say("shown", "A1", {"seat": actor, "action": action.text})


def event_that_tells_one_seat(state: AuctionState, actor: int, action: Action) -> None:
    ADVANCE(state, actor, action)
    if actor >= 0:
        state.say("whispered", "A1", {"seat": actor}, {(actor + 1) % state.seats: {"action": action.text}})


def event_that_tells_the_bids_before(state: AuctionState, actor: int, action: Action) -> None:
    state.say("shown", "A1", {"bids": list(state.bids)})
    ADVANCE(state, actor, action)


def observation_of_the_next_bid(state: AuctionState, seat: int, slate: Slate) -> None:
    WRITE(state, seat, slate)
    slate.put(3, state.bids[(seat + 1) % state.seats] or 0)


def legal_unless_bid_by_another(state: AuctionState, seat: int) -> tuple[Action, ...]:
    others = [bid for other, bid in enumerate(state.bids) if other != seat]
    legal = LEGAL(state, seat)
    return (tuple(one for one in legal if one.number not in others) or legal[:1]) if seat >= 0 else legal


def refusal_with_the_bids(state: AuctionState, actor: int, action: Action) -> IllegalAction:
    return IllegalAction(f"the bids are {state.bids}", rule="A1")


def diagram_with_all_bids(state: AuctionState, seat: int | None = None) -> str:
    return f"bids {state.bids}"


def nobody_answers_after_the_whole_purse(state: AuctionState) -> tuple[int, ...]:
    if not state.left:
        return ()
    waiting = tuple(seat for seat in range(state.seats) if state.bids[seat] is None)
    return () if PURSE in state.bids else waiting or (-1,)


def to_act_in_the_order_of_bids(state: AuctionState) -> tuple[int, ...]:
    return tuple(sorted(TO_ACT(state), reverse=PURSE in state.bids))


def racers_with_high_bids(state: AuctionState) -> tuple[int, ...]:
    return tuple(seat for seat, bid in enumerate(state.bids) if (bid or 0) > 1)


def draw_what_the_view_shows(sampler: AuctionSampler, rng: Random) -> State:
    """Draw a position that agrees with a view that shows too much, so that only the leak itself is a fault."""
    state = DRAW(sampler, rng)
    assert isinstance(state, AuctionState)
    if "bids" in sampler.view:
        state.bids = list(sampler.view["bids"])
    return state


@pytest.mark.parametrize(
    ("method", "fault", "words"),
    [
        ("view", view_with_all_bids, r"seat \d can tell them apart: view.bids\[\d\] is \d or \d"),
        ("view", view_with_all_bids_for_spectators, r"a spectator can tell them apart: view.bids\[\d\] is \d or \d"),
        ("view", view_with_the_highest_bid, r"can tell them apart: view.highest is \d or \d"),
        ("prompt", prompt_with_the_highest_bid, r"can tell them apart: prompt.highest is \d or \d"),
        ("advance", event_that_tells_all, r"can tell them apart: event.shown.action is 'bid \d' or 'bid \d'"),
        ("advance", event_that_tells_one_seat, r"seat \d can tell them apart: event.whispered.action is 'bid"),
        ("advance", event_that_tells_the_bids_before, r"can tell them apart: event.shown.bids\[\d\] is \d or \d"),
        ("write", observation_of_the_next_bid, r"can tell them apart: observation.scores\[\d\] is \d.* or \d"),
        ("legal", legal_unless_bid_by_another, r"can tell them apart: legal.* is "),
        ("why_not", refusal_with_the_bids, r"can tell them apart: refusal.message is "),
        ("diagram", diagram_with_all_bids, r"can tell them apart: diagram is "),
        ("to_act", property(to_act_in_the_order_of_bids), r"can tell them apart: to_act\[\d\] is \d or \d"),
        ("racers", racers_with_high_bids, r"can tell them apart: racers is \["),
        ("to_act", property(nobody_answers_after_the_whole_purse), r"after bid 4 of seat \d the seats to act are \[\]"),
    ],
)
def test_a_simultaneous_choice_that_is_shown_too_soon_is_found(monkeypatch, method, fault, words):
    monkeypatch.setattr(AuctionState, method, fault)
    monkeypatch.setattr(AuctionSampler, "draw", draw_what_the_view_shows)
    fails(secrets.choices_made_at_once_stay_secret, words)


@pytest.mark.parametrize("left", [13, 7, 1])
def test_a_choice_that_is_shown_too_soon_in_one_round_of_a_long_game_is_found(monkeypatch, left):
    """Nothing is paid here, so that all rounds offer the same choices."""

    def advance(state: AuctionState, actor: int, action: Action) -> None:
        shown = state.left == left and actor != NATURE
        ADVANCE(state, actor, action)
        state.purses = [PURSE] * state.seats
        if shown:
            state.say("shown", "A1", {"seat": actor, "action": action.text})

    apples = Option("apples", 13, en="How many apples.", fr="Combien de pommes.", low=1, high=20)
    monkeypatch.setattr(Auction, "options", (apples,))
    monkeypatch.setattr(AuctionState, "advance", advance)
    fails(secrets.choices_made_at_once_stay_secret, "can tell them apart: event.shown.action")


def test_a_choice_that_is_shown_too_soon_with_one_value_of_an_option_is_found(monkeypatch):
    def advance(state: AuctionState, actor: int, action: Action) -> None:
        ADVANCE(state, actor, action)
        if state.options["loud"] and actor != NATURE:
            state.say("shown", "A1", {"seat": actor, "action": action.text})

    loud = Option("loud", False, en="Bids are said.", fr="On annonce.", choices=(False, True))
    monkeypatch.setattr(Auction, "options", (*Auction.options, loud))
    monkeypatch.setattr(AuctionState, "advance", advance)
    fails(secrets.choices_made_at_once_stay_secret, "can tell them apart: event.shown.action")


def test_seats_to_act_may_be_listed_in_another_order_after_each_answer(monkeypatch):
    """How many have answered is no secret."""

    def to_act(state: AuctionState) -> tuple[int, ...]:
        waiting: tuple[int, ...] = TO_ACT(state)
        return waiting[::-1] if len(waiting) % 2 else waiting

    monkeypatch.setattr(AuctionState, "to_act", property(to_act))
    secrets.choices_made_at_once_stay_secret(GAME, SEATS)


TWICE = Cup([0.5, 0.5], answers=2)


def test_a_seat_may_answer_more_than_once_while_others_owe_a_decision():
    secrets.choices_made_at_once_stay_secret(TWICE, 2)
    secrets.choices_made_at_once_stay_secret(TWICE, 3)


@pytest.mark.parametrize("answer", [1, 2])
def test_one_of_several_answers_that_is_shown_too_soon_is_found(monkeypatch, answer):
    def advance(state: CupState, actor: int, action: Action) -> None:
        CUP_ADVANCE(state, actor, action)
        if actor != NATURE and len(state.said[actor]) == answer:
            state.say("shown", "P2", {"seat": actor, "said": action.text})

    monkeypatch.setattr(CupState, "advance", advance)
    fails(secrets.choices_made_at_once_stay_secret, "can tell them apart: event.shown.said", TWICE)


# What else is hidden.


def test_an_event_that_tells_a_hidden_outcome_is_found(monkeypatch):
    """No view shows it, so that the worlds that a seat must think possible are the same as before."""

    def advance(state: CupState, actor: int, action: Action) -> None:
        CUP_ADVANCE(state, actor, action)
        if actor == NATURE:
            state.say("heard", "P1", {"coin": state.coin})

    monkeypatch.setattr(CupState, "advance", advance)
    words = (
        r"after coin \d of Nature (seat 1|a spectator) has the view it has after coin \d, but is told something else"
    )
    fails(secrets.samplers_draw_every_possible_world, words, CUP, seats=2)


def test_an_event_that_tells_what_was_hidden_before_is_found(monkeypatch):
    def advance(state: CupState, actor: int, action: Action) -> None:
        coin = state.coin
        CUP_ADVANCE(state, actor, action)
        if actor == 0 and state.coin is not None:
            state.say("heard", "P1", {"coin": coin})

    monkeypatch.setattr(CupState, "advance", advance)
    words = r"seat 1 learns from \w+ of Seat 0 what its view does not show: events\[1\].coin is \d or \d"
    fails(secrets.seats_learn_nothing_they_may_not_know, words, CUP, seats=2)


@pytest.mark.parametrize("method", ["racers", "to_act"])
def test_a_seat_that_finds_another_position_than_the_one_drawn_is_told_where_they_differ(monkeypatch, method):
    hidden: Mapping[str, Any] = {
        "racers": lambda state: (state.coin,) if state.coin else (),
        "to_act": property(lambda state: CUP_TO_ACT(state)[:: -1 if state.coin else 1]),
    }
    monkeypatch.setattr(CupState, method, hidden[method])
    words = f"seat 1 can tell the position from one that was drawn from its view: {method}"
    fails(secrets.seats_learn_nothing_they_may_not_know, words, CUP, seats=2)


def test_a_game_with_hidden_things_that_says_it_has_no_secrets_is_found(monkeypatch):
    monkeypatch.setattr(Cup, "secrets", False)
    words = r"after .* the view of .* is that of .*, but `secrets` is False"
    fails(secrets.samplers_draw_every_possible_world, words, CUP, seats=2)


@pytest.mark.parametrize("chances", [[0.9999, 0.0001], [0.0001, 0.0004, 0.9995], [1 / 1000] * 1000])
def test_what_is_hardly_ever_so_need_not_be_drawn(chances):
    secrets.samplers_draw_every_possible_world(Cup(chances), 2)


@pytest.mark.parametrize("chances", [[0.5, 0.5], [0.99, 0.01], [1 / 1000] * 1000])
def test_a_sampler_that_draws_the_same_every_time_is_found(monkeypatch, chances):
    draw = CupSampler.draw

    def draw_the_first_coin(sampler: CupSampler, rng: Random) -> State:
        state = draw(sampler, rng)
        assert isinstance(state, CupState)
        if state.coin is not None and sampler.view["coin"] is None:
            state.coin = 0
        return state

    monkeypatch.setattr(CupSampler, "draw", draw_the_first_coin)
    words = r"the sampler of the view of seat 1 never draws .* for view of seat 0.coin, only"
    fails(secrets.samplers_draw_every_possible_world, words, Cup(chances), seats=2)


def test_only_some_borders_between_very_many_outcomes_are_tried(monkeypatch):
    drawn: list[Random] = []
    draw = CupState.draw

    def counted(state: CupState, rng: Random) -> Action:
        drawn.append(rng)
        return draw(state, rng)

    monkeypatch.setattr(CupState, "draw", counted)
    playing.draws_what_the_list_of_outcomes_gives(Cup([1 / 1000] * 1000), 2)
    assert 3 * 3 * 100 < len(drawn) <= 3 * (3 * playing.BORDERS + 3) + 6


# Samplers.


def draw_with_bids(bid: Callable[[int, Random], int]) -> Callable[[AuctionSampler, Random], State]:
    def draw(sampler: AuctionSampler, rng: Random) -> State:
        state = AuctionState(sampler.view["options"], sampler.view["seats"])
        state.purses, state.apples = list(sampler.view["purses"]), list(sampler.view["apples"])
        state.left = sampler.view["left"]
        for seat, answered in enumerate(sampler.view["answered"]):
            if answered:
                state.bids[seat] = bid(state.purses[seat], rng)
        if sampler.view.get("seat") is not None:
            state.bids[sampler.view["seat"]] = sampler.view["bid"]
        return state

    return draw


@pytest.mark.parametrize(
    ("bid", "words"),
    [
        (lambda purse, rng: 0, r"never draws 1, .* for view of seat \d.bid, only 0"),
        (lambda purse, rng: rng.randint(0, max(0, purse - 1)), r"never draws 4 for view of seat \d.bid"),
    ],
)
def test_a_sampler_that_leaves_out_what_is_possible_is_found(monkeypatch, bid, words):
    monkeypatch.setattr(AuctionSampler, "draw", draw_with_bids(bid))
    fails(secrets.samplers_draw_every_possible_world, words)


@pytest.mark.parametrize("left", [12, 7, 2])
def test_a_sampler_that_leaves_out_what_is_possible_late_in_a_long_game_is_found(monkeypatch, left):
    """Nothing is paid here, so that all rounds offer the same choices."""

    def advance(state: AuctionState, actor: int, action: Action) -> None:
        ADVANCE(state, actor, action)
        state.purses = [PURSE] * state.seats

    def draw(sampler: AuctionSampler, rng: Random) -> State:
        sound = sampler.view["left"] > left
        return draw_with_bids(lambda purse, rng: rng.randint(0, purse) if sound else 0)(sampler, rng)

    apples = Option("apples", 13, en="How many apples.", fr="Combien de pommes.", low=1, high=20)
    monkeypatch.setattr(Auction, "options", (apples,))
    monkeypatch.setattr(AuctionState, "advance", advance)
    secrets.samplers_draw_every_possible_world(GAME, SEATS)
    monkeypatch.setattr(AuctionSampler, "draw", draw)
    fails(secrets.samplers_draw_every_possible_world, r"never draws 1, .* for view of seat \d.bid, only 0")


@pytest.mark.parametrize("late", [2, 5, 10, 18])
def test_a_hidden_outcome_that_is_told_late_in_a_long_game_is_found(monkeypatch, late):
    def advance(state: CupState, actor: int, action: Action) -> None:
        CUP_ADVANCE(state, actor, action)
        if actor == NATURE and state.round >= late:
            state.say("heard", "P1", {"coin": state.coin})

    monkeypatch.setattr(cup, "ROUNDS", 20)
    secrets.samplers_draw_every_possible_world(CUP, 2)
    monkeypatch.setattr(CupState, "advance", advance)
    fails(secrets.samplers_draw_every_possible_world, "but is told something else", CUP, seats=2)


def test_a_sampler_that_draws_one_value_for_all_others_is_found(monkeypatch):
    """Each bid by itself is drawn as it should be."""

    def draw(sampler: AuctionSampler, rng: Random) -> State:
        same = rng.random()
        return draw_with_bids(lambda purse, rng: int(same * (purse + 1)))(sampler, rng)

    monkeypatch.setattr(AuctionSampler, "draw", draw)
    words = r"the sampler of the view of seat \d draws bid \d of seat \d and bid \d of seat \d, but never both"
    fails(secrets.samplers_draw_every_possible_world, words)


def test_a_value_that_only_an_unlikely_position_makes_possible_need_not_be_drawn(monkeypatch):
    """With these numbers a hand is met whose smallest toy is a large one."""
    monkeypatch.setattr(secrets, "Random", lambda seed: Random(seed + 500))
    secrets.samplers_draw_every_possible_world(preau.game("bagarre"), 2)


def test_a_sampler_that_draws_everything_passes(monkeypatch):
    """Rarely is often enough."""
    rarely = lambda purse, rng: purse if rng.random() < 0.01 else rng.randint(0, purse)  # noqa: E731
    monkeypatch.setattr(AuctionSampler, "draw", draw_with_bids(rarely))
    secrets.samplers_draw_every_possible_world(GAME, SEATS)


# Keys, JSON and types.

PARTS = ("options", "purses", "apples", "bids", "left")
"""What makes a position of the auction differ from another."""


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("forgotten", ["options", "purses", "apples", "bids", "left"])
def test_a_key_that_forgets_something_is_found(monkeypatch, forgotten, seats):
    def key(state: AuctionState) -> tuple[object, ...]:
        return tuple(str(getattr(state, name)) for name in PARTS if name != forgotten)

    monkeypatch.setattr(AuctionState, "key", key)
    words = {"options": "progress is ", "bids": r"position.(bids|answered)\[\d\] is "}
    wanted = f"have the same key, but {words.get(forgotten, f'position.{forgotten}')}"
    fails(positions.equal_keys_mean_equal_positions, wanted, seats=seats)


def test_a_key_that_knows_who_has_bid_but_not_what_is_found(monkeypatch):
    """Each seat has an object of its own in the JSON, so that no other position has the same one with another bid."""

    def to_json(state: AuctionState) -> Json:
        whole = VIEW(state, None)
        whole["players"] = [{"purse": purse, "bid": bid} for purse, bid in zip(state.purses, state.bids, strict=True)]
        return whole

    def load(game: Auction, data: Mapping[str, Any]) -> State:
        bids = [player["bid"] for player in data["players"]]
        if [bid is not None for bid in bids] != data["answered"]:
            raise PositionError("they do not fit together", field="answered")
        return LOAD(game, {**data, "bids": bids})

    def key(state: AuctionState) -> tuple[object, ...]:
        answered = tuple(bid is not None for bid in state.bids)
        return (*state.options.values(), tuple(state.purses), tuple(state.apples), answered, state.left)

    monkeypatch.setattr(AuctionState, "to_json", to_json)
    monkeypatch.setattr(Auction, "load", load)
    positions.equal_keys_mean_equal_positions(GAME, SEATS)
    monkeypatch.setattr(AuctionState, "key", key)
    words = r"after bid \d and after bid \d of Seat \d positions have the same key, but position.players\[\d\].bid is"
    fails(positions.equal_keys_mean_equal_positions, words)


def test_a_key_may_leave_out_an_option_without_an_effect(monkeypatch):
    idle = Option("idle", False, en="Nothing.", fr="Rien.", choices=(False, True))
    monkeypatch.setattr(Auction, "options", (*Auction.options, idle))
    monkeypatch.setattr(AuctionState, "key", lambda state: tuple(str(getattr(state, name)) for name in PARTS[1:]))
    monkeypatch.setattr(AuctionState, "progress", lambda state: 0.0)
    positions.equal_keys_mean_equal_positions(GAME, SEATS)


def test_json_that_loses_what_the_key_forgets_too_is_found(monkeypatch):
    monkeypatch.setattr(AuctionState, "key", lambda state: (state.left, tuple(state.purses), tuple(state.apples)))
    monkeypatch.setattr(AuctionState, "to_json", lambda state: VIEW(state, None))
    fails(positions.json_keeps_everything, r"written as JSON and read back, .* is ")


@pytest.mark.parametrize(
    ("method", "fault", "words"),
    [
        ("legal", lambda state, seat: list(LEGAL(state, seat)), r"legal\(0\) is \[.*\], not tuple\[Action, \.\.\.\]"),
        ("scores", lambda state: list(state.apples), r"scores\(\) is \[0, 0, 0\], not tuple\[int, \.\.\.\]"),
        ("key", lambda state: [state.left, *state.purses], r"key\(\) is \[3, 4, 4, 4\], not tuple"),
        ("outcomes", lambda state: (), r"outcomes\(\) is \(\), not list\[tuple\[Action, float\]\]"),
        ("tells", lambda state, seat, action: 0, r"tells\(\d, bid \d\) is 0, not bool"),
        ("progress", lambda state: "0", r"progress\(\) is '0', not float"),
    ],
)
def test_an_answer_of_another_type_is_found(monkeypatch, method, fault, words):
    """Compiled callers refuse it; plain ones may not notice."""
    monkeypatch.setattr(AuctionState, method, fault)
    fails(positions.answers_have_the_declared_types, words)


def test_a_slate_that_is_given_another_sequence_is_found(monkeypatch):
    def write(state: AuctionState, seat: int, slate: Slate) -> None:
        slate.fill(0, tuple(state.apples), 0, state.seats)  # type: ignore[arg-type]

    monkeypatch.setattr(AuctionState, "write", write)
    with pytest.raises((AssertionError, TypeError), match="list"):
        positions.sees_the_same_on_a_slate_that_was_used(GAME, SEATS)


def test_a_game_without_an_illegal_action_has_nothing_to_refuse(monkeypatch):
    monkeypatch.setattr(Auction, "actions", lambda game, options=None: ACTIONS[:1])
    positions.refusals_change_nothing(GAME, SEATS)


def test_the_faults_are_faults_of_a_sound_game():
    """Without them the same checks pass."""
    assert len(ACTIONS) == PURSE + 1 + 4
    for check in (
        secrets.choices_made_at_once_stay_secret,
        secrets.samplers_draw_every_possible_world,
        positions.equal_keys_mean_equal_positions,
        positions.json_keeps_everything,
        positions.answers_have_the_declared_types,
    ):
        check(GAME, SEATS)
    for one in CHECKS:
        if one.__module__ == secrets.__name__:
            one(CUP, 2)
