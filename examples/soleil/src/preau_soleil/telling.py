"""What is said of what happens: one method for each kind of event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from preau.core import HIDDEN, Action

from .deck import CARDS, WORDS
from .legal import Choices
from .views import hand_names

if TYPE_CHECKING:
    from . import shapes


class Telling(Choices):
    """A position that tells what happens to it."""

    def tells(self, seat: int, action: Action) -> bool:
        """S3: a card face down tells nobody anything, and nothing else is decided; it can be taken back freely."""
        return False

    def tell_turn(self) -> None:
        """S3: a round begins; everybody looks at their own hand."""
        if self.events is None:
            return
        data: shapes.Turn = {"round": self.round, "hand": HIDDEN}
        self.say("turn", "S3", data, {seat: {"hand": hand_names(hand)} for seat, hand in enumerate(self.hands)})

    def tell_chosen(self, seat: int, card: int) -> None:
        """S3: a card lies face down."""
        if self.events is None:
            return
        data: shapes.Chosen = {"seat": seat, "card": HIDDEN}
        self.say("chosen", "S3", data, {seat: {"card": CARDS[card]}})

    def tell_word(self, word: int) -> None:
        """S4: the caller turns round."""
        if self.events is None:
            return
        data: shapes.Word = {"word": WORDS[word]}
        self.say("word", "S4", data)

    def tell_caught(self, seat: int, card: int, place: int) -> None:
        """S5: a child was seen and goes back to a place."""
        if self.events is None:
            return
        data: shapes.Caught = {"seat": seat, "card": CARDS[card], "place": place}
        self.say("caught", "S5", data)

    def tell_walk(self, seat: int, card: int, place: int) -> None:
        """S6: a child has come to a place, or stayed there."""
        if self.events is None:
            return
        data: shapes.Walk = {"seat": seat, "card": CARDS[card], "place": place}
        self.say("walk", "S6", data)

    def tell_wall(self, seats: list[int]) -> None:
        """S8: somebody touches the wall."""
        if self.events is None:
            return
        data: shapes.Wall = {"seats": seats}
        self.say("wall", "S8", data)

    def tell_bell(self) -> None:
        """S8: the bell rings."""
        if self.events is None:
            return
        data: shapes.Bell = {"round": self.round}
        self.say("bell", "S8", data)
