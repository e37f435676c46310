"""A position of Recess!: whose turn it is, where everybody is, and how far the turn has come.

Children are numbered seat by seat, four to a seat in the order b1 b2 g1 g2; the nuns follow as pieces 20 and 21.
Sets of children are bit masks, over all twenty or over the four of the active seat; the functions below read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from ...core.mypyc_shims import i64
from ...core.state import Result, State, rank
from .actions import Actions, RecessAction
from .yard import BOYS_ENTRANCE, CELL_NAMES, CELLS, GIRLS_ENTRANCE, Yard

if TYPE_CHECKING:
    from ...core.game import Game
    from .shapes import ChildName, Detail, EndReason, PhaseName

COINS: Final = 10
"""What every seat starts with (R5)."""
MOST_ATTACKERS: Final = 3

NUN_0: Final = 20
NUN_1: Final = 21
EMPTY: Final = 0
LAST_CHILD: Final = 20
"""A cell holds 0 if it is empty, 1 + the piece standing on it, or FIGHT + the attacker."""
FIGHT: Final = 32

CHOOSING: Final = 0
MOVING: Final = 1
TELLING: Final = 2
SHOVING: Final = 3
NUN_STEP: Final = 4
OVER: Final = 5
PHASES: Final[tuple[PhaseName, ...]] = ("choose", "move", "tell", "shove", "nun", "over")

COUNT: Final = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4]
"""How many of four children a mask holds."""

_ONE: Final = [bytes([number]) for number in range(2 * FIGHT)]

_NAMES: Final[tuple[ChildName, ...]] = ("b1", "b2", "g1", "g2")
_SEATS: Final = [(0,), (1,), (2,), (3,), (4,)]
_NOBODY: Final[tuple[int, ...]] = ()


# Children and sets of children.


def seat_of(child: i64) -> i64:
    """Whose child it is."""
    return child >> 2


def who_of(child: i64) -> i64:
    """Which of its seat's four it is."""
    return child & 3


def child_of(seat: i64, who: i64) -> i64:
    """The child of a seat: who 0 and 1 are its boys, 2 and 3 its girls."""
    return 4 * seat + who


def is_girl(child: i64) -> bool:
    """Whether it is a girl."""
    return child & 2 != 0


def has(mask: i64, number: i64) -> bool:
    """Whether the set holds this child."""
    return mask >> number & 1 != 0


def plus(mask: i64, number: i64) -> i64:
    """The set with this child."""
    return mask | 1 << number


def minus(mask: i64, number: i64) -> i64:
    """The set without this child."""
    return mask & ~(1 << number)


def of_seat(mask: i64, seat: i64) -> i64:
    """The four children of a seat, out of a set over all twenty."""
    return (mask >> (4 * seat)) & 15


def name(child: i64) -> ChildName:
    """A child's name within its seat: b1, b2, g1 or g2."""
    return _NAMES[child & 3]


def names(mask: i64) -> list[ChildName]:
    """The names of a seat's children in a set over its four."""
    return [_NAMES[who] for who in range(4) if has(mask, who)]


def place(cell: i64) -> str:
    """A cell or entrance by name."""
    if cell == BOYS_ENTRANCE:
        return "boys"
    if cell == GIRLS_ENTRANCE:
        return "girls"
    return CELL_NAMES[cell]


def entrance_of(child: i64) -> i64:
    """The entrance a child comes in by and lies at in detention (R4, R30)."""
    return GIRLS_ENTRANCE if is_girl(child) else BOYS_ENTRANCE


