"""The contract finds faults in the texts and data files of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import preau
from preau.core import Game, Texts
from preau.learn.puzzles import puzzles
from preau.testing import contents
from tests.core.contract_failures import fails

# Texts.


def without(monkeypatch, name: str, key: str) -> Game:
    """Take a text out of both languages of a game."""
    game = preau.game(name)
    texts = {language: game.texts(language) for language in preau.core.LANGUAGES}
    assert all(key in one for one in texts.values())
    for language, one in texts.items():
        left = {name: text for name, text in one.messages.items() if name != key}
        monkeypatch.setitem(game.__dict__["_texts"], language, Texts(language, left))
    return game


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("recess", "about"),
        ("recess", "seat"),
        ("recess", "points"),
        ("recess", "option.turns"),
        ("recess", "option.exits.corner"),
        ("recess", "option.layout.random"),
        ("recess", "option.first.random"),
        ("recess", "chapter.fights"),
        ("recess", "rule.R36"),
        ("recess", "challenge.about"),
        ("recess", "puzzle.kiss.task"),
        ("recess", "event.kiss"),
        ("recess", "prompt.nun"),
        ("recess", "why.skip"),
        ("cour", "option.cards.reconstructed"),
    ],
)
def test_a_missing_text_is_found(monkeypatch, name, key):
    game = without(monkeypatch, name, key)
    fails(contents.has_every_text_that_is_asked_for, f"en: there is no text '{key}', for .*fr: there is no", game)


def test_a_missing_text_of_a_tie_break_is_found(monkeypatch):
    game = without(monkeypatch, "cour", "tie_break.shared")
    fails(contents.has_words_for_how_games_end, "en: there is no text 'tie_break.shared'", game)


def test_a_missing_text_of_an_ending_is_found(monkeypatch):
    """Reports find it in the game's texts for the lab, or else in all others."""
    monkeypatch.setattr(contents, "_lab_texts", lambda game, language: Texts(language, {}))
    fails(contents.has_words_for_how_games_end, r"en: there is no text 'ending\.\w+', for reports", preau.game("cour"))


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("about", "{n, plural, one {x", "a brace is never closed"),
        ("chapter.fights", "on the {line", "a brace is never closed"),
        ("option.exits.corner", "{steps} corners", "wants a parameter 'steps'"),
        ("option.turns.about", "{child, child}", "wants a parameter 'child'"),
        ("challenge.about", "{word, select, a {b}}", "wants a parameter 'word'"),
        ("rule.R1", "{}", "'' is no name of a parameter"),
        ("tie_break.pins", "{seat, seat}", "wants a parameter 'seat'"),
        ("puzzle.kiss", "{n} kisses", "wants a parameter 'n'"),
        ("seat", "{player}", "wants a parameter 'player'"),
        ("event.kiss", "{seat, person, you {you {kiss} other {{seat, seat}}}", "a brace is never closed"),
        ("why.skip", "{n, plural}", "plural has no cases"),
    ],
)
def test_a_message_that_cannot_be_read_or_said_is_found(monkeypatch, key, text, reason):
    game = preau.game("recess")
    for language in preau.core.LANGUAGES:
        messages = {**game.texts(language).messages, key: text}
        monkeypatch.setitem(game.__dict__["_texts"], language, Texts(language, messages))
    words = rf"texts/en.json: {key}: .*{reason}.*; texts/fr.json: {key}: .*{reason}"
    fails(contents.its_texts_can_be_said, words, game)


def test_a_message_of_the_lab_that_cannot_be_said_is_found(monkeypatch):
    texts = {"ending.bell": "after {n} rounds"}
    monkeypatch.setattr(contents, "_lab_texts", lambda game, language: Texts(language, texts))
    fails(contents.its_texts_can_be_said, "texts/lab/en.json: ending.bell: ", preau.game("recess"))


@pytest.mark.parametrize("text", ["move {1, no_such_word}", "move {3}"])
def test_an_action_text_that_cannot_be_said_is_found(monkeypatch, text):
    game = preau.game("recess")
    texts = Texts("en", {**game.texts("en").messages, "action.b1": text})
    monkeypatch.setitem(game.__dict__["_texts"], "en", texts)
    fails(contents.puts_actions_into_words, "en: action.b1 cannot be said of b1 a1: ", game)


# Data files.


def test_a_lesson_with_an_illegal_way_is_found(monkeypatch):
    game = preau.game("recess")
    first, *others = game.lessons
    monkeypatch.setitem(game.__dict__, "lessons", (first._replace(way=("b1 e9", *first.way[1:])), *others))
    fails(contents.its_lesson_can_be_followed, f"lessons.json: {first.name}: after b1 e9", game)


def test_a_figure_that_claims_what_is_not_so_is_found(monkeypatch):
    game = preau.game("recess")
    figure = next(figure for figure in game.book if figure.open)
    wrong = figure._replace(refused={figure.open[0]: "R1"})
    monkeypatch.setitem(game.__dict__, "book", tuple(wrong if one is figure else one for one in game.book))
    fails(contents.its_rule_book_shows_what_it_says, f"book.json: {figure.name}: .* is legal", game)


@pytest.mark.parametrize("field", ["best", "line"])
def test_a_puzzle_with_an_illegal_solution_is_found(monkeypatch, field):
    changed: Mapping[str, Any] = {field: ("timeout",)}
    wrong = puzzles("recess")[0]._replace(**changed)
    monkeypatch.setattr(contents, "puzzles_of", lambda game: (wrong,))
    fails(contents.its_puzzles_can_be_played, f"puzzles.json: {wrong.id}: 'timeout' is not legal", preau.game("recess"))
