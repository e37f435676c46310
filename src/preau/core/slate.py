"""What a game writes on when it gives a position as numbers: rows of small whole numbers, wiped one by one.

A row is what one seat sees in one game. Most of its numbers are 0, so a row remembers where it was written on, and only
that is wiped when it is written anew. What is always written, whatever the position (`set`, `fill`), need not be wiped.
What seldom changes can be held: it is neither wiped nor written again until it does.
"""

from __future__ import annotations

from typing import Final

from .mypyc_shims import i64

MOST: Final = 255
"""The greatest number that can be written; what is greater is written as this."""

LEVELS: Final = 3
"""How many parts of a row can be held, one upon the other."""


class _Stamps:
    """Numbers, each given once. Between reading the last one and writing the next Python lets no other thread in."""

    def __init__(self) -> None:
        self._last: i64 = 0

    def next(self) -> i64:
        number = self._last + 1
        self._last = number
        return number


_STAMPS: Final = _Stamps()


def stamp() -> i64:
    """A number that was never given before: the key of something that has just changed, for `Slate.holds`. Copies that
    have it have what it stands for.
    """
    return _STAMPS.next()


def seats_on(seat: i64, me: i64, seats: i64) -> i64:
    """How many seats a seat is from the observer on, round the table (in less time than by a division)."""
    away = seat - me
    return away if away >= 0 else away + seats


def seat_on(me: i64, away: i64, seats: i64) -> i64:
    """The seat that is so many from the observer on."""
    seat = me + away
    return seat if seat < seats else seat - seats


class Slate:
    """`rows` rows of `width` numbers from 0 to 255, one after another in `numbers`."""

    def __init__(self, rows: int, width: int) -> None:
        self.rows = rows
        self.width: i64 = width
        self.base: i64 = 0
        self.numbers = bytearray(rows * width)
        self._written: list[list[int]] = [[] for _ in range(rows)]
        self._now: list[int] = self._written[0] if rows else []
        self._held = [0] * (LEVELS * rows)
        """For each row and level, how many of the places it was written on, the first ones, are held."""
        self._keys = [-1] * (LEVELS * rows)
        self._row: i64 = 0

    def memory(self) -> object:
        """Where the numbers lie: an object with Python's buffer protocol."""
        return self.numbers

    def turn_to(self, row: i64) -> None:
        """Wipe a row and write on it from here on."""
        self.base = row * self.width
        self._row = row
        self._now = self._written[row]
        self._wipe(self._held[LEVELS * row + LEVELS - 1])

    def _wipe(self, kept: i64) -> None:
        """Wipe the row but for the first places that were written on."""
        for at in self._now[kept:]:
            self.numbers[self.base + at] = 0
        del self._now[kept:]

    def holds(self, key: i64, level: i64 = 0) -> bool:
        """Whether what was written on this row under a key is still there. If not, it is wiped, with all levels above:
        write it, and say `hold` at the end. Comes before all other writing, and level by level, the lowest first.
        """
        at = LEVELS * self._row + level
        if self._keys[at] == key:
            return True
        self._wipe(self._held[at - 1] if level else 0)
        self._keys[at] = key
        for above in range(at + 1, LEVELS * self._row + LEVELS):
            self._keys[above] = -1
        return False

    def hold(self, level: i64 = 0) -> None:
        """Keep what is written on the row, until another key is asked for. Nothing else may be written there."""
        for at in range(LEVELS * self._row + level, LEVELS * self._row + LEVELS):
            self._held[at] = len(self._now)

    def one(self, at: i64) -> None:
        """Write 1 at a place of the row."""
        self.numbers[self.base + at] = 1
        self._now.append(at)

    def ones(self, start: i64, places: list[int]) -> None:
        """Write 1 at several places, counted from `start`."""
        for place in places:
            self.one(start + place)

    def ones_free(self, start: i64, places: list[int], taken: bytes) -> None:
        """Write 1 at those of several places, counted from `start`, for which a table has 0."""
        for place in places:
            if not taken[place]:
                self.one(start + place)

    def put(self, at: i64, number: i64) -> None:
        """Write a number at a place of the row: no less than 0, no more than 255."""
        if number > 0:
            self.numbers[self.base + at] = number if number < MOST else MOST
            self._now.append(at)

    def set(self, at: i64, number: i64) -> None:
        """Write a number at a place that is written anew every time, also if it is 0."""
        self.numbers[self.base + at] = number if number < MOST else MOST

    def fill(self, start: i64, numbers: list[int], first: i64, count: i64) -> None:
        """Write `count` numbers of a list, from its `first` on, at places that are all written anew every time."""
        at: i64
        for at in range(count):
            self.set(start + at, numbers[first + at])

    def around(self, start: i64, numbers: list[int], first: i64) -> None:
        """Write all numbers of a list, as many for each seat, beginning with the `first` and going round the table, at
        places that are all written anew every time.
        """
        count: i64 = len(numbers)
        self.fill(start, numbers, first, count - first)
        self.fill(start + count - first, numbers, 0, first)

    def bits(self, start: i64, mask: i64, count: i64) -> None:
        """Write the first bits of a mask, at places that are all written anew every time."""
        at: i64
        for at in range(count):
            self.set(start + at, mask >> at & 1)

    def eight(self, start: i64, packed: i64, count: i64) -> None:
        """Write numbers packed into one, eight bits for each, at places that are all written anew every time."""
        at: i64
        for at in range(count):
            self.set(start + at, packed >> 8 * at & 255)

    def again(self, start: i64, source: i64, count: i64) -> None:
        """Write once more what stands from `source` on, at places that are all written anew every time."""
        at: i64
        for at in range(count):
            self.set(start + at, self.numbers[self.base + source + at])

    def rest(self, start: i64, whole: bytes, part: i64) -> None:
        """Write how much is left of each number when what stands from `part` on is taken away, at places that are all
        written anew every time.
        """
        at: i64
        for at in range(len(whole)):
            self.set(start + at, whole[at] - self.numbers[self.base + part + at])

    def add(self, at: i64, number: i64) -> None:
        """Add to what stands at a place of the row."""
        self.put(at, self.numbers[self.base + at] + number)

    def more(self, at: i64) -> None:
        """One more at a place that is written anew every time."""
        self.set(at, self.numbers[self.base + at] + 1)

    def less(self, at: i64) -> None:
        """One less at a place that is written anew every time, and is not 0."""
        self.set(at, self.numbers[self.base + at] - 1)

    def share(self, at: i64, part: float) -> None:
        """Write a share between 0 and 1, as so many parts of 255, at a place that is written anew every time."""
        self.set(at, int(part * 255.0 + 0.5))

    def read(self, row: i64, at: i64) -> i64:
        """The number at a place of any row."""
        return self.numbers[row * self.width + at]
