"""The rules of Recess!, R1 to R38: what happens to a position when somebody acts.

`position.py` says what a position is, `legal.py` what may be done in it, `telling.py` what is told of what happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...core.mypyc_shims import i64
from ...core.slate import Slate
from ...core.state import REFEREE, Action, Json
from .actions import LEAVE, MOVE, NUN, PASS, SHARE, SHOVE, SKIP, STAY, TATTLE, RecessAction
from .observe import write
from .position import (
    CHOOSING,
    COINS,
    COUNT,
    EMPTY,
    FIGHT,
    LAST_CHILD,
    MOVING,
    NUN_0,
    NUN_1,
    NUN_STEP,
    OVER,
    SHOVING,
    TELLING,
    Setup,
    child_of,
    entrance_of,
    has,
    minus,
    of_seat,
    plus,
    seat_of,
    who_of,
)
from .telling import Telling
from .yard import CELLS


class RecessState(Telling):
    """A position of Recess! that can be played on."""

    # What the contract asks for.

    def action(self, text: str) -> Action:
        """The action with this text form."""
        return self.setup.actions.parse(text)

    def views(self, eyes: Sequence[int | None]) -> tuple[Json, list[Json]]:
        """What several seats see alike, and what each sees besides (`views.py`)."""
        found: tuple[Json, list[Json]] = self.game.part("views").views(self, eyes)
        return found

    def advance(self, actor: int, action: Action) -> None:
        """Carry out a legal action, then all that needs no question."""
        assert isinstance(action, RecessAction)
        if actor == REFEREE:
            self._time_out()
        else:
            self._perform(action)
        self.settle()

    def write(self, seat: int, slate: Slate) -> None:
        """The position as numbers, as `seat` sees it."""
        write(self, seat, slate)

    def zombie(self, seat: int) -> Action:
        """An absent seat passes if it can, else stays where it is, else does the first thing on the list."""
        return self.listed[0]

    def copy(self) -> RecessState:
        """An independent copy."""
        return RecessState(
            self.setup,
            where=self.where.copy(),
            ground=self.ground,
            prey=self.prey,
            coins=self.coins,
            turn=self.turn,
            active=self.active,
            phase=self.phase,
            movement=self.movement,
            untouched=self.untouched,
            attackers=self.attackers,
            pinned=self.pinned,
            detained=self.detained,
            serving=self.serving,
            undecided=self.undecided,
            staying=self.staying,
            leaving=self.leaving,
            moved=self.moved,
            freed=self.freed,
            watched=self.watched,
            hand=self.hand,
            hand_from=self.hand_from,
            waiting=self.waiting,
            teller=self.teller,
            kisser=self.kisser,
            listed=self._listed,
            others_stamp=self.others_stamp,
        )

    def playout(self, rng: Random) -> int:
        """Play on at random to the end; returns the number of decisions."""
        draw = rng.random
        count = 0
        while self.phase != OVER:
            actions = self.listed
            self._perform(actions[int(draw() * len(actions))])
            self.settle()
            count += 1
        return count

    # The turn (R7 to R13).

    def begin(self) -> None:
        """Start the first turn; for fresh positions only."""
        self._begin_turn(self.active)
        self.settle()

    def settle(self) -> None:
        """Take every decision that has a single answer, up to the next real one (contract: no empty questions)."""
        while self.phase != OVER:
            if self.surely_several():
                self._listed = None
                return
            actions = self.choices(self.active)
            if len(actions) > 1:
                self._listed = actions
                return
            if actions:
                self._perform(actions[0])
            elif self.phase == MOVING:
                self.tell_lost()
                self._next_movement()
            else:
                self._end_turn()
        self._listed = []

    def _begin_turn(self, seat: i64) -> None:
        """R7, R9: the clock moves on, and what a nun sees of the seat's fights now counts for the whole turn."""
        self.turn += 1
        self.active = seat
        self.others_stamp = 0
        self.serving = of_seat(self.detained, seat)
        self.undecided = of_seat(self.attackers, seat)
        self.staying = 0
        self.leaving = 0
        self.moved = 0
        self.freed = 0
        self.watched = 0
        self.untouched = True
        self.tell_turn()
        if self.undecided:
            for who in range(4):
                if has(self.undecided, who) and self._seen(self.where[child_of(seat, who)]):
                    self.watched = plus(self.watched, who)
            self.phase = CHOOSING
            self.movement = 3
        else:
            self._start_movements()

    def _perform(self, action: RecessAction) -> None:
        """R8: one decision of a turn."""
        self.untouched = False
        kind = action.kind
        if kind == MOVE:
            self._walk(action.who, action.cell)
        elif kind == NUN:
            self._nun(action.who, action.cell)
        elif kind == SHOVE:
            self._shove(action.cell)
        elif kind == STAY:
            self._stay(action.cell)
        elif kind == LEAVE:
            self._leave(action.cell)
        elif kind == TATTLE:
            self._tattle(action.who, action.cell)
        elif kind == SHARE:
            self.tell_share()
            self.teller = -1
            self._next_movement()
        elif kind == SKIP:
            self._skip()
        elif kind == PASS:
            self.tell_pass()
            self._end_turn()

    def _stay(self, cell: i64) -> None:
        """R10: keep the victim down for another coin."""
        attacker = self.ground[cell] - FIGHT
        who = who_of(attacker)
        self.undecided = minus(self.undecided, who)
        self.staying = plus(self.staying, who)
        self.tell_stay(attacker)
        self._take_coin(seat_of(self.prey[attacker]), "R10")
        if not self.undecided:
            self._start_movements()

    def _leave(self, cell: i64) -> None:
        """R10: declare that this attacker will use a movement to walk away."""
        attacker = self.ground[cell] - FIGHT
        who = who_of(attacker)
        self.undecided = minus(self.undecided, who)
        self.leaving = plus(self.leaving, who)
        self.tell_leave(attacker)
        if not self.undecided:
            self._start_movements()

    def _take_coin(self, owner: i64, rule: str) -> None:
        """R10, R18: one coin for the active seat, if the owner has one."""
        coins = self.coins.copy()
        taken = 1 if coins[owner] else 0
        coins[owner] -= taken
        coins[self.active] += taken
        self.coins = coins
        self.tell_coin(rule, owner, taken)

    def _start_movements(self) -> None:
        """R11: the first movements are lost to stayers and to children in detention."""
        lost = COUNT[self.staying] + COUNT[self.serving]
        self.movement = 3 - lost if lost < 3 else 0
        self.phase = MOVING if self.movement else NUN_STEP

    def _next_movement(self) -> None:
        self.movement -= 1
        self.phase = MOVING if self.movement else NUN_STEP

    def _skip(self) -> None:
        """R12, R31: a movement is not used, or no nun moves."""
        if self.phase == MOVING:
            self.tell_skip()
            self._next_movement()
        else:
            self.tell_nun_stays()
            self._end_turn()

    # Walking and landing (R14 to R21).

    def _walk(self, who: i64, cell: i64) -> None:
        """R14 to R21: a child walks and lands."""
        child = child_of(self.active, who)
        where = self.where
        start = where[child]
        self.moved = plus(self.moved, who)
        self.tell_walk(child, cell)
        if has(self.attackers, child):
            self._let_go(child)
            self._no_longer_attacks(who)
        elif start < CELLS:
            self.lay(start, EMPTY)
        where[child] = cell
        if self.yard.safety[cell]:
            self._land_in_safety(child, cell)
            return
        there = self.ground[cell]
        if there == EMPTY:
            self.lay(cell, 1 + child)
            self._next_movement()
        elif there <= LAST_CHILD:
            other = there - 1
            if seat_of(other) == self.active:
                self._kiss(child, other)
            else:
                self._attack(child, other)
        elif there < FIGHT:
            self.lay(cell, 1 + child)
            self.teller = child
            self.phase = TELLING
        else:
            self._break_up(child, there - FIGHT)

    def _land_in_safety(self, child: i64, cell: i64) -> None:
        """R17: everybody shares a safety cell in peace; one may kiss there, and tell a nun."""
        where = self.where
        partner = self.sweetheart_on(child, cell)
        if partner >= 0 and not self._seen(cell):
            self._kiss(child, partner)
        elif (where[NUN_0] == cell or where[NUN_1] == cell) and self.attackers and self.can_tell(child):
            self.teller = child
            self.phase = TELLING
        else:
            self._next_movement()

    def _attack(self, child: i64, victim: i64) -> None:
        """R18: a fight starts, and a coin changes hands."""
        cell = self.where[child]
        self.lay(cell, FIGHT + child)
        self._hold(child, victim)
        self.attackers = plus(self.attackers, child)
        self.pinned = plus(self.pinned, victim)
        self.tell_fight(child, victim)
        self._take_coin(seat_of(victim), "R18")
        self._next_movement()

    # Fights and shoving (R22 to R28).

    def _hold(self, attacker: i64, victim: i64) -> None:
        prey = self.prey.copy()
        prey[attacker] = victim
        self.prey = prey
        self.others_stamp = 0

    def _let_go(self, attacker: i64) -> None:
        """R23: the attacker walks away and its victim stands up."""
        victim = self.prey[attacker]
        cell = self.where[attacker]
        self._hold(attacker, -1)
        self.attackers = minus(self.attackers, attacker)
        self.pinned = minus(self.pinned, victim)
        self.lay(cell, 1 + victim)
        self.tell_let_go(victim)

    def _no_longer_attacks(self, who: i64) -> None:
        """R13, R32: a child of the active seat that is out of its fight owes no movement and no nun."""
        self.leaving = minus(self.leaving, who)
        self.watched = minus(self.watched, who)

    def _end_fight(self, attacker: i64) -> i64:
        victim = self.prey[attacker]
        self._hold(attacker, -1)
        self.attackers = minus(self.attackers, attacker)
        self.pinned = minus(self.pinned, victim)
        self._free(victim)
        return victim

    def _break_up(self, child: i64, attacker: i64) -> None:
        """R26: the victim, then the attacker, are shoved off the cell."""
        cell = self.where[child]
        victim = self._end_fight(attacker)
        self._free(attacker)
        self.lay(cell, 1 + child)
        self.tell_break_up(child, victim, attacker)
        self._take_in_hand(victim, cell)
        self.waiting = attacker

    def _free(self, child: i64) -> None:
        """R27: a child of the active seat that was freed may not move in this turn."""
        if seat_of(child) == self.active:
            self.freed = plus(self.freed, who_of(child))
            self._no_longer_attacks(who_of(child))

    def _take_in_hand(self, piece: i64, cell: i64) -> None:
        self.hand = piece
        self.hand_from = cell
        self.phase = SHOVING

    def _shove(self, cell: i64) -> None:
        """R28: put the piece at hand on a cell next to it; whoever stood there is next."""
        piece = self.hand
        there = self.ground[cell]
        if piece >= NUN_0:
            self.tell_shove_nun(piece, cell)
        else:
            self.tell_shove(piece, cell)
        self.lay(cell, 1 + piece)
        self.where[piece] = cell
        self.others_stamp = 0
        if there != EMPTY:
            self._take_in_hand(there - 1, cell)
        elif self.waiting >= 0:
            attacker = self.waiting
            self.waiting = -1
            self._take_in_hand(attacker, self.where[attacker])
        else:
            self.hand = -1
            self.hand_from = -1
            if self.movement:
                self._next_movement()
            else:
                self._end_turn()

    # Tattling and nuns (R29 to R32).

    def _tattle(self, which: i64, cell: i64) -> None:
        """R29: the nun appears on the fight."""
        nun = NUN_0 + which
        self.tell_tattle(nun, cell)
        self.teller = -1
        self._nun_on_fight(nun, cell)

    def _nun_on_fight(self, nun: i64, cell: i64) -> None:
        """R30: the victim is shoved and stands; the attacker goes to detention."""
        attacker = self.ground[cell] - FIGHT
        self.where[nun] = cell
        self.lay(cell, 1 + nun)
        victim = self._end_fight(attacker)
        self.where[attacker] = entrance_of(attacker)
        self.detained = plus(self.detained, attacker)
        if seat_of(attacker) == self.active:
            self._no_longer_attacks(who_of(attacker))
        self.tell_detention(nun, attacker, victim)
        self._take_in_hand(victim, cell)

    def _nun(self, which: i64, cell: i64) -> None:
        """R31: a nun moves at the end of the turn."""
        nun = NUN_0 + which
        start = self.where[nun]
        self.tell_nun(nun, cell)
        self.lay(start, EMPTY)
        self.where[nun] = cell
        there = self.ground[cell]
        if there >= FIGHT:
            self._nun_on_fight(nun, cell)
        elif self.yard.safety[cell] or there == EMPTY:
            if not self.yard.safety[cell]:
                self.lay(cell, 1 + nun)
            self._end_turn()
        else:
            self.lay(cell, 1 + nun)
            self._take_in_hand(there - 1, cell)

    # The kiss and the end (R33 to R38).

    def _kiss(self, child: i64, partner: i64) -> None:
        """R33: the game ends at once; everybody else pays two coins, or what they have."""
        self.kisser = self.active
        paid: list[int] = []
        coins = self.coins.copy()
        for seat in range(self.seats):
            owed = 0 if seat == self.active else min(2, coins[seat])
            coins[seat] -= owed
            coins[self.active] += owed
            paid.append(owed)
        self.coins = coins
        self._forget_turn()
        self.phase = OVER
        self.tell_kiss(child, partner, paid)
        self.tell_end()

    def _release(self) -> None:
        """R34: those who were in detention all turn long get up."""
        for who in range(4):
            if has(self.serving, who):
                self.detained = minus(self.detained, child_of(self.active, who))
        self.tell_release()

    def _end_turn(self) -> None:
        """R35: the next seat is on, or the break is over."""
        if self.serving:
            self._release()
        self._forget_turn()
        if self.turn >= self.setup.turns:
            self.phase = OVER
            self.tell_end()
        else:
            self._begin_turn((self.active + 1) % self.seats)

    def _forget_turn(self) -> None:
        self.serving = 0
        self.undecided = 0
        self.staying = 0
        self.leaving = 0
        self.moved = 0
        self.freed = 0
        self.watched = 0
        self.movement = 0

    def _time_out(self) -> None:
        """R38: the sand has run out."""
        turn = self.turn
        self.tell_timeout()
        self.untouched = False
        while self.phase in (SHOVING, TELLING) and self.turn == turn:
            self._perform(self.choices(self.active)[0])
        if self.phase == OVER or self.turn != turn:
            return
        self.staying |= self.undecided
        self.undecided = 0
        self.movement = 0
        self.phase = NUN_STEP
        duties = self.duties()
        if duties:
            self._perform(duties[0])
            while self.phase == SHOVING and self.turn == turn:
                self._perform(self.choices(self.active)[0])
        else:
            self._end_turn()


def fresh(setup: Setup) -> RecessState:
    """The first position (R5), before the first turn has begun."""
    where: list[int] = [entrance_of(child) for child in range(4 * setup.seats)]
    where += [-1] * (NUN_0 - len(where))
    where += [0, CELLS - 1]
    return RecessState(
        setup,
        where=where,
        ground=bytes(CELLS),
        prey=[-1] * NUN_0,
        coins=[COINS] * setup.seats,
        turn=0,
        active=setup.first,
        phase=NUN_STEP,
        movement=0,
        untouched=True,
        attackers=0,
        pinned=0,
        detained=0,
        serving=0,
        undecided=0,
        staying=0,
        leaving=0,
        moved=0,
        freed=0,
        watched=0,
        hand=-1,
        hand_from=-1,
        waiting=-1,
        teller=-1,
        kisser=-1,
        listed=[],
        others_stamp=0,
    )
