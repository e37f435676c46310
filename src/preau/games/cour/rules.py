"""The rules of Dans la cour d'école, C1 to C20: everything that can happen to a position."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...core.mypyc_shims import i64
from ...core.slate import Slate
from ...core.state import NATURE, Action, Json
from .actions import (
    CHALLENGE,
    CHARACTER,
    FASTEST,
    FRIEND,
    GIVE,
    GLUE,
    KEEP,
    LOSE,
    NONE,
    POINT,
    STEAL,
    TAKE,
    THROW,
    TRADE,
    TURN,
    WIN,
    YES,
    CourAction,
)
from .deck import bit, has
from .memory import GAIN, entry, kind_of, tradable
from .memory import LOSE as LOST
from .memory import TAKE as TAKEN
from .memory import TRADE as TRADED_AWAY
from .observe import write
from .position import (
    BEFRIENDING,
    CHALLENGING,
    DEALING,
    DECIDING,
    GIVE_STEP,
    GIVING,
    GLUING,
    KEEP_STEP,
    KEEPING,
    LAID,
    LAST_ROUND,
    LOSING,
    MOST_DRAWS,
    NOBODY,
    NOT_ASKED,
    ONE_SEAT,
    ONLY_NATURE,
    OVER,
    POINTING,
    RACING,
    SEATS_IN,
    STEALING,
    TAKING,
    THRESHOLD,
    THROWING,
    TRADING,
    TURN_STEP,
    TURNING,
    WAITING,
    Setup,
)
from .tally import CHESTNUT, LEAF, TRADED, empty
from .telling import Telling


class CourState(Telling):
    """A position of Dans la cour d'école that can be played on."""

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
        assert isinstance(action, CourAction)
        self._perform(actor, action)
        self.settle()

    def write(self, seat: int, slate: Slate) -> None:
        """The position as numbers, as `seat` sees it."""
        write(self, seat, slate)

    def zombie(self, seat: int) -> Action:
        """An absent seat says no, points at nobody where it may, and else does the first thing on the list."""
        actions = self.choices(seat)
        if self.phase in (GLUING, TRADING) or (self.phase == POINTING and self.setup.live):
            return actions[-1]
        return actions[0]

    def copy(self) -> CourState:
        """An independent copy."""
        return CourState(
            self.setup,
            characters=self.characters.copy(),
            hands=self.hands.copy(),
            tally=self.tally.copy(),
            memory=self.memory.copy(),
            pool=self.pool.copy(),
            pool_size=self.pool_size,
            under=self.under.copy(),
            under_stamp=self.under_stamp,
            pool_stamp=self.pool_stamp,
            open_cards=self.open_cards.copy(),
            kings=self.kings.copy(),
            friends=self.friends.copy(),
            pot=self.pot,
            pot_waits=self.pot_waits,
            man=self.man,
            turn=self.turn,
            active=self.active,
            phase=self.phase,
            step=self.step,
            to_keep=self.to_keep,
            ending=self.ending,
            event=self.event,
            answers=self.answers.copy(),
            draws=self.draws,
            gainer=self.gainer,
            victim=self.victim,
            actors=self._actors,
            choosable=self._choosable,
        )

    def playout(self, rng: Random) -> int:
        """Play on at random to the end; returns the number of decisions."""
        point = rng.random
        count = 0
        while self.phase != OVER:
            actor = self._actors[0]
            if actor == NATURE:
                self.advance(NATURE, self.draw(rng))
            else:
                actions = self.choices(actor)
                self._perform(actor, actions[int(point() * len(actions))])
                self.settle()
                count += 1
        return count

    # What happens without a question.

    def settle(self) -> None:
        """Take every public decision that has a single answer, up to the next real one (contract)."""
        while True:
            phase = self.phase
            if phase in (KEEPING, GIVING, CHALLENGING):
                seat = self.active
            elif phase in (STEALING, BEFRIENDING):
                seat = self.gainer
            elif phase == POINTING and len(self.setup.points[0]) == 1:
                for one in range(self.seats):
                    if self.answers[one] == WAITING:
                        self._perform(one, self.setup.points[one][0])
                continue
            else:
                break
            actions = self.choices(seat)
            if len(actions) > 1:
                self._actors = ONE_SEAT[seat]
                self._choosable = actions
                return
            self._perform(seat, actions[0])
        self._name_actors()

    def _name_actors(self) -> None:
        phase = self.phase
        if phase in (POINTING, THROWING):
            asked: i64 = 0
            one: i64 = 1
            answer: i64
            for answer in self.answers:
                if answer == WAITING:
                    asked |= one
                one <<= 1
            self._actors = SEATS_IN[asked]
        elif phase in (TRADING, TAKING):
            self._actors = ONE_SEAT[self.gainer]
        elif phase == GLUING:
            self._actors = ONE_SEAT[self.active]
        elif phase == OVER:
            self._actors = NOBODY
        else:
            self._actors = ONLY_NATURE

    # Carrying out.

    def _perform(self, actor: int, action: CourAction) -> None:
        kind = action.kind
        if kind == TURN:
            self._turn_over(action.card)
        elif kind == KEEP:
            self._keep(action.card)
        elif kind == GIVE:
            self._give(action.card, action.seat)
        elif kind == POINT:
            self._point(actor, action.seat)
        elif kind == FASTEST:
            self._fastest(action.seat)
        elif kind == LOSE:
            self._steal_card(action.card, LOST)
        elif kind == TAKE:
            self._steal_card(action.card, TAKEN)
        elif kind == THROW:
            self._throw(actor, action.card)
        elif kind == TRADE:
            self._trade(action.card)
        elif kind == CHALLENGE:
            self._challenge(action.seat)
        elif kind == STEAL:
            self._steal_from(action.seat)
        elif kind == FRIEND:
            self._befriend(action.seat)
        elif kind == GLUE:
            self._glue(action.card)
        elif kind == WIN:
            self._win(action.seat)
        elif kind == CHARACTER:
            self._deal(action.seat, action.card)

    # Setup and turn (C3 to C7).

    def _deal(self, seat: int, character: int) -> None:
        """C3: a secret character; the last one dealt, the first turn begins."""
        self.characters[seat] = character
        self.tell_character(seat)
        if self.next_dealt() == self.seats:
            self._begin_turn(self.setup.first)

    def _begin_turn(self, seat: int) -> None:
        self.turn += 1
        self.active = seat
        self.phase = TURNING
        self.step = TURN_STEP
        self.tell_turn()

    def _turn_over(self, card: int) -> None:
        """C5: the next card of the pile; an event is resolved at once."""
        if self.knows_next():
            self.under.pop(0)
            self.under_stamp = 0
        else:
            self.pool[card] -= 1
            self.pool_size -= 1
            self.pool_stamp = 0
        deck = self.deck
        self.tell_turned(card)
        if card >= deck.ordinary:
            self.event = card
            if card == deck.king:
                self.phase = CHALLENGING
            else:
                self._make_sign()
            return
        self.open_cards.append(card)
        if len(self.open_cards) == LAID:
            if self.pot == self.active and not self.pot_waits:
                self.phase = GLUING
            else:
                self._start_keeping(1)

    def _start_keeping(self, number: int) -> None:
        self.to_keep = number
        self.step = KEEP_STEP
        self.phase = KEEPING

    def _keep(self, card: int) -> None:
        """C6: a card into the own hand."""
        self._pick_up(card)
        self.to_keep -= 1
        self.tell_kept(card)
        self._gain(self.active, card)

    def _give(self, card: int, seat: int) -> None:
        """C6: a card to another seat."""
        self._pick_up(card)
        self.step = GIVE_STEP
        self.tell_given(card, seat)
        self._gain(seat, card)

    def _pick_up(self, card: int) -> None:
        cards = self.open_cards
        at: i64 = 0
        while cards[at] != card:
            at += 1
        cards.pop(at)

    def _put_under(self, card: int) -> None:
        """C4: under the pile, in the order put back; with a bag, among the others."""
        if self.setup.bag:
            self.pool[card] += 1
            self.pool_size += 1
            self.pool_stamp = 0
        else:
            self.under.append(card)
            self.under_stamp = 0

    def _resume(self) -> None:
        """Go on with the turn once the effects of a gain are done."""
        self.gainer = -1
        self.victim = -1
        if self.step == TURN_STEP:
            self.event = -1
            self.phase = TURNING
        elif self.step == KEEP_STEP:
            self.phase = KEEPING if self.to_keep else GIVING
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        """C6, C13, C15: the third card and a glue pot go under the pile; then the next seat, or the end."""
        seat = self.active
        for card in self.open_cards:
            self._put_under(card)
            self.tell_put_back(card)
        self.open_cards.clear()
        if self.pot == seat and not self.pot_waits:
            self.pot = -1
            self._put_under(self.deck.glue)
            self.tell_pot_back()
        self.pot_waits = False
        if not self.ending and self.smallest_hand() >= THRESHOLD:
            self.ending = True
            self.tell_threshold()
        if self.turn % self.seats == 0 and (
            self.ending or self.ordinary_cards() < self.setup.needed or self.round() >= LAST_ROUND
        ):
            self._end()
        else:
            self._begin_turn((seat + 1) % self.seats)

    def _end(self) -> None:
        """C15 to C18: hands and characters are shown and the stars counted."""
        self.phase = OVER
        for seat in range(self.seats):
            self.tell_shown(seat)
        self.tell_end()

    # Events (C8, C9).

    def _make_sign(self) -> None:
        """C8: everybody points at somebody, unless no pointer could take a card."""
        alone = self.setup.alone
        if not (self.others_hold(self.active) if alone else self.any_hold()):
            self.tell_nothing()
            self.event = -1
            return
        for seat in range(self.seats):
            self.answers[seat] = WAITING if seat == self.active or not alone else NOT_ASKED
        self.phase = POINTING

    def _point(self, seat: int, target: int) -> None:
        """C8: a secret choice, shown once all are in."""
        self.answers[seat] = target
        self.tell_pointed(seat, target)
        if self.waits():
            return
        self.phase = RACING
        self.tell_points()

    def _fastest(self, seat: int) -> None:
        """C8: the fastest takes a card from the hand it pointed at."""
        target = -1 if seat == NONE else self.answers[seat]
        for one in range(self.seats):
            self.answers[one] = NOT_ASKED
        if seat == NONE:
            self.tell_nobody()
            self._resume()
            return
        self.tell_fastest(seat, target)
        if not self.sizes[target]:
            self.tell_empty_hand(seat, target)
            self._resume()
            return
        self.gainer = seat
        self.victim = target
        if not self.setup.choose:
            self.phase = LOSING
            return
        self.phase = TAKING
        self.tell_look()

    def _challenge(self, rival: int) -> None:
        """C9: the drawer names a rival; both throw in secret."""
        self.answers[self.active] = WAITING
        self.answers[rival] = WAITING
        self.draws = 0
        self.phase = THROWING
        self.tell_challenge(rival)

    def _throw(self, seat: int, throw: int) -> None:
        """C9: shown once both are in, and repeated while they are equal."""
        self.answers[seat] = throw
        self.tell_threw(seat, throw)
        if self.waits():
            return
        rival = self.rival()
        mine = self.answers[self.active]
        theirs = self.answers[rival]
        self.tell_throws(rival, mine, theirs)
        if mine != theirs:
            self._win(self.active if (mine - theirs) % 3 == 1 else rival)
            return
        self.draws += 1
        self.answers[self.active] = WAITING
        self.answers[rival] = WAITING
        if self.draws == MOST_DRAWS:
            self.phase = DECIDING

    def _win(self, winner: int) -> None:
        """C9: the new king card and those staked go to the winner."""
        won = 1
        for seat in (self.active, self.rival()):
            self.answers[seat] = NOT_ASKED
            if self.kings[seat]:
                self.kings[seat] -= 1
                won += 1
        self.kings[winner] += won
        self.draws = 0
        self.tell_king(winner, won)
        self._resume()

    # Gains and their effects (C10 to C14).

    def _gain(self, seat: int, card: int) -> None:
        """C14: a card kept or received, and what it sets off."""
        deck = self.deck
        if card == deck.friend:
            self._gain_friend(seat)
            return
        if card == deck.glue:
            self.pot = seat
            self.pot_waits = seat == self.active
            self.tell_pot(seat)
            self._resume()
            return
        self.hands[seat * self.width + card] += 1
        self.memory.append(entry(GAIN, seat, 0, card))
        what = tradable(deck, card)
        if self.tally.gain(seat, what):
            self._ask_trade(seat, bit(what))
        else:
            self._resume()

    def _ask_trade(self, seat: int, may: int) -> None:
        """C10, C11: put the question if, as far as the public knows, the gain may have brought three of a kind."""
        if (has(may, LEAF) and self.others_hold(seat)) or (has(may, CHESTNUT) and self.man < 0):
            self.gainer = seat
            self.victim = -1
            self.phase = TRADING
        else:
            self._resume()

    def _trade(self, answer: int) -> None:
        """C10: three leaves for a theft. C11: three chestnuts for the chestnut man."""
        seat = self.gainer
        if answer != YES:
            self.tell_no_trade()
            self._resume()
            return
        card = kind_of(self.memory[-1])
        self.hands[seat * self.width + card] -= TRADED
        self.memory.append(entry(TRADED_AWAY, seat, 0, card))
        self.tally.trade(seat, tradable(self.deck, card))
        if card == self.deck.chestnut:
            self.man = seat
            self.tell_chestnut_man()
            self._resume()
            return
        for _ in range(TRADED):
            self._put_under(card)
        self.event = -1
        self.phase = STEALING
        self.tell_trade()

    def _steal_from(self, victim: int) -> None:
        """C10: the hand to steal from; nature names the card."""
        self.victim = victim
        self.phase = LOSING
        self.tell_steal()

    def _steal_card(self, card: int, how: int) -> None:
        """C8, C10: a card changes hands, known to the two seats; taking is a gain."""
        seat = self.gainer
        victim = self.victim
        self.hands[victim * self.width + card] -= 1
        self.hands[seat * self.width + card] += 1
        self.memory.append(entry(how, seat, victim, card))
        self.tell_stolen(card)
        self._ask_trade(seat, self.tally.steal(seat, victim))

    def _gain_friend(self, seat: int) -> None:
        """C12: laid in front and turned to another seat, or under the pile if none is left."""
        if self.friends[seat] | bit(seat) == self.setup.everybody:
            self._put_under(self.deck.friend)
            self.tell_no_friend(seat)
            self._resume()
            return
        self.gainer = seat
        self.phase = BEFRIENDING

    def _befriend(self, other: int) -> None:
        self.friends[self.gainer] |= bit(other)
        self.tell_friend(other)
        self._resume()

    def _glue(self, answer: int) -> None:
        """C13: keep two cards in this turn, or not."""
        if answer == YES:
            self.tell_glue_used()
            self._start_keeping(2)
        else:
            self.tell_glue_unused()
            self._start_keeping(1)


def fresh(setup: Setup) -> CourState:
    """The first position (C3): nothing dealt, the whole pile unknown."""
    seats = setup.seats
    return CourState(
        setup,
        characters=[-1] * seats,
        hands=[0] * (seats * setup.deck.in_hand),
        tally=empty(seats),
        memory=[],
        pool=setup.deck.counts.copy(),
        pool_size=sum(setup.deck.counts),
        under=[],
        under_stamp=0,
        pool_stamp=0,
        open_cards=[],
        kings=[0] * seats,
        friends=[0] * seats,
        pot=-1,
        pot_waits=False,
        man=-1,
        turn=0,
        active=setup.first,
        phase=DEALING,
        step=TURN_STEP,
        to_keep=0,
        ending=False,
        event=-1,
        answers=[NOT_ASKED] * seats,
        draws=0,
        gainer=-1,
        victim=-1,
        actors=ONLY_NATURE,
        choosable=(),
    )
