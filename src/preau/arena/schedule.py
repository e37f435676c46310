"""Who sits where in which game, and with which luck: all of it follows from the seed and the number of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations, permutations
from math import ceil
from random import Random
from typing import Any, NamedTuple

from ..core.errors import SetupError
from ..core.options import read_options
from ..core.registry import find_game
from .entrants import Entrant

LineUp = tuple[str, ...]


@dataclass(frozen=True)
class Seating:
    """One game of a plan: `deal_seed` is nature's luck, which other games share; `seed` the bots' own."""

    index: int
    deal: int
    deal_seed: int
    seed: int
    names: LineUp
    """The entrant in each seat."""


class Plan(NamedTuple):
    """What is played, by whom and with which seed. It can be sent to other processes and machines.

    The games come in deals. Every deal is played by every line-up in all its rotations, so that within a deal each
    entrant of a line-up has been in every seat once, with the same luck of the deal. Who sits behind whom changes
    from deal to deal, until all orders around the table have had their turn.
    """

    game: str
    rules: str
    seats: int
    options: dict[str, Any]
    seed: int
    entrants: tuple[Entrant, ...]
    line_ups: tuple[LineUp, ...]
    mirror: bool = False

    @property
    def block(self) -> int:
        """How many games are played with one deal."""
        return len(self.line_ups) * self.seats

    def whole(self, games: int) -> int:
        """The number of games of so many whole deals that it is at least `games`."""
        return ceil(games / self.block) * self.block

    def seating(self, index: int) -> Seating:
        """Game number `index`, from 0."""
        deal, place = divmod(index, self.block)
        which, turn = divmod(place, self.seats)
        orders = _orders(self.line_ups[which], self.seed)
        names = orders[deal % len(orders)]
        return Seating(
            index, deal, derive(self.seed, "deal", deal), derive(self.seed, "game", index), names[turn:] + names[:turn]
        )

    def entrant(self, name: str) -> Entrant:
        """The entrant of this name; in a mirror plan, of any of its copies."""
        return next(one for one in self.entrants if one.name == original(name))

    @property
    def names(self) -> list[str]:
        """Everybody in the line-ups, each once, in order."""
        return list(dict.fromkeys(name for line_up in self.line_ups for name in line_up))

    def to_json(self) -> dict[str, Any]:
        """All that decides how the games go, for telling results of one plan from those of another."""
        return {
            "game": self.game,
            "rules": self.rules,
            "seats": self.seats,
            "options": self.options,
            "seed": self.seed,
            "bots": {one.name: one.digest or one.spec for one in self.entrants},
            "line_ups": [list(line_up) for line_up in self.line_ups],
            "mirror": self.mirror,
        }


def make_plan(
    game: str,
    entrants: Sequence[Entrant],
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    *,
    mirror: bool = False,
) -> Plan:
    """A plan for these entrants, one for each seat they are to take.

    With fewer entrants than seats the last one takes the seats that are left. With more, every choice of as many
    as there are seats is a line-up. A mirror plan seats each bot against copies of itself instead, as `name#1`,
    `name#2` and so on: whatever tells those apart is a fault of the arena.

    >>> from preau.arena import enter
    >>> plan = make_plan("recess", enter("greedy,random"), seats=3)
    >>> plan.line_ups, plan.block, plan.seating(1).names
    ((('greedy', 'random', 'random'),), 3, ('random', 'random', 'greedy'))
    """
    found = find_game(game)
    start = found.start(seats if seats is not None else _usual_seats(found.seats, len(entrants)), options, seed=seed)
    different = tuple(dict.fromkeys(entrants))
    for one in different:
        if one.source:
            one.check(start)
    if mirror:
        line_ups = tuple(copies(one.name, start.seats) for one in different)
    else:
        line_ups = _line_ups([one.name for one in entrants], start.seats)
        if not line_ups:
            raise SetupError(
                f"{entrants[-1].name} would play against nobody else",
                field="--bots",
                hint="Name a second bot, or add --mirror to set a bot against copies of itself.",
            )
    return Plan(
        found.id,
        found.rules_version,
        start.seats,
        read_options(found.options, options, found.titles["en"]),
        seed,
        different,
        line_ups,
        mirror,
    )


def copies(name: str, seats: int) -> LineUp:
    """The names of a bot's copies at a mirror table.

    >>> copies("greedy", 3)
    ('greedy#1', 'greedy#2', 'greedy#3')
    """
    return tuple(f"{name}#{number}" for number in range(1, seats + 1))


def original(name: str) -> str:
    """The bot of which this is a copy, or the name itself."""
    return name.partition("#")[0]


def derive(seed: int, what: str, number: int) -> int:
    """A seed of its own for one thing of a plan.

    >>> derive(1, "deal", 0) != derive(1, "game", 0)
    True
    """
    return int.from_bytes(blake2b(f"{seed}/{what}/{number}".encode(), digest_size=8).digest()) >> 11


def _usual_seats(allowed: Sequence[int], entrants: int) -> int:
    return min(max(entrants, min(allowed)), max(allowed))


def _line_ups(names: list[str], seats: int) -> tuple[LineUp, ...]:
    """Every choice of as many names as there are seats, unless all in it are the same."""
    filled = names + names[-1:] * (seats - len(names))
    return tuple(line_up for line_up in dict.fromkeys(combinations(filled, seats)) if len(set(line_up)) > 1)


@lru_cache(maxsize=64)
def _orders(line_up: LineUp, seed: int) -> list[LineUp]:
    """All orders around the table, in an order of their own; the rotations of each are played together."""
    orders = [line_up[:1] + rest for rest in sorted(set(permutations(line_up[1:])))]
    Random(f"{seed} orders").shuffle(orders)
    return orders
