"""All figures of a study, from its games: the same games give the same figures, as JSON data and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arena import Plan, Played
from ..arena.schedule import original
from ..arena.statistics import spread
from ..arena.summary import part_of_win
from ..core.counts import Table
from ..core.registry import find_game
from .estimates import Floats, Ratio, alike, rounded

MOST_BARS = 24
"""Into how many bars a distribution is put, at most."""

Figures = dict[str, Any]


class Arm(NamedTuple):
    """One of the one or two things that a study looks at: games with the same options. `blind` are those in which one
    seat chooses at random.
    """

    plan: Plan
    played: Sequence[Played]
    blind: Sequence[Played] = ()
    blind_plan: Plan | None = None

    @property
    def tables(self) -> Sequence[Table]:
        """What the game has counted."""
        game = find_game(self.plan.game)
        return game.counted(game.start(self.plan.seats, self.plan.options, seed=0))


class Counted:
    """The games of an arm in arrays, one row a game."""

    def __init__(self, arm: Arm) -> None:
        games = arm.played
        self.plan = arm.plan
        self.games = len(games)
        self.block = arm.plan.block
        self.repeats = self.games / max(1, len({one.moves for one in games}))
        seats = range(arm.plan.seats)
        self.won: Floats = np.array([[part_of_win(one, [seat]) for seat in seats] for one in games])
        self.scores: Floats = np.array([one.scores for one in games], dtype=float)
        self.lengths: Floats = np.array([one.decisions for one in games], dtype=float)
        self.endings = [one.reason for one in games]
        self.names = [one.names for one in games]
        self.shared: Floats = np.array([len(one.ranking[0]) > 1 for one in games], dtype=float)
        self.tables = {table.name: table for table in arm.tables}
        self.counts = self._count(games)

    def _count(self, games: Sequence[Played]) -> dict[str, NDArray[np.uint16]]:
        """For every table how often each thing was counted: by game, column, thing and seat."""
        places = {
            name: (
                {column.name: at for at, column in enumerate(table.columns)},
                {thing: at for at, thing in enumerate(table.things)},
            )
            for name, table in self.tables.items()
        }
        found = {
            name: np.zeros((len(games), len(columns), len(things), self.plan.seats), dtype=np.uint16)
            for name, (columns, things) in places.items()
        }
        for at, game in enumerate(games):
            for table, column, thing, seat, times in game.seen:
                columns, things = places[table]
                found[table][at, columns[column], things[thing], seat] = times
        return found

    def ratio(self, above: Any, below: Any, *, share: bool = False) -> Ratio:
        """A ratio of sums over these games."""
        return Ratio.of(above, below, self.block, share=share, repeats=self.repeats)

    @property
    def ones(self) -> Floats:
        """1 for every game."""
        return np.ones(self.games)


def figures(arms: Sequence[Arm]) -> Figures:
    """Everything a report says about one or two arms; with two also how they differ, the second less the first."""
    counted = [Counted(arm) for arm in arms]
    bars = {
        "score": _bars([one.scores for one in counted]),
        "length": _bars([one.lengths for one in counted]),
    }
    endings = list(dict.fromkeys(ending for one in counted for ending, _ in Counter(one.endings).most_common()))
    ratios = [_ratios(one, bars, endings) for one in counted]
    found: Figures = {
        "bars": bars,
        "endings": endings,
        "arms": [_plain(one, ratio, arm) for one, ratio, arm in zip(counted, ratios, arms, strict=True)],
    }
    if len(counted) > 1:
        found["differences"] = {
            name: rounded(ratios[1][name].minus(ratios[0][name]))
            for name in ratios[0]
            if name in ratios[1] and ratios[0][name].values.shape == ratios[1][name].values.shape
        }
    return found


def _bars(values: Sequence[Floats]) -> list[list[int]]:
    """From where to where the bars of a distribution go, both included."""
    low = int(min(one.min() for one in values))
    high = int(max(one.max() for one in values))
    width = -(-(high - low + 1) // MOST_BARS)
    return [[start, start + width - 1] for start in range(low, high + 1, width)]


def _ratios(one: Counted, bars: dict[str, list[list[int]]], endings: Sequence[str]) -> dict[str, Ratio]:
    """All ratios by name."""
    seats = one.plan.seats
    found = {
        "seats": one.ratio(one.won, one.ones, share=True),
        "shared": one.ratio(one.shared, one.ones, share=True),
        "score": one.ratio(one.scores.sum(axis=1), seats * one.ones),
        "winning_score": one.ratio((one.scores * one.won).sum(axis=1), one.ones),
        "score_by_seat": one.ratio(one.scores, one.ones),
        "score_bars": one.ratio(_in_bars(one.scores, bars["score"]), seats * one.ones, share=True),
        "length": one.ratio(one.lengths, one.ones),
        "length_bars": one.ratio(_in_bars(one.lengths[:, None], bars["length"]), one.ones, share=True),
        "endings": one.ratio(
            np.array([[ending == wanted for wanted in endings] for ending in one.endings], dtype=float),
            one.ones,
            share=True,
        ),
    }
    if not one.plan.mirror:
        bots = list(dict.fromkeys(original(name) for name in one.plan.names))
        sat = np.array([[[original(name) == bot for name in names] for bot in bots] for names in one.names])
        won = (sat * one.won[:, None, :]).sum(axis=2)
        found["bots"] = one.ratio(won, sat.any(axis=2), share=True)
    for name, table in one.tables.items():
        found |= _of_table(one, name, table)
    return found


def _in_bars(values: Floats, bars: Sequence[Sequence[int]]) -> Floats:
    """How many values of each game are in each bar."""
    return np.stack([((values >= low) & (values <= high)).sum(axis=1) for low, high in bars], axis=1).astype(float)


def _of_table(one: Counted, name: str, table: Table) -> dict[str, Ratio]:
    """What was counted of the things of a table, and how seats fared that had them."""
    counts = one.counts[name]
    places = {column.name: at for at, column in enumerate(table.columns)}
    totals = counts.sum(axis=3, dtype=float)
    found = {}
    for at, column in enumerate(table.columns):
        below = totals[:, places[column.per]] if column.per else one.ones
        found[f"{name}.{column.name}"] = one.ratio(totals[:, at], below, share=column.part)
    if table.brings:
        had = (counts[:, 0] > 0).astype(float)
        lacked = 1.0 - had
        won, scores = one.won[:, None, :], one.scores[:, None, :]
        found[f"{name}:wins"] = one.ratio((had * won).sum(axis=2), had.sum(axis=2), share=True)
        found[f"{name}:with"] = one.ratio((had * scores).sum(axis=2), had.sum(axis=2))
        found[f"{name}:without"] = one.ratio((lacked * scores).sum(axis=2), lacked.sum(axis=2))
    return found


def _plain(one: Counted, ratios: dict[str, Ratio], arm: Arm) -> Figures:
    """The figures of one arm."""
    found: Figures = {
        "games": one.games,
        "deals": one.games // one.block,
        "decisions": int(one.lengths.sum()),
        "different_games": len({game.moves for game in arm.played}),
        "fair": round(1 / one.plan.seats, 4),
        "lengths": spread([int(length) for length in one.lengths]),
        "tables": [_described(table) for table in one.tables.values()],
        "figures": {name: rounded(ratio.estimates()) for name, ratio in ratios.items()},
    }
    for name, table in one.tables.items():
        if table.brings:
            found["figures"][f"{name}:gap"] = rounded(ratios[f"{name}:with"].minus(ratios[f"{name}:without"]))
    together = alike(one.won, one.block, one.repeats)
    found["figures"]["deal"] = rounded([together])
    if arm.blind and arm.blind_plan is not None:
        found["blind_games"] = len(arm.blind)
        found["figures"]["blind"] = rounded(_blind(arm.blind, arm.blind_plan).estimates())
    return found


def _blind(games: Sequence[Played], plan: Plan) -> Ratio:
    """How often the seat wins that chooses at random."""
    won = [part_of_win(game, [game.names.index(plan.names[0])]) for game in games]
    return Ratio.of(won, np.ones(len(won)), plan.block, share=True)


def _described(table: Table) -> Figures:
    return {
        "name": table.name,
        "things": list(table.things),
        "columns": [column.name for column in table.columns],
        "parts": [f"{table.name}.{column.name}" for column in table.columns if column.part],
        "words": table.words,
        "width": table.width,
        "blank": list(table.blank),
        "brings": table.brings,
    }
