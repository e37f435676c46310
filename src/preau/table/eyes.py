"""What each pair of eyes sees, and whether it learned anything by it. `eyes` are a seat, or None for a spectator."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from ..core.state import Event, State

Json = dict[str, Any]
Eyes = int | None
"""The seat through whose eyes somebody looks; None for a spectator."""

SAMPLES = 24
"""Worlds looked at to find out whether a step told anybody anything."""


def seen(events: Iterable[Event], eyes: Eyes) -> list[Json]:
    """The events as these eyes see them."""
    return [event.seen_by(eyes) for event in events]


def tells_nothing(before: State, actor: int, text: str, rng: Random) -> bool:
    """Whether a step gives no pair of eyes knowledge of hidden things.

    For each, worlds are drawn that look the same before the step. In each of them the actor must have had an action
    (its own eyes know which: this one) after which everything looks as it does now. Chance and others have no part in
    the step.
    """
    after = before.copy()
    events = after.apply(actor, text)
    told = {seat for event in events for seat in event.secret or ()}
    if told - {actor}:
        return False  # somebody was told something in private
    for eyes in range(before.seats):
        shown = after.view(eyes), seen(events, eyes), _choices(after, eyes)
        sampler = before.game.sampler(before.view(eyes))
        for _ in range(SAMPLES):
            if not _could_look_so(sampler.draw(rng), actor, text, eyes, shown):
                return False
    return True


def _could_look_so(world: State, actor: int, text: str, eyes: int, shown: tuple[Json, list[Json], list[str]]) -> bool:
    """Whether, in this world, the actor can do something that looks like what was shown."""
    legal = world.legal(actor)
    same = [action for action in legal if action.text == text]
    for action in same if same or eyes == actor else legal:
        trial = world.copy()
        events = trial.apply(actor, action)
        if (trial.view(eyes), seen(events, eyes), _choices(trial, eyes)) == shown:
            return True
    return False


def _choices(state: State, eyes: int) -> list[str]:
    """What the seat may do now, which it is shown too."""
    return [action.text for action in state.legal(eyes)] if eyes in state.to_act else []
