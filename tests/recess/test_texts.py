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
from preau.core import LANGUAGES, PreauError
from preau.games.recess.position import PHASES
from tests.recess.positions import GAME, fight, lively, moving, nun_step, play, position, random_start, walls
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


def refusals() -> list[PreauError]:
    """One refusal of each kind, from hand-made positions."""
    two = [fight("f6", "0b1", "1b1"), fight("g4", "0g1", "2g1")]
    three = [*two, fight("c7", "0b2", "1g2")]
    seen = [fight("c3", "0b1", "1b1")]
    shut_in = [fight("l1", "1b1", "2b1"), *walls(["k1", "k2", "l2"], 5, {"0b1", "1b1", "2b1"})]
    telling = moving(1, children={"0b1": "f5"}, nuns=["f6", "l12"], fights=[fight("c7", "1g1", "2b1"), two[1]])
    play(telling, "b1 f6")
    no_room = moving(1, 5, children={"0b1": "f5"}, nuns=["f6", "l12"], fights=shut_in)
    play(no_room, "b1 f6")
    shoving = nun_step(children={"1b1": "c2"}, nuns=["c5", "l12"], fights=[fight("d1", "1g1", "2g1")])
    play(shoving, "nun 0 c2")
    chain = nun_step(children={"1b1": "f6", "1b2": "f7"}, nuns=["f2", "l12"])
    play(chain, "nun 0 f6")
    leaver = position(fights=two[:1])
    play(leaver, "leave f6", "b2 a3")
    stayer = position(fights=two[:1])
    play(stayer, "stay f6")
    all_leave = position(fights=three, children={"0g2": "d7"})
    play(all_leave, "leave g4", "leave f6", "leave c7")
    freed = moving(2, children={"0b1": "g7"}, fights=[fight("f6", "1b1", "0b2")])
    play(freed, "b1 f6", "shove e6", "shove g6")
    duty = position(fights=[*seen, fight("d4", "0b2", "1b2")])
    play(duty, "stay c3", "stay d4", "g1 l11")
    attackers = moving(
        1, children={"0g2": "f5", "2g2": "g5"}, fights=three, step={"staying": ["b1", "b2"], "moved": ["g1"]}
    )
    tried = [
        (position(), "timeout"),
        (position(), "skip"),
        (position(), "b1 e5"),
        (position(), "b1 l1"),
        (position(fights=seen), "pass"),
        (moving(2), "pass"),
        (moving(2), "nun 0 b1"),
        (nun_step(), "skip"),
        (nun_step(), "nun 0 c2"),
        (position(fights=two), "stay f6"),
        (position(fights=two), "stay d4"),
        (position(fights=three, detention=["0g2"]), "leave g4"),
        (position(fights=[fight("f6", "1b1", "0b1")]), "b1 f5"),
        (position(detention=["0b1"]), "b1 a1"),
        (stayer, "b1 f5"),
        (freed, "b2 e7"),
        (moving(2, step={"moved": ["b1"]}), "b1 a1"),
        (all_leave, "g2 d10"),
        (all_leave, "skip"),
        (leaver, "b1 f6"),
        (moving(2, 5, children={"0b1": "j1"}, fights=shut_in), "b1 l1"),
        (moving(1, children={"0b1": "f5"}, nuns=["f6", "l12"]), "b1 f6"),
        (moving(1, children={"0b1": "c4", "0g1": "c3"}), "b1 c3"),
        (moving(1, children={"0b1": "c4", "0b2": "c3"}), "b1 c3"),
        (moving(1, children={"0b1": "c4", "1g1": "c3"}), "b1 c3"),
        (attackers, "g2 g5"),
        (duty, "nun 1 k11"),
        (shoving, "shove d1"),
        (shoving, "shove d3"),
        (chain, "shove f7"),
        (telling, "share"),
        (telling, "tattle 1 c7"),
        (telling, "tattle 0 f6"),
        (no_room, "tattle 0 l1"),
    ]
    found = []
    for state, text in tried:
        with pytest.raises(PreauError) as caught:
            state.apply(state.active, text)
        found.append(caught.value)
    with pytest.raises(PreauError) as caught:
        position().apply(REFEREE, "pass")
    return [*found, caught.value]


def test_every_refusal_can_be_said_in_both_languages():
    found = refusals()
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
