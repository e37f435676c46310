"""Thinking about one decision: the right search for the game, within a budget."""

from __future__ import annotations

from random import Random

from ...core.errors import SetupError
from ...core.game import Game, Sampler
from ...core.state import Json
from ..base import Budget
from ..evaluate import judges
from ..evaluate.base import Judge, Player
from .hidden import HiddenSearch
from .open import Node
from .side_by_side import SideBySide
from .thought import HiddenThought, OpenThought, Thought


def think(game: Game, seat: int, view: Json, budget: Budget, rng: Random, judge: Judge, kept: Node | None) -> Thought:
    """Think about the decision a seat owes, from what it knows; `kept` is what was known of a position before."""
    thought = begin(game.id, seat, game.sampler(view), rng, judge, kept)
    thought.spend(budget)
    return thought


def begin(game: str, seat: int, sampler: Sampler, rng: Random, judge: Judge, kept: Node | None) -> Thought:
    """The right kind of thinking for a game, not a moment spent yet."""
    settings = judges.data(game).get("search", {})
    state = sampler.draw(rng)
    if seat not in state.to_act:
        raise SetupError(f"seat {seat} owes no decision in this view", field="view", hint="Wait for its turn.")
    if judge.open:
        return OpenThought(state, judge, settings.get("explore", 0.5), settings.get("focus", 1.0), kept)
    if isinstance(judge, Player):
        return SideBySide(seat, sampler, rng, judge)
    search = HiddenSearch(seat, judge, settings.get("explore", 0.6), settings.get("horizon", 4), rng)
    return HiddenThought(seat, sampler, rng, search)
