"""R2: whether sections leave the open cells connected in every layout, against looking at one yard after another."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from preau.core import DataError
from preau.games.recess.data import Sections, disconnected_layout, ground, read_sections, standard_sections
from preau.games.recess.yard import CELLS, SIDE
from tests.recess.positions import all_layouts
from tests.support import lines_run

WIDE = 6
A_FEW = 120
"""So many layouts are looked at one by one where all would take a second."""


def connected(letters: str) -> bool:
    """Whether the open cells of a ground hang together by orthogonal steps."""
    waiting = {cell for cell in range(CELLS) if letters[cell] == "."}
    edge = [waiting.pop()]
    while edge:
        cell = edge.pop()
        beside = [cell - SIDE, cell + SIDE]
        if cell % SIDE:
            beside.append(cell - 1)
        if cell % SIDE != SIDE - 1:
            beside.append(cell + 1)
        for other in beside:
            if other in waiting:
                waiting.remove(other)
                edge.append(other)
    return not waiting


def one_by_one(sections: Sections) -> str:
    """The first layout that cuts cells off, found the slow way."""
    for layout in all_layouts(sections):
        if not connected(ground(sections, layout)):
            return layout
    return ""


def made(*rows: str) -> Sections:
    return tuple((letter, tuple(text.split())) for letter, text in zip("ABCD", rows, strict=True))


OPEN = "...... " * WIDE
WALL = "...... ...... WWWWWW ...... ...... ......"
"""Two pieces, each of which touches both ends: alone among open sections it cuts nothing off."""


def some_sections(rng: Random) -> Sections:
    """From empty to crowded, with walls from side to side, some with a hole."""
    crowd, walled = rng.choice([0, 0.02, 0.05, 0.1, 0.3, 0.6]), rng.choice([0, 0.25, 0.5])
    found = []
    for letter in rng.sample("ABCDXYZ", 4):
        cells = [["." if rng.random() >= crowd else "S" for _ in range(WIDE)] for _ in range(WIDE)]
        if rng.random() < walled:
            place, hole = rng.randrange(WIDE), rng.randrange(3 * WIDE)
            for step in range(WIDE):
                if step != hole:
                    cells[place][step] = "W"
        if rng.random() < 0.5:
            cells = [list(column) for column in zip(*cells, strict=True)]
        found.append((letter, tuple("".join(row) for row in cells)))
    return tuple(found)


def test_the_first_layout_that_cuts_cells_off_is_found_among_all():
    late = made(
        "...... ...... ....S. ...... ...... .....S",
        "...... ...... ...... ...... ..S... .S....",
        "...... WWWWWW ...... ...... ...... .S....",
        "...... ...... .S.... ...... ...... ...S..",
    )
    assert disconnected_layout(late) == one_by_one(late) == "B0 A0 D0 C1"
    one_wall = made(WALL, OPEN, OPEN, OPEN)
    assert disconnected_layout(one_wall) == one_by_one(one_wall) == ""


def test_random_sections_are_judged_as_one_by_one():
    """Of layouts before the one that is named, and of sections that are let through, a few are looked at."""
    rng = Random(16)
    let_through, refused = 0, 0
    for _ in range(60):
        sections = some_sections(rng)
        layouts = all_layouts(sections)
        bad = disconnected_layout(sections)
        before = layouts[: layouts.index(bad)] if bad else layouts
        for layout in rng.sample(before, min(A_FEW, len(before))):
            assert connected(ground(sections, layout)), (sections, layout)
        assert not bad or not connected(ground(sections, bad)), (sections, bad)
        let_through += not bad
        refused += bool(bad)
    assert let_through > 10
    assert refused > 10


@pytest.mark.parametrize("letters", ["ABCD", "DCBA", "XAZB"])
def test_a_refusal_names_the_first_layout_in_the_order_of_the_file(letters):
    rows = dict(zip(letters, (WALL, OPEN, OPEN, WALL), strict=True))
    file = {"format": "preau-sections/1", "name": "walls", "provenance": "made up", "sections": {}}
    file["sections"] = {letter: text.split() for letter, text in rows.items()}
    first = one_by_one(tuple((letter, tuple(text.split())) for letter, text in rows.items()))
    file["sections"] = {letter: text.replace("WWWWWW", "WSWSWS").split() for letter, text in rows.items()}
    with pytest.raises(DataError) as caught:
        read_sections(file)
    assert caught.value.message == f"with the layout {first!r} some open cells cannot be reached"
    assert caught.value.field == "sections"


def test_all_layouts_together_take_little_work():
    """A request can ask for this. Looking at one yard after another runs some ten million lines."""
    for sections in (standard_sections(), made(WALL, OPEN, OPEN, OPEN), made(WALL, WALL, WALL, WALL)):
        assert lines_run(partial(disconnected_layout.__wrapped__, sections)) < 150_000


def test_what_was_checked_is_not_checked_again():
    before = disconnected_layout.cache_info()
    for _ in range(3):
        disconnected_layout(standard_sections())
    after = disconnected_layout.cache_info()
    assert after.hits >= before.hits + 2
    assert after.misses <= before.misses + 1
