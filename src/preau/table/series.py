"""The score of an evening: what was played at a table and at those it is the rematch of, and who won what.

Each table carries the games before it along, so nothing has to be looked up, and nothing is lost with an old table. A
person is known by the seat they hold: in what a table carries along, holders are called as they are at that table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from ..core.state import Result
from . import protocol

if TYPE_CHECKING:
    from .table import Table

MOST = 30
"""Games of an evening that count: the last ones."""

Who = tuple[str, str, str, int]
"""Holder, bot's level, name, and which of several who are alike in that."""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is over, seat by seat as it ended: a seat that was left keeps the name of whoever left."""

    table: str
    names: tuple[str, ...]
    levels: tuple[str, ...]
    """Of bots; nothing for people."""
    holders: tuple[str, ...]
    """Of people; nothing for bots and for whoever left."""
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    wrestled: bool = False
    """Several shared the first place, and one of them won it by arm wrestling."""

    def who(self, here: Collection[str]) -> list[Who]:
        """Who sat in each seat. Whoever is not `here` any more is known by their name alone."""
        seen: Counter[tuple[str, str, str]] = Counter()
        found: list[Who] = []
        for holder, level, name in zip(self.holders, self.levels, self.names, strict=True):
            one = (holder if holder in here else "", level, name)
            found.append((*one, seen[one]))
            seen[one] += 1
        return found


class Series(msgspec.Struct, frozen=True):
    """The games of an evening before one, the oldest first; `forgotten` ones before them do not count any more."""

    games: tuple[Played, ...] = ()
    forgotten: int = 0


def played(table: Table, result: Result) -> Played:
    """The game of a table that is over."""
    contest = table.contest
    settled = contest is not None and contest.phase == "over" and contest.winner is not None
    return Played(
        table=table.id,
        names=tuple(seat.name for seat in table.seats),
        levels=tuple(seat.level if seat.kind == "bot" else "" for seat in table.seats),
        holders=tuple(seat.holder or "" for seat in table.seats),
        scores=result.scores,
        winners=(contest.winner,) if settled and contest is not None and contest.winner is not None else result.winners,
        wrestled=settled,
    )


def grown(table: Table, result: Result) -> Series:
    """The games of an evening, with the one that is over at this table."""
    before = table.series or Series()
    games = (*before.games, played(table, result))
    return Series(games[-MOST:], before.forgotten + max(0, len(games) - MOST))


def carried(table: Table, result: Result | None, renamed: Mapping[str, str]) -> Series | None:
    """What a rematch carries along; `renamed` says who people are there. A game whose result nobody can tell any more
    does not count.
    """
    series = grown(table, result) if result is not None else table.series
    if series is None:
        return None
    games = [
        replace(game, holders=tuple(renamed.get(one, "") for one in game.holders)) if any(game.holders) else game
        for game in series.games
    ]
    return Series(tuple(games), series.forgotten)


def told(series: Series | None, holders: Mapping[int, str]) -> protocol.Series | None:
    """An evening as everybody sees it, at a table with these holders of seats; None if nothing was played before."""
    if series is None:
        return None
    return protocol.Series(
        games=[
            protocol.PlayedInfo(
                table=game.table,
                names=list(game.names),
                levels=list(game.levels),
                scores=list(game.scores),
                winners=list(game.winners),
                wrestled=game.wrestled,
            )
            for game in series.games
        ],
        score=_score(series.games, holders),
        forgotten=series.forgotten,
    )


def _score(games: Sequence[Played], holders: Mapping[int, str]) -> list[protocol.Scorer]:
    """A line for each who has played, who has won most first."""
    here = set(holders.values())
    found: dict[Who, protocol.Scorer] = {}
    for game in games:
        for seat, who in enumerate(game.who(here)):
            _, level, name, _ = who
            one = found.setdefault(who, protocol.Scorer(name=name, level=level, here=who[0] in here))
            one.seat = seat
            one.played += 1
            one.won += game.winners == (seat,)
            one.shared += seat in game.winners and len(game.winners) > 1
    return sorted(found.values(), key=lambda one: (-one.won, -one.shared, one.played))
