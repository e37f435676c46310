"""What happens in Recess!, told to whoever listens: one method for each kind of event. Everything is public.

Rules call these with the numbers they have; names are looked up only if somebody listens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.mypyc_shims import i64
from .legal import Choices
from .position import EMPTY, FIGHT, NUN_0, has, name, names, place, seat_of, who_of
from .yard import CELL_NAMES

if TYPE_CHECKING:
    from .shapes import (
        BreakUpEvent,
        ChoiceEvent,
        CoinEvent,
        DetentionEvent,
        EndEvent,
        FightEvent,
        KissEvent,
        LetGoEvent,
        MovementEvent,
        NunEvent,
        ReleaseEvent,
        SeatEvent,
        ShareEvent,
        ShoveEvent,
        ShoveNunEvent,
        TattleEvent,
        TurnEvent,
        WalkEvent,
    )


class Telling(Choices):
    """A position that can tell what happens in it."""

    # The turn.

    def tell_turn(self) -> None:
        """R7: a turn begins."""
        if self.events is None:
            return
        data: TurnEvent = {"seat": self.active, "turn": self.turn, "of": self.setup.turns}
        self.say("turn", "R7", data)

    def tell_pass(self) -> None:
        """R9: the turn is passed."""
        if self.events is None:
            return
        data: SeatEvent = {"seat": self.active}
        self.say("pass", "R9", data)

    def tell_stay(self, attacker: i64) -> None:
        """R10: an attacker stays."""
        if self.events is None:
            return
        data: ChoiceEvent = {
            "seat": self.active,
            "child": name(attacker),
            "cell": CELL_NAMES[self.where[attacker]],
        }
        self.say("stay", "R10", data)

    def tell_leave(self, attacker: i64) -> None:
        """R10: an attacker is going to leave."""
        if self.events is None:
            return
        data: ChoiceEvent = {
            "seat": self.active,
            "child": name(attacker),
            "cell": CELL_NAMES[self.where[attacker]],
        }
        self.say("leave", "R10", data)

    def tell_coin(self, rule: str, owner: i64, taken: i64) -> None:
        """R10, R18: a coin changes hands, or there is none to take."""
        if self.events is None:
            return
        data: CoinEvent = {"seat": self.active, "owner": owner, "coins": taken}
        self.say("coin", rule, data)

    def tell_lost(self) -> None:
        """R12: nobody can use the movement at hand."""
        if self.events is None:
            return
        data: MovementEvent = {"seat": self.active, "movement": self.movement}
        self.say("lost", "R12", data)

    def tell_skip(self) -> None:
        """R12: the movement at hand is skipped."""
        if self.events is None:
            return
        data: MovementEvent = {"seat": self.active, "movement": self.movement}
        self.say("skip", "R12", data)

    def tell_release(self) -> None:
        """R34: children get up from detention."""
        if self.events is None:
            return
        data: ReleaseEvent = {"seat": self.active, "children": names(self.serving)}
        self.say("release", "R34", data)

    def tell_timeout(self) -> None:
        """R38: the sand has run out."""
        if self.events is None:
            return
        data: SeatEvent = {"seat": self.active}
        self.say("timeout", "R38", data)

    def tell_end(self) -> None:
        """R33, R35: the game is over."""
        if self.events is None:
            return
        data: EndEvent = {"seat": self.active, "reason": self.end_reason(), "coins": list(self.coins)}
        self.say("end", "R33" if self.kisser >= 0 else "R35", data)

    # Walking and landing.

    def tell_walk(self, child: i64, cell: i64) -> None:
        """R14: a child walks; told before it goes."""
        if self.events is None:
            return
        start = self.where[child]
        data: WalkEvent = {
            "seat": self.active,
            "child": name(child),
            "from": place(start),
            "to": CELL_NAMES[cell],
            "movement": self.movement,
            "path": self._path(start, cell),
        }
        self.say("walk", "R14", data)

    def _path(self, start: i64, end: i64) -> list[str]:
        """R14: the cells of a walk with the movement at hand, through as few pieces as possible."""
        if self.movement == 1:
            return [CELL_NAMES[end]]
        ways = self.yard.ways(start, end, self.movement)
        way = ways[0] if len(ways) == 1 else self._emptiest(ways, end)
        if self.movement == 2:
            return [CELL_NAMES[way[0]], CELL_NAMES[end]]
        return [CELL_NAMES[way[0]], CELL_NAMES[way[1]], CELL_NAMES[end]]

    def _emptiest(self, ways: list[list[int]], end: i64) -> list[int]:
        """The first of the ways through the fewest pieces; rather one that goes on than there, back and there again."""
        best = ways[0]
        fewest: i64 = 1000
        for way in ways:
            met = 2 * self._crowd(way[0]) + (1 if way[0] == end else 0)
            if met < fewest and len(way) == 2:
                met += 2 * self._crowd(way[1])
            if met < fewest:
                best = way
                fewest = met
            if fewest == 0:
                break
        return best

    def _crowd(self, cell: i64) -> i64:
        """How many pieces there are on a cell."""
        if self.yard.safety[cell]:
            here: i64 = 0
            spot: i64
            for spot in self.where:
                if spot == cell:
                    here += 1
            return here
        there = self.ground[cell]
        if there == EMPTY:
            return 0
        return 2 if there >= FIGHT else 1

    def tell_let_go(self, victim: i64) -> None:
        """R23: the attacker walks away and its victim stands up."""
        if self.events is None:
            return
        data: LetGoEvent = {
            "seat": self.active,
            "victim": name(victim),
            "owner": seat_of(victim),
            "cell": CELL_NAMES[self.where[victim]],
        }
        self.say("let_go", "R23", data)

    def tell_fight(self, child: i64, victim: i64) -> None:
        """R18: a fight starts."""
        if self.events is None:
            return
        data: FightEvent = {
            "seat": self.active,
            "child": name(child),
            "victim": name(victim),
            "owner": seat_of(victim),
            "cell": CELL_NAMES[self.where[child]],
        }
        self.say("fight", "R18", data)

    def tell_kiss(self, child: i64, partner: i64, paid: list[int]) -> None:
        """R33: two children kiss and everybody else pays."""
        if self.events is None:
            return
        data: KissEvent = {
            "seat": self.active,
            "child": name(child),
            "partner": name(partner),
            "cell": CELL_NAMES[self.where[child]],
            "paid": paid,
        }
        self.say("kiss", "R33", data)

    # Fights that end, and shoving.

    def tell_break_up(self, child: i64, victim: i64, attacker: i64) -> None:
        """R26: a child lands on a fight."""
        if self.events is None:
            return
        data: BreakUpEvent = {
            "seat": self.active,
            "child": name(child),
            "victim": name(victim),
            "owner": seat_of(victim),
            "attacker": name(attacker),
            "bully": seat_of(attacker),
            "cell": CELL_NAMES[self.where[child]],
        }
        self.say("break_up", "R26", data)

    def tell_shove(self, child: i64, cell: i64) -> None:
        """R28: a child makes room."""
        if self.events is None:
            return
        data: ShoveEvent = {
            "seat": self.active,
            "owner": seat_of(child),
            "child": name(child),
            "from": CELL_NAMES[self.hand_from],
            "to": CELL_NAMES[cell],
        }
        self.say("shove", "R28", data)

    def tell_shove_nun(self, nun: i64, cell: i64) -> None:
        """R28: a nun makes room."""
        if self.events is None:
            return
        data: ShoveNunEvent = {
            "seat": self.active,
            "nun": nun - NUN_0,
            "from": CELL_NAMES[self.hand_from],
            "to": CELL_NAMES[cell],
        }
        self.say("shove_nun", "R28", data)

    # Nuns.

    def tell_share(self) -> None:
        """R17: the child that may tell says nothing."""
        if self.events is None:
            return
        data: ShareEvent = {"seat": self.active, "cell": CELL_NAMES[self.where[self.teller]]}
        self.say("share", "R17", data)

    def tell_tattle(self, nun: i64, cell: i64) -> None:
        """R29: a child tells a nun about a fight."""
        if self.events is None:
            return
        data: TattleEvent = {
            "seat": self.active,
            "child": name(self.teller),
            "nun": nun - NUN_0,
            "from": CELL_NAMES[self.where[self.teller]],
            "cell": CELL_NAMES[cell],
        }
        self.say("tattle", "R29", data)

    def tell_detention(self, nun: i64, attacker: i64, victim: i64) -> None:
        """R30: a nun on a fight sends the attacker to detention."""
        if self.events is None:
            return
        data: DetentionEvent = {
            "seat": self.active,
            "nun": nun - NUN_0,
            "attacker": name(attacker),
            "bully": seat_of(attacker),
            "victim": name(victim),
            "owner": seat_of(victim),
            "cell": CELL_NAMES[self.where[nun]],
        }
        self.say("detention", "R30", data)

    def tell_nun(self, nun: i64, cell: i64) -> None:
        """R31: a nun moves; R32 if that is her duty. Told before she goes."""
        if self.events is None:
            return
        data: NunEvent = {
            "seat": self.active,
            "nun": nun - NUN_0,
            "from": CELL_NAMES[self.where[nun]],
            "to": CELL_NAMES[cell],
        }
        attacker = self.ground[cell] - FIGHT
        duty = attacker >= 0 and seat_of(attacker) == self.active and has(self.watched, who_of(attacker))
        self.say("nun", "R32" if duty else "R31", data)

    def tell_nun_stays(self) -> None:
        """R31: no nun moves."""
        if self.events is None:
            return
        data: SeatEvent = {"seat": self.active}
        self.say("nun_stays", "R31", data)
