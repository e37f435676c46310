"""A daily challenge: its date, the server's secret, and a random attempt."""

from __future__ import annotations

from datetime import date
from random import Random

from preau.core.match import Match
from preau.learn.challenge import Day, DayTable

DATE = date(2026, 11, 17)
SECRET = bytes(range(32))


def random_attempt(day: Day, seed: int = 1) -> Match:
    """Play an attempt at a challenge, with random actions in the player's seat."""
    match = day.begin()
    table = DayTable(match, day)
    rng = Random(seed)
    bots = {str(seat): level for seat, level in enumerate(day.plan.levels) if level}
    match.record.meta = {"bots": bots, "challenge": day.meta}
    while not match.over:
        bot = table.waiting_bot()
        seat = day.plan.seat if bot is None else bot
        table.apply(seat, rng.choice(match.legal(seat)) if bot is None else table.choose(bot))
    return match
