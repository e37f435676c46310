"""A thousand races (C22): the truly fastest hand wins, and no way of playing wins more than honest play does."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from preau.server.tables import lag
from preau.table import chance
from tests.server.race_simulation import RACES, Luck, Raced, RaceTable, Way, World, worlds
from tests.support import registered
from tests.table import sprint

TABLES = 112
"""With nine races each: 1,008."""
CLEAR = 0.02
"""A gain is ruled out if the upper end of its interval (95 %) is below this share of all races."""


@pytest.fixture(scope="module", autouse=True)
def sprints() -> Iterator[None]:
    """The game of races is there, and chance is the same each time."""
    with registered(sprint.GAME), pytest.MonkeyPatch.context() as patch:
        patch.setattr(chance, "rng", Random(22))
        yield


@pytest.fixture(scope="module")
def all_of_it() -> list[World]:
    return list(worlds(22, TABLES))


@pytest.fixture(scope="module")
def honest(all_of_it: list[World]) -> list[Raced]:
    return play(all_of_it)


def play(all_of_it: Sequence[World], way: Way | None = None, bots: int = 0) -> list[Raced]:
    """All races, hand 0 playing in its own way."""
    chance.rng.seed(22)
    ways = {0: way} if way is not None else {}
    return [raced for world in all_of_it for raced in RaceTable(world, ways, bots).play()]


def gain(way: Way, all_of_it: Sequence[World], honest: list[Raced]) -> tuple[float, float]:
    """The interval (95 %) of what hand 0 wins more, of all races, than it does by honest play with the same hand."""
    found = play(all_of_it, way)
    more = [(two.winner == 0) - (one.winner == 0) for one, two in zip(honest, found, strict=True)]
    middle = sum(more) / len(more)
    error = math.sqrt(sum((one - middle) ** 2 for one in more) / len(more) ** 2)
    return middle - 1.96 * error, middle + 1.96 * error


def fastest(lucks: Sequence[Luck]) -> int:
    return min(range(len(lucks)), key=lambda seat: lucks[seat].reaction)


class Claims(Way):
    """Reports what the hand did not do: so many milliseconds less, at most nothing, in every so manyth race."""

    def __init__(self, less: int, every: int = 1) -> None:
        self._less, self._every = less, every

    def tap(self, race: int, luck: Luck, others: float) -> tuple[float, int | None]:
        arrives, claim = super().tap(race, luck, others)
        assert claim is not None
        return arrives, max(0, claim - self._less) if race % self._every == 0 else claim


class ClaimsNothing(Way):
    """Reports no delay at all."""

    def tap(self, race: int, luck: Luck, others: float) -> tuple[float, int | None]:
        return super().tap(race, luck, others)[0], None


class Faster(Way):
    """A hand that truly is faster."""

    def __init__(self, ms: int) -> None:
        self._ms = ms

    def tap(self, race: int, luck: Luck, others: float) -> tuple[float, int | None]:
        return super().tap(race, luck._replace(reaction=luck.reaction - self._ms), others)


class WaitsForTheOthers(Way):
    """Taps a moment after everybody else, and claims to have been as quick as anybody can be."""

    def tap(self, race: int, luck: Luck, others: float) -> tuple[float, int | None]:
        arrives, _ = super().tap(race, luck, others)
        return max(arrives, others + luck.down + 300 + luck.up), lag.FASTEST_MS


class AnswersLate(Claims):
    """Answers pings late to look slow: every so manyth, from some number on."""

    def __init__(self, less: int, every: int, first: int) -> None:
        super().__init__(less)
        self._each, self._first = every, first

    def pong(self, number: int, trip: float) -> float:
        return trip + (400 if number >= self._first and number % self._each == 0 else 0)


class TakesBack(Claims):
    """Taps, takes it back, with everybody's consent and at once, and taps again."""

    again = True


class ComesAnew(Claims):
    """Comes over a new line before each race."""

    anew = True


def test_the_truly_fastest_hand_wins(all_of_it, honest):
    truly = [fastest(lucks) for world in all_of_it for lucks in world]
    found = [raced.winner for raced in honest]
    assert len(found) == TABLES * RACES > 1_000
    assert sum(map(int.__eq__, truly, found)) / len(found) >= 0.97


def test_the_slowest_line_wins_as_often_as_its_hand_deserves(all_of_it, honest):
    """Whose pings take longest at the table: what they win is what they would win in one room with the others."""
    slow = [max(range(len(world[0])), key=lambda seat: min(world[0][seat].trips)) for world in all_of_it for _ in world]
    truly = [fastest(lucks) for world in all_of_it for lucks in world]
    found = [raced.winner for raced in honest]
    wins = sum(map(int.__eq__, slow, found)) - sum(map(int.__eq__, slow, truly))
    assert abs(wins) / len(found) < CLEAR


def test_a_gain_would_be_seen(all_of_it, honest):
    """Twenty milliseconds decide so many races that the interval tells."""
    assert gain(Faster(20), all_of_it, honest)[0] > 0
    assert gain(Faster(40), all_of_it, honest)[1] > CLEAR


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(Claims(5_000), id="claims to have been as quick as can be"),
        pytest.param(Claims(40), id="claims a little less"),
        pytest.param(Claims(10), id="claims very little less"),
        pytest.param(Claims(60, every=3), id="saves for a lie"),
        pytest.param(ClaimsNothing(), id="claims nothing"),
        pytest.param(WaitsForTheOthers(), id="waits for the others"),
        pytest.param(AnswersLate(20, every=2, first=0), id="answers every other ping late"),
        pytest.param(AnswersLate(20, every=1, first=3), id="answers pings late from the second race on"),
        pytest.param(TakesBack(5_000), id="takes it back and lies"),
        pytest.param(ComesAnew(40), id="comes over a new line and lies"),
    ],
)
def test_nobody_gains(way, all_of_it, honest):
    low, high = gain(way, all_of_it, honest)
    assert low <= 0
    assert high < CLEAR


def test_who_always_looks_slow_gains_no_more_than_the_cap(all_of_it):
    """Nobody can tell a slow line from a client that answers everything late from the first ping on; what such a client
    gets is what the slowest line gets that is made good.
    """
    for world in all_of_it[:20]:
        way = AnswersLate(5_000, every=1, first=0)
        for lucks, raced in zip(world, RaceTable(world, {0: way}).play(), strict=True):
            waited = lucks[0].down + lucks[0].reaction + lucks[0].up
            assert raced.delays[0] >= int(waited) - lag.MOST_TRIP_MS - lag.SCREEN_MS


def test_bots_take_as_long_as_they_are_said_to(all_of_it, monkeypatch):
    """Two bots among the hands: what was drawn for them counts, and a person beats them by being faster than that."""
    drawn: list[int] = []
    real = chance.bot_delay

    def noted(level: str) -> int:
        drawn.append(real(level))
        return drawn[-1]

    monkeypatch.setattr(chance, "bot_delay", noted)
    two = [[lucks[:2] for lucks in world] for world in all_of_it]
    found = play(two, bots=2)
    taken = [raced.delays[seat] for raced in found for seat in (2, 3)]
    assert taken == drawn
    low, high = chance.BOT_MS["hard"]
    assert low <= min(taken) < max(taken) <= high
    right = 0
    for lucks, raced in zip([lucks for world in two for lucks in world], found, strict=True):
        truly = {**{seat: luck.reaction for seat, luck in enumerate(lucks)}, 2: raced.delays[2], 3: raced.delays[3]}
        right += raced.winner == min(truly, key=lambda seat: truly[seat])
    assert right / len(found) >= 0.97
