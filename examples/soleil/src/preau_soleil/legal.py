"""What may be done: by the seats that choose, and by nature."""

from __future__ import annotations

from preau.core import NATURE, Action

from .position import DEALING, TURNING, Position


class Choices(Position):
    """A position that knows what is legal in it."""

    def legal(self, seat: int) -> tuple[Action, ...]:
        """What the seat, or nature, may do."""
        if seat not in self.to_act:
            return ()
        if seat == NATURE:
            return tuple(action for action, _ in self.outcomes())
        return tuple(self.choices(seat))

    def choices(self, seat: int) -> list[Action]:
        """S3: any card of one's hand."""
        return [action for action in self.setup.actions.play if self.hands[seat][action.card]]

    def outcomes(self) -> list[tuple[Action, float]]:
        """S2, S7: a card of the pile for the next seat. S4: one of the four words, all alike."""
        actions = self.setup.actions
        if self.phase == DEALING:
            pile = self.pile()
            deal = actions.deal[self.next_to_draw()]
            return [(deal[card], count / sum(pile)) for card, count in enumerate(pile) if count]
        if self.phase == TURNING:
            return [(action, 1 / len(actions.turn)) for action in actions.turn]
        return []
