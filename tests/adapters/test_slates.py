"""Core's `Slate` and the compiled `FastSlate` do the same: both are held to one literal definition of each method."""

from __future__ import annotations

import inspect
import itertools
from random import Random
from typing import Any

import pytest

from preau.core.slate import LEVELS, Slate

try:
    from preau.adapters.fast_slate import FastSlate
except (ImportError, ValueError):  # no librt, or one that does not fit
    FAST: list[type[Slate]] = []
else:
    FAST = [FastSlate]

ROWS, WIDTH = 3, 12
KINDS = [Slate, *FAST]


class Reference:
    """A slate without any regard to speed: rows are lists, and what was written is a list of levels for each row."""

    def __init__(self, rows: int, width: int) -> None:
        self.rows, self.width, self.base = rows, width, 0
        self.lines = [[0] * width for _ in range(rows)]
        self.written: list[list[set[int]]] = [[set() for _ in range(LEVELS + 1)] for _ in range(rows)]
        """For each row the places that are wiped with each level, and last those that are wiped at every turn."""
        self.keys = [[-1] * LEVELS for _ in range(rows)]
        self.row = 0

    def memory(self) -> bytes:
        return bytes(itertools.chain.from_iterable(self.lines))

    @property
    def line(self) -> list[int]:
        return self.lines[self.row]

    def note(self, at: int) -> None:
        if not any(at in level for level in self.written[self.row]):
            self.written[self.row][LEVELS].add(at)

    def wipe(self, first: int) -> None:
        for level in range(first, LEVELS + 1):
            for at in self.written[self.row][level]:
                self.line[at] = 0
            self.written[self.row][level] = set()

    def turn_to(self, row: int) -> None:
        self.row, self.base = row, row * self.width
        self.wipe(LEVELS)

    def holds(self, key: int, level: int = 0) -> bool:
        keys = self.keys[self.row]
        if keys[level] == key:
            return True
        self.wipe(level)
        keys[level:] = [key] + [-1] * (LEVELS - level - 1)
        return False

    def hold(self, level: int = 0) -> None:
        places = self.written[self.row]
        for above in range(level + 1, LEVELS + 1):
            places[level] |= places[above]
            places[above] = set()

    def one(self, at: int) -> None:
        self.put(at, 1)

    def ones(self, start: int, places: list[int]) -> None:
        for place in places:
            self.one(start + place)

    def ones_free(self, start: int, places: list[int], taken: bytes) -> None:
        self.ones(start, [place for place in places if not taken[place]])

    def put(self, at: int, number: int) -> None:
        if number > 0:
            self.set(at, number)
            self.note(at)

    def set(self, at: int, number: int) -> None:
        self.line[at] = min(number, 255)

    def fill(self, start: int, numbers: list[int], first: int, count: int) -> None:
        for at, number in enumerate(numbers[first : first + count]):
            self.set(start + at, number)

    def around(self, start: int, numbers: list[int], first: int) -> None:
        self.fill(start, numbers[first:] + numbers[:first], 0, len(numbers))

    def bits(self, start: int, mask: int, count: int) -> None:
        self.fill(start, [mask >> at & 1 for at in range(count)], 0, count)

    def eight(self, start: int, packed: int, count: int) -> None:
        self.fill(start, list(packed.to_bytes(8, "little")), 0, count)

    def again(self, start: int, source: int, count: int) -> None:
        for at in range(count):
            self.line[start + at] = self.line[source + at]

    def rest(self, start: int, whole: bytes, part: int) -> None:
        for at, number in enumerate(whole):
            self.line[start + at] = number - self.line[part + at]

    def add(self, at: int, number: int) -> None:
        self.put(at, self.line[at] + number)

    def more(self, at: int) -> None:
        self.set(at, self.line[at] + 1)

    def less(self, at: int) -> None:
        self.line[at] -= 1

    def share(self, at: int, part: float) -> None:
        self.set(at, int(part * 255 + 0.5))

    def read(self, row: int, at: int) -> int:
        return self.lines[row][at]


