"""A second, literal reading of the rules of Recess!

This file is kept apart from the game engine on purpose: it shares no code with it, and was written from the rules
alone, so that the two can be played against each other move by move. It is slow and plain: cells are strings ("a1"),
pieces are strings ("0b1" is boy 1 of seat 0, "nun1" is nun 1), a what-if is a deep copy on which the thing is done.
Each method names the rule (R1..R38) it reads.

    oracle = Oracle(4, "B1 A0 D2 C3")
    while not oracle.over:
        oracle.apply(random.choice(oracle.legal()))
    print(oracle.position(), oracle.ranking())

Run as a script, it checks itself: counts of action sequences from the start, and random games.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Collection
from typing import Any

COLUMNS = "abcdefghijkl"
BOARD_ORDER = [column + str(row) for row in range(1, 13) for column in COLUMNS]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KINDS = ["b1", "b2", "g1", "g2"]
NUNS = ["nun0", "nun1"]
SAFETY = {"a1", "b1", "a2", "b2", "k11", "l11", "k12", "l12"}  # R3
EXITS = {  # R4
    "three": {"boys": ["a1", "b1", "a2"], "girls": ["l12", "k12", "l11"]},
    "corner": {"boys": ["a1"], "girls": ["l12"]},
}
SECTIONS = {  # R2, top row first
    "A": ["......", ".SS...", "....M.", ".T....", ".T..WW", "......"],
    "B": ["..M...", "......", ".CC.T.", "....T.", ".B....", "......"],
    "C": ["......", ".W..B.", ".W....", "...SS.", ".M....", "....C."],
    "D": ["...T..", ".B.T..", "......", "..WW.M", "......", ".CC..."],
}


def in_board_order(cells: Collection[str | None]) -> list[str]:
    """The given cells, a1 b1 .. l1 a2 .. l12."""
    return [cell for cell in BOARD_ORDER if cell in cells]


def beside(cell: str, direction: tuple[int, int]) -> str | None:
    """The next cell in a direction, or None beyond the edge."""
    x = COLUMNS.index(cell[0]) + direction[0]
    y = int(cell[1:]) + direction[1]
    if 0 <= x < 12 and 1 <= y <= 12:
        return COLUMNS[x] + str(y)
    return None


def seat_of(child: str) -> int:
    """The owner of a child: "2g1" belongs to seat 2."""
    return int(child[0])


def gender_of(child: str) -> str:
    """ "b" or "g"."""
    return child[1]


def entrance_of(child: str) -> str:
    """R4, R30: where a child starts, and where it is detained."""
    return "boys" if gender_of(child) == "b" else "girls"


def equipment_of(layout: str, sections: dict[str, list[str]]) -> set[str]:
    """R2, R3: the cells covered by equipment. Four sections, each turned clockwise by quarter turns."""
    corners = [("a", 12), ("g", 12), ("a", 6), ("g", 6)]  # top left cell of each quarter
    covered: set[str] = set()
    for word, (left, top) in zip(layout.split(), corners, strict=True):
        rows = [list(row) for row in sections[word[0]]]
        for _ in range(int(word[1])):
            rows = [[rows[5 - i][j] for i in range(6)] for j in range(6)]  # one quarter turn clockwise
        for down in range(6):
            for right in range(6):
                if rows[down][right] != ".":
                    covered.add(COLUMNS[COLUMNS.index(left) + right] + str(top - down))
    return covered - SAFETY


class Oracle:
    """One game. `legal` says what may be done, `apply` does it and takes by itself what leaves no choice."""

    def __init__(
        self,
        seats: int,
        layout: str = "A0 B0 C0 D0",
        *,
        exits: str = "three",
        shove: int = 8,
        nun_may_stay: bool = False,
        turns: int = 30,
        equal_turns: bool = False,
        first: int = 0,
        sections: dict[str, list[str]] | None = None,
    ) -> None:
        """R1 to R7: the set-up; then the first turn starts."""
        if seats not in (3, 4, 5):
            raise ValueError(f"R1: 3, 4 or 5 seats, not {seats}")
        self.seats = seats
        self.equipment = equipment_of(layout, SECTIONS if sections is None else sections)
        self.exits = EXITS[exits]
        self.shove_directions = STRAIGHT + DIAGONAL if shove == 8 else STRAIGHT
        self.nun_may_stay = nun_may_stay
        self.last_turn = turns
        while equal_turns and self.last_turn % seats != 0:  # R7: play on to a full round
            self.last_turn += 1
        self.first = first

        self.coins = [10] * seats
        self.place: dict[str, str] = {
            "nun0": "a1",
            "nun1": "l12",
        }  # every piece: a cell, "boys", "girls", "hand"
        for seat in range(seats):
            for kind in KINDS:
                self.place[f"{seat}{kind}"] = entrance_of(f"{seat}{kind}")
        self.fights: dict[str, tuple[str, str]] = {}  # cell: attacker, victim
        self.lying: set[str] = set()  # children in detention (R34)
        self.kisser: int | None = None
        self.over = False

        self.turn = 0
        self.active = first
        self.phase = ""  # attacks, move, tell, shove, nun
        self.untouched = True  # no decision has been made in this turn yet (R9)
        self.seen_at_start: set[str] = set()  # own attackers in sight when the turn began (R9, R32)
        self.serving: set[str] = set()  # own children lying in detention when the turn began (R11, R34)
        self.undecided: list[str] = []  # cells of running attacks without a choice yet (R10)
        self.stayers: set[str] = set()
        self.leavers: set[str] = set()  # those who chose to leave and have not gone yet (R13)
        self.movements: list[int] = []
        self.moved: set[str] = set()
        self.freed: set[str] = set()  # R27
        self.teller_cell = ""  # where a child has just landed on a nun (R29)
        self.to_shove: list[str] = []  # pieces still to be shoved; the first is the piece at hand
        self.after_shove = ""  # move, end
        self._start_turn()
        self._settle()

    def __deepcopy__(self, memo: dict[int, Any]) -> Oracle:
        """A twin for a what-if. Everything that changes is a flat list, set or dict, so one level is enough."""
        twin = Oracle.__new__(Oracle)
        for name, value in vars(self).items():
            setattr(twin, name, copy.copy(value))
        return twin

    # ------------------------------------------------------------------ asked from outside

    def actor(self) -> int | None:
        """The seat that owes a decision."""
        return None if self.over else self.active

    def legal(self) -> list[str]:
        """All legal actions in the fixed order: pass, skip, share, stay, leave, then by number and board order."""
        if self.over:
            return []
        choices = self._choices()
        if choices and self.untouched and not self.seen_at_start:  # R9
            return ["pass", *choices]
        return choices

    def apply(self, text: str) -> None:
        """Do one legal action, then everything that leaves no choice."""
        text = " ".join(text.lower().split())
        if text not in self.legal():
            raise ValueError(f"illegal: {text!r}; legal are {self.legal()}")
        self._do(text)
        self._settle()

    def timeout(self) -> None:
        """R38: the sand has run out, the turn ends."""
        if self.over:
            raise ValueError("the game is over")
        turn = self.turn
        self._finish_choice(turn)
        if not self.over and self.turn == turn:
            for cell in self.undecided:  # stayed in, without a coin
                self.stayers.add(self.fights[cell][0])
            self.undecided = []
            self.phase = "nun"
            pairs = self._duty_pairs()
            if pairs:
                self._do(pairs[0])
                self._finish_choice(turn)
            else:
                self._end_turn()
        self._settle()

    def position(self) -> dict[str, Any]:
        """What lies on the table, as plain data."""
        return {
            "coins": list(self.coins),
            "turn": self.turn,
            "active": self.active,
            "children": {child: self.place[child] for child in self._children()},
            "nuns": [self.place[nun] for nun in NUNS],
            "fights": [
                {"cell": cell, "attacker": self.fights[cell][0], "victim": self.fights[cell][1]}
                for cell in in_board_order(self.fights)
            ],
            "detention": sorted(self.lying),
        }

    def ranking(self) -> list[list[int]]:
        """R36: groups of tied seats, best first: most coins, then the kisser, then fewest children lying."""

        def merit(seat: int) -> tuple[int, int, int]:
            lying = sum(1 for child in self.lying if seat_of(child) == seat)
            return (-self.coins[seat], 0 if seat == self.kisser else 1, lying)

        merits = sorted({merit(seat) for seat in range(self.seats)})
        return [[seat for seat in range(self.seats) if merit(seat) == one] for one in merits]

    # ------------------------------------------------------------------ looking at the board

    def _children(self, seat: int | None = None) -> list[str]:
        """All children, or those of one seat, in the order b1 b2 g1 g2."""
        seats = range(self.seats) if seat is None else [seat]
        return [f"{one}{kind}" for one in seats for kind in KINDS]

    def _children_on(self, cell: str) -> list[str]:
        return [child for child in self._children() if self.place[child] == cell]

    def _nuns_on(self, cell: str) -> list[str]:
        return [nun for nun in NUNS if self.place[nun] == cell]

    def _pieces_on(self, cell: str) -> list[str]:
        return self._children_on(cell) + self._nuns_on(cell)

    def _sight(self, cell: str) -> set[str]:
        """R24: what a nun on this cell sees, her own cell included."""
        seen = {cell}
        for direction in STRAIGHT + DIAGONAL:
            there = beside(cell, direction)
            while there is not None and there not in self.equipment:
                seen.add(there)
                there = beside(there, direction)
        return seen

    def _seen(self, cell: str) -> bool:
        """R24: does a nun see this cell?"""
        return any(cell in self._sight(self.place[nun]) for nun in NUNS)

    def _own_fights(self) -> list[str]:
        """The cells of the fights in which the active seat is the attacker, in board order."""
        return [c for c in in_board_order(self.fights) if seat_of(self.fights[c][0]) == self.active]

    # ------------------------------------------------------------------ the course of a turn

    def _start_turn(self) -> None:
        """R7, R8: the clock moves on, and a turn begins."""
        self.turn += 1
        self.active = (self.first + self.turn - 1) % self.seats  # R6
        self.untouched = True
        self.undecided = self._own_fights()
        self.seen_at_start = {self.fights[cell][0] for cell in self.undecided if self._seen(cell)}
        self.serving = {child for child in self._children(self.active) if child in self.lying}
        self.stayers = set()
        self.leavers = set()
        self.movements = []
        self.moved = set()
        self.freed = set()
        self.to_shove = []
        self.phase = "attacks"

    def _end_turn(self) -> None:
        """R34: who has served stands up. R35: after the last turn the game is over."""
        self.lying -= self.serving
        if self.turn >= self.last_turn:
            self.over = True
        else:
            self._start_turn()

    def _settle(self) -> None:
        """Take by itself all that leaves no choice, up to a decision with two or more legal actions."""
        while not self.over:
            if self.phase == "attacks" and not self.undecided:
                self._count_movements()
            elif self.phase == "move" and not self.movements:
                self.phase = "nun"
            else:
                actions = self.legal()
                if len(actions) >= 2:
                    return
                if len(actions) == 1:
                    self._do(actions[0])
                elif self.phase == "move":
                    self.movements.pop(0)  # R12, R13: lost without a question
                elif self.phase == "nun":
                    self._end_turn()  # R31: no nun has a legal move
                else:
                    raise AssertionError(f"no way on in phase {self.phase}")

    def _count_movements(self) -> None:
        """R11: the movements left once all stay/leave choices are made."""
        k = min(3, len(self.stayers) + len(self.serving))
        self.movements = [3, 2, 1][k:]
        self.phase = "move"

    def _choices(self) -> list[str]:
        """The legal actions at this point of the turn, `pass` left aside."""
        if self.phase == "attacks":
            return self._attack_choices()
        if self.phase == "move":
            return self._move_choices()
        if self.phase == "tell":
            return self._tell_choices()
        if self.phase == "shove":
            return [f"shove {cell}" for cell in self._shove_cells()]
        return self._nun_choices()

    def _do(self, text: str) -> None:
        """Do one legal action."""
        self.untouched = False
        word, *rest = text.split()
        if word == "pass":
            self._end_turn()  # R9
        elif word in ("stay", "leave"):
            self._decide_attack(word, rest[0])
        elif word == "skip":
            if self.phase == "move":
                self.movements.pop(0)  # R12
            else:
                self._end_turn()  # R31 with nun_may_stay
        elif word in KINDS:
            self._move(f"{self.active}{word}", rest[0])
        elif word == "share":
            self.phase = "move"  # R17
        elif word == "tattle":
            self._nun_lands("nun" + rest[0], rest[1])  # R29
            self._begin_shoves("move")
        elif word == "shove":
            self._push(rest[0])
            self._shoves_done()
        elif word == "nun":
            self._nun_lands("nun" + rest[0], rest[1])  # R31
            self._begin_shoves("end")
        else:
            raise AssertionError(text)

    def _finish_choice(self, turn: int) -> None:
        """R38: a choice under way is completed with its first legal alternative."""
        while not self.over and self.turn == turn and self.phase in ("tell", "shove"):
            self._do(self._choices()[0])

    # ------------------------------------------------------------------ stay or leave

    def _attack_choices(self) -> list[str]:
        """R10, R11, R13: stay in or leave the next running attack; nobody may leave who cannot have a movement."""
        cell = self.undecided[0]
        choices = []
        for word in ("stay", "leave"):
            for others in itertools.product(("stay", "leave"), repeat=len(self.undecided) - 1):
                words = [word, *others]
                stayers = len(self.stayers) + words.count("stay")
                leavers = len(self.leavers) + words.count("leave")
                if leavers <= 3 - min(3, stayers + len(self.serving)):
                    choices.append(f"{word} {cell}")
                    break
        return choices

    def _decide_attack(self, word: str, cell: str) -> None:
        """R10: who stays takes one coin at once."""
        attacker, victim = self.fights[cell]
        self.undecided.remove(cell)
        if word == "stay":
            self.stayers.add(attacker)
            self._take_coin(victim)
        else:
            self.leavers.add(attacker)

    def _take_coin(self, victim: str) -> None:
        """R10, R18: one coin from the victim's owner, none if there is none."""
        if self.coins[seat_of(victim)] > 0:
            self.coins[seat_of(victim)] -= 1
            self.coins[self.active] += 1

    # ------------------------------------------------------------------ children

    def _movable(self) -> list[str]:
        """R12: own children that may be moved."""
        pinned = {victim for _, victim in self.fights.values()}
        barred = pinned | self.lying | self.stayers | self.moved | self.freed
        return [child for child in self._children(self.active) if child not in barred]

    def _move_choices(self) -> list[str]:
        """R12, R13: who may go where with the movement at hand, and whether it may be skipped."""
        movable = self._movable()
        left = len(self.movements)
        skip = len(movable) < left
        if len(self.leavers) >= left:  # R13
            movable = [child for child in movable if child in self.leavers]
            skip = False
        moves = []
        for child in movable:
            lifted = copy.deepcopy(self)
            lifted._lift(child)
            for cell in in_board_order(self._walk(child, self.movements[0])):
                if child in self.leavers and cell == self.place[child]:
                    continue  # R14: a leaver may not end on the cell he leaves
                if lifted._landing(child, cell) is not None:
                    moves.append(f"{child[1:]} {cell}")
        if moves and skip:
            return ["skip", *moves]
        return moves

    def _walk(self, child: str, steps: int) -> set[str]:
        """R14: the cells on which a walk of exactly so many steps can end."""
        reached = {self.place[child]}
        for _ in range(steps):
            further: set[str] = set()
            for cell in reached:
                if cell in self.exits:  # an entrance
                    further.update(self.exits[cell])
                    continue
                for direction in STRAIGHT:
                    there = beside(cell, direction)
                    if there is not None and there not in self.equipment:
                        further.add(there)
            reached = further
        return reached

    def _lift(self, child: str) -> None:
        """Take the child off its place. R23: an attacker leaving ends his fight, the victim stands up."""
        cell = self.place[child]
        if cell in self.fights:
            del self.fights[cell]
        self.leavers.discard(child)
        self.place[child] = "hand"

    def _landing(self, child: str, cell: str) -> str | None:
        """R16 to R21: what it means that this lifted child lands there; None if it may not."""
        children = self._children_on(cell)
        own = [one for one in children if seat_of(one) == seat_of(child)]
        kiss = any(gender_of(one) != gender_of(child) for one in own) and not self._seen(cell)  # R33
        if cell in SAFETY:  # R17
            return "kiss" if kiss else "share"
        if cell in self.fights:  # R20
            trial = copy.deepcopy(self)
            trial.place[child] = cell
            trial._break_up(cell)
            return "break up" if trial._can_finish_shoves() else None
        if self._nuns_on(cell):  # R21
            trial = copy.deepcopy(self)
            trial.place[child] = cell
            return "tell" if trial._tattles(cell) else None
        if own:  # R19
            return "kiss" if kiss else None
        if children:  # R18
            return "attack" if not self._seen(cell) and len(self._own_fights()) + 1 <= 3 else None
        return "stand"  # R16

    def _move(self, child: str, cell: str) -> None:
        """R14 to R21: a child moves and lands."""
        self._lift(child)
        landing = self._landing(child, cell)
        others = self._children_on(cell)
        self.place[child] = cell
        self.moved.add(child)
        self.movements.pop(0)
        self.phase = "move"
        if landing == "kiss":
            self._kiss()
        elif landing == "break up":
            self._break_up(cell)
            self._begin_shoves("move")
        elif landing == "attack":
            self.fights[cell] = (child, others[0])  # R18, R22
            self._take_coin(others[0])
        elif landing in ("tell", "share") and self._tattles(cell):
            self.teller_cell = cell
            self.phase = "tell"

    def _kiss(self) -> None:
        """R33: each other seat pays two coins, or what it has, and the game ends at once."""
        for seat in range(self.seats):
            if seat != self.active:
                paid = min(2, self.coins[seat])
                self.coins[seat] -= paid
                self.coins[self.active] += paid
        self.kisser = self.active
        self.over = True

    def _end_fight(self, cell: str) -> tuple[str, str]:
        """R26, R30: a fight is ended from outside. R13: he is no longer a leaver. R27: own ones are freed."""
        attacker, victim = self.fights.pop(cell)
        self.leavers.discard(attacker)
        self.freed |= {child for child in (attacker, victim) if seat_of(child) == self.active}
        return attacker, victim

    def _break_up(self, cell: str) -> None:
        """R26: the victim, then the attacker, are to be shoved."""
        attacker, victim = self._end_fight(cell)
        self.to_shove = [victim, attacker]

    # ------------------------------------------------------------------ tattling

    def _tattles(self, cell: str) -> list[str]:
        """R29: what a child that has landed on this cell may tell, and to which nun. R28: not if the shove fails."""
        return [
            f"tattle {nun[3]} {fight}"
            for nun in self._nuns_on(cell)
            for fight in in_board_order(self.fights)
            if self._nun_may_land(nun, fight)
        ]

    def _tell_choices(self) -> list[str]:
        """R17: in safety one may just share. R21: elsewhere one must tell."""
        share = ["share"] if self.teller_cell in SAFETY else []
        return share + self._tattles(self.teller_cell)

    # ------------------------------------------------------------------ nuns

    def _nun_may_land(self, nun: str, cell: str) -> bool:
        """R28: a landing whose shove cannot be completed is illegal."""
        if cell in SAFETY or not self._pieces_on(cell):
            return True
        trial = copy.deepcopy(self)
        trial._nun_lands(nun, cell)
        return trial._can_finish_shoves()

    def _nun_lands(self, nun: str, cell: str) -> None:
        """R30: on a fight, victim shoved, attacker detained. R31: outside safety on one piece, it is shoved."""
        there = self._pieces_on(cell)
        self.place[nun] = cell
        self.to_shove = []
        if cell in self.fights:
            attacker, victim = self._end_fight(cell)
            self.place[attacker] = entrance_of(attacker)
            self.lying.add(attacker)
            self.to_shove = [victim]
        elif cell not in SAFETY and there:
            assert len(there) == 1
            self.to_shove = there

    def _nun_choices(self) -> list[str]:
        """R31: one nun must move in one line, unless there is a duty (R32)."""
        duty = self._duty_pairs()
        if duty:
            return duty
        moves = []
        for nun in NUNS:
            for cell in in_board_order(self._sight(self.place[nun]) - {self.place[nun]}):
                if self._nun_may_land(nun, cell):
                    moves.append(f"nun {nun[3]} {cell}")
        if moves and self.nun_may_stay:
            return ["skip", *moves]
        return moves

    def _duty_pairs(self) -> list[str]:
        """R32: nuns that must be brought onto a fight that was seen at the start, stayed in, and is seen now."""
        stayed = self.stayers | self.leavers  # R13: a leaver still in his fight counts as having stayed
        pairs = []
        for nun in NUNS:
            for cell in self._own_fights():
                attacker = self.fights[cell][0]
                owes = attacker in self.seen_at_start and attacker in stayed
                if owes and cell in self._sight(self.place[nun]) and self._nun_may_land(nun, cell):
                    pairs.append(f"nun {nun[3]} {cell}")
        return pairs

    # ------------------------------------------------------------------ shoving

    def _begin_shoves(self, after: str) -> None:
        """Ask for the shoves, if there are any, and then go on with the next movement or end the turn."""
        self.after_shove = after
        self.phase = "shove"
        self._shoves_done()

    def _shoves_done(self) -> None:
        """Once nothing is left to be shoved, the turn goes on."""
        if not self.to_shove and self.after_shove == "end":
            self._end_turn()
        elif not self.to_shove:
            self.phase = "move"

    def _push(self, cell: str) -> None:
        """R28: the piece at hand goes there; what stood there, if anything, is the next piece at hand."""
        there = self._pieces_on(cell)
        assert len(there) <= 1
        self.place[self.to_shove.pop(0)] = cell
        self.to_shove = there + self.to_shove

    def _shovable_around(self, cell: str) -> list[str]:
        """R28: the adjacent cells a piece may be shoved onto: no equipment, safety cell or fight."""
        around = {beside(cell, direction) for direction in self.shove_directions} - {None}
        return in_board_order(around - self.equipment - SAFETY - set(self.fights))

    def _chain_length(self, cell: str) -> int | None:
        """R28: how many pieces must move in the shortest chain that pushes a piece off this cell."""
        length = 1
        tried = {cell}
        rim = [cell]
        while rim:
            further = []
            for one in rim:
                for there in self._shovable_around(one):
                    if not self._pieces_on(there):
                        return length
                    if there not in tried:
                        tried.add(there)
                        further.append(there)
            rim = further
            length += 1
        return None

    def _chain_cells(self) -> list[str]:
        """R28: where the piece at hand may go along a shortest chain."""
        here = self.place[self.to_shove[0]]
        length = self._chain_length(here)
        around = self._shovable_around(here)
        if length is None:
            return []
        if length == 1:
            return [there for there in around if not self._pieces_on(there)]
        return [there for there in around if self._chain_length(there) == length - 1]

    def _possible(self, cell: str) -> bool:
        """R26: would the rest remain possible if the piece at hand went there?"""
        trial = copy.deepcopy(self)
        trial._push(cell)
        return trial._can_finish_shoves()

    def _shove_cells(self) -> list[str]:
        """R26, R28: the choices for the piece at hand."""
        return [cell for cell in self._chain_cells() if self._possible(cell)]

    def _can_finish_shoves(self) -> bool:
        """R26, R28: can all pieces that are still to be shoved be shoved?"""
        return not self.to_shove or any(self._possible(cell) for cell in self._chain_cells())


