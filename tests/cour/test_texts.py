"""Every text that the code can ask for is there, in both languages, with the parameters it gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from preau.core import Option
from preau.games.cour import data
from preau.games.cour.actions import THROWS, VERBS
from preau.games.cour.deck import CHARACTERS, OTHERS, TOYS
from preau.games.cour.game import GAME
from preau.games.cour.position import PHASES
from preau.games.cour.shapes import EVENTS, PROMPTS, REASONS
from preau.games.cour.views import prompt
from tests.cour.positions import OPTION_SETS, at, per_card, steps
from tests.support import wanted

LANGUAGES = ("en", "fr")
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(data.FOLDER).glob("*.py")))


def values(option: Option) -> tuple[Any, ...]:
    """The values of an option that have a name of their own."""
    return (*option.choices, *option.named, *(["random"] if option.type == "seat" else []))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_there(language):
    texts = GAME.texts(language)
    wanted = [f"rule.C{number}" for number in range(1, 23)]
    wanted += [f"{kind}.{name}" for kind in ("card", "a") for name in (*TOYS, *OTHERS, "hidden", "chestnut_man")]
    wanted += [f"character.{name}" for name in (*CHARACTERS, "hidden")]
    wanted += [f"throw.{name}" for name in THROWS]
    wanted += [f"phase.{name}" for name in PHASES]
    wanted += [f"chapter.{name}" for name, _ in GAME.facts.chapters]
    wanted += [f"option.{option.name}" for option in GAME.options]
    wanted += [f"option.{option.name}.{value}" for option in GAME.options for value in values(option)]
    wanted += [f"event.{key}" for key in EVENTS]
    wanted += list(PROMPTS)
    wanted += [f"why.{key}" for key in REASONS if key != "malformed"]  # no sentence of the game: see `MalformedAction`
    assert [key for key in wanted if key not in texts] == []
    assert len(VERBS) == 15


def test_both_languages_have_the_same_keys_and_parameters():
    english, french = (GAME.texts(language).messages for language in LANGUAGES)
    assert list(english) == list(french)
    for key, message in english.items():
        assert wanted(key, message) == wanted(key, french[key]), key


def test_no_text_is_left_over():
    """A key is used if the code names it, or if it belongs to a family that is looked up by name.

    The family `page` is for the page: tests/page/test_texts.py looks there. tests/learn looks after `lesson`, `book`
    and `puzzle`, tests/page/test_guide.py after `guide`, tests/core/test_gallery.py after what the gallery says.
    """
    cards = ("card", "a", "character", "throw", "toy", "place", "source", "score")
    book = ("rule", "gallery", "about", "datum", "words", "book")
    families = (*book, "phase", "reason", "page", "lesson", "guide", "puzzle", *cards)
    offered = [f"option.{option.name}{rest}" for option in GAME.options for rest in ("", ".about")]
    offered += [f"option.{option.name}.{value}" for option in GAME.options for value in values(option)]
    offered += [f"chapter.{name}" for name, _ in GAME.facts.chapters]
    told = [*(f"event.{key}" for key in EVENTS), *(f"why.{key}" for key in REASONS), *PROMPTS]
    for key in GAME.texts("en").messages:
        family, _, rest = key.partition(".")
        used = family in families or key in ("title", "about", "seat") or key in offered or key in told
        assert used or f'"{rest}"' in SOURCE, key


@pytest.mark.parametrize("options", [*OPTION_SETS, {"cards": per_card()}], ids=str)
def test_everything_that_happens_can_be_said(options):
    names = [f"player {seat}" for seat in range(8)]
    for seats in (2, 4):
        for state, actor, action in steps(seats, 6, options):
            for who in (None, *range(seats)):
                asked = prompt(state, who)
                for language in LANGUAGES:
                    assert GAME.texts(language).say(asked["key"], asked, names)
            for event in state.copy().apply(actor, action):
                for who in (None, *range(seats)):
                    for language in LANGUAGES:
                        said = GAME.texts(language).say(f"event.{event.key}", event.seen_by(who), names)
                        assert "{" not in said


def test_every_prompt_can_be_said():
    shown = [
        at(3, phase="decide", draws=10, choices=["waiting", "waiting", None]),
        at(3, phase="glue", pot=0, open=["marble", "brick", "car"]),
        at(3, phase="friend", gainer=0, open=["marble", "brick"]),
    ]
    for state in shown:
        for who in (None, 0, 1):
            for language in LANGUAGES:
                assert GAME.texts(language).say(prompt(state, who)["key"], prompt(state, who))


def test_the_text_files_are_plain_maps():
    for language in LANGUAGES:
        path = data.FOLDER / "texts" / f"{language}.json"
        assert all(isinstance(value, str) for value in json.loads(path.read_text(encoding="utf-8")).values())
