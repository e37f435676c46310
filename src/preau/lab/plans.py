"""What the lab plays: the games of an arena, in which one bot may also play against copies of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..arena import Plan, enter, make_plan
from ..core.registry import find_game


def plan_for(
    game: str,
    bots: str,
    files: Sequence[str] = (),
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
) -> Plan:
    """A plan for these bots, as `preau arena` reads them; one bot alone takes all seats. Without a number of seats it
    is the one that the game is usually played with, or one for each bot.

    >>> plan_for("recess", "normal").names
    ['normal#1', 'normal#2', 'normal#3']
    """
    found = find_game(game)
    entrants = enter(bots, files)
    if seats is None and len(entrants) <= found.facts.usual.seats:
        seats = found.facts.usual.seats
    return make_plan(found.id, entrants, seats, options, seed, mirror=len(set(entrants)) == 1)
