"""Ratings of the entrants by openskill's Plackett-Luce model, which knows tables of more than two."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from ..core.errors import SetupError
from .play import Played


def rate(names: Iterable[str], games: Iterable[Played]) -> dict[str, tuple[float, float]]:
    """The rating of each entrant and its uncertainty (mu and sigma), after these games in this order.

    Everybody starts at 25 with an uncertainty of 25/3. An entrant in several seats of a game is rated in each of them
    from where it stood before the game, and then stands at the mean of what came out.
    """
    model = _model()
    standing: dict[str, Any] = {name: model.rating() for name in names}
    for game in games:
        ranks = [0.0] * len(game.names)
        for rank, group in enumerate(game.ranking, 1):
            for seat in group:
                ranks[seat] = rank
        before = [[model.rating(mu=standing[name].mu, sigma=standing[name].sigma)] for name in game.names]
        after = [team[0] for team in model.rate(before, ranks=ranks)]
        for name in dict.fromkeys(game.names):
            own = [rating for rating, other in zip(after, game.names, strict=True) if other == name]
            standing[name] = model.rating(
                mu=sum(one.mu for one in own) / len(own), sigma=sum(one.sigma for one in own) / len(own)
            )
    return {name: (rating.mu, rating.sigma) for name, rating in standing.items()}


def _model() -> Any:
    return import_openskill().PlackettLuce()


def import_openskill() -> Any:
    """The rating library, which is only needed here."""
    try:
        return import_module("openskill.models")
    except ModuleNotFoundError as error:
        raise SetupError(
            f"the arena cannot rate bots, because {error.name} is not installed",
            field="arena",
            hint="pip install 'preau[arena]'",
        ) from None
