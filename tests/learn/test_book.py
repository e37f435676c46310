"""The rule books in pictures fit the rules and the texts: every figure is played, and what does not fit is found."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from itertools import pairwise

import pytest

import preau
from preau.core import DataError, PositionError
from preau.core.book import Done, Figure, read_book, read_figure
from preau.learn.book import book_faults, draw, figure_faults

GAMES = [preau.game(name) for name in preau.game_ids()]
RECESS = preau.game("recess")
PLAIN = {"name": "one", "rules": ["R1"], "position": {}, "picture": {}}


def one(game: str, name: str) -> Figure:
    return next(figure for figure in preau.game(game).book if figure.name == name)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_book_of_every_game_fits_its_rules_and_texts(game):
    assert book_faults(game) == []
    assert 8 <= len(game.book) <= 12


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_book_is_light(game):
    drawn = [draw(game, figure)._asdict() for figure in game.book]
    assert len(gzip.compress(json.dumps(drawn).encode())) < 25_000


def test_a_game_without_a_book_has_none(tmp_path):
    assert read_book(tmp_path) == ()


def test_a_nun_sees_whom_the_book_says_she_sees():
    figure = one("recess", "sight")
    seen = set(draw(RECESS, figure).views[0]["seen"])
    children = draw(RECESS, figure).views[0]["children"]
    assert children["0g1"] in seen
    assert not {children["0b1"], children["1g1"]} & seen
    assert set(figure.picture["eyes"]) == {children[child] for child in ("0g1", "0b1", "1g1")}
    looked_on = draw(RECESS, one("recess", "break_up")).views[0]
    assert looked_on["fights"][0]["cell"] in looked_on["seen"]


def test_the_last_picture_shows_who_wins():
    drawn = draw(RECESS, one("recess", "end"))
    assert drawn.result is not None
    assert drawn.result["ranking"][0] == [2]
    assert drawn.views[0]["coins"] == [8, 9, 13]


def test_all_special_moves_are_shown():
    shown = one("bagarre", "specials").picture["cards"]
    assert len(shown) == len(set(shown))
    assert {f"effect.{card}" for card in shown} == {
        key for key in preau.game("bagarre").texts("en").messages if key.startswith("effect.")
    }


def test_the_rows_have_as_many_stars_as_the_words_say():
    """Seven on the cards and three between them; eleven, nine and two more for the little boss."""
    cour = preau.game("cour")
    figure = one("cour", "row")
    toys = json.loads((cour.folder / "data" / "reconstructed.json").read_text(encoding="utf-8"))["toys"]
    row = [toys[card] for card in figure.picture["row"]]
    assert sum(card["full"] for card in row) == 7
    assert sum(len(set(left["right"]) & set(right["left"])) for left, right in pairwise(row)) == 3
    assert Counter(figure.picture["row"]) == draw(cour, figure).views[0]["hands"][0]
    result = draw(cour, one("cour", "score")).result
    assert result is not None
    working = result["detail"]["working"][0]
    assert (working["full"], working["joined"], working["bonus"]["stars"], working["total"]) == (11, 9, 2, 22)
    assert result["ranking"][0] == [0]


def test_a_friend_is_worth_the_largest_collection():
    result = draw(preau.game("cour"), one("cour", "friend")).result
    assert result is not None
    assert result["detail"]["working"][0]["friends"] == [{"seat": 1, "toy": "marble", "stars": 4}]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"way": (Done(0, "b1 g6"),)}, "R18"),
        ({"happens": ({"event": "kiss"},)}, "does not happen"),
        ({"open": ("b1 g6",)}, "R18"),
        ({"refused": {"b1 g6": "R14"}}, "refused by R18, not R14"),
        ({"refused": {"b1 f5": "R18"}}, "is legal"),
        ({"rules": ("R18", "R99")}, "no rule R99"),
        ({"picture": {"crop": "d4"}}, "picture.crop"),
        ({"position": {"seats": 9}}, "R1"),
    ],
)
def test_a_figure_that_claims_what_is_not_so_is_found(change, said):
    (fault,) = figure_faults(RECESS, one("recess", "pin")._replace(**change))
    assert said in fault


def test_texts_that_are_missing_or_left_over_are_found(monkeypatch):
    for language in ("en", "fr"):
        messages = dict(RECESS.texts(language).messages)
        messages["book.spare.title"] = messages.pop("book.pin.alt")
        monkeypatch.setattr(RECESS.texts(language), "messages", messages)
    assert [fault.partition(":")[0] for fault in book_faults(RECESS)] == ["en", "en", "fr", "fr"]


def test_others_and_nature_act_under_their_names():
    figure = read_figure({**PLAIN, "seat": 1, "way": ["pass", "2: stay f5", "nature: turn car"]}, "figures[0]")
    assert [done.actor for done in figure.way] == [1, 2, preau.NATURE]
    assert (figure.at, figure.open, figure.refused) == ((0,), (), {})


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ("[]", "book.json"),
        ("{", "book.json"),
        ('{"figures": [[]]}', "book.json: figures[0]"),
        (json.dumps({"figures": [PLAIN, PLAIN]}), "book.json: figures[1].name"),
        *(
            (json.dumps({"figures": [{**PLAIN, name: wrong}]}), f"book.json: figures[0].{place or name}")
            for name, wrong, place in (
                ("name", "No name", ""),
                ("seat", True, ""),
                ("position", [], ""),
                ("picture", None, ""),
                ("rules", [], ""),
                ("way", ["x: pass"], "way[0]"),
                ("way", "pass", ""),
                ("at", [1], ""),
                ("at", [], ""),
                ("happens", [{"action": "pass"}], ""),
                ("refused", ["pass"], ""),
                ("open", [1], ""),
            )
        ),
        (json.dumps({"figures": [{**PLAIN, "text": "words"}]}), "book.json: figures[0]"),
    ],
)
def test_wrong_data_are_refused_with_the_field(tmp_path, data, field):
    (tmp_path / "book.json").write_text(data, encoding="utf-8")
    with pytest.raises(DataError) as refused:
        read_book(tmp_path)
    assert refused.value.field == field


def test_a_figure_shows_only_what_its_seat_may_know():
    for game in GAMES:
        for figure in game.book:
            for view in draw(game, figure).views:
                assert view["seat"] == figure.seat


def test_a_position_that_is_none_is_no_picture():
    with pytest.raises(PositionError):
        draw(RECESS, one("recess", "pin")._replace(position={"seats": 3, "nuns": ["z9", "a1"]}))
