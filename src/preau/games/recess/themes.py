"""What a position of Recess! can ask of the seat whose turn it is. Nothing is hidden: every goal is searched for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from ...core.state import Json, State
from ...core.themes import Goal, Table, Theme, Unclear
from .actions import CHILDREN
from .position import COUNT, NUN_STEP, child_of, has, is_girl, name, of_seat, seat_of
from .rules import RecessState
from .yard import CELLS, SIDE

FARTHEST = 6
"""How far apart a couple can be that still meets in one turn: 3 + 2 + 1 steps, if shoves do not help."""


class TurnGoal(Goal):
    """A goal of a turn of Recess!"""

    def tasks(self, state: State, seat: int) -> Iterator[Json]:
        """Asked when the turn begins."""
        assert isinstance(state, RecessState)
        if state.untouched:
            yield from self.asked(state, seat)

    def asked(self, state: RecessState, seat: int) -> Iterator[Json]:
        """What the position may ask."""
        yield {}

    def reached(self, start: State, state: State, seat: int, task: Json) -> bool:
        """Whether the goal is met."""
        assert isinstance(start, RecessState)
        assert isinstance(state, RecessState)
        if state.active != start.active and not (state.turn == start.turn + 1 and state.untouched):
            raise Unclear("the next seat had no choice and has acted already")
        return self.met(start, state, seat, task)

    @abstractmethod
    def met(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """Whether the goal is met in this position."""

    def hopeless(self, start: State, state: State, seat: int, task: Json) -> bool:
        """Whether it is out of reach."""
        assert isinstance(start, RecessState)
        assert isinstance(state, RecessState)
        return self.lost(start, state, seat, task)

    def lost(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """Whether the goal cannot be met any more in this turn."""
        return False


# Facts about positions.


def gained(start: RecessState, state: RecessState, seat: int) -> int:
    """The coins a seat has more than before."""
    return state.coins[seat] - start.coins[seat]


def to_gain(state: RecessState) -> int:
    """R10, R18: the most coins the active seat can still take in this turn: one a movement, one a fight it stays in.

    A fight stayed in costs a movement (R11), so it counts once; until all have chosen there are three.
    """
    return state.movement


def in_sight(state: RecessState, seat: int) -> bool:
    """Whether a nun sees a fight in which the seat is the attacker."""
    attackers = of_seat(state.attackers, seat)
    return any(has(attackers, who) and state.seen(state.where[child_of(seat, who)]) for who in range(4))


def in_danger(state: RecessState, seat: int) -> int:
    """How many children of a seat another seat could pin down as things stand: upright, outside safety, seen by no nun
    (R17, R18), and exactly 1, 2 or 3 steps from a child that could walk (R14).
    """
    yard = state.yard
    reach: set[int] = set()
    for child in range(4 * state.seats):
        if seat_of(child) != seat and not has(state.pinned | state.detained, child):
            for steps in (1, 2, 3):
                reach.update(yard.walks(steps)[state.where[child]])
    count = 0
    for child in range(4 * seat, 4 * seat + 4):
        cell = state.where[child]
        if cell < CELLS and not yard.safety[cell] and not has(state.pinned | state.attackers, child):
            count += cell in reach and not state.seen(cell)
    return count


def in_detention(state: RecessState, seat: int) -> int:
    """How many children of a seat lie in detention."""
    return COUNT[of_seat(state.detained, seat)]


def fight_to_come(state: RecessState, attacker: int) -> bool:
    """Whether a nun can still be brought onto the fight of this attacker in this turn (R29, R31)."""
    if not has(state.attackers, attacker):
        return False
    if state.phase != NUN_STEP:
        return True
    cell = state.where[attacker]
    return any(action.cell == cell for action in state.listed)


def bullies(state: RecessState, seat: int) -> list[int]:
    """The children of other seats that hold somebody down."""
    return [one for one in range(4 * state.seats) if has(state.attackers, one) and seat_of(one) != seat]


def bully_of(task: Json) -> int:
    """The child that a task names by its owner and its name."""
    return child_of(task["bully"], CHILDREN.index(task["attacker"]))


def attacker_task(attacker: int) -> Json:
    """A task about a child that holds another one down."""
    return {"attacker": name(attacker), "bully": seat_of(attacker)}


# The themes.


class Kiss(TurnGoal):
    """Kiss in this turn, and win by it (R33, R36)."""

    name = "kiss"
    at_once = True

    def asked(self, state: RecessState, seat: int) -> Iterator[Json]:
        """Only where a boy and a girl are near each other, and the kiss would win."""
        others = [coins for other, coins in enumerate(state.coins) if other != seat]
        coins = state.coins[seat] + sum(min(2, one) for one in others)
        if coins < max(one - min(2, one) for one in others):
            return
        cells = [(is_girl(child), state.where[child]) for child in range(4 * seat, 4 * seat + 4)]
        for girl, one in cells:
            for boy, other in cells:
                if girl and not boy and one < CELLS and other < CELLS:
                    apart = abs(one % SIDE - other % SIDE) + abs(one // SIDE - other // SIDE)
                    if apart <= FARTHEST:
                        yield {}
                        return

    def met(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """The game is over by this seat's kiss, and it has won."""
        return state.over and state.kisser == seat and seat in state.result().winners

    def lost(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """Nobody kisses at the nun step."""
        return state.movement == 0


class Coins(TurnGoal):
    """Take coins in this turn, not by a kiss, and leave no fight in sight (R10, R18, R24)."""

    name = "coins"

    def asked(self, state: RecessState, seat: int) -> Iterator[Json]:
        """As many as there may be, down to two."""
        for coins in (3, 2):
            yield {"coins": coins}

    def met(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """Enough coins, no kiss, and no nun sees a fight of this seat."""
        return gained(start, state, seat) >= task["coins"] and state.kisser < 0 and not in_sight(state, seat)

    def lost(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """Too few movements left for the coins that are missing."""
        wanted: int = task["coins"]
        return gained(start, state, seat) + to_gain(state) < wanted


class Detention(TurnGoal):
    """Send a certain child to detention (R29, R30)."""

    name = "detention"
    at_once = True

    def asked(self, state: RecessState, seat: int) -> Iterator[Json]:
        """Each child of another seat that holds somebody down."""
        for attacker in bullies(state, seat):
            yield attacker_task(attacker)

    def met(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """It lies there."""
        return has(state.detained, bully_of(task))

    def lost(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """It is out of its fight, or no nun can be brought there."""
        return not fight_to_come(state, bully_of(task)) and not self.met(start, state, seat, task)


class TellAndTake(TurnGoal):
    """Send somebody to detention and take a coin, both in this turn."""

    name = "tell"

    def asked(self, state: RecessState, seat: int) -> Iterator[Json]:
        """Each child of another seat that holds somebody down."""
        for attacker in bullies(state, seat):
            yield attacker_task(attacker)

    def met(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """It lies in detention, and there is a coin more."""
        return has(state.detained, bully_of(task)) and gained(start, state, seat) >= 1

    def lost(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """One of the two cannot come about any more."""
        bully = bully_of(task)
        if gained(start, state, seat) + to_gain(state) < 1:
            return True
        return not has(state.detained, bully) and not fight_to_come(state, bully)


class Rescue(TurnGoal):
    """Free a child that is held down (R26, R30)."""

    name = "rescue"
    at_once = True

    def asked(self, state: RecessState, seat: int) -> Iterator[Json]:
        """Each own child that is held down."""
        for child in range(4 * seat, 4 * seat + 4):
            if has(state.pinned, child):
                yield {"child": name(child), "seat": seat}

    def met(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """It stands again."""
        return not has(state.pinned, child_of(seat, CHILDREN.index(task["child"])))

    def lost(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """At the nun step only a nun on the fight can help."""
        return not fight_to_come(state, state.prey.index(child_of(seat, CHILDREN.index(task["child"]))))


class Split(TurnGoal):
    """Break up a fight, so that nobody is punished, and take a coin in the same turn (R18, R26)."""

    name = "split"

    def asked(self, state: RecessState, seat: int) -> Iterator[Json]:
        """Each child of another seat that holds somebody down."""
        for attacker in bullies(state, seat):
            yield attacker_task(attacker)

    def met(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """It holds nobody down any more, is not in detention, and there is a coin more."""
        bully = bully_of(task)
        return not has(state.attackers | state.detained, bully) and gained(start, state, seat) >= 1

    def lost(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """Both need movements, and detention spoils it."""
        bully = bully_of(task)
        missing = has(state.attackers, bully) + (gained(start, state, seat) < 1)
        return has(state.detained, bully) or state.movement < missing


class Expose(TurnGoal):
    """Bring every fight of the others into a nun's sight, and none of one's own: they must flee or be caught (R32)."""

    name = "expose"

    def asked(self, state: RecessState, seat: int) -> Iterator[Json]:
        """Where the others have fights that no nun sees."""
        hidden = [one for one in bullies(state, seat) if not state.seen(state.where[one])]
        if hidden:
            yield {"fights": len(bullies(state, seat))}

    def met(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """All of them go on, in sight."""
        others = bullies(state, seat)
        seen = all(state.seen(state.where[one]) for one in others)
        return len(others) == task["fights"] and seen and not in_sight(state, seat)

    def lost(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """One of them is over."""
        wanted: int = task["fights"]
        return len(bullies(state, seat)) < wanted


class Safe(TurnGoal):
    """End the turn with no child that could be pinned down."""

    name = "safe"

    def tasks(self, state: State, seat: int) -> Iterator[Json]:
        """Asked late in a turn too, where some child is in danger."""
        assert isinstance(state, RecessState)
        if state.hand < 0 and state.teller < 0 and in_danger(state, seat):
            yield {}

    def met(self, start: RecessState, state: RecessState, seat: int, task: Json) -> bool:
        """Nobody is in danger, and nobody went to detention for it."""
        return not in_danger(state, seat) and in_detention(state, seat) <= in_detention(start, seat)


THEMES: tuple[Theme, ...] = (
    Kiss(),
    Split(),
    TellAndTake(),
    Coins(),
    Expose(),
    Rescue(),
    Detention(),
    Safe(),
)
TABLES = (Table(3), Table(4, {"layout": "random"}), Table(3, {"layout": "random"}))
