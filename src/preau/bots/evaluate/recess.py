"""Who stands how well in Recess!: coins, fights that pay or are about to be seen, and couples about to meet."""

from __future__ import annotations

from typing import Final

from ...core.mypyc_shims import i64
from ...core.state import State
from ...games.recess.position import COUNT, NUN_0, NUN_1, OVER
from ...games.recess.rules import RecessState
from ...games.recess.yard import BOYS_ENTRANCE, CELLS, GIRLS_ENTRANCE, Yard
from .base import Judge, shares

PLACES: Final = 146
FAR: Final = 99
STRIDE: Final = 5
"""How far two children can come towards each other in one turn: a movement of 3 and one of 2."""
REACH: Final = [0, 1, 3, 5]
"""The same with the movements that are left, by the next one."""

NAMES: Final = (
    "hold",
    "hold_seen",
    "pinned",
    "detained",
    "target",
    "danger",
    "kiss_now",
    "kiss_1",
    "kiss_2",
    "kiss_3",
    "kiss_4",
    "kiss_losing",
    "movement",
    "spread_end",
    "spread_start",
)
"""What each weight is for, in coins; the last two say how many coins make a win e times as likely."""


class RecessJudge(Judge):
    """Judges positions of Recess!."""

    def __init__(self, weights: list[float]) -> None:
        super().__init__(weights)
        self.open = True
        self._yard: Yard | None = None
        self._far = b""
        self._hold = weights[0]
        self._hold_seen = weights[1]
        self._pinned = weights[2]
        self._detained = weights[3]
        self._target = weights[4]
        self._danger = weights[5]
        self._kiss_losing = weights[11]
        self._movement = weights[12]
        self._spread_end = weights[13]
        self._spread_start = weights[14]

    def values(self, state: State) -> list[float]:
        """Chances to win by coins and what they are likely to become."""
        assert isinstance(state, RecessState)
        if state.phase == OVER:
            return _outcome(state)
        if state.yard is not self._yard:
            self._yard = state.yard
            self._far = distances(state.yard)
        left = 1.0 - float(state.turn) / float(state.setup.turns)
        strikes, struck = self._attacks(state)
        worth: list[float] = []
        for seat in range(state.seats):
            worth.append(float(state.coins[seat]) + self._prospects(state, seat, strikes, struck))
        return shares(worth, self._spread_end + self._spread_start * left)

    def _prospects(self, state: RecessState, seat: i64, strikes: i64, struck: i64) -> float:
        shift = 4 * seat
        acting = seat == state.active
        turns = self._turns_left(state, seat)
        worth = 0.0
        attacking = (state.attackers >> shift) & 15
        if attacking:
            for who in range(4):
                if attacking >> who & 1:
                    if state.seen(state.where[shift + who]):
                        worth += self._hold_seen
                    elif turns > 0 or acting:
                        worth += self._hold
        lying = (state.pinned >> shift) & 15
        if lying:
            worth += self._pinned * COUNT[lying]
        lying = (state.detained >> shift) & 15
        if lying:
            worth += self._detained * COUNT[lying]
        movement = state.movement if acting else 0
        if movement:
            worth += self._movement * float(movement)
        worth += self._couple(state, seat, movement, turns)
        return worth + self._near((strikes >> shift) & 15, (struck >> shift) & 15, turns)

    def _turns_left(self, state: RecessState, seat: i64) -> i64:
        """How many turns the seat has after the current one."""
        wait = (seat - state.active) % state.seats
        if wait == 0:
            wait = state.seats
        rest: i64 = state.setup.turns - state.turn - wait
        if rest < 0:
            return 0
        return rest // state.seats + 1

    def _couple(self, state: RecessState, seat: i64, movement: i64, turns: i64) -> float:
        """What a couple that may meet is worth."""
        shift = 4 * seat
        held = ((state.pinned | state.detained) >> shift) & 15
        apart: i64 = FAR
        far = self._far
        for boy in range(2):
            if held >> boy & 1:
                continue
            start: i64 = state.where[shift + boy] * PLACES
            for girl in range(2, 4):
                if held >> girl & 1:
                    continue
                steps: i64 = far[start + state.where[shift + girl]]
                apart = min(apart, steps)
        if apart >= FAR:
            return 0.0
        needed: i64 = 0
        if movement == 0 or apart > REACH[movement]:
            apart -= REACH[movement]
            needed = (apart + STRIDE - 1) // STRIDE
            if needed == 0:
                needed = 1
        if needed > turns or needed > 4:
            return 0.0
        worth = self.weights[6 + needed]
        if not _kiss_wins(state.coins, seat):
            return self._kiss_losing * worth
        return worth

    def _attacks(self, state: RecessState) -> tuple[i64, i64]:
        """Which children are near enough to attack somebody, and which are near enough to be attacked, as masks."""
        strikes: i64 = 0
        struck: i64 = 0
        if self._target == 0.0 and self._danger == 0.0:
            return strikes, struck
        where = state.where
        far = self._far
        safety = state.yard.safety
        sight = state.yard.sight
        nun_0: i64 = where[NUN_0] * CELLS
        nun_1: i64 = where[NUN_1] * CELLS
        children: i64 = 4 * state.seats
        busy: i64 = state.attackers | state.pinned
        able: i64 = ~(busy | state.detained) & ((1 << children) - 1)
        exposed: i64 = 0
        for child in range(children):
            if not busy >> child & 1:
                cell: i64 = where[child]
                if cell < CELLS and not safety[cell] and not sight[nun_0 + cell] and not sight[nun_1 + cell]:
                    exposed |= 1 << child
        for one in range(children):
            others: i64 = 0
            if able >> one & 1:
                others = exposed
            if exposed >> one & 1:
                others |= able
            other = (one | 3) + 1
            others >>= other
            if not others:
                continue
            row: i64 = where[one] * PLACES
            while others:
                if others & 1:
                    spot: i64 = where[other]
                    if far[row + spot] <= 3:
                        if exposed >> other & 1 and able >> one & 1:
                            strikes |= 1 << one
                            struck |= 1 << other
                        if exposed >> one & 1 and able >> other & 1:
                            strikes |= 1 << other
                            struck |= 1 << one
                others >>= 1
                other += 1
        return strikes, struck

    def _near(self, strikes: i64, struck: i64, turns: i64) -> float:
        """Children of others within reach of an attack, and own ones that others can reach."""
        worth = 0.0
        if struck:
            worth = self._danger * COUNT[struck]
        if strikes and turns > 0:
            worth += self._target * COUNT[strikes]
        return worth


