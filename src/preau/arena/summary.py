"""From games to the figures people compare. Times stand apart, because they alone differ from run to run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from .play import Played
from .ratings import rate
from .schedule import Plan
from .statistics import Times, design_effect, spread, wilson, z_for


def summarize(plan: Plan, games: Sequence[Played]) -> dict[str, Any]:
    """All figures for these games, which must be in the order of their numbers."""
    ratings = rate(plan.names, games)
    bots = [_bot(plan, name, games) | _rating(*ratings[name]) for name in plan.names]
    summary: dict[str, Any] = {
        "games": len(games),
        "deals": len({game.deal for game in games}),
        "different_games": len({game.moves for game in games}),
        "decisions": sum(game.decisions for game in games),
        "bots": bots,
        "seats": [
            _share([part_of_win(game, [seat]) for game in games], games) | {"seat": seat} for seat in range(plan.seats)
        ],
        "endings": dict(sorted(Counter(game.reason for game in games).items(), key=lambda one: (-one[1], one[0]))),
        "lengths": spread([game.decisions for game in games]),
        "times": [_times(name, games) for name in plan.names],
    }
    if plan.mirror:
        summary["mirror"] = _mirror(plan, games)
    return summary


def _bot(plan: Plan, name: str, games: Sequence[Played]) -> dict[str, Any]:
    own = [game for game in games if name in game.names]
    chairs = [(game, seat) for game in own for seat, other in enumerate(game.names) if other == name]
    fair = len(chairs) / (plan.seats * len(own)) if own else 0.0
    share = _share([part_of_win(game, _seats(game, name)) for game in own], own)
    return {
        "bot": name,
        **share,
        "fair": _rounded(fair),
        "ratio": _rounded(share["share"] / fair) if fair else 0.0,
        "ratio_low": _rounded(share["low"] / fair) if fair else 0.0,
        "ratio_high": _rounded(share["high"] / fair) if fair else 0.0,
        "mean_rank": _mean([rank_of(game, seat) for game, seat in chairs]),
        "mean_score": _mean([game.scores[seat] for game, seat in chairs]),
    }


def _share(won: Sequence[float], games: Sequence[Played], z: float | None = None) -> dict[str, Any]:
    """A share of wins with its interval, which trusts no more games than say something new.

    A game that was played before says nothing new, and games of one deal say less if they tend to end alike.
    """
    deals: dict[int, list[float]] = defaultdict(list)
    for game, value in zip(games, won, strict=True):
        deals[game.deal].append(value)
    different = len({game.moves for game in games})
    counted = different / design_effect(deals.values())
    share = sum(won) / len(won) if won else 0.0
    low, high = wilson(share * counted, counted, *([z] if z else []))
    return {
        "games": len(games),
        "wins": _rounded(sum(won)),
        "share": _rounded(share),
        "low": _rounded(low),
        "high": _rounded(high),
        "counted_as": round(counted, 1),
    }


def part_of_win(game: Played, seats: Sequence[int]) -> float:
    """The part of the win that went to these seats; a win shared by k seats is 1/k for each."""
    winners = game.ranking[0]
    return sum(seat in winners for seat in seats) / len(winners)


def _seats(game: Played, name: str) -> list[int]:
    return [seat for seat, other in enumerate(game.names) if other == name]


def rank_of(game: Played, seat: int) -> float:
    """The rank of a seat from 1; seats that share ranks have the mean of them."""
    above = 0
    for group in game.ranking:
        if seat in group:
            return above + (len(group) + 1) / 2
        above += len(group)
    raise AssertionError("every seat is ranked")


def _rating(mu: float, sigma: float) -> dict[str, Any]:
    return {"rating": {"mu": round(mu, 3), "sigma": round(sigma, 3)}}


def _times(name: str, games: Sequence[Played]) -> dict[str, Any]:
    times = Times()
    for game in games:
        for seat in _seats(game, name):
            times.join(game.times[seat])
    return {
        "bot": name,
        "decisions": times.count,
        "mean_ms": round(1000 * times.mean, 3),
        "p99_ms": round(1000 * times.percentile(99), 3),
    }


def _mirror(plan: Plan, games: Sequence[Played]) -> dict[str, Any]:
    """Whether each copy's share may be its fair one, by intervals that hold for all copies at once."""
    z = z_for(0.95, len(plan.names))
    outside = []
    for name in plan.names:
        own = [game for game in games if name in game.names]
        share = _share([part_of_win(game, _seats(game, name)) for game in own], own, z)
        if not share["low"] <= 1 / plan.seats <= share["high"]:
            outside.append(name)
    return {"fair": _rounded(1 / plan.seats), "holds": not outside, "outside": outside}


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 3) if values else 0.0


def _rounded(value: float) -> float:
    return round(value, 4)