# ---------------------------------------------------------------------- self-check


def count_sequences(oracle: Oracle, depth: int) -> int:
    """The number of sequences of `depth` decisions from here."""
    if depth == 1:
        return len(oracle.legal())
    total = 0
    for text in oracle.legal():
        trial = copy.deepcopy(oracle)
        trial.apply(text)
        total += count_sequences(trial, depth - 1)
    return total


def check_position(oracle: Oracle) -> None:
    """R37 and what else holds in every position between shoves."""
    assert sum(oracle.coins) == 10 * oracle.seats
    assert min(oracle.coins) >= 0
    assert not set(oracle.place.values()) & oracle.equipment
    for child in oracle.lying:
        assert oracle.place[child] == entrance_of(child)
    for cell, pair in oracle.fights.items():
        assert cell not in SAFETY
        assert seat_of(pair[0]) != seat_of(pair[1])
    if oracle.phase not in ("shove", "tell") and not oracle.over:
        for cell in set(oracle.place.values()) - SAFETY - {"boys", "girls"}:
            assert sorted(oracle._pieces_on(cell)) == sorted(oracle.fights.get(cell, oracle._pieces_on(cell)[:1]))


def check() -> None:
    """Count sequences and play random games."""
    for exits, wanted in (("three", [37, 677, 4517]), ("corner", [17, 113, 305, 6065])):
        for seats in (3, 4, 5):
            found = [count_sequences(Oracle(seats, exits=exits), depth + 1) for depth in range(len(wanted))]
            print(f"{exits}, {seats} seats: {found}")
            assert found == wanted, wanted
    draw = random.Random(1)
    for seats in (3, 4, 5):
        decisions = kisses = 0
        for game in range(30):
            oracle = Oracle(seats, shove=draw.choice((4, 8)), nun_may_stay=game % 2 == 0, first=game % seats)
            while not oracle.over:
                assert len(oracle.legal()) >= 2
                if draw.random() < 0.02:
                    oracle.timeout()
                else:
                    oracle.apply(draw.choice(oracle.legal()))
                    decisions += 1
                check_position(oracle)
            assert sorted(seat for group in oracle.ranking() for seat in group) == list(range(seats))
            kisses += oracle.kisser is not None
        print(f"{seats} seats: 30 random games, {decisions} decisions, {kisses} kisses, coins conserved")


if __name__ == "__main__":
    check()
