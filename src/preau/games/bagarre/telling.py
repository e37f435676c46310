"""What the rules say while something happens: one method for each kind of event, in the order of the rules. And which
decisions tell nobody anything.

In a search nobody listens: then a method returns at once, and nothing is put together. What only some seats may know
reads `hidden` for the others (B24).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.state import HIDDEN, Action
from .actions import CONVERT, DONE, DRAW, GIVE, NO, SEAT, TAKE, BagarreAction
from .deck import CHAMPIONNE, EFFECTS
from .legal import Choices
from .position import ANSWER, DEALING, DRAWING, SEATS_IN, WINDOW, mask_of

if TYPE_CHECKING:
    from . import shapes


class Telling(Choices):
    """A position that can say what happens in it."""

    def tells(self, seat: int, action: Action) -> bool:
        """B24: whether a decision tells anybody something that was hidden, by what all can see of it.

        What is about toys in front, marbles and seats is open. A card out of the hand is shown (`lay`, `discard`,
        `special`), a fight shows that the attacker has a friend (B15), and a friend put down by who attacks or bets
        shows whether the others have one (B16, B17, B23).
        """
        assert isinstance(action, BagarreAction)
        if action.kind in (DRAW, DONE, CONVERT, TAKE, GIVE, SEAT):
            return False
        last = self.owing == mask_of(seat)
        if self.phase == ANSWER:  # after the last one Maman is asked for, and without her in the set all is turned
            return last and self.deck.maman < 0
        if self.phase == WINDOW:  # the champion takes the toy after a no, and nothing is turned
            return last and not (self.effect == CHAMPIONNE and action.kind == NO)
        return True

    # The turn (B6 to B14).

    def tell_turn(self, seat: int) -> None:
        """B7: a turn begins."""
        if self.events is None:
            return
        data: shapes.Turn = {"seat": seat, "turn": self.turn}
        self.say("turn", "B7", data)

    def tell_draw(self, seat: int, card: int, phase: int) -> None:
        """B6, B9, B12: a card comes into a hand, and only that seat sees which."""
        if self.events is None:
            return
        rule = "B6" if phase == DEALING else "B9" if phase == DRAWING else "B12"
        data: shapes.Draw = {"seat": seat, "card": HIDDEN}
        self.say("draw", rule, data, {seat: self.deck.known[card]})

    def tell_reshuffle(self, cards: int) -> None:
        """B13: the discard becomes the pile."""
        if self.events is None:
            return
        data: shapes.Reshuffle = {"cards": cards}
        self.say("reshuffle", "B13", data)

    def tell_convert(self, seat: int, toy: int, marbles: int) -> None:
        """B8: a toy becomes marbles, which the seat is about to get."""
        if self.events is None:
            return
        self.say("convert", "B8", self._gain_of(seat, toy, marbles))

    def _gain_of(self, seat: int, toy: int, marbles: int) -> shapes.Gain:
        return {
            "seat": seat,
            "card": self.deck.names[toy],
            "marbles": marbles,
            "total": self.marbles[seat] + marbles,
        }

    def tell_done(self, seat: int) -> None:
        """B8: no more toys are converted."""
        if self.events is None:
            return
        data: shapes.Doing = {"seat": seat}
        self.say("done", "B8", data)

    def tell_lay(self, seat: int, toy: int, rule: str) -> None:
        """B10, B23: a toy is laid."""
        if self.events is None:
            return
        data: shapes.CardDoing = {"seat": seat, "card": self.deck.names[toy]}
        self.say("lay", rule, data)

    def tell_discard(self, seat: int, card: int, rule: str) -> None:
        """B11, B12: a card is discarded."""
        if self.events is None:
            return
        data: shapes.CardDoing = {"seat": seat, "card": self.deck.names[card]}
        self.say("discard", rule, data)

    def tell_end(self) -> None:
        """B14: the game is over."""
        if self.events is None:
            return
        data: shapes.End = {"reason": self.reason(), "marbles": list(self.marbles)}
        self.say("end", "B14", data)

    # Fights (B15 to B22).

    def _about_toy(self, seat: int) -> shapes.ToyDoing:
        """A seat does something about the toy at stake."""
        return {"seat": seat, "card": self.deck.names[self.toy], "owner": self.owner}

    def tell_fight(self, seat: int) -> None:
        """B15: a duel for the toy at stake begins."""
        if self.events is None:
            return
        self.say("fight", "B15", self._about_toy(seat))

    def tell_general_fight(self, seat: int) -> None:
        """B17: a general fight for the toy at stake begins."""
        if self.events is None:
            return
        self.say("general_fight", "B17", self._about_toy(seat))

    def tell_down(self, seat: int, card: int, rule: str) -> None:
        """B15 to B17, B20, B23: a friend is put face down, or a forfeit that looks the same to the others."""
        if self.events is None:
            return
        data: shapes.Down = {"seat": seat, "card": HIDDEN}
        self.say("down", rule, data, {seat: self.deck.known[card] if card >= 0 else {"card": "forfeit"}})

    def tell_no_friend(self, seat: int, rule: str) -> None:
        """B16, B17, B20, B23: a seat says that it has no friend."""
        if self.events is None:
            return
        data: shapes.Doing = {"seat": seat}
        self.say("no_friend", rule, data)

    def tell_answer(self, seat: int, yes: bool) -> None:
        """B18: a seat has decided about Maman, and only it knows how."""
        if self.events is None:
            return
        data: shapes.Answered = {"seat": seat, "answer": HIDDEN}
        self.say("answer", "B18", data, {seat: {"answer": "yes" if yes else "no"}})

    def tell_maman(self, seat: int) -> None:
        """B18: a seat calls Maman, and the toy at stake stays."""
        if self.events is None:
            return
        self.say("maman", "B18", self._about_toy(seat))

    def tell_take_back(self, seats: list[int]) -> None:
        """B21: what is still face down goes back unseen."""
        if self.events is None:
            return
        data: shapes.SeatsDoing = {"seats": seats}
        self.say("take_back", "B21", data)

    def tell_show(self, seat: int, card: int, rule: str) -> None:
        """B19, B23: a friend is turned."""
        if self.events is None:
            return
        data: shapes.CardDoing = {"seat": seat, "card": self.deck.names[card]}
        self.say("show", rule, data)

    def tell_forfeit(self, seat: int) -> None:
        """B16: it turns out that the owner had given up."""
        if self.events is None:
            return
        data: shapes.Doing = {"seat": seat}
        self.say("forfeit", "B16", data)

    def tell_tie(self, tied: int) -> None:
        """B20: these seats turned the highest card alike."""
        if self.events is None:
            return
        data: shapes.SeatsDoing = {"seats": list(SEATS_IN[tied])}
        self.say("tie", "B20", data)

    def tell_win_toy(self, seat: int, rule: str) -> None:
        """B19, B20: the toy at stake changes hands."""
        if self.events is None:
            return
        self.say("win_toy", rule, self._about_toy(seat))

    def tell_keep_toy(self, seat: int, rule: str) -> None:
        """B19, B20: the owner keeps the toy at stake."""
        if self.events is None:
            return
        self.say("keep_toy", rule, self._about_toy(seat))

    # Special moves (B23).

    def tell_special(self, seat: int, card: int) -> None:
        """A special move is played."""
        if self.events is None:
            return
        data: shapes.SpecialDoing = {"seat": seat, "card": EFFECTS[self.deck.effect[card]]}
        self.say("special", "B23", data)

    def tell_marie_edwige(self, seat: int, toy: int, marbles: int) -> None:
        """She takes a toy for its second value, which the seat is about to get."""
        if self.events is None:
            return
        self.say("marie_edwige", "B23", self._gain_of(seat, toy, marbles))

    def tell_surveillant(self, seat: int, toy: int, owner: int) -> None:
        """A toy is confiscated."""
        if self.events is None:
            return
        data: shapes.ToyDoing = {"seat": seat, "card": self.deck.names[toy], "owner": owner}
        self.say("surveillant", "B23", data)

    def tell_swap(self, seat: int, toy: int, owner: int) -> None:
        """The toy given is swapped for another."""
        if self.events is None:
            return
        names = self.deck.names
        data: shapes.Swap = {"seat": seat, "given": names[self.given], "card": names[toy], "owner": owner}
        self.say("swap", "B23", data)

    def tell_claim(self, seat: int) -> None:
        """The champion wants the toy at stake; its owner may still call Maman."""
        if self.events is None:
            return
        self.say("claim", "B23", self._about_toy(seat))

    def tell_championne(self, seat: int) -> None:
        """The champion takes the toy at stake."""
        if self.events is None:
            return
        self.say("championne", "B23", self._about_toy(seat))

    def tell_challenge(self, seat: int, other: int) -> None:
        """A seat is challenged to a game of marbles."""
        if self.events is None:
            return
        data: shapes.OtherDoing = {"seat": seat, "owner": other}
        self.say("challenge", "B23", data)

    def tell_bet_won(self, winner: int, loser: int, marbles: int) -> None:
        """A game of marbles is won, with or without a marble."""
        if self.events is None:
            return
        data: shapes.BetWon = {"seat": winner, "owner": loser, "marbles": marbles}
        self.say("bet_won", "B23", data)

    def tell_bet_tie(self, seat: int, other: int) -> None:
        """Both friends are alike in a game of marbles."""
        if self.events is None:
            return
        data: shapes.OtherDoing = {"seat": seat, "owner": other}
        self.say("bet_tie", "B23", data)

    def tell_bell(self, ringer: int) -> None:
        """The hands have passed to the left; every seat sees what it got (B24)."""
        if self.events is None:
            return
        names = self.deck.names
        data: shapes.Bell = {"seat": ringer, "hand": HIDDEN}
        own = {seat: {"hand": [names[card] for card in self.hands[seat]]} for seat in range(self.seats)}
        self.say("bell", "B23", data, own)

    def tell_lay_nothing(self, seat: int) -> None:
        """No more toys are laid with a special move."""
        if self.events is None:
            return
        data: shapes.Doing = {"seat": seat}
        self.say("lay_nothing", "B23", data)

    def tell_ban(self, seat: int) -> None:
        """The teacher: no fight before the next turn of this seat."""
        if self.events is None:
            return
        data: shapes.Doing = {"seat": seat}
        self.say("ban", "B23", data)

    def tell_ban_over(self, seat: int) -> None:
        """Fights are allowed again."""
        if self.events is None:
            return
        data: shapes.Doing = {"seat": seat}
        self.say("ban_over", "B23", data)
