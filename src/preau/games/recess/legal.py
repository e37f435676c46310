"""What is legal in Recess!: R9 to R14, R17 to R21, R26 to R32. Every list of actions comes from here."""

from __future__ import annotations

from ...core.mypyc_shims import i64
from ...core.slate import Slate
from ...core.state import REFEREE, Action
from .actions import RecessAction
from .position import (
    CHOOSING,
    COUNT,
    EMPTY,
    FIGHT,
    LAST_CHILD,
    MOST_ATTACKERS,
    MOVING,
    NUN_0,
    NUN_STEP,
    OVER,
    SHOVING,
    Position,
    child_of,
    has,
    is_girl,
    minus,
    of_seat,
    plus,
    seat_of,
)
from .yard import CELLS


class Choices(Position):
    """A position that knows what its active seat may do."""

    def legal(self, seat: int) -> tuple[Action, ...]:
        """What the seat may do, in the fixed order: pass, skip, share, stay, leave, then by number and cell."""
        if seat != self.active or self.phase == OVER:
            return ()
        return tuple(self.listed)

    def mark(self, seat: int, slate: Slate) -> None:
        """Write down the numbers of what the seat may do."""
        if seat != self.active:
            return
        if self._listed is not None:
            for action in self._listed:
                slate.one(action.number)
        elif self.phase == MOVING:
            self._movements(seat, slate)
        else:
            self._nun_moves(slate)

    def referee(self) -> tuple[Action, ...]:
        """The time-out of R38."""
        return () if self.phase == OVER else (self.setup.actions.timeout,)

    def allows(self, actor: int, action: Action) -> bool:
        """Whether the action is on the list, without making one."""
        if self.phase == OVER:
            return False
        if actor == REFEREE:
            return action is self.setup.actions.timeout
        if actor != self.active:
            return False
        for one in self.listed:  # noqa: SIM110, `any` would make a generator
            if one is action:
                return True
        return False

    @property
    def listed(self) -> list[RecessAction]:
        """What the active seat may do. Most positions of a search are never asked, so it is listed then."""
        if self._listed is None:
            self._listed = self.choices(self.active)
        return self._listed

    # With a slate, the two longest lists are not made but written down on it at once: where it shows that there are
    # several choices, nobody has asked for the list.

    def surely_several(self) -> bool:
        """Whether it shows at once that there are several choices: two empty cells to go to."""
        ground = self.ground
        found = 0
        cell: i64
        if self.phase == MOVING:
            who_may = self.who_may()
            walks = self.walks()
            for who in range(4):
                if has(who_may, who):
                    for cell in walks[self.where[child_of(self.active, who)]]:
                        if ground[cell] == EMPTY:
                            found += 1
                            if found == 2:
                                return True
        elif self.phase == NUN_STEP and not self.watched:
            for nun in range(NUN_0, NUN_0 + 2):
                for cell in self.yard.rays[self.where[nun]]:
                    if ground[cell] == EMPTY:
                        found += 1
                        if found == 2:
                            return True
        return False

    def choices(self, seat: i64) -> list[RecessAction]:
        """What the active seat may do at this point of its turn; empty if the rules go on without it."""
        if self.phase == MOVING:
            return self._movements(seat)
        if self.phase == NUN_STEP:
            return self._nun_moves()
        if self.phase == SHOVING:
            return self._shoves()
        if self.phase == CHOOSING:
            return self._stay_or_leave()
        return self._tales()

    def may_pass(self) -> bool:
        """R9: whether the turn can be passed, with its first decision only and not with a fight in sight."""
        return self.untouched and not self.watched

    def _stay_or_leave(self) -> list[RecessAction]:
        """R10: stay or leave, for the first undecided attack in board order."""
        table = self.setup.actions
        actions = [table.pass_turn] if self.may_pass() else []
        cell = self.where[self.undecided_attacker()]
        actions.append(table.stay[cell])
        if self.may_leave():
            actions.append(table.leave[cell])
        return actions

    def may_leave(self) -> bool:
        """R13: with four attacks and detentions together, no movement is left to leave with."""
        attacks = COUNT[self.undecided | self.staying | self.leaving]
        return attacks + COUNT[self.serving] <= 3

    def _movements(self, seat: i64, slate: Slate | None = None) -> list[RecessAction]:
        """R12 to R21: who can go where with the movement at hand; empty if nobody can."""
        actions: list[RecessAction] = []
        table = self.setup.actions
        who_may = self.who_may()
        steps = self.movement
        walks = self.walks()
        if self.may_pass():
            actions.append(table.pass_turn)
        if COUNT[self.movable()] < steps and COUNT[self.leaving] < steps:
            actions.append(table.skip)
        if slate is not None:
            for action in actions:
                slate.one(action.number)
        before = len(actions)
        ground = self.ground
        cell: i64
        for who in range(4):
            if has(who_may, who):
                child = child_of(seat, who)
                moves = table.move[who]
                first: i64 = moves[0].number
                cells = walks[self.where[child]]
                if slate is not None:
                    slate.ones_free(first, cells, ground)
                for cell in cells:
                    if ground[cell] == EMPTY:
                        if slate is None:
                            actions.append(moves[cell])
                    elif self._may_land(child, cell):
                        if slate is None:
                            actions.append(moves[cell])
                        else:
                            slate.one(first + cell)
        if len(actions) == before:
            return []
        return actions

    def who_may(self) -> i64:
        """R12, R13: the children of the active seat that the movement at hand is for, as a set."""
        movable = self.movable()
        if COUNT[self.leaving] >= self.movement:
            return movable & self.leaving
        return movable

    def walks(self) -> list[list[int]]:
        """R14: where the movement at hand leads, from every cell and entrance."""
        return self.yard.walks(self.movement)

    def _may_land(self, child: i64, cell: i64) -> bool:
        """Whether a child may end its walk on an occupied cell outside the safety squares (R18 to R21)."""
        there = self.ground[cell]
        start = self.where[child]
        if there <= LAST_CHILD:
            other = there - 1
            if other == child:
                return True
            if seat_of(other) == seat_of(child):
                return is_girl(other) != is_girl(child) and not self._seen(cell)
            attackers = of_seat(minus(self.attackers, child), seat_of(child))
            return COUNT[attackers] < MOST_ATTACKERS and not self._seen(cell)
        if there < FIGHT:
            return self.can_tell(child)
        if cell == start:
            return False
        return self.room(cell, 2, start, not has(self.attackers, child))

    def sweetheart_on(self, child: i64, cell: i64) -> i64:
        """R33: a child of the same seat and the other gender on the cell, or -1."""
        first = child_of(seat_of(child), 0 if is_girl(child) else 2)
        for partner in range(first, first + 2):
            if self.where[partner] == cell:
                return partner
        return -1

    def can_tell(self, child: i64) -> bool:
        """R21, R29: whether there is a fight this child could tell on, its own not counted."""
        others = minus(self.attackers, child)
        if not others:
            return False
        start = self.where[child]
        empties = not has(self.attackers, child)
        for attacker in range(4 * self.seats):
            if has(others, attacker) and self.room(self.where[attacker], 1, start, empties):
                return True
        return False

    def room(self, cell: i64, wanted: i64, start: i64, empties: bool) -> bool:
        """R28: whether `wanted` pieces can be shoved off the cell, one after another.

        Each shove fills one empty cell out of those that chains can reach, and whoever fills it can be displaced by
        the next, so it is enough to count the empty cells in reach, also those behind other empty ones. `start` is the
        cell the lander comes from: empty by then, unless (not `empties`) it leaves its victim standing there.
        """
        around = self.yard.around
        ground = self.ground
        found = 0
        for near in around[cell]:
            if ground[near] == EMPTY or (near == start and empties):
                found += 1
        if found >= wanted:
            return True
        found = 0
        reached = [False] * CELLS
        reached[cell] = True
        edge = [cell]
        while edge:
            for near in around[edge.pop()]:
                if reached[near]:
                    continue
                reached[near] = True
                if ground[near] == EMPTY or (near == start and empties):
                    found += 1
                    if found >= wanted:
                        return True
                elif ground[near] >= FIGHT and near != start:
                    continue
                edge.append(near)
        return False

    def _tales(self) -> list[RecessAction]:
        """R29: which fight to tell on, and to whom; in a safety square one may just share it (R17)."""
        actions: list[RecessAction] = []
        table = self.setup.actions
        cell = self.where[self.teller]
        if self.yard.safety[cell]:
            actions.append(table.share)
        fights = self.fights()
        for nun in range(2):
            if self.where[NUN_0 + nun] == cell:
                for fight in fights:
                    if self.room(fight, 1, -1, False):
                        actions.append(table.tattle[nun][fight])
        return actions

    def _shoves(self) -> list[RecessAction]:
        """R28: the cells that begin a shortest chain for the piece at hand."""
        around = self.yard.around[self.hand_from]
        ground = self.ground
        shoves = self.setup.actions.shove
        actions: list[RecessAction] = []
        for near in around:
            if ground[near] == EMPTY:
                actions.append(shoves[near])
        if actions:
            return actions
        depth = [0] * CELLS
        depth[self.hand_from] = -1
        firsts = [0] * CELLS
        edge: list[int] = []
        for at, near in enumerate(around):
            if ground[near] < FIGHT:
                depth[near] = 1
                firsts[near] = plus(0, at)
                edge.append(near)
        level = 1
        first = 0
        while edge and not first:
            level += 1
            further: list[int] = []
            for cell in edge:
                for near in self.yard.around[cell]:
                    if ground[near] == EMPTY:
                        first |= firsts[cell]
                    elif ground[near] < FIGHT:
                        if depth[near] == 0:
                            depth[near] = level
                            further.append(near)
                        if depth[near] == level:
                            firsts[near] |= firsts[cell]
            edge = further
        for at, near in enumerate(around):
            if has(first, at):
                actions.append(shoves[near])
        return actions

    def duties(self) -> list[RecessAction]:
        """R32: the nun moves that a seat that stayed in a seen fight must choose from; empty if it is free."""
        actions: list[RecessAction] = []
        if not self.watched:
            return actions
        cells: list[int] = []
        for who in range(4):
            if has(self.watched, who):
                cells.append(self.where[child_of(self.active, who)])
        cells.sort()
        for nun in range(2):
            start = self.where[NUN_0 + nun]
            for cell in cells:
                if self.yard.sight[CELLS * start + cell] and self.room(cell, 1, start, True):
                    actions.append(self.setup.actions.nun[nun][cell])
        return actions

    def _nun_moves(self, slate: Slate | None = None) -> list[RecessAction]:
        """R31, R32: where the nuns may go."""
        if self.watched:
            actions = self.duties()
            if actions:
                return actions
        table = self.setup.actions
        actions = []
        if self.may_pass():
            actions.append(table.pass_turn)
        if self.setup.nun_may_stay:
            actions.append(table.skip)
        if slate is not None:
            for action in actions:
                slate.one(action.number)
        before = len(actions)
        ground = self.ground
        cell: i64
        for nun in range(2):
            start = self.where[NUN_0 + nun]
            moves = table.nun[nun]
            first: i64 = moves[0].number
            cells = self.yard.rays[start]
            if slate is not None:
                slate.ones_free(first, cells, ground)
            for cell in cells:
                if ground[cell] == EMPTY:
                    if slate is None:
                        actions.append(moves[cell])
                elif self.room(cell, 1, start, True):
                    if slate is None:
                        actions.append(moves[cell])
                    else:
                        slate.one(first + cell)
        if len(actions) == before:
            return []
        return actions
