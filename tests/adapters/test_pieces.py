"""The pieces of observations: where games write them, and what the guide says of them."""

from __future__ import annotations

import re
from itertools import accumulate
from pathlib import Path

import pytest

import preau
from preau.games.bagarre.observe import CARD_STARTS, OTHER_STARTS
from preau.games.cour.observe import STARTS as COUR
from preau.games.recess.observe import STARTS as RECESS

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "environments.md"


def starts(game: str) -> list[int]:
    return [piece.start for piece in preau.game(game).layout(preau.game(game).start()).pieces]


def test_what_the_writers_know_by_heart_is_where_the_pieces_are():
    assert starts("recess") == list(RECESS)
    assert starts("cour") == list(COUR)
    kinds = preau.game("bagarre").layout(preau.game("bagarre").start())["hand"].size
    rest = 18 * kinds
    assert starts("bagarre") == [*(kinds * times for times in CARD_STARTS), *(rest + start for start in OTHER_STARTS)]


@pytest.mark.parametrize("game", preau.game_ids())
def test_the_guide_names_every_piece_with_its_shape(game):
    text = GUIDE.read_text(encoding="utf-8")
    section = text[text.index(f"### `{game}`") :].split("\n### ")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([\d x]+) \| ([\w ]+)? *\|", section, re.MULTILINE)
    layout = preau.game(game).layout(preau.game(game).start())
    assert [(name, shape.strip()) for name, shape, _ in rows] == [
        (piece.name, " x ".join(map(str, piece.shape))) for piece in layout.pieces
    ]
    assert [piece.start for piece in layout.pieces] == [0, *accumulate(piece.size for piece in layout.pieces)][:-1]
