"""Every key that the code uses has a message in both languages, with the parameters it is given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

from preau.core.shapes import fields
from preau.core.state import Event
from preau.core.texts import LANGUAGES
from preau.games.bagarre import shapes
from preau.games.bagarre.deck import EFFECTS
from preau.games.bagarre.position import FILLING, OVER, PHASES
from preau.games.bagarre.rules import BagarreState
from preau.games.bagarre.telling import Telling
from tests.support import wanted

from .helpers import GAME, random_states, random_step, start

FOLDER = Path(GAME.folder)
RULES = [f"B{number}" for number in range(1, 25)]


def source(name: str) -> str:
    return (FOLDER / f"{name}.py").read_text(encoding="utf-8")


def event_keys() -> set[str]:
    return {name.removeprefix("tell_") for name in dir(Telling) if name.startswith("tell_")}


def why_keys() -> set[str]:
    body = source("why").split("def _reason")[1]
    words = set(re.findall(r'"([a-z_]+)"', body))
    return words - {name for shape in shapes.REASONS.values() for name in fields(shape)}


def test_events_are_said_one_way_and_all_are_declared():
    """One method for each event, which says that very event; and the rules say none themselves."""
    said = re.findall(r'def tell_(\w+)\(.*?self\.say\("(\w+)"', source("telling"), re.DOTALL)
    assert [method for method, _ in said] == [key for _, key in said]
    assert event_keys() == {key for _, key in said} == set(shapes.EVENTS)
    assert "say(" not in source("rules")
    assert "events" not in source("rules")


def test_reasons_are_declared():
    assert why_keys() == set(shapes.REASONS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_keys_are_there(language):
    texts = GAME.texts(language)
    wanted = [f"event.{key}" for key in event_keys()]
    wanted += [f"why.{key}" for key in why_keys()]
    wanted += [f"rule.{rule}" for rule in RULES]
    wanted += [f"phase.{phase}" for phase in PHASES]
    wanted += [f"wait.{phase}" for phase in PHASES[:OVER]]
    wanted += [f"prompt.{phase}" for phase in PHASES[FILLING + 1 :]]
    wanted += list(shapes.PROMPTS)
    wanted += [f"{word}.{effect}" for effect in EFFECTS for word in ("card", "effect")]
    wanted += [f"card.F{number}" for number in range(1, 9)]
    assert [key for key in wanted if key not in texts] == []


def test_both_languages_have_the_same_keys_and_parameters():
    en, fr = (GAME.texts(language).messages for language in ("en", "fr"))
    assert set(en) == set(fr)
    for key, message in en.items():
        assert wanted(key, message) == wanted(key, fr[key]), key


def test_no_key_is_left_over():
    known = {key.removeprefix("event.") for key in GAME.texts("en").messages if key.startswith("event.")}
    assert known == event_keys()
    prompts = {key for key in GAME.texts("en").messages if key.startswith(("prompt.", "wait."))}
    assert prompts == set(shapes.PROMPTS)
    reasons = {key.removeprefix("why.") for key in GAME.texts("en").messages if key.startswith("why.")}
    assert reasons == why_keys()


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_whole_games_can_be_told(seats):
    """Every event and every prompt of random games is said in both languages, with its parameters."""
    names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"][:seats]
    told = set()
    for seed in range(12):
        for events, position in with_events(seats, seed):
            for language in LANGUAGES:
                texts = GAME.texts(language)
                for event in events:
                    for seat in (None, *range(seats)):
                        seen = event.seen_by(seat)
                        assert texts.say(f"event.{event.key}", seen, names)
                        told.add(event.key)
                for seat in (None, *range(seats)):
                    asked = position.prompt(seat)
                    assert texts.say(asked["key"], asked, names)
                    told.add(asked["key"])
    assert len(told) > 55


def test_the_reader_is_never_called_by_name():
    """Whatever a seat does, or others do to it, is told to it in the second person, and so is what it is asked."""
    names = ["Ann", "Bo", "Cy"]
    for seed in range(6):
        for events, position in with_events(3, seed):
            for language, seat in product(LANGUAGES, range(3)):
                texts = GAME.texts(language)
                asked = position.prompt(seat)
                told = [texts.say(f"event.{event.key}", event.seen_by(seat), names, seat) for event in events]
                told.append(texts.say(asked["key"], asked, names, seat))
                assert [line for line in told if names[seat] in line] == []


def with_events(seats: int, seed: int) -> Iterator[tuple[list[Event], BagarreState]]:
    """The events of every action of a random game, with the position after it."""
    rng = Random(seed)
    state = start(seats, may_forfeit=seed % 2 == 0)
    while not state.over:
        actor, action = random_step(state, rng)
        yield state.apply(actor, action), state


def test_events_cite_rules_that_exist():
    found = set()
    for seed in range(5):
        for events, _ in with_events(4, seed):
            found |= {event.rule for event in events}
    assert found <= set(RULES)
    assert len(found) > 10


def test_views_have_prompts_with_texts():
    for state in random_states(3, 1, goal=3):
        assert state.view(0)["prompt"] == state.prompt(0)
        assert state.prompt(0)["key"] in GAME.texts("en")
