"""Hints are legal, come from a seat's view alone, and read as sentences in both languages."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

import preau
from preau.bots import Budget
from preau.bots.levels import strength
from preau.core import PreauError
from preau.core.shapes import hint_faults
from preau.core.texts import LANGUAGES
from preau.review import Hint, hint, say
from preau.review.hint import IDEAS
from preau.review.wording import chance, say_decision
from tests.review.positions import NAMES, some
from tests.support import is_sentence

GAMES = list(preau.game_ids())
POSITIONS = 200
SMALL = Budget(24)


def words(found: Hint, seats: int) -> dict[str, list[str]]:
    return {language: say(found, language, NAMES[:seats]) for language in LANGUAGES}


def is_well_said(found: Hint, seats: int) -> bool:
    """Whether a hint reads as one or two sentences in both languages, which are not the same."""
    said = words(found, seats)
    lines = [line for one in said.values() for line in one]
    return (
        all(is_sentence(f"{line} ok.") and line[-1] == "." and line[0].isupper() for line in lines)
        and said["en"] != said["fr"]
        and not any(f" {key}." in f" {line}" for line in lines for key in ("do", "because", "event"))
    )


def faults(found: Hint) -> list[str]:
    game = preau.game(found["game"])
    ideas = [found, found["otherwise"]] if found["otherwise"] else [found]
    said = [one for idea in ideas if idea for one in (idea["do"], *idea["reasons"]) if one]
    return [fault for one in said for fault in hint_faults(game, one)]


@pytest.mark.parametrize("game", GAMES)
def test_hints_are_legal_and_read_as_sentences(game):
    with_reasons = 0
    for state, seat in some(game, POSITIONS):
        found = hint(state.view(seat), budget=SMALL)
        legal = [action.text for action in state.legal(seat)]
        assert found["action"] in legal
        assert found["seat"] == seat
        assert found["do"] is not None
        assert 0.0 <= found["value"] <= 1.0
        assert found["otherwise"] is None or found["otherwise"]["action"] in set(legal) - {found["action"]}
        assert found["simulations"] <= SMALL.simulations + len(legal)
        assert faults(found) == []
        assert is_well_said(found, state.seats), words(found, state.seats)
        with_reasons += bool(found["reasons"])
    assert with_reasons > 0.75 * POSITIONS


YOU = re.compile(r"\b(you|yours?|tu|te|toi|ton|ta|tes)\b|-toi\b|\bt'", re.IGNORECASE)


@pytest.mark.parametrize("game", GAMES)
def test_a_review_speaks_to_whoever_chose_and_of_them_to_others(game):
    """The same reasons as in hints; nobody else is called "you", and nobody who reads of others is told what to do."""
    spoken = 0
    for state, seat in some(game, POSITIONS // 2):
        found = hint(state.view(seat), budget=SMALL)
        review: Any = {"game": game}
        about = {key: found[key] for key in ("do", "reasons", "but")}
        figures = {"chance": 0.5, "regret": 0.2, "error": 0.01}
        decision: Any = {"seat": seat, "called": "mistake", "best": found["action"], **about, **figures}
        for language in LANGUAGES:
            told = {
                reader: say_decision(review, decision, language, NAMES[: state.seats], reader)[1]
                for reader in (None, seat, (seat + 1) % state.seats)
            }
            assert not YOU.search(told[None]), told
            assert all(is_sentence(line) for line in told.values())
            spoken += told[seat] != told[None]
    assert spoken > POSITIONS // 2


@pytest.mark.parametrize("game", GAMES)
def test_positions_that_look_the_same_get_the_same_hint(game):
    """A hint for another position that agrees with all the seat knows is the very same."""
    differ = 0
    for number, (state, seat) in enumerate(some(game, POSITIONS)):
        twin = preau.game(game).sampler(state.view(seat)).draw(Random(number))
        differ += twin != state
        view, its_view = state.view(seat), twin.view(seat)
        assert its_view == view
        assert hint(json.loads(json.dumps(its_view)), budget=Budget(8)) == hint(view, budget=Budget(8))
    assert differ > 0.9 * POSITIONS if preau.game(game).secrets else differ == 0


@pytest.mark.parametrize("game", GAMES)
def test_the_next_ideas_are_other_actions(game):
    for state, seat in some(game, 40):
        ideas = [hint(state.view(seat), budget=SMALL)]
        while ideas[-1]["more"]:
            ideas.append(hint(state.view(seat), budget=SMALL, rank=len(ideas)))
            assert ideas[-1]["otherwise"] is None
            assert is_well_said(ideas[-1], state.seats)
        assert len({idea["action"] for idea in ideas}) == len(ideas) <= IDEAS
        with pytest.raises(PreauError) as refused:
            hint(state.view(seat), budget=SMALL, rank=len(ideas))
        assert refused.value.key == "no_more_ideas"


@pytest.mark.parametrize("game", GAMES)
def test_without_a_budget_it_is_the_strongest_bot_that_is_asked(game):
    state, seat = some(game, 3)[-1]
    assert 0 < hint(state.view(seat))["simulations"] <= strength(game, "expert").simulations


def test_a_seat_that_is_not_asked_gets_no_hint():
    state = preau.game("recess").start(seats=3)
    with pytest.raises(PreauError, match="owes no decision"):
        hint(state.view(1))
    with pytest.raises(PreauError, match="no seat"):
        hint(state.view(None))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chance_is_said(language):
    state, seat = some("recess", 3)[0]
    found = hint(state.view(seat), budget=SMALL)
    assert str(round(100 * found["value"])) in chance(found, language)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_hints_with_the_whole_budget(game):
    """They look no further than the strongest bot does, wherever it is (how long that takes: `benchmarks.search`)."""
    for state, seat in some(game, POSITIONS):
        found = hint(state.view(seat))
        legal = [action.text for action in state.legal(seat)]
        assert found["action"] in legal
        assert found["simulations"] <= strength(game, "expert").simulations
        assert faults(found) == []
        assert is_well_said(found, state.seats)