def public(kind: type) -> set[str]:
    return {name for name, one in inspect.getmembers(kind) if callable(one) and not name.startswith("_")}


def numbers_of(slate: Slate | Reference) -> list[int]:
    return [slate.read(row, at) for row in range(ROWS) for at in range(WIDTH)]


Call = tuple[Any, ...]
BOTH_ENDS = [("put", 0, 254), ("put", 1, 255), ("put", 2, 256), ("put", 3, 0), ("put", 4, -7)]
EXAMPLES: dict[str, list[Call]] = {
    "memory": [("put", 3, 4)],
    "turn_to": [
        ("put", 1, 9),
        ("set", 2, 5),
        ("turn_to", 1),
        ("one", 0),
        ("turn_to", 0),
        ("turn_to", 1),
        ("turn_to", 2),
    ],
    "holds": [("holds", 7), ("one", 1), ("hold",), ("turn_to", 0), ("holds", 7), ("turn_to", 0), ("holds", 8)],
    "hold": [
        *[("holds", 1), ("put", 0, 3), ("hold",), ("holds", 2, 1), ("put", 1, 4), ("hold", 1), ("holds", 3, 2)],
        *[("put", 2, 5), ("hold", 2), ("put", 3, 6), ("turn_to", 0), ("holds", 1), ("holds", 4, 1), ("put", 4, 7)],
        *[("hold", 1), ("turn_to", 0), ("turn_to", 1), ("turn_to", 0), ("holds", 9)],
    ],
    "one": [("one", 0), ("one", 0), ("one", WIDTH - 1), ("turn_to", 0)],
    "ones": [("ones", 2, [0, 3, 3, 9]), ("ones", 0, []), ("turn_to", 0)],
    "ones_free": [("ones_free", 1, [0, 1, 3], b"\0\1\0\0"), ("ones_free", 0, [], b""), ("turn_to", 0)],
    "put": [*BOTH_ENDS, ("put", 0, 3), ("turn_to", 0)],
    "set": [("set", 0, 0), ("set", 1, 255), ("set", 2, 999), ("turn_to", 0), ("set", 1, 0)],
    "fill": [
        ("fill", 1, [1, 2, 300], 0, 3),
        ("fill", 5, [1, 2, 3, 4], 1, 2),
        ("fill", 0, [9], 0, 0),
        ("fill", 9, [], 0, 0),
    ],
    "around": [
        ("around", 0, [1, 2, 3], 0),
        ("around", 3, [1, 2, 3], 2),
        ("around", 6, [300, 0], 1),
        ("around", 9, [], 0),
    ],
    "bits": [("set", 3, 9), ("bits", 0, 0b1011_0110, 6), ("bits", 7, 0, 2), ("bits", 9, 1, 0)],
    "eight": [("eight", 0, 0x00FF_1234_0099, 6), ("eight", 7, 0, 1), ("eight", 8, 5, 0)],
    "again": [("eight", 0, 0x0403_0201, 4), ("again", 5, 0, 4), ("again", 1, 0, 3), ("again", 9, 0, 0)],
    "rest": [("eight", 0, 0x0403_0201, 4), ("rest", 5, bytes([9, 9, 9, 4]), 0), ("rest", 5, b"", 0)],
    "add": [
        ("add", 0, 3),
        ("add", 0, 4),
        ("add", 0, 255),
        ("add", 1, 0),
        ("put", 2, 9),
        ("add", 2, -4),
        ("turn_to", 0),
    ],
    "more": [("more", 0), ("more", 0), ("set", 1, 255), ("more", 1), ("turn_to", 0)],
    "less": [("set", 0, 2), ("less", 0), ("less", 0), ("set", 1, 255), ("less", 1)],
    "share": [("share", 0, 0.0), ("share", 1, 1.0), ("share", 2, 0.5), ("share", 3, 1 / 255), ("share", 4, 0.001)],
    "read": [("turn_to", 2), ("put", 5, 6), ("read", 2, 5), ("read", 0, 5)],
}
OUTSIDE: list[Call] = [
    *[
        ("turn_to", ROWS),
        ("read", ROWS, 0),
        ("one", 99),
        ("ones", 99, [0]),
        ("ones_free", 99, [0], b"\0"),
        ("put", 99, 1),
    ],
    *[("set", 99, 1), ("fill", 99, [1], 0, 1), ("fill", 0, [1], 1, 1), ("around", 99, [1], 0), ("bits", 99, 1, 1)],
    *[("eight", 99, 1, 1), ("again", 99, 0, 1), ("again", 0, 99, 1), ("rest", 99, b"\1", 0), ("rest", 0, b"\1", 99)],
    *[("add", 99, 1), ("more", 99), ("less", 99), ("share", 99, 1.0), ("ones_free", 0, [1], b"\0")],
]


