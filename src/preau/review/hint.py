"""Hints: what the strongest bot would do in a seat's place, and why, from what that seat knows."""

from __future__ import annotations

from typing import TypedDict

from ..bots.base import Budget
from ..bots.levels import explain
from ..core.errors import SetupError
from ..core.registry import find_game
from ..core.state import Json
from .reasons import Chosen, Told, against_it, for_it, told

IDEAS = 3
"""So many ideas there are for one decision, at most."""
CLOSE = 0.02
"""How much less chance to win makes an action nearly as good as another."""


class Idea(TypedDict):
    """One action: what it is called in the game's texts (None where the game has no words for it), the chance to win
    with it, and reasons, each a key of the game's texts with its parameters.
    """

    action: str
    do: Json | None
    value: float
    reasons: list[Json]
    but: bool
    """Whether the last reason speaks against it."""


class Hint(Idea):
    """An idea for a decision, the best one or, with a higher `rank`, the next best."""

    game: str
    seat: int
    rank: int
    more: bool
    """Whether there is another idea after this one."""
    otherwise: Idea | None
    """With the best idea: the next best one, with what speaks against it."""
    close: bool
    """Whether that is nearly as good."""
    simulations: int


def hint(view: Json, seed: int = 0, budget: Budget | None = None, rank: int = 0) -> Hint:
    """A hint for the seat whose view this is; the same view and seed give the same hint.

    Without a budget it is the strongest level's, which takes well under two seconds where the rules are compiled.

    >>> import preau
    >>> said = hint(preau.game("recess").start(seats=3).view(0), budget=Budget(50))
    >>> said["action"], said["do"]["key"], said["rank"], said["more"]
    ('b1 a1', 'do.walk', 0, True)
    """
    thought = explain(view, budget, seed)
    game, seat = find_game(view["game"]), thought["seat"]
    ideas = [one for one in thought["actions"] if one["visits"]][:IDEAS] or thought["actions"][:1]
    if not 0 <= rank < len(ideas):
        raise SetupError(
            f"there is no idea {rank}",
            field="rank",
            hint=f"There are {len(ideas)} for this decision, counted from 0.",
            key="no_more_ideas",
        )
    sampler = game.sampler(view)
    chosen = ideas[rank]
    about = told(game, sampler, seat, chosen["line"], seed)
    next_best = ideas[1] if rank == 0 and len(ideas) > 1 else None
    otherwise = None
    if next_best is not None:
        other = told(game, sampler, seat, next_best["line"], seed)
        otherwise = _idea(next_best, other, against_it(other.reasons, about.reasons))
    return {
        **_idea(chosen, about, for_it(about.reasons)),
        "game": game.id,
        "seat": seat,
        "rank": rank,
        "more": rank + 1 < len(ideas),
        "otherwise": otherwise,
        "close": next_best is not None and chosen["value"] - next_best["value"] < CLOSE,
        "simulations": thought["simulations"],
    }


def _idea(opinion: Json, about: Told, why: Chosen) -> Idea:
    value = round(opinion["value"], 3)
    return {"action": opinion["action"], "do": about.do, "value": value, "reasons": why.said, "but": why.but}
