"""Arm wrestling: what those who share the first place may do about it, where a rule of the game allows that.

Each of them says yes or no; bots always want to. A no leaves the tie as it is. If all want to, they tap as fast as they
can for some seconds, and most taps win; equals pull again, a few times. The record and its ranking stay what they are.

Every client counts on its own clock, from the moment its screen says "go", and reports its count while it grows: a slow
line costs nothing. What a server can know is when it told of the round and how often anybody can tap at most, so more
than that is not counted. Each process measures those who are connected to it (`MeasuredRound`), and who has won is
decided once all counts stand in the table; if one never comes, because the process that measured it is gone, it is
asked anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from random import Random

from msgspec.structs import replace

from ..core.registry import find_game
from ..core.state import State
from . import protocol
from .refusals import TooLate
from .table import Table, TablePolicy, TieBreak

COUNTDOWN_MS = 3_000
"""From the last yes, or from a round in which they were equal, to "go"."""
PULL_MS = 5_000
ROUNDS = 3
"""Who is equal in so many rounds stays equal."""
FASTEST = 13
"""Nobody taps more often in a second, for seconds on end: the rest is not counted."""
SPARE = 2
"""So many more, for taps that come in a bunch."""
SLACK_MS = 500
"""How much later than by the shortest trip of its line the last report may come."""
CLOSED_MS = PULL_MS + 1_000
"""When no report counts any more, on whatever line; all times are since the beginning of a round."""
WAITED_MS = CLOSED_MS + 1_000
"""When whoever was not heard of at all has a count of 0."""
LOST_MS = WAITED_MS + 2_000
"""When a round of which counts are missing is lost."""

PACE = {"random": 3, "easy": 4, "greedy": 4, "normal": 5, "hard": 6, "expert": 7}
"""How often a bot of a level taps in a second, on average. With one finger a grown-up manages about six, a child of
eight four or five: `easy` can be beaten by the child, `expert` by whoever practises.
"""
CHANCE = 0.1
"""In each round a bot taps up to a tenth more or less often, drawn evenly."""

Draw = Callable[[str], int]
"""Says how often a bot of a level taps in a round: `chance.bot_taps`."""


# Asking.


def standing(table: Table, state: State | None, now: int) -> TieBreak | None:
    """How the arm wrestling at a table stands; None if there is nothing to wrestle for, or nobody who could want to."""
    contest = table.contest
    if contest is None:
        return _offered(table, state)
    if contest.phase == "pulling" and now >= contest.starts + LOST_MS:
        return TieBreak(seats=contest.seats, interrupted=True)
    return contest


def _offered(table: Table, state: State | None) -> TieBreak | None:
    if state is None or not state.over or not find_game(table.game).facts.settle_ties:
        return None
    tied = state.result().winners
    if len(tied) < 2 or not any(table.seats[seat].kind == "person" for seat in tied):
        return None
    return TieBreak(seats=tuple(tied))


def answer(contest: TieBreak | None, seat: int, *, yes: bool) -> TieBreak:
    """A seat wants to wrestle, or does not: then the tie stays. What was said already may be said again."""
    if contest is None:
        raise TooLate("there is no tie to wrestle for", key="no_tie", hint="Only equals at the end of a game wrestle.")
    if seat not in contest.seats:
        raise TooLate("this seat does not share the first place", field="seat", key="not_tied")
    if contest.no == seat if not yes else seat in contest.yes:
        return contest
    if contest.phase != "asked":
        raise TooLate("nobody is asked any more", key="answered", hint="The answers are known already.")
    if not yes:
        return replace(contest, phase="declined", no=seat)
    return replace(contest, yes=(*contest.yes, seat), interrupted=False)


def is_agreed(contest: TieBreak, table: Table, policy: TablePolicy) -> bool:
    """Whether all want to: those who have said so, and bots."""
    wanting = {*contest.yes, *_bots(contest, table, policy)}
    return contest.phase == "asked" and bool(contest.yes) and wanting >= set(contest.seats)


def begin(contest: TieBreak, table: Table, policy: TablePolicy, now: int, draw: Draw) -> TieBreak:
    """All want to: the first round is put."""
    return _round(replace(contest, bots=_bots(contest, table, policy)), now, draw)


def _bots(contest: TieBreak, table: Table, policy: TablePolicy) -> dict[int, str]:
    return table.bots_among(contest.seats, policy)


def _round(contest: TieBreak, now: int, draw: Draw) -> TieBreak:
    drawn = {seat: draw(level) for seat, level in contest.bots.items()}
    return replace(
        contest, phase="pulling", round=contest.round + 1, starts=now + COUNTDOWN_MS, taps=drawn, counts=dict(drawn)
    )


def taps(level: str, rng: Random) -> int:
    """How often a bot of a level taps in a round."""
    most = pace(level) * PULL_MS / 1_000
    return round(most * rng.uniform(1 - CHANCE, 1 + CHANCE))


def pace(level: str) -> int:
    """How often a bot of a level taps in a second, on average."""
    return PACE.get(level, PACE["normal"])


# Deciding.


def count(contest: TieBreak, round: int, counts: Mapping[int, int], now: int, draw: Draw) -> TieBreak:
    """Take in what was measured in a round. What is known stays as it is; once all is, most taps win."""
    if contest.phase != "pulling" or contest.round != round:
        return contest
    contest = replace(contest, counts={**counts, **contest.counts})
    if set(contest.counts) < set(contest.seats):
        return contest
    best = max(contest.counts.values())
    first = [seat for seat in contest.seats if contest.counts[seat] == best]
    if len(first) > 1 and contest.round < ROUNDS:
        return _round(contest, now, draw)
    return replace(contest, phase="over", winner=first[0] if len(first) == 1 else None)


# Measuring.


def most_taps(waited: int) -> int:
    """The most taps that count so many milliseconds after the beginning of a round."""
    return SPARE + FASTEST * min(waited, PULL_MS) // 1_000


class MeasuredRound:
    """One round as one process measures it."""

    def __init__(self, contest: TieBreak, here: Collection[int], now: int) -> None:
        self.contest = contest
        self.counts: dict[int, int] = {}
        """Of those who pull here."""
        self._elsewhere: dict[int, int] = {}
        self._here = set(here)
        self._whole = now <= contest.starts
        """Whether nobody can have pulled elsewhere before this process knew of it."""

    def pull(self, seat: int, round: int, count: int, now: int, trip: int) -> None:
        """A client reports its count. Counts never go down, and nobody is believed more than can be; `trip` is the
        shortest round trip of its line.
        """
        contest, waited = self.contest, now - self.contest.starts
        if seat not in contest.seats:
            raise TooLate("this seat does not share the first place", field="seat", key="not_tied")
        if round != contest.round or seat in contest.bots:
            raise not_pulling()
        if waited < 0:
            raise TooLate(
                "the round has not begun", key="too_early", params={"ms": -waited}, hint="Wait for the start."
            )
        if waited > min(PULL_MS + trip + SLACK_MS, CLOSED_MS):
            raise TooLate("the round is over", key="too_late", hint=f"It lasts {PULL_MS // 1_000} seconds.")
        self.counts[seat] = max(self.counts.get(seat, 0), min(count, most_taps(waited)))

    def heard(self, round: int, counts: Mapping[int, int]) -> None:
        """News from another process of those who pull there."""
        if round == self.contest.round:
            self._elsewhere.update(counts)

    def running(self, now: int) -> dict[int, int]:
        """How often each seat has tapped by now; bots do so evenly."""
        part = min(max(0, now - self.contest.starts), PULL_MS) / PULL_MS
        taps = self.contest.taps
        return {
            seat: int(taps[seat] * part)
            if seat in taps
            else max(self.counts.get(seat, 0), self._elsewhere.get(seat, 0))
            for seat in self.contest.seats
        }

    def is_closed(self, now: int) -> bool:
        """Whether no more reports count."""
        return now > self.contest.starts + CLOSED_MS

    def measured(self, now: int, *, alone: bool, present: Collection[int] | None) -> dict[int, int]:
        """The counts this process can vouch for. Whoever reported nothing has 0 if they were connected here, or are
        `present` nowhere (None: nobody knows); unless there may be another process that has not spoken yet, or this
        one came late.
        """
        found = {seat: taps for seat, taps in self.counts.items() if taps >= self._elsewhere.get(seat, 0)}
        if self._whole and (alone or now > self.contest.starts + WAITED_MS):
            absent = set() if present is None else set(self.contest.seats) - set(present)
            unheard = set(self.contest.seats) if alone else self._here | absent
            unheard -= {*self.contest.bots, *self.counts, *self._elsewhere}
            found.update(dict.fromkeys(unheard, 0))
        return found


def not_pulling() -> TooLate:
    """The refusal for taps that nobody asked for."""
    return TooLate("nobody pulls now", key="not_pulling", hint="Wait for the next round.")


# Telling.


def shown(
    contest: TieBreak, table: Table, policy: TablePolicy, running: Mapping[int, int] | None = None
) -> protocol.Contest:
    """How it stands, as everybody sees it; `running` are the taps of a round that is on."""
    bots = _bots(contest, table, policy) if contest.phase == "asked" else contest.bots
    counts = contest.counts if contest.phase == "over" else running or {}
    return protocol.Contest(
        phase=contest.phase,
        rule=find_game(table.game).facts.settle_ties,
        pullers=[
            protocol.Puller(
                seat=seat,
                level=bots.get(seat, ""),
                pace=pace(bots[seat]) if seat in bots else 0,
                yes=seat in contest.yes or seat in bots,
                count=counts.get(seat),
            )
            for seat in contest.seats
        ],
        no=contest.no,
        round=contest.round,
        rounds=ROUNDS,
        starts=contest.starts,
        lasts=PULL_MS,
        winner=contest.winner,
        interrupted=contest.interrupted,
    )


def seen(
    table: Table, state: State | None, policy: TablePolicy, now: int, running: Mapping[int, int] | None = None
) -> protocol.Contest | None:
    """How it stands at a table, as everybody sees it, if there is anything to wrestle for."""
    contest = standing(table, state, now)
    return shown(contest, table, policy, running) if contest is not None else None