def test_every_method_has_an_example():
    assert public(Slate) == public(Reference) - {"note", "wipe"} == EXAMPLES.keys()


@pytest.mark.parametrize("kind", FAST)
def test_both_have_the_same_methods_and_signatures(kind):
    assert public(kind) == public(Slate)
    for name in ("__init__", *public(Slate)):
        assert inspect.signature(getattr(kind, name)) == inspect.signature(getattr(Slate, name)), name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_method_does_what_it_says(kind, name):
    slate, reference = kind(ROWS, WIDTH), Reference(ROWS, WIDTH)
    for method, *arguments in EXAMPLES[name]:
        assert getattr(slate, method)(*arguments) == getattr(reference, method)(*arguments)
        assert numbers_of(slate) == numbers_of(reference), (method, arguments)
        assert bytes(slate.memory()) == reference.memory()
    assert (slate.rows, slate.width, slate.base) == (ROWS, WIDTH, reference.base)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("call", OUTSIDE, ids=lambda call: f"{call[0]} {call[1:]}")
def test_a_place_outside_is_an_error(kind, call):
    with pytest.raises(IndexError):
        getattr(kind(ROWS, WIDTH), call[0])(*call[1:])


@pytest.mark.parametrize("kind", KINDS)
def test_there_may_be_nothing_to_write_on(kind):
    for rows, width in ((0, 5), (2, 0)):
        assert bytes(kind(rows, width).memory()) == b""


def position(rng: Random) -> list[Call]:
    """Return the calls with which a game writes one position: levels that may be held, then the rest elsewhere."""
    calls: list[Call] = [("turn_to", rng.randrange(ROWS))]
    for level in range(LEVELS):
        calls.append(("level", level, rng.randrange(3), 2 * level + rng.randrange(2), rng.randrange(300)))
    for _ in range(rng.randrange(4)):
        at = rng.randrange(2 * LEVELS, WIDTH - 3)
        calls.append(
            rng.choice(
                [
                    ("put", at, rng.randrange(-2, 300)),
                    ("one", at),
                    ("add", at, rng.randrange(-3, 300)),
                    ("ones", at, rng.sample(range(4), 3)),
                    ("ones_free", at, [0, 1, 2, 3], rng.randbytes(4)),
                ]
            )
        )
    return calls


def write(slate: Slate | Reference, calls: list[Call]) -> list[int]:
    for name, *about in calls:
        if name != "level":
            getattr(slate, name)(*about)
            continue
        level, key, at, number = about
        if not slate.holds(key, level):
            slate.put(at, number)
            slate.hold(level)
    return numbers_of(slate)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(20))
def test_positions_one_after_another(kind, seed):
    rng = Random(seed)
    slate, reference = kind(ROWS, WIDTH), Reference(ROWS, WIDTH)
    for _ in range(200):
        calls = position(rng)
        assert write(slate, calls) == write(reference, calls), calls
