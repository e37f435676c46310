"""A slate in plain memory, for the compiled build: nothing written on it is ever a Python object.

It needs librt, which comes with `preau[rl]`; without it, and where nothing is compiled, core's own slate does the same.
"""

from __future__ import annotations

from librt.vecs import vec

from ..core.compiling import i32, i64, u8
from ..core.slate import MOST, Slate


class FastSlate(Slate):
    """As its base; `memory` cannot be written from outside."""

    def __init__(self, rows: int, width: int) -> None:
        super().__init__(0, width)
        self.rows = rows
        self._numbers = vec[u8]([0] * (rows * width))
        self._places = vec[i32]([0] * (rows * width))
        """For each row, where it was written on."""
        self._counts = vec[i32]([0] * (rows + 1))
        """For each row, at how many places that is."""
        self._kept = vec[i32]([0] * (rows + 1))
        self._asked = vec[i64]([-1] * (rows + 1))
        """What is held of each row, and under which key."""
        self._count: i64 = 0

    def memory(self) -> object:
        """Where the numbers lie."""
        return self._numbers

    def turn_to(self, row: i64) -> None:
        """Wipe a row and write on it from here on."""
        self._counts[self._row] = i32(self._count)
        self._row = row
        self.base = row * self.width
        self._count = i64(self._counts[row])
        self._wipe(i64(self._kept[row]))

    def _wipe(self, kept: i64) -> None:
        """Wipe the row but for the first places that were written on."""
        numbers = self._numbers
        places = self._places
        base = self.base
        at: i64
        for at in range(base + kept, base + self._count):
            numbers[base + i64(places[at])] = 0
        self._count = kept

    def holds(self, key: i64) -> bool:
        """Whether what was written on this row under a key is still there; if not, the row is wiped."""
        if self._asked[self._row] == key:
            return True
        self._wipe(0)
        self._asked[self._row] = key
        return False

    def hold(self) -> None:
        """Keep what is written on the row, until another key is asked for."""
        self._kept[self._row] = i32(self._count)

    def one(self, at: i64) -> None:
        """Write 1 at a place of the row."""
        place = self.base + at
        if self._numbers[place] == 0:
            self._places[self.base + self._count] = i32(at)
            self._count += 1
        self._numbers[place] = 1

    def ones(self, start: i64, places: list[int]) -> None:
        """Write 1 at several places, counted from `start`."""
        numbers = self._numbers
        noted = self._places
        base = self.base
        count = base + self._count
        one: i64
        for one in places:
            at: i64 = start + one
            if numbers[base + at] == 0:
                noted[count] = i32(at)
                count += 1
            numbers[base + at] = 1
        self._count = count - base

    def put(self, at: i64, number: i64) -> None:
        """Write a number at a place of the row: no less than 0, no more than 255."""
        if number > 0:
            place = self.base + at
            if self._numbers[place] == 0:
                self._places[self.base + self._count] = i32(at)
                self._count += 1
            self._numbers[place] = _byte(number)

    def set(self, at: i64, number: i64) -> None:
        """Write a number at a place that is written anew every time, also if it is 0."""
        self._numbers[self.base + at] = _byte(number)

    def fill(self, start: i64, numbers: list[int], first: i64, count: i64) -> None:
        """Write `count` numbers of a list, from its `first` on, at places that are all written anew every time."""
        memory = self._numbers
        at = self.base + start
        number: i64
        if first == 0 and count == len(numbers):
            for number in numbers:  # which is quicker than to ask for one after another
                memory[at] = _byte(number)
                at += 1
            return
        one: i64
        for one in range(first, first + count):
            number = numbers[one]
            memory[at] = _byte(number)
            at += 1

    def around(self, start: i64, numbers: list[int], first: i64) -> None:
        """Write all numbers of a list, beginning with the `first` and going round; in one go through the list."""
        memory = self._numbers
        at = self.base + start + len(numbers) - first
        before = first
        number: i64
        for number in numbers:
            if before == 0:
                at = self.base + start
            memory[at] = _byte(number)
            at += 1
            before -= 1

    def add(self, at: i64, number: i64) -> None:
        """Add to what stands at a place of the row."""
        self.put(at, i64(self._numbers[self.base + at]) + number)

    def more(self, at: i64) -> None:
        """One more at a place that is written anew every time."""
        number = self._numbers[self.base + at]
        if number < 255:
            self._numbers[self.base + at] = number + 1

    def read(self, row: i64, at: i64) -> i64:
        """The number at a place of any row."""
        return i64(self._numbers[row * self.width + at])


def _byte(number: i64) -> u8:
    """A number as it can be written. Both ends are of one type, else it would be a Python object in between."""
    return u8(number) if number < MOST else u8(MOST)
