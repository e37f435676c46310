"""What is told of a game of Dans la cour d'école: one method for each kind of event, in the order of the rules. And
which decisions tell nobody anything.

What is hidden from the table reads `HIDDEN`, and those who know see instead what is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.state import HIDDEN, Action
from .actions import NONE, POINT, TAKE, THROW, THROWS, TRADE, YES, CourAction
from .deck import CHARACTERS
from .legal import Choices
from .memory import GAIN, cards, kind_of, known, op_of, to_json
from .position import WAITING
from .tally import TRADED

if TYPE_CHECKING:
    from .shapes import (
        ACard,
        ACharacter,
        AHand,
        ATarget,
        AThrow,
        CardGiven,
        CardStolen,
        Challenge,
        CharacterDealt,
        End,
        FriendTurned,
        KingWon,
        LastRound,
        Look,
        OfCard,
        OfNobody,
        OfSeat,
        Point,
        SecretPoint,
        SecretThrow,
        Shown,
        SignInVain,
        Theft,
        Throws,
        TurnBegins,
    )


class Telling(Choices):
    """A position that can tell what happens to it."""

    def tells(self, seat: int, action: Action) -> bool:
        """C20: whether a decision tells anybody something that was hidden, by what all can see of it.

        Open cards, seats and the glue pot are open, and so is a question about a trade (C10) with its no. A yes shows
        three cards of the hand, who takes a card tells its owner which, and the last secret answer shows them all.
        """
        assert isinstance(action, CourAction)
        if action.kind in (POINT, THROW):
            return self.answers.count(WAITING) == 1
        if action.kind == TRADE and action.card == YES:
            return not self._are_three_known()
        return action.kind == TAKE

    def _are_three_known(self) -> bool:
        """Whether all know that the gainer holds three of the kind it gained, because it got them openly."""
        last = self.memory[-1]
        if op_of(last) != GAIN:
            return False
        rows = to_json(self.deck, self.seats, self.memory, None, False)
        sure = known(self.deck, self.seats, rows)[self.gainer]["sure"]
        return sure.get(self.deck.kinds[kind_of(last)], 0) >= TRADED

    # Setup and turn (C3 to C7).

    def tell_character(self, seat: int) -> None:
        """C3: a seat is dealt its character."""
        if self.events is None:
            return
        data: CharacterDealt = {"seat": seat, "character": HIDDEN}
        own: ACharacter = {"character": CHARACTERS[self.characters[seat]]}
        self.say("character", "C3", data, {seat: own})

    def tell_turn(self) -> None:
        """C5: the turn of the active seat begins."""
        if self.events is None:
            return
        data: TurnBegins = {"seat": self.active, "round": self.round()}
        self.say("turn", "C5", data)

    def tell_turned(self, card: int) -> None:
        """C5: the active seat turns over a card."""
        if self.events is None:
            return
        self.say("turned", "C5", self._of_card(card))

    def tell_kept(self, card: int) -> None:
        """C6: the active seat keeps a card."""
        if self.events is None:
            return
        self.say("kept", "C6", self._of_card(card))

    def tell_given(self, card: int, to: int) -> None:
        """C6: the active seat gives a card away."""
        if self.events is None:
            return
        data: CardGiven = {"seat": self.active, "to": to, "card": self.deck.types[card], "kind": self.deck.kinds[card]}
        self.say("given", "C6", data)

    def tell_put_back(self, card: int) -> None:
        """C6: the active seat puts a card under the pile."""
        if self.events is None:
            return
        self.say("put_back", "C6", self._of_card(card))

    def tell_pot_back(self) -> None:
        """C13: the glue pot of the active seat goes under the pile."""
        if self.events is None:
            return
        self.say("pot_back", "C13", _of_seat(self.active))

    def tell_threshold(self) -> None:
        """C15: all hands have reached seven."""
        if self.events is None:
            return
        data: LastRound = {"round": self.round()}
        self.say("threshold", "C15", data)

    def tell_shown(self, seat: int) -> None:
        """C16: a seat shows its character and its hand."""
        if self.events is None:
            return
        character = CHARACTERS[self.characters[seat]]
        data: Shown = {"seat": seat, "character": character, "hand": cards(self.deck, self.hand(seat))}
        self.say("shown", "C16", data)

    def tell_end(self) -> None:
        """C18: the stars are counted."""
        if self.events is None:
            return
        data: End = {"reason": self.reason(), "stars": list(self.scores())}
        self.say("end", "C18", data)

    # Events (C8, C9).

    def tell_nothing(self) -> None:
        """C8: nobody holds a card that could be taken."""
        if self.events is None:
            return
        data: SignInVain = {"card": self.sign(), "kind": self.sign()}
        self.say("nothing", "C8", data)

    def tell_pointed(self, seat: int, target: int) -> None:
        """C8: a seat has chosen whom to point at."""
        if self.events is None:
            return
        data: SecretPoint = {"seat": seat, "target": HIDDEN}
        own: ATarget = {"target": "none" if target == NONE else target}
        self.say("pointed", "C8", data, {seat: own})

    def tell_points(self) -> None:
        """C8: all choices are shown, by those who point at somebody."""
        if self.events is None:
            return
        for seat in self.pointers():
            data: Point = {"seat": seat, "target": self.answers[seat]}
            self.say("points", "C8", data)

    def tell_nobody(self) -> None:
        """C8: no seat was fastest, for none pointed."""
        if self.events is None:
            return
        data: OfNobody = {}
        self.say("nobody", "C8", data)

    def tell_fastest(self, seat: int, target: int) -> None:
        """C8: a seat was fastest."""
        if self.events is None:
            return
        data: Point = {"seat": seat, "target": target}
        self.say("fastest", "C8", data)

    def tell_empty_hand(self, seat: int, target: int) -> None:
        """C8: there is nothing to take from the hand pointed at."""
        if self.events is None:
            return
        data: Point = {"seat": seat, "target": target}
        self.say("empty_hand", "C8", data)

    def tell_look(self) -> None:
        """C8: the gainer looks at the hand of the victim."""
        if self.events is None:
            return
        data: Look = {"seat": self.gainer, "victim": self.victim, "hand": HIDDEN}
        own: AHand = {"hand": cards(self.deck, self.hand(self.victim))}
        self.say("look", "C8", data, {self.gainer: own})

    def tell_challenge(self, rival: int) -> None:
        """C9: the active seat names a rival."""
        if self.events is None:
            return
        data: Challenge = {"seat": self.active, "rival": rival}
        self.say("challenge", "C9", data)

    def tell_threw(self, seat: int, throw: int) -> None:
        """C9: a seat has chosen its throw."""
        if self.events is None:
            return
        data: SecretThrow = {"seat": seat, "throw": HIDDEN}
        own: AThrow = {"throw": THROWS[throw]}
        self.say("threw", "C9", data, {seat: own})

    def tell_throws(self, rival: int, mine: int, theirs: int) -> None:
        """C9: the throws of the active seat and its rival are shown."""
        if self.events is None:
            return
        data: Throws = {"seat": self.active, "rival": rival, "throw": THROWS[mine], "answer": THROWS[theirs]}
        self.say("throws", "C9", data)

    def tell_king(self, winner: int, won: int) -> None:
        """C9: the winner takes the king cards."""
        if self.events is None:
            return
        data: KingWon = {"seat": winner, "cards": won}
        self.say("king", "C9", data)

    # Gains and their effects (C10 to C14).

    def tell_no_trade(self) -> None:
        """C10: the gainer does not trade."""
        if self.events is None:
            return
        self.say("no_trade", "C10", _of_seat(self.gainer))

    def tell_trade(self) -> None:
        """C10: the gainer puts three leaves under the pile."""
        if self.events is None:
            return
        self.say("trade", "C10", _of_seat(self.gainer))

    def tell_steal(self) -> None:
        """C10: the gainer has chosen whom to steal from."""
        if self.events is None:
            return
        data: Theft = {"seat": self.gainer, "victim": self.victim}
        self.say("steal", "C10", data)

    def tell_stolen(self, card: int) -> None:
        """C8, C10: a card of the victim becomes the gainer's; the two know which."""
        if self.events is None:
            return
        data: CardStolen = {"seat": self.gainer, "victim": self.victim, "card": HIDDEN, "kind": HIDDEN}
        own: ACard = {"card": self.deck.types[card], "kind": self.deck.kinds[card]}
        self.say("stolen", "C8" if self.event >= 0 else "C10", data, {self.gainer: own, self.victim: own})

    def tell_chestnut_man(self) -> None:
        """C11: the gainer trades three chestnuts for the chestnut man."""
        if self.events is None:
            return
        self.say("chestnut_man", "C11", _of_seat(self.gainer))

    def tell_friend(self, other: int) -> None:
        """C12: the gainer turns a friend card to a seat."""
        if self.events is None:
            return
        data: FriendTurned = {"seat": self.gainer, "to": other}
        self.say("friend", "C12", data)

    def tell_no_friend(self, seat: int) -> None:
        """C12: no seat is left to turn a friend card to."""
        if self.events is None:
            return
        self.say("no_friend", "C12", _of_seat(seat))

    def tell_pot(self, seat: int) -> None:
        """C13: a seat lays the glue pot in front."""
        if self.events is None:
            return
        self.say("pot", "C13", _of_seat(seat))

    def tell_glue_used(self) -> None:
        """C13: the active seat uses the glue pot."""
        if self.events is None:
            return
        self.say("glue_used", "C13", _of_seat(self.active))

    def tell_glue_unused(self) -> None:
        """C13: the active seat does not use the glue pot."""
        if self.events is None:
            return
        self.say("glue_unused", "C13", _of_seat(self.active))

    def _of_card(self, card: int) -> OfCard:
        """The active seat and a card: what it is called, and which of those that are called so."""
        return {"seat": self.active, "card": self.deck.types[card], "kind": self.deck.kinds[card]}


def _of_seat(seat: int) -> OfSeat:
    return {"seat": seat}
