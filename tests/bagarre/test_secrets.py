"""Nothing tells a seat what it may not know: views, legal actions, prompts, questions, events (B24)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from preau.core.errors import IllegalAction
from preau.core.state import NATURE, Action, Event, Json
from preau.games.bagarre.position import ANSWER, ATTACK, BETTING, WINDOW
from preau.games.bagarre.rules import BagarreState
from preau.games.bagarre.sampler import sampler
from preau.games.bagarre.views import load as read_position

from .helpers import GAME, random_states, random_step, start

REVEALING = {"show", "no_friend", "forfeit", "maman", "take_back", "bell", "bet_won", "bet_tie", "tie"}
"""Events that tell something hidden; what follows may differ between positions that looked alike."""


def seen_until_revealed(events: list[Event], seat: int | None) -> list[Json]:
    """What a seat sees of the events, up to the first that tells something hidden."""
    found = []
    for event in events:
        if event.key in REVEALING:
            break
        found.append(event.seen_by(seat))
    return found


def all_that(state: BagarreState, seat: int | None) -> list[Any]:
    """Everything a seat gets to see of a position."""
    seen: list[Any] = [state.view(seat), state.prompt(seat), state.to_act, state.diagram(seat), state.progress()]
    if seat is not None:
        seen += [state.legal(seat), GAME.observe(state, seat)]
    return seen


def some_state(seats: int, seed: int, stop: int, may_forfeit: bool) -> BagarreState:
    """The position of a random game after so many actions, or its last one."""
    *_, (_, state) = zip(range(stop), random_states(seats, seed, may_forfeit=may_forfeit), strict=False)
    return state


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("may_forfeit", [False, True])
def test_twins_look_alike_and_go_on_alike(seats, may_forfeit):
    """A twin differs only in what a seat cannot know: it is drawn from the seat's view alone."""
    rng = Random(seats)
    for seed in range(12):
        stop = rng.randrange(5 * seats, 60 * seats)
        state = some_state(seats, seed, stop, may_forfeit)
        if state.over:
            continue
        for seat in (None, *range(seats)):
            twin = sampler(state.view(seat)).draw(rng)
            assert all_that(twin, seat) == all_that(state, seat)
            assert all_that(read_position(twin.to_json()), seat) == all_that(state, seat)
            for actor in state.to_act:
                both = {action.text for action in state.legal(actor)} & {action.text for action in twin.legal(actor)}
                for text in sorted(both)[:4]:
                    one, other = state.copy(), twin.copy()
                    seen = seen_until_revealed(one.apply(actor, text), seat)
                    assert seen_until_revealed(other.apply(actor, text), seat) == seen


def test_secret_actions_look_alike_to_everybody_else():
    """Which card was dealt, which friend was placed, what was answered: others cannot tell until all are in."""
    checked = dict.fromkeys(("deal", "place", "answer", "maman"), 0)
    for seed in range(14):
        for state in random_states(4, seed, may_forfeit=seed % 2 == 0, goal=6):
            actors = state.to_act
            if actors == (NATURE,):
                kind = "deal"
            elif state.phase == ATTACK or (state.phase == BETTING and state.has_friend(state.owner)):
                kind = "place"
            elif state.phase == ANSWER and len(actors) > 1:
                kind = "answer"
            elif state.phase == WINDOW and len(actors) > 1:
                kind = "maman"
            else:
                continue
            actor = actors[-1]
            owner = state.drawer if kind == "deal" else actor
            views: dict[int | None, list[Any]] = {seat: [] for seat in (None, 0, 1, 2, 3) if seat != owner}
            for action in state.legal(actor)[:6]:
                child = state.copy()
                events = child.apply(actor, action)
                for seat, found in views.items():
                    found.append(([event.seen_by(seat) for event in events], all_that(child, seat)))
            for found in views.values():
                checked[kind] += len(found) > 1
                assert all(one == found[0] for one in found)
    assert min(checked.values()) > 20


def test_optional_toys_and_maman_are_asked_whatever_the_hand():
    """A question about a hidden hand is put even if there is only one answer."""
    single = 0
    for seed in range(15):
        for state in random_states(3, seed):
            for seat in state.to_act:
                if seat != NATURE and len(state.legal(seat)) == 1:
                    assert state.legal(seat)[0].text.split()[0] in ("done", "maman", "place", "lay")
                    single += 1
    assert single > 50


def test_questions_about_open_things_have_two_answers():
    for seed in range(15):
        for state in random_states(4, seed):
            if state.view(None)["phase"] in ("turn", "convert", "give", "take", "seat"):
                assert len(state.legal(state.to_act[0])) > 1


def test_reasons_for_a_refusal_follow_from_what_the_seat_knows():
    rng = Random(4)
    actions = GAME.actions()
    for seed in range(4):
        for number, state in enumerate(random_states(3, seed)):
            if number % 17 or state.to_act[0] < 0:
                continue
            seat = state.to_act[0]
            twin = sampler(state.view(seat)).draw(rng)
            for action in rng.sample(actions, 40):
                assert refusal(state, seat, action) == refusal(twin, seat, action)


def refusal(state: BagarreState, seat: int, action: Action) -> Json | None:
    try:
        state.check(seat, action)
    except IllegalAction as error:
        return error.to_json()
    return None


def test_a_copy_of_the_position_tells_nothing_of_the_future():
    state = start(2)
    rng = Random(0)
    while state.turn < 3:
        actor, action = random_step(state, rng)
        state.apply(actor, action)
    assert not any(isinstance(value, Random) for value in state.to_json().values())
