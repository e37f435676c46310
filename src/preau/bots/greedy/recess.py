"""Recess! by rules of thumb: take coins, kiss when it wins, keep out of sight and out of detention."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...core.registry import find_game
from ...core.state import Action, Json
from ...games.recess.position import COUNT
from ...games.recess.rules import RecessState
from ...games.recess.yard import CELLS, SIDE

COIN = 10.0
SEEN_FIGHT = 8.0
"""What a fight of one's own in a nun's sight is likely to cost."""
HELD_DOWN = 6.0
IN_DETENTION = 7.0
STEP = 0.15
"""What it is worth to bring a boy and a girl one step closer."""
LATE = 0.6
"""From this point of the game on, the couple does not matter any more unless it is about to meet."""


def choose(seat: int, view: Json, legal: Sequence[Action], rng: Random) -> Action:
    """The action after which the seat stands best; one of the best at random."""
    state = find_game("recess").sampler(view).draw(rng)
    best: list[Action] = []
    highest = float("-inf")
    for action in legal:
        after = state.copy()
        after.advance(seat, action)
        assert isinstance(after, RecessState)
        worth = value(after, seat)
        if worth > highest:
            highest, best = worth, [action]
        elif worth == highest:
            best.append(action)
    return best[int(rng.random() * len(best))]


def value(state: RecessState, seat: int) -> float:
    """How well the seat stands."""
    others = [coins for other, coins in enumerate(state.coins) if other != seat]
    worth = COIN * state.coins[seat] - COIN * max(others) / 2
    if state.over:
        return worth + (1000.0 if seat in state.result().winners else -1000.0)
    shift = 4 * seat
    for child in range(shift, shift + 4):
        if state.attackers >> child & 1:
            seen = state.seen(state.where[child])
            worth += -SEEN_FIGHT if seen else COIN / 2
    worth -= HELD_DOWN * COUNT[(state.pinned >> shift) & 15]
    worth -= IN_DETENTION * COUNT[(state.detained >> shift) & 15]
    if state.progress() < LATE:
        worth -= STEP * _apart(state, seat)
    return worth


def _apart(state: RecessState, seat: int) -> float:
    """How far the closest couple is from each other, as the crow walks."""
    boys = [_spot(state.where[4 * seat + who]) for who in (0, 1)]
    girls = [_spot(state.where[4 * seat + who]) for who in (2, 3)]
    return min(abs(bx - gx) + abs(by - gy) for bx, by in boys for gx, gy in girls)


def _spot(cell: int) -> tuple[int, int]:
    if cell < CELLS:
        return cell % SIDE, cell // SIDE
    return (-1, 0) if cell == CELLS else (SIDE, SIDE - 1)
