"""Every key the program uses has a text in both languages, and every text can be said with what it is given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import get_args, get_type_hints

import pytest

import preau
from preau import REFEREE
from preau.core import LANGUAGES
from preau.games.recess.position import PHASES
from tests.recess.positions import GAME, fight, lively, play, position, random_start
from tests.recess.refusals import refusal_of_each_kind
from tests.support import is_sentence, wanted

SOURCE = Path(preau.__file__).parent / "games" / "recess"
TEXTS = {language: GAME.texts(language) for language in LANGUAGES}


def source(*names: str) -> str:
    return "\n".join((SOURCE / name).read_text(encoding="utf-8") for name in names)


def event_keys() -> set[str]:
    files = [path.name for path in SOURCE.glob("*.py")]
    return set(re.findall(r"\bself\.say\(\s*\"(\w+)\"", source(*files)))


def why_keys() -> set[str]:
    return set(re.findall(r"\"(\w+)\",\s*\"R\d+\"", source("why.py")))


def messages(language: str, prefix: str) -> set[str]:
    return {key.removeprefix(prefix) for key in TEXTS[language].messages if key.startswith(prefix)}


def test_the_same_keys_in_both_languages():
    assert set(TEXTS["en"].messages) == set(TEXTS["fr"].messages)


def test_the_same_parameters_in_both_languages():
    for key, english in TEXTS["en"].messages.items():
        french = TEXTS["fr"].messages[key]
        assert wanted(key, english) == wanted(key, french), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_its_text(language):
    assert messages(language, "rule.") == {f"R{number}" for number in range(1, 39)}
    for number in range(1, 39):
        assert is_sentence(TEXTS[language].say(f"rule.R{number}"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_in_the_source_has_its_text(language):
    assert event_keys() == messages(language, "event.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_in_the_source_has_its_text(language):
    assert why_keys() == messages(language, "why.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phase_has_its_prompts(language):
    asked = {*PHASES[:-1], "duty"}
    assert messages(language, "prompt.") == asked | {"over"}
    assert messages(language, "wait.") == asked
    assert messages(language, "phase.") == set(PHASES)
    assert messages(language, "tie_break.") == {"kiss", "detention", "shared"}


def test_every_rule_cited_in_the_source_exists():
    files = [path.name for path in SOURCE.glob("*.py")]
    cited = set(re.findall(r"\"(R\d+)\"", source(*files)))
    assert cited <= {f"R{number}" for number in range(1, 39)}
    assert {option.rule for option in GAME.options} <= cited


@pytest.mark.parametrize("option", GAME.options, ids=lambda option: option.name)
def test_every_option_has_a_sentence_in_both_languages(option):
    assert is_sentence(option.en)
    assert is_sentence(option.fr)
    assert option.rule
    assert option.read(option.default) == option.default
    assert option.allowed


def test_every_refusal_can_be_said_in_both_languages():
    found = refusal_of_each_kind()
    assert {error.key for error in found} == why_keys()
    for error in found:
        assert error.rule in str(error)
        for texts in TEXTS.values():
            said = texts.say(f"why.{error.key}", error.params)
            assert "{" not in said
            assert "#" not in said
            assert len(said.split()) > 2


def test_the_reader_is_spoken_to():
    """As the one who acts, as the victim and as somebody who looks on."""
    coin = {"seat": 1, "owner": 0, "coins": 1}
    shove = {"seat": 0, "piece": "g1", "owner": 1}
    names = ["Zoé", "Basile"]

    def told(language: str, key: str, data: Mapping[str, object], reader: int | None) -> str:
        return TEXTS[language].say(key, data, names, reader)

    assert told("en", "event.coin", coin, 0) == "Basile takes a coin from you."
    assert told("en", "event.coin", coin, 1) == "You take a coin from Zoé."
    assert told("fr", "event.coin", coin, 0) == "Basile te prend une pièce."
    assert told("fr", "event.coin", coin, None) == "Basile prend une pièce à Zoé."
    assert told("en", "prompt.shove", shove, 0) == "Where is Basile's girl 1 shoved to?"
    assert told("fr", "prompt.shove", shove, 0) == "Où pousses-tu la fille 1 de Basile ?"
    state = position(fights=[fight("f6", "0b1", "1b1")])
    asked = state.prompt(0)
    assert told("fr", asked["key"], asked, 0) == (
        "Ton garçon 1 reste en f6 ? Tu gagnes 1 pièce, mais tu perds ton déplacement de 3."
    )
    play(state, "stay f6")
    asked = state.prompt(0)
    assert told("en", asked["key"], asked, 0).startswith("Staying costs you the 3. Move one of your children")


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_would_come_of_an_action_has_its_text(language):
    declared = {get_args(get_type_hints(one)["key"]) for one in get_args(GAME.part("shapes").Means)}
    assert {key for keys in declared for key in keys} == {f"means.{key}" for key in messages(language, "means.")}


def test_every_event_and_prompt_that_comes_up_can_be_said():
    """Random play from all kinds of starts; between them they bring up every event and every prompt."""
    said: set[str] = set()
    for seed in range(80):
        rng = Random(f"texts {seed}")
        state = random_start(rng)
        while not state.over:
            for seat in (None, state.active):
                asked = state.prompt(seat)
                said.add(asked["key"])
                for texts in TEXTS.values():
                    assert "{" not in texts.say(asked["key"], asked)
            if rng.random() < 0.03:
                events = state.apply(REFEREE, "timeout")
            else:
                events = state.apply(state.active, lively(state, rng))
            for event in events:
                said.add(f"event.{event.key}")
                for texts in TEXTS.values():
                    assert is_sentence(texts.say(f"event.{event.key}", event.data))
        asked = state.prompt(None)
        said.add(asked["key"])
        for texts in TEXTS.values():
            assert "{" not in texts.say(asked["key"], asked)
    wanted = {key for key in TEXTS["en"].messages if key.split(".")[0] in ("event", "prompt", "wait")}
    assert said == wanted