def _kiss_wins(coins: list[int], seat: i64) -> bool:
    """R33, R36: whether a kiss now would leave nobody with more."""
    gained: i64 = coins[seat]
    most: i64 = 0
    for other in range(len(coins)):
        if other != seat:
            held: i64 = coins[other]
            paid: i64 = 2 if held > 2 else held
            gained += paid
            if held - paid > most:  # noqa: PLR1730, as the compiler likes it
                most = held - paid
    return gained >= most


def _outcome(state: RecessState) -> list[float]:
    """R36 without the ranking of the losers."""
    coins = state.coins
    best: i64 = -1
    shared = 0
    values: list[float] = []
    for seat in range(state.seats):
        lying = COUNT[(state.detained >> (4 * seat)) & 15]
        order: i64 = 100 * coins[seat] + (50 if seat == state.kisser else 0) - lying
        values.append(float(order))
        if order > best or seat == 0:
            best = order
            shared = 1
        elif order == best:
            shared += 1
    for seat in range(state.seats):
        values[seat] = 1.0 / shared if values[seat] == float(best) else 0.0
    return values


def distances(yard: Yard) -> bytes:
    """`distances(yard)[146 * one + other]`: how many steps lie between two places, entrances included."""
    far = bytearray([FAR]) * (PLACES * PLACES)
    doors: list[list[int]] = [[] for _ in range(CELLS)]
    for entrance in (BOYS_ENTRANCE, GIRLS_ENTRANCE):
        for cell in yard.walk1[entrance]:
            doors[cell].append(entrance)
    for start in range(PLACES):
        far[start * PLACES + start] = 0
        edge = [start]
        steps = 0
        while edge:
            steps += 1
            further: list[int] = []
            for place in edge:
                near = yard.walk1[place]
                if place < CELLS and doors[place]:
                    near = near + doors[place]
                for cell in near:
                    if far[start * PLACES + cell] == FAR:
                        far[start * PLACES + cell] = steps
                        if cell < CELLS:
                            further.append(cell)
            edge = further
    return bytes(far)


JUDGE: Final = RecessJudge
