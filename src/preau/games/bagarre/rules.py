"""The rules of La grande bagarre, B1 to B24: what happens to a position when somebody acts.

`position.py` says what a position is, `legal.py` what may be done in it, `telling.py` what is said about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...core.mypyc_shims import i64
from ...core.slate import Slate
from ...core.state import NATURE, Action, Json
from .actions import CONVERT, DISCARD, DONE, DRAW, FIGHT, LAY, YES, BagarreAction
from .actions import FORFEIT as FORFEIT_ACTION
from .deck import CHAMPIONNE, CLOCHE, ECHANGE, MAITRESSE, MAMIE, MARIE_EDWIGE, PARTIE_DE_BILLES, SURVEILLANT
from .memory import BACK, BELL, DREW, GAVE_UP, HAS, LOOKED, NONE, PLACED, POOL, SECRET, SHOWED, TURNED, UNKNOWN, Note
from .observe import write
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
    has,
    mask_of,
    without,
)
from .telling import Telling


class BagarreState(Telling):
    """A position of La grande bagarre that can be played on."""

    # What the contract asks for.

    def action(self, text: str) -> Action:
        """The action with this text form."""
        return self.setup.actions.parse(text)

    def views(self, eyes: Sequence[int | None]) -> tuple[Json, list[Json]]:
        """What several seats see alike, and what each sees besides (`views.py`)."""
        found: tuple[Json, list[Json]] = self.game.part("views").views(self, eyes)
        return found

    def advance(self, actor: int, action: Action) -> None:
        """Carry out a legal action, then all that needs no question."""
        assert isinstance(action, BagarreAction)
        if actor == NATURE:
            self._deal(action.card)
        else:
            self._perform(actor, action)

    def write(self, seat: int, slate: Slate) -> None:
        """The position as numbers, as `seat` sees it."""
        write(self, seat, slate)

    def zombie(self, seat: int) -> Action:
        """An absent seat draws, discards its lowest friend, places its lowest friend and lays nothing."""
        actions = self.choices(seat)
        if self.phase == ACTION:
            for action in actions:
                if action.kind == DISCARD:
                    return action
        return actions[0]

    def copy(self) -> BagarreState:
        """An independent copy."""
        return BagarreState(
            self.setup,
            hands=[hand.copy() for hand in self.hands],
            front=[toys.copy() for toys in self.front],
            marbles=self.marbles.copy(),
            pile=self.pile.copy(),
            pile_size=self.pile_size,
            discard=self.discard.copy(),
            discard_stamp=self.discard_stamp,
            turn=self.turn,
            active=self.active,
            phase=self.phase,
            owing=self.owing,
            drawer=self.drawer,
            filled=self.filled,
            ban=self.ban,
            effect=self.effect,
            given=self.given,
            limit=self.limit,
            toy=self.toy,
            owner=self.owner,
            round=self.round,
            placed=self.placed.copy(),
            answers=self.answers.copy(),
            turned=self.turned.copy(),
            memory=self.memory,
            remembers=self.remembers,
        )

    def playout(self, rng: Random) -> int:
        """Play on at random to the end; returns the number of decisions."""
        point = rng.random
        count = 0
        while self.phase != OVER:
            if self.phase <= FILLING:
                self._deal(self.drawn(rng))
            else:
                seat = SEATS_IN[self.owing][0]
                actions = self.choices(seat)
                self._perform(seat, actions[int(point() * len(actions))])
                count += 1
        return count

    # Asked for at every step: Python calls a method of the very class faster than one that it inherits.

    def legal(self, seat: int) -> tuple[Action, ...]:
        """What the seat may do, by number (`legal.py`)."""
        return super().legal(seat)

    def draw(self, rng: Random) -> Action:
        """A card off the pile (`legal.py`)."""
        return super().draw(rng)

    def forget(self) -> None:
        """Take no notes from here on."""
        self.memory = None
        self.remembers = False

    def _note(self, what: int, seat: int, card: int, cards: tuple[int, ...] | None = None) -> None:
        """Remember what happened to a hand (B24), unless nobody will ask."""
        if self.remembers:
            self.memory = Note(self.memory, what, seat, card, cards)

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
        self.discard_stamp = 0
        self._note(POOL, -1, UNKNOWN, tuple(cards))
        self.tell_reshuffle(self.pile_size)

    def _deal(self, card: int) -> None:
        """Nature deals a card out of the pile."""
        seat = self.drawer
        phase = self.phase
        self.drawer = -1
        self.pile[card] -= 1
        self.pile_size -= 1
        self._into_hand(seat, card)
        self._note(DREW, seat, card)
        self.tell_draw(seat, card, phase)
        if phase == DRAWING:
            self.phase = ACTION
            self.owing = mask_of(seat)
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
        at: i64 = len(hand)
        while at > 0 and hand[at - 1] > card:
            at -= 1
        hand.insert(at, card)

    def _out_of_hand(self, seat: int, card: int) -> None:
        """A card leaves the hand for all to see."""
        self.hands[seat].remove(card)
        self._note(SHOWED, seat, card)

    # The turn (B7 to B14).

    def _begin_turn(self, seat: int) -> None:
        self.turn += 1
        self.active = seat
        self.tell_turn(seat)
        if self.ban == seat:
            self.ban = -1
            self.tell_ban_over(seat)
        if self.front[seat]:
            self.phase = TURN
            self.owing = mask_of(seat)
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
        seats: i64 = self.seats
        for filled in range(self.filled, seats):
            seat: i64 = (self.active + filled) % seats
            held = len(self.hands[seat])
            if held == HAND:
                continue
            self.filled = filled
            if held < HAND:
                self._await_card(seat, FILLING)
            else:
                self.phase = EXCESS
                self.owing = mask_of(seat)
            return
        self.filled = 0
        if self.turn >= MOST_TURNS:
            self._end()
        else:
            self._begin_turn((self.active + 1) % self.seats)

    def _end(self) -> None:
        """B14: the marbles are won, or the last turn is over."""
        self.phase = OVER
        self.owing = 0
        self.tell_end()

    def _gain(self, seat: int, marbles: int) -> bool:
        """B14: marbles are won; whether that ends the game."""
        self.marbles[seat] += marbles
        if self.marbles[seat] < self.setup.goal:
            return False
        self._end()
        return True

    def _perform(self, seat: int, action: BagarreAction) -> None:
        self.listed_for = -1
        phase = self.phase
        card = action.card
        if phase == ACTION:
            self._act(seat, action)
        elif phase == WINDOW:
            self._answer_maman(seat, action.kind == YES)
        elif phase == ANSWER:
            self._answer(seat, FORFEIT if action.kind == FORFEIT_ACTION else card)
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
        if action.kind == DRAW:
            self._await_card(seat, DRAWING)
            return
        if action.kind == DONE:
            self.tell_done(seat)
            self._end_turn()
            return
        assert action.kind == CONVERT
        toy = action.card
        marbles = self.deck.value[toy]
        self.front[seat].remove(toy)
        self._throw_away(toy)
        self.tell_convert(seat, toy, marbles)
        if self._gain(seat, marbles):
            return
        if self.front[seat]:
            self.phase = CONVERTING
        else:
            self._end_turn()

    def _act(self, seat: int, action: BagarreAction) -> None:
        """B7: the one action after drawing."""
        kind = action.kind
        if kind == LAY:
            self._lay(seat, action.card, "B10")
            self._end_turn()
        elif kind == DISCARD:
            self._discard(seat, action.card, "B11")
            self._end_turn()
        elif kind == FIGHT:
            self._start_fight(seat, action.card)
        else:
            self._play_special(seat, action.card)

    def _lay(self, seat: int, toy: int, rule: str) -> None:
        self._out_of_hand(seat, toy)
        self._put_in_front(seat, toy)
        self.tell_lay(seat, toy, rule)

    def _throw_away(self, card: int) -> None:
        """A card goes on the discard."""
        self.discard[card] += 1
        self.discard_stamp = 0

    def _discard(self, seat: int, card: int, rule: str) -> None:
        self._out_of_hand(seat, card)
        self._throw_away(card)
        self.tell_discard(seat, card, rule)

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
        if self.is_general():
            self.tell_general_fight(seat)
        else:
            self.tell_fight(seat)

    def _put_down(self, seat: int, card: int, rule: str) -> None:
        """A friend goes face down, or a forfeit that looks the same."""
        self.placed[seat] = card
        if card >= 0:
            self.hands[seat].remove(card)
        self.tell_down(seat, card, rule)

    def _say_no_friend(self, seat: int, rule: str) -> None:
        self._note(NONE, seat, UNKNOWN)
        self.tell_no_friend(seat, rule)

    def _attack(self, seat: int, card: int) -> None:
        """B15 to B17: the attacker's friend is down; now the others, or say that they have none."""
        self._put_down(seat, card, "B15")
        self._note(PLACED, seat, card)
        asked = 0
        general = self.is_general()
        for step in range(1, self.seats):
            other = (seat + step) % self.seats
            if general or other == self.owner:
                if self.has_friend(other):
                    asked |= mask_of(other)
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
        self.owing = without(self.owing, seat)
        if self.owing:
            return
        for step in range(1, self.seats + 1):
            other = (self.active + step) % self.seats
            down = self.placed[other]
            if down == NOTHING or (self.round == 1 and other == self.active):
                continue
            secret = self.setup.may_forfeit and other == self.owner and not self.is_general()
            self._note(SECRET if secret else PLACED, other, down)
        self._open_window()

    def _open_window(self) -> None:
        """B18: everybody with a card down and the owner are asked for Maman, if there is one in the set."""
        if self.deck.maman < 0:
            self._turn_over()
            return
        asked = mask_of(self.owner)
        for seat in range(self.seats):
            if self.placed[seat] != NOTHING:
                asked |= mask_of(seat)
        self.owing = asked
        self.phase = WINDOW

    def _answer_maman(self, seat: int, yes: bool) -> None:
        """B18: a secret answer; once all are in, the first yes clockwise from the attacker's left counts."""
        self.answers[seat] = SAID_YES if yes else SAID_NO
        self.owing = without(self.owing, seat)
        self.tell_answer(seat, yes)
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
        self._throw_away(maman)
        self.tell_maman(seat)
        back: list[int] = []
        for other in range(self.seats):
            card = self.placed[other]
            if card == NOTHING:
                continue
            if card >= 0:
                self._into_hand(other, card)
            self.placed[other] = NOTHING
            self._note(BACK, other, UNKNOWN)
            back.append(other)
        if back:
            self.tell_take_back(back)
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
                self._note(GAVE_UP, seat, UNKNOWN)
                self.tell_forfeit(seat)
                continue
            self._turn_card(seat, card, "B19")
            if card > best:
                best = card
                tied = mask_of(seat)
            elif card == best:
                tied |= mask_of(seat)
        seats = SEATS_IN[tied]
        if len(seats) == 1:
            self._win_fight(seats[0], "B19")
        else:
            self._tie(tied)

    def _turn_card(self, seat: int, card: int, rule: str) -> None:
        self.turned.append((seat, card))
        self._note(TURNED, seat, card)
        self.tell_show(seat, card, rule)

    def _tie(self, tied: int) -> None:
        """B20: those that still have a friend fight on; with fewer than two of them it is over."""
        self.tell_tie(tied)
        able = 0
        for step in range(self.seats):
            seat = (self.active + step) % self.seats
            if has(tied, seat):
                if self.has_friend(seat):
                    able |= mask_of(seat)
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
        self._note(HAS, seats[0], UNKNOWN)
        self._win_fight(seats[0], "B20")

    def _win_fight(self, seat: int, rule: str) -> None:
        """B19, B20: the winner takes the toy in front of it, or keeps it."""
        if seat == self.owner:
            self.tell_keep_toy(seat, rule)
        else:
            self.tell_win_toy(seat, rule)
            self._move_toy(self.toy, seat)
        self._end_fight()

    def _end_fight(self) -> None:
        """B21: what was turned is discarded."""
        for _, card in self.turned:
            self._throw_away(card)
        self.turned = []
        self._end_turn()

    # Special moves (B23).

    def _play_special(self, seat: int, card: int) -> None:
        effect = self.deck.effect[card]
        self._out_of_hand(seat, card)
        self._throw_away(card)
        self.effect = effect
        self.tell_special(seat, card)
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
            self.tell_ban(seat)
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
        self._throw_away(toy)
        self.tell_marie_edwige(seat, toy, marbles)
        if not self._gain(seat, marbles):
            self._end_turn()

    def _take(self, toy: int) -> None:
        """The toy of another seat that is confiscated, exchanged or taken."""
        seat = self.active
        owner = self.owner_of(toy)
        if self.effect == SURVEILLANT:
            self.front[owner].remove(toy)
            self._throw_away(toy)
            self.tell_surveillant(seat, toy, owner)
            self.phase = OPTIONAL
        elif self.effect == ECHANGE:
            self._move_toy(toy, seat)
            self._move_toy(self.given, owner)
            self.tell_swap(seat, toy, owner)
            self._end_turn()
        else:
            self.toy = toy
            self.owner = owner
            self.tell_claim(seat)
            if self.deck.maman < 0:
                self._champion_takes()
            else:
                self.owing = mask_of(owner)
                self.phase = WINDOW

    def _champion_takes(self) -> None:
        self.tell_championne(self.active)
        self._move_toy(self.toy, self.active)
        self._end_turn()

    def _challenge(self, other: int) -> None:
        self.owner = other
        self.phase = BETTING
        self.tell_challenge(self.active, other)

    def _bet(self, seat: int, card: int) -> None:
        """The challenger's friend is down; the other seat must answer if it can."""
        self._put_down(seat, card, "B23")
        self._note(PLACED, seat, card)
        if self.has_friend(self.owner):
            self.owing = mask_of(self.owner)
            self.phase = REPLYING
        else:
            self._say_no_friend(self.owner, "B23")
            self._settle_bet()

    def _reply(self, card: int) -> None:
        self._put_down(self.owner, card, "B23")
        self._note(PLACED, self.owner, card)
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
                self._throw_away(card)
        self.turned = []
        winner = seat if mine > theirs else other
        loser = other if mine > theirs else seat
        marbles = 1 if mine != theirs and self.marbles[loser] > 0 else 0
        if mine == theirs:
            self.tell_bet_tie(seat, other)
        else:
            self.tell_bet_won(winner, loser, marbles)
        self.marbles[loser] -= marbles
        if not self._gain(winner, marbles):
            self._end_turn()

    def _ring(self) -> None:
        """The bell: all hands pass to the left; everybody knows what it gave and what it got (B24)."""
        self._look()
        self._note(BELL, -1, UNKNOWN)
        self.hands = [self.hands[seat - 1] for seat in range(self.seats)]
        self._look()
        self.tell_bell(self.active)

    def _look(self) -> None:
        for seat in range(self.seats):
            self._note(LOOKED, seat, UNKNOWN, tuple(self.hands[seat]))

    def _lay_by_special(self, seat: int, action: BagarreAction) -> None:
        """B23: a toy laid with a special move, or none."""
        if action.kind == DONE:
            self.tell_lay_nothing(seat)
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
        hands=[[] for _ in range(seats)],
        front=[[] for _ in range(seats)],
        marbles=[0] * seats,
        pile=deck.counts.copy(),
        pile_size=deck.size,
        discard=[0] * deck.kinds,
        discard_stamp=0,
        turn=0,
        active=setup.first,
        phase=DEALING,
        owing=0,
        drawer=setup.first,
        filled=0,
        ban=-1,
        effect=-1,
        given=-1,
        limit=0,
        toy=-1,
        owner=-1,
        round=0,
        placed=[NOTHING] * seats,
        answers=[NOT_ASKED] * seats,
        turned=[],
        memory=None,
        remembers=True,
    )
