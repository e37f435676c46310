"""What is legal in Dans la cour d'école, for seats and for nature. Every list of actions comes from here."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from ...core.state import NATURE, Action, pick_counted
from .actions import LOSE, NONE, TURN, CourAction
from .deck import CHARACTERS
from .position import (
    BEFRIENDING,
    CHALLENGING,
    DECIDING,
    GIVING,
    GLUING,
    KEEPING,
    LOSING,
    NOBODY,
    POINTING,
    RACING,
    STEALING,
    THROWING,
    TRADING,
    TURNING,
    Position,
)


class Choices(Position):
    """A position that knows what everybody may do."""

    def legal(self, seat: int) -> tuple[Action, ...]:
        """What the seat or nature may do, by action number."""
        if not self.acts(seat):
            return ()
        if seat == NATURE:
            return tuple(self._of_nature())
        if self.phase in (KEEPING, GIVING, CHALLENGING, STEALING, BEFRIENDING):
            return self._choosable
        return self.choices(seat)

    def outcomes(self) -> list[tuple[Action, float]]:
        """What nature may do, and how likely it is: as many cards of each kind as there are, else all alike."""
        phase = self.phase
        if phase == TURNING and not self.knows_next():
            return _weighted(self.setup.actions.turn, self.pool, 0, self.deck.size, self.pool_size)
        if phase == LOSING:
            start = self.victim * self.width
            return _weighted(self.setup.actions.lose, self.hands, start, self.width, self.sizes[self.victim])
        return super().outcomes()

    def draw(self, rng: Random) -> Action:
        """What nature does; cards are drawn without listing the others."""
        actions = self.setup.actions
        if self.phase == TURNING and not self.knows_next():
            return actions.turn[pick_counted(self.pool, 0, self.deck.size, self.pool_size, rng)]
        if self.phase == LOSING:
            start = self.victim * self.width
            return actions.lose[pick_counted(self.hands, start, self.width, self.sizes[self.victim], rng)]
        if NATURE not in self._actors:
            raise self.not_now(NATURE)
        alike = self._of_nature()
        chance = 1.0 / float(len(alike))
        drawn: float = rng.random()
        for action in alike:
            drawn -= chance
            if drawn < 0.0:
                return action
        return alike[-1]

    def allows(self, actor: int, action: Action) -> bool:
        """Whether it is legal; a card of the pile or of a hand is looked up there."""
        if actor != NATURE or not isinstance(action, CourAction) or action.deck is not self.deck:
            return super().allows(actor, action)
        if action.kind == TURN and self.phase == TURNING and not self.knows_next():
            return self.pool[action.card] > 0
        if action.kind == LOSE and self.phase == LOSING:
            return self.held(self.victim, action.card) > 0
        return super().allows(actor, action)

    def racers(self) -> tuple[int, ...]:
        """C22: at a live table, the seats that are still to point."""
        return self._actors if self.setup.live and self.phase == POINTING else NOBODY

    def fastest(self, delays: Mapping[int, int], rng: Random) -> Action | None:
        """C22: of those who pointed, the one with the shortest delay; between equal ones a fair draw."""
        if not self.setup.live or self.phase != RACING:
            return None
        measured = [seat for seat in self.pointers() if seat in delays]
        if not measured:
            return None
        shortest = min([delays[seat] for seat in measured])
        first = [seat for seat in measured if delays[seat] == shortest]
        return self.setup.actions.fastest[first[int(rng.random() * len(first))]]

    def choices(self, seat: int) -> tuple[CourAction, ...]:
        """What a seat that owes a decision may do."""
        phase = self.phase
        setup = self.setup
        if phase == KEEPING:
            return tuple([setup.actions.keep[card] for card in self._distinct()])
        if phase == GIVING:
            kinds = self._distinct()
            gives = setup.gives[seat]
            if len(kinds) == 1:
                return gives[kinds[0]]
            return gives[kinds[0]] + gives[kinds[1]]
        if phase == POINTING:
            return setup.points[seat]
        if phase == THROWING:
            return setup.throws
        if phase == TRADING:
            return setup.trade if self.can_trade() else setup.refuse
        if phase == CHALLENGING:
            return setup.challenges[seat]
        if phase == GLUING:
            return setup.glue
        if phase == STEALING:
            steal = setup.actions.steal
            return tuple([steal[other] for other in range(self.seats) if other != seat and self.sizes[other]])
        if phase == BEFRIENDING:
            friend = setup.actions.friend
            return tuple([friend[other] for other in self.strangers(seat)])
        take = setup.actions.take
        start = self.victim * self.width
        return tuple([take[card] for card in range(self.width) if self.hands[start + card]])

    def _of_nature(self) -> list[CourAction]:
        actions = self.setup.actions
        phase = self.phase
        if phase == TURNING:
            if self.knows_next():
                return [actions.turn[self.under[0]]]
            return [actions.turn[card] for card in range(self.deck.size) if self.pool[card]]
        if phase == LOSING:
            start = self.victim * self.width
            return [actions.lose[card] for card in range(self.width) if self.hands[start + card]]
        if phase == RACING:
            pointers = self.pointers()
            return [actions.fastest[seat] for seat in pointers] if pointers else [actions.fastest[NONE]]
        if phase == DECIDING:
            return [actions.win[seat] for seat in range(self.seats) if seat == self.active or seat == self.rival()]
        seat = self.next_dealt()
        return [actions.character[seat][one] for one in range(len(CHARACTERS)) if one not in self.characters]

    def _distinct(self) -> list[int]:
        """The kinds lying open, each once, in order."""
        found: list[int] = []
        for card in self.open_cards:
            at = 0
            while at < len(found) and found[at] < card:
                at += 1
            if at == len(found):
                found.append(card)
            elif found[at] != card:
                found.insert(at, card)
        return found


def _weighted(
    actions: list[CourAction], counts: list[int], start: int, width: int, total: int
) -> list[tuple[Action, float]]:
    """Actions with a chance in proportion to the counts from `start` on, which add up to `total`."""
    found: list[tuple[Action, float]] = []
    for number in range(width):
        count = counts[start + number]
        if count:
            found.append((actions[number], count / total))
    return found
