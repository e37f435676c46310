"""The rules of La grande bagarre, B1 to B24: what happens to a position when somebody acts.

`position.py` says what a position is, `legal.py` what may be done in it.
"""

from __future__ import annotations

from random import Random

from ...core.errors import IllegalAction
from ...core.state import NATURE, Action, Event, Json, pick_counted
from .actions import CONVERT, DISCARD, DONE, DRAW, FIGHT, LAY, YES, BagarreAction
from .actions import FORFEIT as FORFEIT_ACTION
from .deck import CHAMPIONNE, CLOCHE, ECHANGE, MAITRESSE, MAMIE, MARIE_EDWIGE, PARTIE_DE_BILLES, SURVEILLANT
from .legal import Choices
from .memory import (
    BACK,
    BELL,
    DREW,
    GAVE_UP,
    HAS,
    LOOKED,
    NONE,
    PLACED,
    POOL,
    SECRET,
    SHOWED,
    TURNED,
    UNKNOWN,
    Note,
)
from .position import (
    ACTION,
    ANSWER,
    ATTACK,
    BETTING,
    CONVERTING,
    DEALING,
    DRAWING,
    EXCESS,
    FILLING,
    FORFEIT,
    GIVING,
    HAND,
    LAYING,
    LAYING_MORE,
    MAMIE_TOTAL,
    MOST_TURNS,
    NOT_ASKED,
    NOTHING,
    OPTIONAL,
    OVER,
    REPLYING,
    SAID_NO,
    SAID_YES,
    SEATING,
    SEATS_IN,
    TAKING,
    TURN,
    WINDOW,
    Setup,
)


