"""What the lab plays: the games of an arena, in which one bot may also play against copies of itself."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from typing import Any

from ..arena import Plan, Played, enter, make_plan
from ..arena.cluster import play_on_ray
from ..arena.play import PlannedGames, Summon
from ..arena.runner import play_games
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


def watched(
    plan: Plan, numbers: Sequence[int], summon: Summon, workers: int, ray: str
) -> closing[Generator[Played, None, None]]:
    """These games as they end, each with what its witness says: played in so many processes, or on a Ray cluster."""
    games = PlannedGames(plan, False, summon)
    if ray and numbers:
        return closing(play_on_ray(games, numbers, ray, max(1, workers)))
    return closing(play_games(games, numbers, min(workers, len(numbers))))
