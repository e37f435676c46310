"""Putting a review together from what was found at every step: who stood how well, why, and where it turned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from ..core.intervals import Z95
from ..core.record import Record
from ..core.state import NATURE, REFEREE
from .chances import Chances
from .shapes import FORMAT, Called, Cause, Decision, Looked, Luck, Review, Standing, Turning
from .step_analysis import measured, rounded
from .strength import UNMEASURED, Strength, known

TURNING = 3
"""How many turning points a game has, at most."""
CALLED: tuple[Called, ...] = ("best", "good", "inaccuracy", "mistake")


def put_together(
    record: Record, steps: Sequence[Looked], result: Chances, power: Strength, seed: int, *, open_game: bool
) -> Review:
    """A review, all of whose steps were looked at; `result` is a win for whoever won, shared if there are several."""
    chances = [*(one["chances"] for one in steps), result]
    errors = [*(one["errors"] for one in steps), [0.0] * record.seats]
    error = known(record.game).errors.get(power.name, UNMEASURED)[1]
    decisions = [_decision(one, chances, error) for one in steps if one["decision"] is not None]
    luck = [one["luck"] for one in steps if one["luck"] is not None]
    return {
        "format": FORMAT,
        "game": record.game,
        "rules": record.rules,
        "seats": record.seats,
        "steps": len(steps),
        "strength": {
            "name": power.name,
            "seed": seed,
            "simulations": power.simulations,
            "playouts": 0 if open_game else power.playouts,
            "draws": 0 if open_game else power.draws,
            "sampled": not open_game,
        },
        "chances": [[rounded(one) for one in row] for row in chances],
        "errors": [[rounded(one) for one in row] for row in errors],
        "decisions": [_said(one) for one in decisions],
        "luck": [_lucky(one) for one in luck],
        "standings": [_standing(seat, chances, errors, decisions, luck) for seat in range(record.seats)],
        "turning": _turning(record, chances, errors, luck),
    }


def _decision(looked: Looked, chances: Sequence[Chances], error: float) -> Decision:
    """A decision, whose cost in an open game is what was left after it beside what the best would have left."""
    decision = looked["decision"]
    assert decision is not None
    if not looked["behind"]:
        return decision
    seat, after = decision["seat"], looked["step"] + 1
    decision["chance"] = looked["behind"][seat]
    return measured(decision, looked["behind"][seat] - chances[after][seat], error)


def _standing(
    seat: int,
    chances: Sequence[Chances],
    errors: Sequence[Chances],
    decisions: Sequence[Decision],
    luck: Sequence[Luck],
) -> Standing:
    own = [one for one in decisions if one["seat"] == seat]
    play, play_error = -sum(one["gap"] for one in own), _together(one["error"] for one in own)
    gained, luck_error = sum(one["changes"][seat] for one in luck), _together(one["errors"][seat] for one in luck)
    start, end = chances[0][seat], chances[-1][seat]
    stakes = sum(one["stake"] for one in own)
    accuracy = None
    accuracy_error = 0.0
    if stakes > 0.0:
        accuracy = round(min(100.0, max(0.0, 100.0 * (1.0 + play / stakes))), 1)
        accuracy_error = round(100.0 * play_error / stakes, 1)
    start_, play_, luck_, end_ = (rounded(one) for one in (start, play, gained, end))
    return {
        "seat": seat,
        "start": start_,
        "end": end_,
        "play": play_,
        "luck": luck_,
        "rest": rounded(end_ - start_ - play_ - luck_),
        "errors": {
            "start": rounded(errors[0][seat]),
            "play": rounded(play_error),
            "luck": rounded(luck_error),
            "rest": rounded(_together((errors[0][seat], play_error, luck_error))),
        },
        "decisions": len(own),
        "accuracy": accuracy,
        "accuracy_error": accuracy_error,
        "called": {name: sum(one["called"] == name for one in own) for name in CALLED},
    }


def _turning(
    record: Record, chances: Sequence[Chances], errors: Sequence[Chances], luck: Sequence[Luck]
) -> list[Turning]:
    """The steps that have changed most, beyond doubt, for some seat, in the order of the game."""
    lucky = {one["step"]: one for one in luck}
    found: list[tuple[float, Turning]] = []
    for step, entry in enumerate(record.entries):
        chance = lucky.get(step)
        if chance is not None:
            changes, doubts = chance["changes"], chance["errors"]
            cause: Cause = "race" if chance["race"] else "luck"
        elif entry.actor == NATURE:
            continue
        else:
            changes = [after - before for before, after in zip(chances[step], chances[step + 1], strict=True)]
            doubts = [sqrt(a * a + b * b) for a, b in zip(errors[step], errors[step + 1], strict=True)]
            cause = "clock" if entry.actor == REFEREE else "choice"
        sure = [abs(change) - Z95 * doubt for change, doubt in zip(changes, doubts, strict=True)]
        seat = max(range(record.seats), key=lambda one: (sure[one], -one))
        if sure[seat] > 0.0:
            turning: Turning = {
                "step": step,
                "cause": cause,
                "actor": entry.actor,
                "seat": seat,
                "change": rounded(changes[seat]),
                "error": rounded(doubts[seat]),
                "changes": [rounded(one) for one in changes],
            }
            found.append((sure[seat], turning))
    found.sort(key=lambda one: -one[0])
    return sorted((one for _, one in found[:TURNING]), key=lambda one: one["step"])


def _together(errors: Iterable[float]) -> float:
    """The error of a sum of things that were measured each for itself."""
    return sqrt(sum(one * one for one in errors))


def _said(decision: Decision) -> Decision:
    return {
        **decision,
        "chance": rounded(decision["chance"]),
        "stake": rounded(decision["stake"]),
        "gap": rounded(decision["gap"]),
        "regret": rounded(decision["regret"]),
        "error": rounded(decision["error"]),
        "low": rounded(decision["low"]),
        "high": rounded(decision["high"]),
    }


def _lucky(luck: Luck) -> Luck:
    return {
        "step": luck["step"],
        "changes": [rounded(one) for one in luck["changes"]],
        "errors": [rounded(one) for one in luck["errors"]],
        "race": luck["race"],
    }