class BagarreState(Choices):
    """A position of La grande bagarre that can be played on."""

    # What the contract asks for.

    def legal(self, seat: int) -> tuple[Action, ...]:
        """What the seat may do, by number."""
        if self.phase <= FILLING:
            return tuple(self.deals()) if seat == NATURE else ()
        if seat < 0 or not self.owing >> seat & 1:
            return ()
        if seat != self.listed_for:
            self.listed = tuple(self.choices(seat))
            self.listed_for = seat
        return self.listed

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
        return self.setup.actions.deal[self.drawer][self._drawn(rng)]

    def _drawn(self, rng: Random) -> int:
        """The kind of a card drawn from the pile."""
        return pick_counted(self.pile, 0, self.deck.kinds, self.pile_size, rng)

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

    def action(self, text: str) -> Action:
        """The action with this text form."""
        return self.setup.actions.parse(text)

    def advance(self, actor: int, action: Action) -> None:
        """Carry out a legal action, then all that needs no question."""
        assert isinstance(action, BagarreAction)
        if actor == NATURE:
            self._deal(action.card)
        else:
            self._perform(actor, action)

    def why_not(self, actor: int, action: Action) -> IllegalAction:
        """Which rule forbids the action here."""
        from .why import why_not

        assert isinstance(action, BagarreAction)
        return why_not(self, actor, action)

    def zombie(self, seat: int) -> Action:
        """An absent seat draws, discards its lowest friend, places its lowest friend and lays nothing."""
        actions = self.choices(seat)
        if self.phase == ACTION:
            for action in actions:
                if action.sort == DISCARD:
                    return action
        return actions[0]

    def copy(self) -> BagarreState:
        """An independent copy."""
        return BagarreState(
            self.setup,
            [hand.copy() for hand in self.hands],
            [toys.copy() for toys in self.front],
            self.marbles.copy(),
            self.pile.copy(),
            self.pile_size,
            self.discard.copy(),
            self.turn,
            self.active,
            self.phase,
            self.owing,
            self.drawer,
            self.filled,
            self.ban,
            self.effect,
            self.given,
            self.limit,
            self.toy,
            self.owner,
            self.round,
            self.placed.copy(),
            self.answers.copy(),
            self.turned.copy(),
            self.memory,
        )

    def __reduce__(self) -> tuple[object, ...]:
        from .views import load

        return (load, (self.to_json(),))

    def to_json(self) -> Json:
        """The position as JSON data."""
        from .views import to_json

        return to_json(self)

    def view(self, seat: int | None) -> Json:
        """What a seat knows."""
        from .views import view

        return view(self, seat)

    def prompt(self, seat: int | None) -> Json:
        """What is asked now."""
        from .views import prompt

        return prompt(self, seat)

    def diagram(self, seat: int | None = None) -> str:
        """The table as a text picture, as a seat sees it."""
        from .diagram import diagram

        return diagram(self, seat)

    def playout(self, rng: Random) -> int:
        """Play on at random to the end; returns the number of decisions."""
        point = rng.random
        count = 0
        while self.phase != OVER:
            if self.phase <= FILLING:
                self._deal(self._drawn(rng))
            else:
                seat = SEATS_IN[self.owing][0]
                actions = self.choices(seat)
                self._perform(seat, actions[int(point() * len(actions))])
                count += 1
        return count

    # Drawing (B6, B9, B12, B13).

    def _await_card(self, seat: int, phase: int) -> None:
        """Let nature deal a card to a seat; an empty pile is refilled now (B13)."""
        self.phase = phase
        self.drawer = seat
        self.owing = 0
        if self.pile_size == 0:
            self._refill()

    def _refill(self) -> None:
        """B13: the discard becomes the pile; everybody knows what is in it, nobody in which order."""
        cards: list[int] = []
        for kind in range(self.deck.kinds):
            for _ in range(self.discard[kind]):
                cards.append(kind)
        self.pile = self.discard
        self.pile_size = len(cards)
        self.discard = [0] * self.deck.kinds
        self.memory = Note(self.memory, POOL, -1, UNKNOWN, tuple(cards))
        if self.events is not None:
            self.events.append(Event("reshuffle", "B13", {"cards": len(cards)}))

    def _deal(self, card: int) -> None:
        """Nature deals a card out of the pile."""
        seat = self.drawer
        phase = self.phase
        self.drawer = -1
        self.pile[card] -= 1
        self.pile_size -= 1
        self._into_hand(seat, card)
        self.memory = Note(self.memory, DREW, seat, card, None)
        if self.events is not None:
            rule = "B6" if phase == DEALING else "B9" if phase == DRAWING else "B12"
            self.events.append(Event("draw", rule, {"seat": seat}))
            self.events.append(Event("own_draw", rule, {"seat": seat, "card": self.deck.names[card]}, None, (seat,)))
        if phase == DRAWING:
            self.phase = ACTION
            self.owing = 1 << seat
        elif phase == FILLING:
            self._fill()
        elif len(self.hands[seat]) < HAND:
            self.drawer = seat
        elif (seat + 1) % self.seats != self.setup.first:
            self.drawer = (seat + 1) % self.seats
        else:
            self._begin_turn(self.setup.first)

    def _into_hand(self, seat: int, card: int) -> None:
        hand = self.hands[seat]
        at = len(hand)
        while at > 0 and hand[at - 1] > card:
            at -= 1
        hand.insert(at, card)

    def _out_of_hand(self, seat: int, card: int) -> None:
        """A card leaves the hand for all to see."""
        self.hands[seat].remove(card)
        self.memory = Note(self.memory, SHOWED, seat, card, None)

    # The turn (B7 to B14).

    def _begin_turn(self, seat: int) -> None:
        self.turn += 1
        self.active = seat
        if self.events is not None:
            self.events.append(Event("turn", "B7", {"seat": seat, "turn": self.turn}))
        if self.ban == seat:
            self.ban = -1
            if self.events is not None:
                self.events.append(Event("ban_over", "B23", {"seat": seat}))
        if self.front[seat]:
            self.phase = TURN
            self.owing = 1 << seat
        else:
            self._await_card(seat, DRAWING)

    def _end_turn(self) -> None:
        self.effect = -1
        self.given = -1
        self.limit = 0
        self.toy = -1
        self.owner = -1
        self.round = 0
        self.filled = 0
        self._fill()

    def _fill(self) -> None:
        """B12: from the active seat on, everybody gets back to five cards; then the next turn begins."""
        while self.filled < self.seats:
            seat = (self.active + self.filled) % self.seats
            held = len(self.hands[seat])
            if held > HAND:
                self.phase = EXCESS
                self.owing = 1 << seat
                return
            if held < HAND:
                self._await_card(seat, FILLING)
                return
            self.filled += 1
        self.filled = 0
        if self.turn >= MOST_TURNS:
            self._end("turns")
        else:
            self._begin_turn((self.active + 1) % self.seats)

    def _end(self, reason: str) -> None:
        self.phase = OVER
        self.owing = 0
        if self.events is not None:
            self.events.append(Event("end", "B14", {"reason": reason, "marbles": list(self.marbles)}))

    def _gain(self, seat: int, marbles: int) -> bool:
        """B14: marbles are won; whether that ends the game."""
        self.marbles[seat] += marbles
        if self.marbles[seat] < self.setup.goal:
            return False
        self._end("goal")
        return True

    def _perform(self, seat: int, action: BagarreAction) -> None:
        self.listed_for = -1
        phase = self.phase
        card = action.card
        if phase == ACTION:
            self._act(seat, action)
        elif phase == WINDOW:
            self._answer_maman(seat, action.sort == YES)
        elif phase == ANSWER:
            self._answer(seat, FORFEIT if action.sort == FORFEIT_ACTION else card)
        elif phase in (TURN, CONVERTING):
            self._convert_or_draw(seat, action)
        elif phase == ATTACK:
            self._attack(seat, card)
        elif phase in (OPTIONAL, LAYING, LAYING_MORE):
            self._lay_by_special(seat, action)
        elif phase == EXCESS:
            self._discard(seat, card, "B12")
            self._fill()
        elif phase == GIVING:
            self._give(card)
        elif phase == TAKING:
            self._take(card)
        elif phase == SEATING:
            self._challenge(action.seat)
        elif phase == BETTING:
            self._bet(seat, card)
        else:
            self._reply(card)

    def _convert_or_draw(self, seat: int, action: BagarreAction) -> None:
        """B8: toys become marbles one after another; drawing instead is B9."""
        if action.sort == DRAW:
            self._await_card(seat, DRAWING)
            return
        if action.sort == DONE:
            if self.events is not None:
                self.events.append(Event("done", "B8", {"seat": seat}))
            self._end_turn()
            return
        assert action.sort == CONVERT
        toy = action.card
        marbles = self.deck.value[toy]
        self.front[seat].remove(toy)
        self.discard[toy] += 1
        if self.events is not None:
            self.events.append(
                Event(
                    "convert",
                    "B8",
                    {
                        "seat": seat,
                        "card": self.deck.names[toy],
                        "marbles": marbles,
                        "total": self.marbles[seat] + marbles,
                    },
                )
            )
        if self._gain(seat, marbles):
            return
        if self.front[seat]:
            self.phase = CONVERTING
        else:
            self._end_turn()

    def _act(self, seat: int, action: BagarreAction) -> None:
        """B7: the one action after drawing."""
        sort = action.sort
        if sort == LAY:
            self._lay(seat, action.card, "B10")
            self._end_turn()
        elif sort == DISCARD:
            self._discard(seat, action.card, "B11")
            self._end_turn()
        elif sort == FIGHT:
            self._start_fight(seat, action.card)
        else:
            self._play_special(seat, action.card)

    def _lay(self, seat: int, toy: int, rule: str) -> None:
        self._out_of_hand(seat, toy)
        self._put_in_front(seat, toy)
        if self.events is not None:
            self.events.append(Event("lay", rule, {"seat": seat, "card": self.deck.names[toy]}))

    def _discard(self, seat: int, card: int, rule: str) -> None:
        self._out_of_hand(seat, card)
        self.discard[card] += 1
        if self.events is not None:
            self.events.append(Event("discard", rule, {"seat": seat, "card": self.deck.names[card]}))

    def _put_in_front(self, seat: int, toy: int) -> None:
        self.front[seat].append(toy)
        self.front[seat].sort()

    def _move_toy(self, toy: int, seat: int) -> None:
        """The toy goes from its owner to in front of another seat."""
        self.front[self.owner_of(toy)].remove(toy)
        self._put_in_front(seat, toy)

    # Fights (B15 to B22).

    def _start_fight(self, seat: int, toy: int) -> None:
        """B15: the attacker names the toy and is asked for a friend."""
        self.toy = toy
        self.owner = self.owner_of(toy)
        self.round = 1
        self.phase = ATTACK
        if self.events is not None:
            data: Json = {"seat": seat, "card": self.deck.names[toy], "owner": self.owner}
            if self.is_general():
                self.events.append(Event("general_fight", "B17", data))
            else:
                self.events.append(Event("fight", "B15", data))

    def _put_down(self, seat: int, card: int, rule: str) -> None:
        """A friend goes face down, or a forfeit that looks the same."""
        self.placed[seat] = card
        if card >= 0:
            self.hands[seat].remove(card)
        if self.events is not None:
            self.events.append(Event("down", rule, {"seat": seat}))
            if card >= 0:
                self.events.append(
                    Event("own_down", rule, {"seat": seat, "card": self.deck.names[card]}, None, (seat,))
                )
            else:
                self.events.append(Event("own_forfeit", rule, {"seat": seat}, None, (seat,)))

    def _say_no_friend(self, seat: int, rule: str) -> None:
        self.memory = Note(self.memory, NONE, seat, UNKNOWN, None)
        if self.events is not None:
            self.events.append(Event("no_friend", rule, {"seat": seat}))

    def _attack(self, seat: int, card: int) -> None:
        """B15 to B17: the attacker's friend is down; now the others, or say that they have none."""
        self._put_down(seat, card, "B15")
        self.memory = Note(self.memory, PLACED, seat, card, None)
        asked = 0
        general = self.is_general()
        for step in range(1, self.seats):
            other = (seat + step) % self.seats
            if general or other == self.owner:
                if self.has_friend(other):
                    asked |= 1 << other
                else:
                    self._say_no_friend(other, "B17" if general else "B16")
        self._ask_friends(asked)

    def _ask_friends(self, asked: int) -> None:
        self.owing = asked
        if asked:
            self.phase = ANSWER
        else:
            self._open_window()

    def _answer(self, seat: int, card: int) -> None:
        """B16, B17, B20: a secret answer; once all are in, the table remembers who placed."""
        self._put_down(seat, card, "B20" if self.round > 1 else "B17" if self.is_general() else "B16")
        self.owing &= ~(1 << seat)
        if self.owing:
            return
        for step in range(1, self.seats + 1):
            other = (self.active + step) % self.seats
            down = self.placed[other]
            if down == NOTHING or (self.round == 1 and other == self.active):
                continue
            secret = self.setup.may_forfeit and other == self.owner and not self.is_general()
            self.memory = Note(self.memory, SECRET if secret else PLACED, other, down, None)
        self._open_window()

    def _open_window(self) -> None:
        """B18: everybody with a card down and the owner are asked for Maman, if there is one in the set."""
        if self.deck.maman < 0:
            self._turn_over()
            return
        asked = 1 << self.owner
        for seat in range(self.seats):
            if self.placed[seat] != NOTHING:
                asked |= 1 << seat
        self.owing = asked
        self.phase = WINDOW

    def _answer_maman(self, seat: int, yes: bool) -> None:
        """B18: a secret answer; once all are in, the first yes clockwise from the attacker's left counts."""
        self.answers[seat] = SAID_YES if yes else SAID_NO
        self.owing &= ~(1 << seat)
        if self.events is not None:
            self.events.append(Event("answer", "B18", {"seat": seat}))
            said = "yes" if yes else "no"
            self.events.append(Event("own_answer", "B18", {"seat": seat, "answer": said}, None, (seat,)))
        if self.owing:
            return
        caller = -1
        for step in range(self.seats, 0, -1):
            other = (self.active + step) % self.seats
            if self.answers[other] == SAID_YES:
                caller = other
        self.answers = [NOT_ASKED] * self.seats
        if caller >= 0:
            self._call_maman(caller)
        elif self.effect == CHAMPIONNE:
            self._champion_takes()
        else:
            self._turn_over()

    def _call_maman(self, seat: int) -> None:
        """B18, B21: everything stops, the toy stays, and friends still face down go back unseen."""
        maman = self.deck.maman
        self._out_of_hand(seat, maman)
        self.discard[maman] += 1
        if self.events is not None:
            data: Json = {"seat": seat, "card": self.deck.names[self.toy], "owner": self.owner}
            self.events.append(Event("maman", "B18", data))
        back: list[int] = []
        for other in range(self.seats):
            card = self.placed[other]
            if card == NOTHING:
                continue
            if card >= 0:
                self._into_hand(other, card)
            self.placed[other] = NOTHING
            self.memory = Note(self.memory, BACK, other, UNKNOWN, None)
            back.append(other)
        if self.events is not None and back:
            self.events.append(Event("take_back", "B21", {"seats": back}))
        self._end_fight()

    def _turn_over(self) -> None:
        """B19: all cards are turned at once; the highest wins, the highest alike fight on."""
        best = -1
        tied = 0
        for step in range(self.seats):
            seat = (self.active + step) % self.seats
            card = self.placed[seat]
            if card == NOTHING:
                continue
            self.placed[seat] = NOTHING
            if card == FORFEIT:
                self.memory = Note(self.memory, GAVE_UP, seat, UNKNOWN, None)
                if self.events is not None:
                    self.events.append(Event("forfeit", "B16", {"seat": seat}))
                continue
            self._turn_card(seat, card, "B19")
            if card > best:
                best = card
                tied = 1 << seat
            elif card == best:
                tied |= 1 << seat
        seats = SEATS_IN[tied]
        if len(seats) == 1:
            self._win_fight(seats[0], "B19")
        else:
            self._tie(tied)

    def _turn_card(self, seat: int, card: int, rule: str) -> None:
        self.turned.append((seat, card))
        self.memory = Note(self.memory, TURNED, seat, card, None)
        if self.events is not None:
            self.events.append(Event("show", rule, {"seat": seat, "card": self.deck.names[card]}))

    def _tie(self, tied: int) -> None:
        """B20: those that still have a friend fight on; with fewer than two of them it is over."""
        if self.events is not None:
            self.events.append(Event("tie", "B20", {"seats": list(SEATS_IN[tied])}))
        able = 0
        for step in range(self.seats):
            seat = (self.active + step) % self.seats
            if tied >> seat & 1:
                if self.has_friend(seat):
                    able |= 1 << seat
                else:
                    self._say_no_friend(seat, "B20")
        seats = SEATS_IN[able]
        if len(seats) > 1:
            self.round += 1
            self._ask_friends(able)
            return
        if not seats:
            self._win_fight(self.owner, "B20")
            return
        self.memory = Note(self.memory, HAS, seats[0], UNKNOWN, None)
        self._win_fight(seats[0], "B20")

    def _win_fight(self, seat: int, rule: str) -> None:
        """B19, B20: the winner takes the toy in front of it, or keeps it."""
        if self.events is not None:
            data: Json = {"seat": seat, "card": self.deck.names[self.toy], "owner": self.owner}
            self.events.append(Event("keep_toy" if seat == self.owner else "win_toy", rule, data))
        if seat != self.owner:
            self._move_toy(self.toy, seat)
        self._end_fight()

    def _end_fight(self) -> None:
        """B21: what was turned is discarded."""
        for _, card in self.turned:
            self.discard[card] += 1
        self.turned = []
        self._end_turn()

    # Special moves (B23).

    def _play_special(self, seat: int, card: int) -> None:
        effect = self.deck.effect[card]
        self._out_of_hand(seat, card)
        self.discard[card] += 1
        self.effect = effect
        if self.events is not None:
            self.events.append(Event("special", "B23", {"seat": seat, "card": self.deck.names[card]}))
        if effect in (MARIE_EDWIGE, ECHANGE):
            self._ask_give(seat)
        elif effect in (SURVEILLANT, CHAMPIONNE):
            self._ask_take(seat)
        elif effect == MAMIE:
            self.phase = LAYING
        elif effect == PARTIE_DE_BILLES:
            self._ask_seat(seat)
        elif effect == MAITRESSE:
            self.ban = seat
            if self.events is not None:
                self.events.append(Event("ban", "B23", {"seat": seat}))
            self.phase = OPTIONAL
        else:
            assert effect == CLOCHE
            self._ring()
            self.phase = OPTIONAL

    def _ask_give(self, seat: int) -> None:
        """A toy of one's own; taken by the engine if there is only one."""
        if len(self.front[seat]) == 1:
            self._give(self.front[seat][0])
        else:
            self.phase = GIVING

    def _ask_take(self, seat: int) -> None:
        """A toy of another seat; taken by the engine if there is only one."""
        toys = self.toys_of_others(seat)
        if len(toys) == 1:
            self._take(toys[0])
        else:
            self.phase = TAKING

    def _ask_seat(self, seat: int) -> None:
        """A seat with a marble; taken by the engine if there is only one."""
        others = self.rich_others(seat)
        if len(others) == 1:
            self._challenge(others[0])
        else:
            self.phase = SEATING

    def _give(self, toy: int) -> None:
        """Marie-Edwige takes the toy for its second value; in an exchange the other toy is named next."""
        seat = self.active
        if self.effect == ECHANGE:
            self.given = toy
            self._ask_take(seat)
            return
        marbles = self.deck.second[toy]
        self.front[seat].remove(toy)
        self.discard[toy] += 1
        if self.events is not None:
            self.events.append(
                Event(
                    "marie_edwige",
                    "B23",
                    {
                        "seat": seat,
                        "card": self.deck.names[toy],
                        "marbles": marbles,
                        "total": self.marbles[seat] + marbles,
                    },
                )
            )
        if not self._gain(seat, marbles):
            self._end_turn()

    def _take(self, toy: int) -> None:
        """The toy of another seat that is confiscated, exchanged or taken."""
        seat = self.active
        owner = self.owner_of(toy)
        names = self.deck.names
        if self.effect == SURVEILLANT:
            self.front[owner].remove(toy)
            self.discard[toy] += 1
            if self.events is not None:
                self.events.append(Event("surveillant", "B23", {"seat": seat, "card": names[toy], "owner": owner}))
            self.phase = OPTIONAL
        elif self.effect == ECHANGE:
            self._move_toy(toy, seat)
            self._move_toy(self.given, owner)
            if self.events is not None:
                data: Json = {"seat": seat, "given": names[self.given], "card": names[toy], "owner": owner}
                self.events.append(Event("swap", "B23", data))
            self._end_turn()
        else:
            self.toy = toy
            self.owner = owner
            if self.events is not None:
                self.events.append(Event("claim", "B23", {"seat": seat, "card": names[toy], "owner": owner}))
            if self.deck.maman < 0:
                self._champion_takes()
            else:
                self.owing = 1 << owner
                self.phase = WINDOW

    def _champion_takes(self) -> None:
        if self.events is not None:
            data: Json = {"seat": self.active, "card": self.deck.names[self.toy], "owner": self.owner}
            self.events.append(Event("championne", "B23", data))
        self._move_toy(self.toy, self.active)
        self._end_turn()

    def _challenge(self, other: int) -> None:
        self.owner = other
        self.phase = BETTING
        if self.events is not None:
            self.events.append(Event("challenge", "B23", {"seat": self.active, "owner": other}))

    def _bet(self, seat: int, card: int) -> None:
        """The challenger's friend is down; the other seat must answer if it can."""
        self._put_down(seat, card, "B23")
        self.memory = Note(self.memory, PLACED, seat, card, None)
        if self.has_friend(self.owner):
            self.owing = 1 << self.owner
            self.phase = REPLYING
        else:
            self._say_no_friend(self.owner, "B23")
            self._settle_bet()

    def _reply(self, card: int) -> None:
        self._put_down(self.owner, card, "B23")
        self.memory = Note(self.memory, PLACED, self.owner, card, None)
        self._settle_bet()

    def _settle_bet(self) -> None:
        """Both friends are shown and discarded; the higher one takes a marble."""
        seat = self.active
        other = self.owner
        mine = self.placed[seat]
        theirs = self.placed[other]
        for who in (seat, other):
            card = self.placed[who]
            if card >= 0:
                self.placed[who] = NOTHING
                self._turn_card(who, card, "B23")
                self.discard[card] += 1
        self.turned = []
        winner = seat if mine > theirs else other
        loser = other if mine > theirs else seat
        marbles = 1 if mine != theirs and self.marbles[loser] > 0 else 0
        if self.events is not None:
            if mine == theirs:
                self.events.append(Event("bet_tie", "B23", {"seat": seat, "owner": other}))
            else:
                self.events.append(Event("bet_won", "B23", {"seat": winner, "owner": loser, "marbles": marbles}))
        self.marbles[loser] -= marbles
        if not self._gain(winner, marbles):
            self._end_turn()

    def _ring(self) -> None:
        """The bell: all hands pass to the left; everybody knows what it gave and what it got (B24)."""
        self._look()
        self.memory = Note(self.memory, BELL, -1, UNKNOWN, None)
        self.hands = [self.hands[seat - 1] for seat in range(self.seats)]
        self._look()
        if self.events is not None:
            self.events.append(Event("bell", "B23", {"seat": self.active}))
            for seat in range(self.seats):
                cards = [self.deck.names[card] for card in self.hands[seat]]
                self.events.append(Event("own_hand", "B24", {"seat": seat, "cards": cards}, None, (seat,)))

    def _look(self) -> None:
        for seat in range(self.seats):
            self.memory = Note(self.memory, LOOKED, seat, UNKNOWN, tuple(self.hands[seat]))

    def _lay_by_special(self, seat: int, action: BagarreAction) -> None:
        """B23: a toy laid with a special move, or none."""
        if action.sort == DONE:
            if self.events is not None:
                self.events.append(Event("lay_nothing", "B23", {"seat": seat}))
            self._end_turn()
            return
        toy = action.card
        self._lay(seat, toy, "B23")
        if self.phase == LAYING and self.deck.value[toy] < MAMIE_TOTAL:
            self.limit = MAMIE_TOTAL - self.deck.value[toy]
            self.phase = LAYING_MORE
        else:
            self._end_turn()


def fresh(setup: Setup) -> BagarreState:
    """The first position, before the first card is dealt (B6)."""
    seats = setup.seats
    deck = setup.deck
    return BagarreState(
        setup,
        [[] for _ in range(seats)],
        [[] for _ in range(seats)],
        [0] * seats,
        deck.counts.copy(),
        deck.size,
        [0] * deck.kinds,
        0,
        setup.first,
        DEALING,
        0,
        setup.first,
        0,
        -1,
        -1,
        -1,
        0,
        -1,
        -1,
        0,
        [NOTHING] * seats,
        [NOT_ASKED] * seats,
        [],
        None,
    )
