"""A slate in plain memory, for the compiled build: nothing written on it is ever a Python object.

It needs librt, which comes with `preau[rl]`; without it, and where nothing is compiled, core's own slate does the same.
"""

from __future__ import annotations

from librt.vecs import vec

from ..core.mypyc_shims import i32, i64, u8
from ..core.slate import LEVELS, MOST, Slate


class FastSlate(Slate):
    """As its base; `memory` cannot be written from outside."""

    def __init__(self, rows: int, width: int) -> None:
        super().__init__(0, width)
        self.rows = rows
        self._numbers = vec[u8]([0] * (rows * width))
        self._places = vec[i32]([0] * (rows * width))
        """For each row, where it was written on."""
        self._ends = vec[i64]([row * width for row in range(rows)])
        """For each row, where these places end."""
        self._kept = vec[i64]([row * width for row in range(rows) for _ in range(LEVELS)])
        self._asked = vec[i64]([-1] * (LEVELS * rows))
        """For each row and level, where those end that are held, and under which key."""
        self._end: i64 = 0
        """Where the places of the row at hand end."""

    def memory(self) -> object:
        """Where the numbers lie."""
        return self._numbers

    # Most of this is written as the compiler likes it best: what is looked up more than once has a name.

    def turn_to(self, row: i64) -> None:
        """Wipe a row and write on it from here on."""
        ends = self._ends
        ends[self._row] = self._end
        self._end = ends[row]
        self._row = row
        self.base = row * self.width
        held: i64 = LEVELS * row + LEVELS - 1
        self._wipe(self._kept[held])

    def _wipe(self, kept: i64) -> None:
        """Wipe the row but for what was written on it before."""
        numbers = self._numbers
        places = self._places
        base = self.base
        at: i64
        for at in range(kept, self._end):
            place = base + i64(places[at])
            numbers[place] = 0
        self._end = kept

    def holds(self, key: i64, level: i64 = 0) -> bool:
        """Whether what was written on this row under a key is still there; if not, it is wiped."""
        asked = self._asked
        at: i64 = LEVELS * self._row + level
        if asked[at] == key:
            return True
        before = at - 1
        self._wipe(self._kept[before] if level else self.base)
        asked[at] = key
        above: i64
        for above in range(at + 1, LEVELS * self._row + LEVELS):
            asked[above] = -1
        return False

    def hold(self, level: i64 = 0) -> None:
        """Keep what is written on the row, until another key is asked for."""
        kept = self._kept
        end = self._end
        at: i64
        for at in range(LEVELS * self._row + level, LEVELS * self._row + LEVELS):
            kept[at] = end

    def one(self, at: i64) -> None:
        """Write 1 at a place of the row."""
        numbers = self._numbers
        place = self.base + at
        if numbers[place] == 0:
            end = self._end
            self._places[end] = i32(at)
            self._end = end + 1
        numbers[place] = 1

    def ones(self, start: i64, places: list[int]) -> None:
        """Write 1 at several places, counted from `start`."""
        numbers = self._numbers
        noted = self._places
        base = self.base
        end = self._end
        one: i64
        for one in places:
            at = start + one
            place = base + at
            if numbers[place] == 0:
                noted[end] = i32(at)
                end += 1
            numbers[place] = 1
        self._end = end

    def ones_free(self, start: i64, places: list[int], taken: bytes) -> None:
        """Write 1 at those of several places, counted from `start`, for which a table has 0."""
        numbers = self._numbers
        noted = self._places
        base = self.base
        end = self._end
        one: i64
        for one in places:
            if taken[one] == 0:
                at = start + one
                place = base + at
                if numbers[place] == 0:
                    noted[end] = i32(at)
                    end += 1
                numbers[place] = 1
        self._end = end

    def put(self, at: i64, number: i64) -> None:
        """Write a number at a place of the row: no less than 0, no more than 255."""
        if number > 0:
            numbers = self._numbers
            place = self.base + at
            if numbers[place] == 0:
                end = self._end
                self._places[end] = i32(at)
                self._end = end + 1
            numbers[place] = _byte(number)

    def set(self, at: i64, number: i64) -> None:
        """Write a number at a place that is written anew every time, also if it is 0."""
        place = self.base + at
        self._numbers[place] = _byte(number)

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
        count: i64 = len(numbers)
        turn = self.base + start + count
        at = turn - first
        number: i64
        for number in numbers:
            if at == turn:
                at -= count
            memory[at] = _byte(number)
            at += 1

    def bits(self, start: i64, mask: i64, count: i64) -> None:
        """Write the first bits of a mask, at places that are all written anew every time."""
        numbers = self._numbers
        place = self.base + start
        end = place + count
        while place < end:
            numbers[place] = u8(mask & 1)
            mask >>= 1
            place += 1

    def eight(self, start: i64, packed: i64, count: i64) -> None:
        """Write numbers packed into one, eight bits for each."""
        numbers = self._numbers
        place = self.base + start
        end = place + count
        while place < end:
            numbers[place] = u8(packed & 255)
            packed >>= 8
            place += 1

    def again(self, start: i64, source: i64, count: i64) -> None:
        """Write once more what stands from `source` on."""
        numbers = self._numbers
        place = self.base + start
        end = place + count
        at = self.base + source
        while place < end:
            numbers[place] = numbers[at]
            place += 1
            at += 1

    def rest(self, start: i64, whole: bytes, part: i64) -> None:
        """Write how much is left of each number when what stands from `part` on is taken away."""
        numbers = self._numbers
        place = self.base + start
        away = self.base + part
        one: i64
        for one in range(len(whole)):
            number: i64 = whole[one]
            numbers[place] = u8(number - i64(numbers[away]))
            place += 1
            away += 1

    def add(self, at: i64, number: i64) -> None:
        """Add to what stands at a place of the row."""
        numbers = self._numbers
        place = self.base + at
        before = i64(numbers[place])
        number += before
        if number > 0:
            if before == 0:
                end = self._end
                self._places[end] = i32(at)
                self._end = end + 1
            numbers[place] = _byte(number)

    def more(self, at: i64) -> None:
        """One more at a place that is written anew every time."""
        numbers = self._numbers
        place = self.base + at
        number = numbers[place]
        if number < 255:
            numbers[place] = number + 1

    def less(self, at: i64) -> None:
        """One less at a place that is written anew every time, and is not 0."""
        numbers = self._numbers
        place = self.base + at
        numbers[place] = numbers[place] - 1

    def read(self, row: i64, at: i64) -> i64:
        """The number at a place of any row."""
        place = row * self.width + at
        return i64(self._numbers[place])


def _byte(number: i64) -> u8:
    """A number as it can be written. Both ends are of one type, else it would be a Python object in between."""
    return u8(number) if number < MOST else u8(MOST)
