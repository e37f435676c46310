"""Everything in a game's box is in its gallery once, with count, texts, rule and sources; what is wrong is found."""

from __future__ import annotations

from collections import Counter

import pytest

import preau
from preau.core.gallery import Box, Gallery, Thing, gallery_faults
from preau.core.game import Game
from preau.core.texts import LANGUAGES
from preau.games.bagarre import data as bagarre
from preau.games.cour import data as cour
from preau.games.recess import data as recess

GAMES = [preau.game(name) for name in preau.game_ids()]


def shown(game: Game) -> Gallery:
    assert game.gallery is not None
    return game.gallery


def counts(box: Box) -> dict[str, int]:
    return {thing.name: thing.copies for thing in box.things}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_gallery_fits_the_texts_rules_and_sources(game):
    assert len(shown(game).boxes[0].things) > 10
    assert gallery_faults(game) == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_a_gallery_is_left_over(game, language):
    """Other words are for rules, things or options that there are."""
    texts = game.texts(language)
    things = [thing for box in shown(game).boxes for thing in box.things]
    said = {f"gallery.{thing.kind}" for thing in things} | {thing.about for thing in things}
    said |= {f"datum.{datum}" for thing in things for datum in thing.sources}
    of_gallery = {key for key in texts.messages if key.startswith(("gallery.", "about.", "datum."))}
    assert of_gallery - said == set()
    known = {thing.name for thing in things} | {f"option.{option.name}" for option in game.options}
    known |= {key.removeprefix("rule.") for key in texts.messages if key.startswith("rule.")}
    assert {key.removeprefix("words.") for key in texts.messages if key.startswith("words.")} <= known


def test_the_boxes_are_the_values_of_the_option():
    for game in GAMES:
        if shown(game).option:
            option = next(one for one in game.options if one.name == shown(game).option)
            assert [box.name for box in shown(game).boxes] == list(option.named)
            assert option.default == shown(game).boxes[0].name


@pytest.mark.parametrize("name", bagarre.SETS)
def test_the_cards_of_bagarre_are_those_of_the_set(name):
    box = next(box for box in shown(preau.game("bagarre")).boxes if box.name == name)
    deck = bagarre.deck(name)
    assert counts(box) == dict(zip(deck.names, deck.counts, strict=True))
    kinds = Counter[str]()
    for thing in box.things:
        kinds[thing.kind] += thing.copies
    listed = bagarre.shipped(name)["counts"]
    assert {kind: kinds[kind] for kind in listed} == listed


def test_what_the_sheet_leaves_open_in_bagarre_is_said():
    whole, leaflet = shown(preau.game("bagarre")).boxes
    by_name = {thing.name: thing for thing in whole.things}
    assert by_name["F3"].sources == {"number": "sheet", "copies": "sheet"}
    assert by_name["T12"].params == {"value": 2, "second": 2, "general": "yes"}
    assert by_name["maman"].sources == {"id": "sheet", "copies": "reconstructed", "effect": "reconstructed"}
    assert next(thing for thing in leaflet.things if thing.name == "T12").params["second"] == 0


def test_the_cards_of_cour_are_the_110_of_the_box():
    (box,) = shown(preau.game("cour")).boxes
    cards = cour.shipped("reconstructed")
    toys = {name: toy["count"] for name, toy in cards["toys"].items()}
    apart = {"chestnut_man": 1, "first_player": 1, **dict.fromkeys(cards["characters"], 1)}
    assert counts(box) == {**toys, **cards["others"], **apart}
    assert sum(counts(box).values()) == 110


def test_the_things_of_recess_are_those_on_the_board():
    (box,) = shown(preau.game("recess")).boxes
    found = counts(box)
    view = preau.game("recess").start(3, seed=1).view(None)
    own = [child for child in view["children"] if child.startswith("0")]
    assert (found["boy"], found["girl"]) == tuple(sum(kind in child for child in own) for kind in "bg")
    assert found["nun"] == len(view["nuns"])
    assert found["coin"] == view["coins"][0]
    assert {thing.name for thing in box.things if thing.each} == {"boy", "girl", "coin"}
    for letter, name in recess.EQUIPMENT.items():
        cells = sum(row.count(letter) for _, rows in recess.standard_sections() for row in rows)
        assert cells / 2 <= found[name.replace(" ", "-")] <= cells
    assert (found["slide"], found["climbing-frame"]) == (2, 3)


class Odd(Game):
    """Recess! with another gallery."""

    def __init__(self, gallery: Gallery | None) -> None:
        recess = preau.game("recess")
        self.id, self.options, self.folder = recess.id, recess.options, recess.folder
        self.__dict__["gallery"] = gallery

    start = actions = None  # type: ignore[assignment]


NUN = next(thing for thing in shown(preau.game("recess")).boxes[0].things if thing.name == "nun")


@pytest.mark.parametrize(
    ("things", "fault"),
    [
        ((NUN, NUN), "nun is there 2 times"),
        ((NUN._replace(name="the nun"),), "no address can name it"),
        ((NUN._replace(copies=0),), "there are none of it"),
        ((NUN._replace(rule="R99"),), "there is no rule 'R99'"),
        ((NUN._replace(about="about.nobody"),), "no text 'about.nobody'"),
        ((NUN._replace(kind="ghosts"),), "no text 'gallery.ghosts'"),
        ((NUN._replace(about="about.clock"),), "'turns'"),
        ((NUN._replace(rule="R5", sources={"section": "sheet"}),), "R5 is no ruling"),
    ],
)
def test_what_is_wrong_with_a_gallery_is_found(things, fault):
    assert any(fault in one for one in gallery_faults(Odd(Gallery((Box("standard", things),)))))


def test_several_boxes_need_an_option_that_there_is():
    box = Box("standard", (NUN,))
    assert gallery_faults(Odd(Gallery((box,)))) == []
    assert gallery_faults(Odd(Gallery((box, box)))) == ["nothing says with which box a table plays"]
    assert gallery_faults(Odd(Gallery((box, box), "colour"))) == ["there is no option 'colour'"]


def test_a_source_that_the_data_deny_is_found():
    game = preau.game("cour")
    king = next(thing for thing in shown(game).boxes[0].things if thing.name == "king")
    told = Thing(**{**king._asdict(), "sources": {"count": "sheet", "stars": "sheet"}})
    odd = Odd(Gallery((Box("reconstructed", (told,)),)))
    odd.id, odd.folder, odd.options = game.id, game.folder, game.options
    odd.provenance = game.provenance  # type: ignore[method-assign]
    assert any("its sources are not" in fault for fault in gallery_faults(odd))


def test_a_game_without_a_gallery_has_none():
    assert gallery_faults(Odd(None)) == []
