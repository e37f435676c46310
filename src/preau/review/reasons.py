"""What is worth saying about an action: what the game says of the tales that begin with it, as far as it holds.

What is certain from the seat's view is said as it is. What depends on hidden cards or on chance is said if it holds in
most tales, and then as probable.
"""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from typing import NamedTuple

from ..core.game import Game, Sampler
from ..core.reasons import Reason, Step
from ..core.state import Json
from .continuations import Line, tales

MOST = 0.6
"""In which part of all tales something must be so to be called probable."""


class Told(NamedTuple):
    """What is worth saying about an action: what to do (None where nobody has words for it, or they would depend on
    what the seat does not know), and why, the weightiest reason first.
    """

    do: Json | None
    reasons: list[Reason]


def told(game: Game, sampler: Sampler, seat: int, line: Line, seed: int = 0) -> Told:
    """What is worth saying about the action that a line begins with, from what one seat knows."""
    advice: list[Json | None] = []
    reasons: list[list[Reason]] = []
    for tale in tales(game, sampler, seat, line, seed):
        first = next(tale)
        advice.append(game.advice(first, seat) or _named(first))
        reasons.append(game.reasons(first, tale, seat))
    return Told(advice[0] if all(one == advice[0] for one in advice) else None, _agreed(reasons))


def _named(step: Step) -> Json | None:
    """Return the game's text for an action (`action.<verb>`), for a game that gives no advice."""
    verb, *words = step.action.text.split()
    key = f"action.{verb}"
    if key not in step.before.game.texts():
        return None
    return {"key": key, **{str(at): word for at, word in enumerate(words, 1)}}


def _agreed(stories: Sequence[Sequence[Reason]]) -> list[Reason]:
    """The reasons that hold: certain ones in all tales, the others in most; each once."""
    counts: dict[str, int] = {}
    kept: dict[str, Reason] = {}
    for reasons in stories:
        for name, reason in {dumps(reason.said, sort_keys=True): reason for reason in reasons}.items():
            counts[name] = counts.get(name, 0) + 1
            kept.setdefault(name, reason)
    found = []
    for name, reason in kept.items():
        if reason.certain:
            found += [reason] if counts[name] == len(stories) else []
        elif counts[name] >= MOST * len(stories):
            found.append(reason._replace(said={**reason.said, "odds": "likely"}))
    return sorted(found, key=lambda reason: -abs(reason.weight))


class Chosen(NamedTuple):
    """What is said of an action in the end; `but` says that the last of it speaks against the action."""

    said: list[Json]
    but: bool


def for_it(reasons: Sequence[Reason]) -> Chosen:
    """What to say of an action that is recommended: its best side, and whatever else is weightiest."""
    good = [reason for reason in reasons if reason.weight > 0]
    if not good:
        return Chosen([], False)
    rest = [reason for reason in reasons if reason is not good[0]][:1]
    return Chosen([reason.said for reason in (good[0], *rest)], any(reason.weight < 0 for reason in rest))


def against_it(reasons: Sequence[Reason], better: Sequence[Reason]) -> Chosen:
    """What to say of an action that is not the best: its worst side, or else what it would bring that the better one
    does not.
    """
    known = [reason.said for reason in better]
    fresh = [reason for reason in reasons if reason.said not in known]
    bad = [reason for reason in fresh if reason.weight < 0]
    return Chosen([reason.said for reason in (bad or fresh)[:1]], bool(bad))
