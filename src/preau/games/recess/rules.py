"""The rules of Recess!, R1 to R38: what happens to a position when somebody acts.

`position.py` says what a position is, `legal.py` what may be done in it.
"""

from __future__ import annotations

from random import Random

from ...core.compiling import i64
from ...core.errors import IllegalAction
from ...core.state import REFEREE, Action, Event, Json
from .actions import LEAVE, MOVE, NUN, PASS, SHARE, SHOVE, SKIP, STAY, TATTLE, THE_TIMEOUT, RecessAction, parse
from .legal import Choices
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
    name,
    place,
)
from .yard import BOYS_ENTRANCE, CELL_NAMES, CELLS, GIRLS_ENTRANCE


class RecessState(Choices):
    """A position of Recess! that can be played on."""

    # What the contract asks for.

    def legal(self, seat: int) -> tuple[Action, ...]:
        """What the seat may do, in the fixed order: pass, skip, share, stay, leave, then by number and cell."""
        if seat != self.active or self.phase == OVER:
            return ()
        return tuple(self._actions)

    def referee(self) -> tuple[Action, ...]:
        """The time-out of R38."""
        return () if self.phase == OVER else (THE_TIMEOUT,)

    def action(self, text: str) -> Action:
        """The action with this text form."""
        return parse(text)

    def advance(self, actor: int, action: Action) -> None:
        """Carry out a legal action, then all that needs no question."""
        assert isinstance(action, RecessAction)
        if actor == REFEREE:
            self._time_out()
        else:
            self._perform(action)
        self._settle()

    def why_not(self, actor: int, action: Action) -> IllegalAction:
        """Which rule forbids the action here."""
        from .why import why_not

        assert isinstance(action, RecessAction)
        return why_not(self, actor, action)

    def zombie(self, seat: int) -> Action:
        """An absent seat passes if it can, else stays where it is, else does the first thing on the list."""
        return self._actions[0]

    def copy(self) -> RecessState:
        """An independent copy."""
        return RecessState(
            self.setup,
            self.where.copy(),
            self.ground.copy(),
            self.prey,
            self.coins,
            self.turn,
            self.active,
            self.phase,
            self.movement,
            self.untouched,
            self.attackers,
            self.pinned,
            self.detained,
            self.serving,
            self.undecided,
            self.staying,
            self.leaving,
            self.moved,
            self.freed,
            self.watched,
            self.hand,
            self.hand_from,
            self.waiting,
            self.teller,
            self.kisser,
            self._actions,
        )

    def __reduce__(self) -> tuple[object, ...]:
        from .views import load

        return (load, (self.to_json(),))

    def to_json(self) -> Json:
        """The position as JSON data."""
        from .views import to_json

        return to_json(self)

    def view(self, seat: int | None) -> Json:
        """What a seat sees: everything, for there are no secrets in this game."""
        from .views import view

        return view(self, seat)

    def prompt(self, seat: int | None) -> Json:
        """What is asked now."""
        from .views import prompt

        return prompt(self, seat)

    def diagram(self, seat: int | None = None) -> str:
        """The yard as a text picture."""
        from .diagram import diagram

        return diagram(self)

    def playout(self, rng: Random) -> int:
        """Play on at random to the end; returns the number of decisions."""
        draw = rng.random
        count = 0
        while self.phase != OVER:
            actions = self._actions
            self._perform(actions[int(draw() * len(actions))])
            self._settle()
            count += 1
        return count

    # The turn (R7 to R13).

    def begin(self) -> None:
        """Start the first turn; for fresh positions only."""
        self._begin_turn(self.active)
        self._settle()

    def settle(self) -> None:
        """List what is legal; for positions just read from JSON."""
        self._settle()

    def _settle(self) -> None:
        """Take every decision that has a single answer, up to the next real one (contract: no empty questions)."""
        while self.phase != OVER:
            actions = self._generate()
            if len(actions) > 1:
                self._actions = actions
                return
            if actions:
                self._perform(actions[0])
            elif self.phase == MOVING:
                if self.events is not None:
                    self._say("lost", "R12", {"movement": self.movement})
                self._next_movement()
            else:
                self._end_turn()
        self._actions = []

    def _begin_turn(self, seat: i64) -> None:
        self.turn += 1
        self.active = seat
        shift = 4 * seat
        self.serving = (self.detained >> shift) & 15
        self.undecided = (self.attackers >> shift) & 15
        self.staying = 0
        self.leaving = 0
        self.moved = 0
        self.freed = 0
        self.watched = 0
        self.untouched = True
        if self.events is not None:
            self._say("turn", "R7", {"turn": self.turn, "of": self.setup.turns})
        if self.undecided:
            for who in range(4):
                if self.undecided >> who & 1 and self._seen(self.where[shift + who]):
                    self.watched |= 1 << who
            self.phase = CHOOSING
            self.movement = 3
        else:
            self._start_movements()

    def _start_movements(self) -> None:
        """R11: the first movements are lost to stayers and to children in detention."""
        lost = COUNT[self.staying] + COUNT[self.serving]
        self.movement = 3 - lost if lost < 3 else 0
        self.phase = MOVING if self.movement else NUN_STEP

    def _next_movement(self) -> None:
        self.movement -= 1
        self.phase = MOVING if self.movement else NUN_STEP

    def _end_turn(self) -> None:
        if self.serving:
            self.detained &= ~(self.serving << (4 * self.active))
            if self.events is not None:
                names = [name(4 * self.active + who) for who in range(4) if self.serving >> who & 1]
                self._say("release", "R34", {"children": names})
        self._forget_turn()
        if self.turn >= self.setup.turns:
            self.phase = OVER
            if self.events is not None:
                self._say("end", "R35", {"reason": "clock", "coins": list(self.coins)})
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

    # What happens.

    def _say(self, key: str, rule: str, data: Json) -> None:
        """Note an event; everything in this game is public."""
        data["seat"] = self.active
        if self.events is not None:
            self.events.append(Event(key, rule, data))

    def _perform(self, action: RecessAction) -> None:
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
            self._tell(action.who, action.cell)
        elif kind == SHARE:
            if self.events is not None:
                self._say("share", "R17", {"cell": CELL_NAMES[self.where[self.teller]]})
            self.teller = -1
            self._next_movement()
        elif kind == SKIP:
            self._skip()
        elif kind == PASS:
            if self.events is not None:
                self._say("pass", "R9", {})
            self._end_turn()

    def _skip(self) -> None:
        if self.phase == MOVING:
            if self.events is not None:
                self._say("skip", "R12", {"movement": self.movement})
            self._next_movement()
        else:
            if self.events is not None:
                self._say("nun_stays", "R31", {})
            self._end_turn()

    def _stay(self, cell: i64) -> None:
        """R10: keep the victim down for another coin."""
        attacker = self.ground[cell] - FIGHT
        bit = 1 << (attacker & 3)
        self.undecided &= ~bit
        self.staying |= bit
        if self.events is not None:
            self._say("stay", "R10", {"child": name(attacker), "cell": CELL_NAMES[cell]})
        self._take_coin(self.prey[attacker] >> 2, "R10")
        if not self.undecided:
            self._start_movements()

    def _leave(self, cell: i64) -> None:
        """R10: declare that this attacker will use a movement to walk away."""
        attacker = self.ground[cell] - FIGHT
        bit = 1 << (attacker & 3)
        self.undecided &= ~bit
        self.leaving |= bit
        if self.events is not None:
            self._say("leave", "R10", {"child": name(attacker), "cell": CELL_NAMES[cell]})
        if not self.undecided:
            self._start_movements()

    def _take_coin(self, owner: i64, rule: str) -> None:
        coins = self.coins.copy()
        taken = 1 if coins[owner] else 0
        coins[owner] -= taken
        coins[self.active] += taken
        self.coins = coins
        if self.events is not None:
            self._say("coin", rule, {"owner": owner, "coins": taken})

    def _walk(self, who: i64, cell: i64) -> None:
        """R14 to R21: a child walks and lands."""
        child = 4 * self.active + who
        bit = 1 << who
        where = self.where
        ground = self.ground
        start = where[child]
        self.moved |= bit
        if self.events is not None:
            self._say(
                "walk",
                "R14",
                {"child": name(child), "from": place(start), "to": CELL_NAMES[cell], "movement": self.movement},
            )
        if self.attackers >> child & 1:
            self._let_go(child)
            self.leaving &= ~bit
            self.watched &= ~bit
        elif start < CELLS:
            ground[start] = EMPTY
        where[child] = cell
        if self.yard.safety[cell]:
            self._land_in_safety(child, cell)
            return
        there = ground[cell]
        if there == EMPTY:
            ground[cell] = 1 + child
            self._next_movement()
        elif there <= LAST_CHILD:
            other = there - 1
            if other >> 2 == self.active:
                self._kiss(child, other)
            else:
                self._attack(child, other)
        elif there < FIGHT:
            ground[cell] = 1 + child
            self.teller = child
            self.phase = TELLING
        else:
            self._break_up(child, there - FIGHT)

    def _hold(self, attacker: i64, victim: i64) -> None:
        prey = self.prey.copy()
        prey[attacker] = victim
        self.prey = prey

    def _let_go(self, attacker: i64) -> None:
        """R23: the attacker walks away and its victim stands up."""
        victim = self.prey[attacker]
        cell = self.where[attacker]
        self._hold(attacker, -1)
        self.attackers &= ~(1 << attacker)
        self.pinned &= ~(1 << victim)
        self.ground[cell] = 1 + victim
        if self.events is not None:
            self._say("let_go", "R23", {"victim": name(victim), "owner": victim >> 2, "cell": CELL_NAMES[cell]})

    def _land_in_safety(self, child: i64, cell: i64) -> None:
        """R17: everybody shares a safety cell in peace; one may kiss there, and tell a nun."""
        where = self.where
        sweetheart = (child & ~3) + (0 if child & 2 else 2)
        for partner in range(sweetheart, sweetheart + 2):
            if where[partner] == cell and not self._seen(cell):
                self._kiss(child, partner)
                return
        if (where[NUN_0] == cell or where[NUN_1] == cell) and self.attackers and self.can_tell(child):
            self.teller = child
            self.phase = TELLING
        else:
            self._next_movement()

    def _attack(self, child: i64, victim: i64) -> None:
        """R18: a fight starts, and a coin changes hands."""
        cell = self.where[child]
        self.ground[cell] = FIGHT + child
        self._hold(child, victim)
        self.attackers |= 1 << child
        self.pinned |= 1 << victim
        if self.events is not None:
            self._say(
                "fight",
                "R18",
                {"child": name(child), "victim": name(victim), "owner": victim >> 2, "cell": CELL_NAMES[cell]},
            )
        self._take_coin(victim >> 2, "R18")
        self._next_movement()

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
        if self.events is not None:
            self._say(
                "kiss",
                "R33",
                {"child": name(child), "partner": name(partner), "cell": CELL_NAMES[self.where[child]], "paid": paid},
            )
            self._say("end", "R33", {"reason": "kiss", "coins": list(self.coins)})

    def _free(self, child: i64) -> None:
        """R27: a child of the active seat that was freed may not move in this turn."""
        if child >> 2 == self.active:
            bit = 1 << (child & 3)
            self.freed |= bit
            self.leaving &= ~bit
            self.watched &= ~bit

    def _end_fight(self, attacker: i64) -> i64:
        victim = self.prey[attacker]
        self._hold(attacker, -1)
        self.attackers &= ~(1 << attacker)
        self.pinned &= ~(1 << victim)
        self._free(victim)
        return victim

    def _break_up(self, child: i64, attacker: i64) -> None:
        """R26: the victim, then the attacker, are shoved off the cell."""
        cell = self.where[child]
        victim = self._end_fight(attacker)
        self._free(attacker)
        self.ground[cell] = 1 + child
        if self.events is not None:
            self._say(
                "break_up",
                "R26",
                {
                    "child": name(child),
                    "victim": name(victim),
                    "owner": victim >> 2,
                    "attacker": name(attacker),
                    "bully": attacker >> 2,
                    "cell": CELL_NAMES[cell],
                },
            )
        self._take_in_hand(victim, cell)
        self.waiting = attacker

    def _take_in_hand(self, piece: i64, cell: i64) -> None:
        self.hand = piece
        self.hand_from = cell
        self.phase = SHOVING

    def _shove(self, cell: i64) -> None:
        """R28: put the piece at hand on a cell next to it; whoever stood there is next."""
        piece = self.hand
        there = self.ground[cell]
        if self.events is not None:
            data: Json = {"from": CELL_NAMES[self.hand_from], "to": CELL_NAMES[cell]}
            if piece >= NUN_0:
                data["nun"] = piece - NUN_0
                self._say("shove_nun", "R28", data)
            else:
                data["owner"] = piece >> 2
                data["child"] = name(piece)
                self._say("shove", "R28", data)
        self.ground[cell] = 1 + piece
        self.where[piece] = cell
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

    def _tell(self, nun: i64, cell: i64) -> None:
        """R29: the nun appears on the fight."""
        if self.events is not None:
            self._say(
                "tattle",
                "R29",
                {
                    "child": name(self.teller),
                    "nun": nun,
                    "from": CELL_NAMES[self.where[self.teller]],
                    "cell": CELL_NAMES[cell],
                },
            )
        self.teller = -1
        self._nun_on_fight(NUN_0 + nun, cell)

    def _nun_on_fight(self, nun: i64, cell: i64) -> None:
        """R30: the victim is shoved and stands; the attacker goes to detention."""
        attacker = self.ground[cell] - FIGHT
        self.where[nun] = cell
        self.ground[cell] = 1 + nun
        victim = self._end_fight(attacker)
        self.where[attacker] = GIRLS_ENTRANCE if attacker & 2 else BOYS_ENTRANCE
        self.detained |= 1 << attacker
        if attacker >> 2 == self.active:
            bit = 1 << (attacker & 3)
            self.leaving &= ~bit
            self.watched &= ~bit
        if self.events is not None:
            self._say(
                "detention",
                "R30",
                {
                    "nun": nun - NUN_0,
                    "attacker": name(attacker),
                    "bully": attacker >> 2,
                    "victim": name(victim),
                    "owner": victim >> 2,
                    "cell": CELL_NAMES[cell],
                },
            )
        self._take_in_hand(victim, cell)

    def _nun(self, which: i64, cell: i64) -> None:
        """R31: a nun moves at the end of the turn."""
        nun = NUN_0 + which
        start = self.where[nun]
        if self.events is not None:
            duty = self.ground[cell] >= FIGHT and (self.watched << (4 * self.active)) >> (self.ground[cell] - FIGHT) & 1
            self._say(
                "nun", "R32" if duty else "R31", {"nun": which, "from": CELL_NAMES[start], "to": CELL_NAMES[cell]}
            )
        self.ground[start] = EMPTY
        self.where[nun] = cell
        there = self.ground[cell]
        if there >= FIGHT:
            self._nun_on_fight(nun, cell)
        elif self.yard.safety[cell] or there == EMPTY:
            if not self.yard.safety[cell]:
                self.ground[cell] = 1 + nun
            self._end_turn()
        else:
            self.ground[cell] = 1 + nun
            self._take_in_hand(there - 1, cell)

    def _time_out(self) -> None:
        """R38: the sand has run out."""
        turn = self.turn
        if self.events is not None:
            self._say("timeout", "R38", {})
        self.untouched = False
        while self.phase in (SHOVING, TELLING) and self.turn == turn:
            self._perform(self._generate()[0])
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
                self._perform(self._generate()[0])
        else:
            self._end_turn()


def fresh(setup: Setup) -> RecessState:
    """The first position (R5), before the first turn has begun."""
    where = [GIRLS_ENTRANCE if child & 2 else BOYS_ENTRANCE for child in range(4 * setup.seats)]
    where += [-1] * (NUN_0 - len(where))
    where += [0, CELLS - 1]
    return RecessState(
        setup,
        where,
        [EMPTY] * CELLS,
        [-1] * NUN_0,
        [COINS] * setup.seats,
        0,
        setup.first,
        NUN_STEP,
        0,
        True,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        -1,
        -1,
        -1,
        -1,
        -1,
        [],
    )
