"""Pictures of moments: plain SVG that shows what some eyes may see, and no more."""

from __future__ import annotations

import re
import struct
from random import Random
from xml.etree import ElementTree

import pytest

import preau
from preau.core.errors import RecordError
from preau.core.record import Record
from preau.pictures import drawing, picture, png
from preau.table.replay import replay_of

GAMES = preau.game_ids()
SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "g", "path", "circle", "ellipse", "rect", "defs", "pattern", "title", "desc"}


def played(game: str, seats: int, seed: int = 1) -> Record:
    """A game between bots."""
    return preau.play(game, bots=["greedy"] * seats, seed=seed).record


def last_of(record: Record) -> int:
    return replay_of(record, None, 0, 0).total - 1


def asked_in(svg: str) -> set[str]:
    return set(re.findall(r"#[\w-]+", " ".join(re.findall(r"url\(([^)]*)\)", svg))))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_a_picture_is_svg_and_nothing_else(game, language):
    """Any program can show it: no style, no custom property, no font, nothing from elsewhere."""
    seats = preau.game(game).seats[-1]
    record = played(game, seats)
    names = ["Ann & Bo", "<b>Zoé</b>", "Łukasz", '"Ève"', "Farid", "Gaël", "Hélène", "Inès"][:seats]
    for step, eyes in ((0, None), (last_of(record) // 2, "all"), (last_of(record), seats - 1)):
        svg = picture(record, step, eyes=eyes, language=language, dark=eyes == "all", names=names)
        tree = ElementTree.fromstring(svg)
        assert {one.tag.removeprefix(SVG) for one in tree.iter()} <= DRAWN
        assert not re.search(r"var\(|light-dark|style=|class=|calc\(|⟨|NaN|undefined|foreignObject", svg)
        assert asked_in(svg) <= {f"#{one.get('id')}" for one in tree.iter()}
        assert (tree.get("width"), tree.get("height")) == ("1200", "900")
        assert str(step) in tree.findtext(f"{SVG}title", "")
        assert len(svg) < 600_000


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("most", [False, True])
def test_a_picture_through_a_seats_eyes_holds_what_it_knows(game, most):
    """Whatever the others hide, a position that looks the same to a seat gives the same picture."""
    seats = preau.game(game).seats[-1 if most else 0]
    record = played(game, seats, seed=5)
    rng = Random(3)
    for eyes in (0, seats - 1):
        state = record.replay(len(record.entries) * 2 // 3)
        while state.to_act == (preau.NATURE,):
            state.apply(preau.NATURE, state.outcomes()[0][0])
        view = state.view(eyes)
        other = state.game.sampler(view).draw(rng)
        assert other.view(eyes) == view
        pictures = {picture(Record.begin(one, from_position=True), 0, eyes=eyes) for one in (state, other)}
        assert len(pictures) == 1
    if state.to_json() != other.to_json():
        assert len({picture(Record.begin(one, from_position=True), 0, eyes="all") for one in (state, other)}) == 2


def test_a_picture_in_pixels():
    record = played("bagarre", 2)
    pixels = png(picture(record, 3, names=["Ann", "李雷"]))
    assert pixels[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", pixels[16:24]) == (2400, 1800)


def test_letters_that_our_fonts_lack_stay_text():
    svg = picture(played("bagarre", 2), 3, names=["Ann", "李雷 < Bo"])
    texts = [one.text for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert texts
    assert set(texts) == {"李雷"}


def test_what_cannot_be_drawn_gets_a_sentence(monkeypatch):
    record = played("bagarre", 2)
    with pytest.raises(RecordError, match=r"no step 9999\. The steps are 0 to \d+"):
        picture(record, 9999)
    with pytest.raises(RecordError, match="nobody has the eyes 2"):
        picture(record, eyes=2)
    monkeypatch.setattr(drawing, "MADE", drawing.MADE.with_name("nothing.js"))
    drawing._script.cache_clear()
    with pytest.raises(drawing.Missing, match="`make page` builds it"):
        picture(record)
    drawing._script.cache_clear()
