"""What is legal in La grande bagarre: B7 to B11, B15 to B20, B23. Every list of actions comes from here."""

from __future__ import annotations

from random import Random

from ...core.slate import Slate
from ...core.state import NATURE, Action, pick_counted
from .actions import BagarreAction
from .deck import FRIENDS
from .position import (
    ACTION,
    ANSWER,
    ATTACK,
    BETTING,
    CONVERTING,
    EXCESS,
    FILLING,
    GIVING,
    LAYING,
    LAYING_MORE,
    OPTIONAL,
    REPLYING,
    TAKING,
    TURN,
    WINDOW,
    Position,
    has,
)


class Choices(Position):
    """A position that knows what may be done in it."""

    def legal(self, seat: int) -> tuple[Action, ...]:
        """What the seat may do, by number."""
        if self.phase <= FILLING:
            return tuple(self.deals()) if seat == NATURE else ()
        if seat < 0 or not has(self.owing, seat):
            return ()
        if seat != self.listed_for:
            self.listed = tuple(self.choices(seat))
            self.listed_for = seat
        return self.listed

    def mark(self, seat: int, slate: Slate) -> None:
        """Write down the numbers of what the seat may do."""
        if self.phase > FILLING and has(self.owing, seat):
            for action in self.choices(seat):
                slate.one(action.number)

    def allows(self, actor: int, action: Action) -> bool:
        """Whether it is legal; a card that nature deals is looked up in the pile."""
        if actor != NATURE:
            return super().allows(actor, action)
        if self.phase > FILLING or not isinstance(action, BagarreAction):
            return False
        card = action.card
        if not 0 <= card < self.deck.kinds or not self.pile[card]:
            return False
        return self.setup.actions.deal[self.drawer][card] is action

    # What nature may do (B6, B9, B12).

    def outcomes(self) -> list[tuple[Action, float]]:
        """What nature may deal: each kind as likely as it is frequent in the pile."""
        found: list[tuple[Action, float]] = []
        if self.phase > FILLING:
            return found
        deals = self.setup.actions.deal[self.drawer]
        size = self.pile_size
        chances = [count / size for count in range(6)]
        for kind, count in enumerate(self.pile):
            if count:
                found.append((deals[kind], chances[count] if count < 6 else count / size))
        return found

    def draw(self, rng: Random) -> Action:
        """A card off the pile, without listing the others."""
        if self.phase > FILLING:
            raise self.not_now(NATURE)
        return self.setup.actions.deal[self.drawer][self.drawn(rng)]

    def drawn(self, rng: Random) -> int:
        """The kind of a card drawn from the pile."""
        return pick_counted(self.pile, 0, self.deck.kinds, self.pile_size, rng)

    def deals(self) -> list[BagarreAction]:
        """What nature may deal."""
        deals = self.setup.actions.deal[self.drawer]
        return [deals[kind] for kind in range(self.deck.kinds) if self.pile[kind]]

    # What a seat may do.

    def choices(self, seat: int) -> list[BagarreAction]:
        """What a seat that owes a decision may do, by number."""
        phase = self.phase
        table = self.setup.actions
        if phase == ACTION:
            return self._actions(seat)
        if phase == WINDOW:
            return [table.no, table.yes] if self.deck.maman in self.hands[seat] else [table.no]
        if phase in (ANSWER, ATTACK, BETTING, REPLYING):
            return self._placings(seat)
        if phase in (TURN, CONVERTING):
            actions = [table.draw if phase == TURN else table.done]
            for toy in self.front[seat]:
                actions.append(table.convert[toy])
            return actions
        if phase in (OPTIONAL, LAYING, LAYING_MORE):
            return self._layings(seat)
        if phase == EXCESS:
            return self._each(table.discard, self.hands[seat])
        if phase == GIVING:
            return self._each(table.give, self.front[seat])
        if phase == TAKING:
            return self._each(table.take, self.toys_of_others(seat))
        return [table.seat[other] for other in self.rich_others(seat)]

    def _each(self, row: list[BagarreAction], cards: list[int]) -> list[BagarreAction]:
        """One action for each kind among sorted cards."""
        actions: list[BagarreAction] = []
        last = -1
        for card in cards:
            if card != last:
                actions.append(row[card])
                last = card
        return actions

    def _actions(self, seat: int) -> list[BagarreAction]:
        """B7, B10, B11, B15, B23: lay, fight, special or discard."""
        table = self.setup.actions
        first_special = self.deck.first_special
        hand = self.hands[seat]
        actions: list[BagarreAction] = []
        for card in hand:
            if FRIENDS <= card < first_special:
                actions.append(table.lay[card])
        if self.ban < 0 and hand[0] < FRIENDS:
            for toy in self.toys_of_others(seat):
                actions.append(table.fight[toy])
        last = self.deck.maman
        for card in hand:
            if card >= first_special and card not in (last, self.deck.maman):
                last = card
                if self.is_met(self.deck.effect[card], seat):
                    actions.append(table.special[card])
        last = -1
        for card in hand:
            if card != last:
                last = card
                actions.append(table.discard[card])
        return actions

    def _placings(self, seat: int) -> list[BagarreAction]:
        """B15 to B20: a friend of one's choice; with the option, the owner in a duel may forfeit instead."""
        table = self.setup.actions
        actions: list[BagarreAction] = []
        if self.phase == ANSWER and self.setup.may_forfeit and seat == self.owner and not self.is_general():
            actions.append(table.forfeit)
        last = -1
        for card in self.hands[seat]:
            if card >= FRIENDS:
                break
            if card != last:
                last = card
                actions.append(table.place[card])
        return actions

    def _layings(self, seat: int) -> list[BagarreAction]:
        """B23: toys that a special move lets one lay; `done` where none need be laid."""
        table = self.setup.actions
        actions: list[BagarreAction] = [] if self.phase == LAYING else [table.done]
        for card in self.hands[seat]:
            if FRIENDS <= card < self.deck.first_special and (
                self.phase != LAYING_MORE or self.deck.value[card] <= self.limit
            ):
                actions.append(table.lay[card])
        return actions
