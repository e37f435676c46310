"""Whether a step told anybody something that was hidden."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

import preau
from preau.core import HIDDEN, Action, OpenSampler, Sampler
from preau.core.state import Json
from preau.table import eyes
from preau.table.eyes import tells_nothing
from tests.table.sprint import Sprint, SprintState


def test_what_reveals_something_is_not_quiet():
    """Laying a toy shows a card of the hand to everybody: that is not taken back without asking."""
    told = 0
    for seed in range(3):
        match = preau.new("bagarre", seats=3, seed=seed)
        rng = Random(seed)
        while not match.over and len(match.record.entries) < 120:
            seat = match.to_act[0]
            before = match.state.copy()
            action = rng.choice(match.legal(seat))
            entries = len(match.record.entries)
            match.apply(seat, action)
            if len(match.record.entries) > entries + 1:
                continue  # chance had a part: never free
            quiet = tells_nothing(before, seat, action.text, Random(1))
            if action.text.startswith("lay "):
                told += 1
                assert not quiet, action
    assert told


@pytest.mark.parametrize(("game", "secret"), [("bagarre", ("place", "maman")), ("cour", ("point", "throw"))])
def test_a_secret_answer_can_be_taken_back_while_others_think(game, secret):
    """Until all are in, nobody has learned what it was, so it is free."""
    free = 0
    for seed in range(8):
        match = preau.new(game, seats=3, seed=seed)
        rng = Random(seed)
        while not match.over and len(match.record.entries) < 150:
            seat, others = match.to_act[0], match.to_act[1:]
            before = match.state.copy()
            action = rng.choice(match.legal(seat))
            entries = len(match.record.entries)
            match.apply(seat, action)
            if action.text.split()[0] not in secret or len(match.record.entries) > entries + 1:
                continue
            if others:
                free += 1
                assert tells_nothing(before, seat, action.text, Random(1)), action
    assert free


@pytest.mark.parametrize("game", ["bagarre", "cour"])
def test_what_a_seat_may_do_next_counts_among_what_it_sees(game, monkeypatch):
    """A seat that could do something else in another world has learned which world it is in."""
    match = preau.new(game, seats=3, seed=2)
    rng = Random(2)
    quiet, choices = 0, count()
    while not match.over and len(match.record.entries) < 150:
        seat = match.to_act[0]
        before, action = match.state.copy(), rng.choice(match.legal(seat))
        entries = len(match.record.entries)
        match.apply(seat, action)
        if len(match.record.entries) == entries + 1 and tells_nothing(before, seat, action.text, Random(1)):
            quiet += 1
            with monkeypatch.context() as patch:
                patch.setattr(eyes, "_choices", lambda state, eyes: [str(next(choices))])
                assert not tells_nothing(before, seat, action.text, Random(1))
    assert quiet


def test_spectators_and_seats_see_their_own_events():
    match = preau.new("bagarre", seats=2, seed=1)
    public, own = (eyes.seen(match.opening, seat) for seat in (None, 0))
    assert public != own
    assert {event["key"] for event in public} <= {event["key"] for event in own}


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


def test_what_another_seat_was_told_in_private_cannot_be_taken_back():
    """However alike all worlds look: it was told."""
    state = Whisper({"rounds": 1}, 2)
    state.game = Whispers()
    assert tells_nothing(state, 1, "run", Random(1))
    assert not tells_nothing(state, 0, "run", Random(1))