class Setup:
    """What stays the same through a game: the yard, the seats and the options."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, Any], actions: Actions, yard: Yard) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.actions = actions
        self.yard = yard
        turns: int = options["turns"]
        if options["equal_turns"] and turns % seats:
            turns += seats - turns % seats
        self.turns = turns
        """How many turns the game has (R7)."""
        self.first: int = options["first"]
        self.nun_may_stay: bool = options["nun_may_stay"]


class Position(State):
    """Everything that makes up a position, and plain facts about it."""

    def __init__(
        self,
        setup: Setup,
        *,
        where: list[int],
        ground: bytes,
        prey: list[int],
        coins: list[int],
        turn: i64,
        active: i64,
        phase: i64,
        movement: i64,
        untouched: bool,
        attackers: i64,
        pinned: i64,
        detained: i64,
        serving: i64,
        undecided: i64,
        staying: i64,
        leaving: i64,
        moved: i64,
        freed: i64,
        watched: i64,
        hand: i64,
        hand_from: i64,
        waiting: i64,
        teller: i64,
        kisser: i64,
        listed: list[RecessAction] | None,
        others_stamp: i64,
    ) -> None:
        super().__init__(setup.game, setup.seats, setup.options)
        self.setup = setup
        self.yard = setup.yard
        self.where = where
        """The cell of every piece, or its entrance."""
        self.ground = ground
        """What stands on every cell outside the safety squares, which always read as empty here. Shared by copies:
        replaced, never changed.
        """
        self.prey = prey
        """For each attacker the child it holds down, or -1. Shared by copies: replaced, never changed."""
        self.coins = coins
        """The coins of every seat. Shared by copies too."""
        self.turn = turn
        self.active = active
        self.phase = phase
        self.movement = movement
        """The movement at hand, 3, 2 or 1, which is also how many are left; 0 at the nun step."""
        self.untouched = untouched
        """Whether nothing was decided in this turn, so that it can still be passed (R9)."""
        self.attackers = attackers
        """Children that hold another one down."""
        self.pinned = pinned
        """Children that are held down."""
        self.detained = detained
        """Children lying in detention."""
        self.serving = serving
        """Of the active seat: in detention since before this turn (R34)."""
        self.undecided = undecided
        """Attackers of the active seat that have neither stayed nor left yet (R10)."""
        self.staying = staying
        self.leaving = leaving
        """Attackers that are to leave and have not gone yet (R13)."""
        self.moved = moved
        self.freed = freed
        """Children of the active seat freed in this turn (R27)."""
        self.watched = watched
        """Attackers of the active seat whose fight a nun saw at the start of the turn (R9, R32)."""
        self.hand = hand
        """The piece being shoved, or -1, and the cell it comes from."""
        self.hand_from = hand_from
        self.waiting = waiting
        """The attacker that is to be shoved after its victim (R26), or -1."""
        self.teller = teller
        """The child that landed on a nun and may tell, or -1."""
        self.kisser = kisser
        self._listed = listed
        """What the active seat may do; None if nobody has asked since the position settled."""
        self.others_stamp = others_stamp
        """A stamp of all children but those of the active seat, for who writes them down: 0 since they last changed."""

    def lay(self, cell: i64, what: i64) -> None:
        """Put something on a cell, or nothing."""
        ground = self.ground
        self.ground = ground[:cell] + _ONE[what] + ground[cell + 1 :]

    @property
    def to_act(self) -> tuple[int, ...]:
        """The active seat, or nobody once the game is over."""
        if self.phase == OVER:
            return _NOBODY
        return _SEATS[self.active]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == OVER

    def key(self) -> tuple[object, ...]:
        """Everything that tells this position from another."""
        return (
            self.yard.layout,
            self.yard.ground,
            self.yard.exits,
            self.yard.shove,
            self.setup.seats,
            self.setup.turns,
            self.setup.nun_may_stay,
            tuple(self.where),
            tuple(self.prey),
            tuple(self.coins),
            self.turn,
            self.active,
            self.phase,
            self.movement,
            self.untouched,
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
        )

    def scores(self) -> tuple[int, ...]:
        """The coins of every seat."""
        return tuple(self.coins)

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Coins decide; then the kiss, then the fewest children in detention (R36)."""
        order: list[tuple[object, ...]] = []
        for seat in range(self.seats):
            lying = COUNT[of_seat(self.detained, seat)]
            order.append((-self.coins[seat], 0 if seat == self.kisser else 1, lying))
        return rank(order)

    def result(self) -> Result:
        """The ranking, and what decided it."""
        ranking = self.ranking()
        reason = self.end_reason() if self.phase == OVER else ""
        tie_break = ""
        best = max(self.coins)
        tied = [seat for seat in range(self.seats) if self.coins[seat] == best]
        if len(tied) > 1:
            if self.kisser in tied:
                tie_break = "kiss"
            elif len(ranking[0]) < len(tied):
                tie_break = "detention"
            else:
                tie_break = "shared"
        detail: Detail = {}
        if self.kisser >= 0:
            detail["kisser"] = self.kisser
        return Result(tuple(self.coins), ranking, reason, tie_break, detail)

    def end_reason(self) -> EndReason:
        """R33, R35: how a game that is over has ended."""
        return "kiss" if self.kisser >= 0 else "clock"

    def progress(self) -> float:
        """How much of the break is over."""
        if self.phase == OVER:
            return 1.0
        fifths = 5 * (self.turn - 1) + (0 if self.untouched else 4 - self.movement)
        return float(fifths) / float(5 * self.setup.turns)

    # Facts that the rules ask for.

    def _seen(self, cell: i64) -> bool:
        """R24: whether a nun sees the cell."""
        sight = self.yard.sight
        where = self.where
        return sight[CELLS * where[NUN_0] + cell] != 0 or sight[CELLS * where[NUN_1] + cell] != 0

    def seen(self, cell: i64) -> bool:
        """Whether a nun sees the cell (R24)."""
        return cell < CELLS and self._seen(cell)

    def fights(self) -> list[int]:
        """The cells with a fight, in board order."""
        cells: list[int] = []
        for attacker in range(4 * self.seats):
            if has(self.attackers, attacker):
                cells.append(self.where[attacker])
        cells.sort()
        return cells

    def undecided_attacker(self) -> i64:
        """The child whose stay or leave is asked now."""
        first: i64 = -1
        for who in range(4):
            if has(self.undecided, who):
                child = child_of(self.active, who)
                if first < 0 or self.where[child] < self.where[first]:
                    first = child
        return first

    def movable(self) -> i64:
        """R12: the children of the active seat that could still move."""
        held = of_seat(self.pinned | self.detained, self.active)
        return 15 & ~(held | self.moved | self.freed | self.staying)
