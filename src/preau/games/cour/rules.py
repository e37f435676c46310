"""The rules of Dans la cour d'école, C1 to C20: everything that can happen to a position."""

from __future__ import annotations

from random import Random

from ...core.errors import IllegalAction
from ...core.state import NATURE, Action, Event, Json
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
    THROWS,
    TRADE,
    TURN,
    WIN,
    YES,
    CourAction,
)
from .deck import CHARACTERS
from .ledger import GAIN, cards, entry, kind_of, tradable
from .ledger import LOSE as LOST
from .ledger import TAKE as TAKEN
from .ledger import TRADE as TRADED_AWAY
from .legal import Choices
from .position import (
    BEFRIENDING,
    CHALLENGING,
    DEALING,
    DECIDING,
    GIVE_STEP,
    GIVING,
    GLUING,
    HIDDEN,
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


class CourState(Choices):
    """A position of Dans la cour d'école that can be played on."""

    # What the contract asks for.

    def action(self, text: str) -> Action:
        """The action with this text form."""
        return self.setup.table.parse(text)

    def advance(self, actor: int, action: Action) -> None:
        """Carry out a legal action, then all that needs no question."""
        assert isinstance(action, CourAction)
        self._perform(actor, action)
        self._settle()

    def why_not(self, actor: int, action: Action) -> IllegalAction:
        """Which rule forbids the action here."""
        from .why import why_not

        assert isinstance(action, CourAction)
        return why_not(self, actor, action)

    def zombie(self, seat: int) -> Action:
        """An absent seat says no, points at nobody where it may, and else does the first thing on the list."""
        actions = self._decisions(seat)
        if self.phase in (GLUING, TRADING) or (self.phase == POINTING and self.setup.live):
            return actions[-1]
        return actions[0]

    def copy(self) -> CourState:
        """An independent copy."""
        return CourState(
            self.setup,
            self.characters.copy(),
            self.hands.copy(),
            self.tally.copy(),
            self.ledger.copy(),
            self.pool.copy(),
            self.pool_size,
            self.under.copy(),
            self.open_cards.copy(),
            self.kings.copy(),
            self.friends.copy(),
            self.pot,
            self.pot_waits,
            self.man,
            self.turn,
            self.active,
            self.phase,
            self.step,
            self.to_keep,
            self.ending,
            self.event,
            self.choices.copy(),
            self.draws,
            self.gainer,
            self.victim,
            self._actors,
            self._choosable,
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
        """What is asked now, or who is waited for."""
        from .views import prompt

        return prompt(self, seat)

    def diagram(self, seat: int | None = None) -> str:
        """The table as a text picture."""
        from .diagram import diagram

        return diagram(self, seat)

    def playout(self, rng: Random) -> int:
        """Play on at random to the end; returns the number of decisions."""
        point = rng.random
        count = 0
        while self.phase != OVER:
            actor = self._actors[0]
            if actor == NATURE:
                self.advance(NATURE, self.draw(rng))
            else:
                actions = self._decisions(actor)
                self._perform(actor, actions[int(point() * len(actions))])
                self._settle()
                count += 1
        return count

    # What happens without a question.

    def settle(self) -> None:
        """Say who is to act; for positions just read from JSON."""
        self._settle()

    def _settle(self) -> None:
        """Take every public decision that has a single answer, up to the next real one (contract)."""
        while True:
            phase = self.phase
            if phase in (KEEPING, GIVING, CHALLENGING):
                seat = self.active
            elif phase in (STEALING, BEFRIENDING):
                seat = self.gainer
            elif phase == POINTING and len(self.setup.points[0]) == 1:
                for one in range(self.seats):
                    if self.choices[one] == WAITING:
                        self._perform(one, self.setup.points[one][0])
                continue
            else:
                break
            actions = self._decisions(seat)
            if len(actions) > 1:
                self._actors = ONE_SEAT[seat]
                self._choosable = actions
                return
            self._perform(seat, actions[0])
        self._name_actors()

    def _name_actors(self) -> None:
        phase = self.phase
        if phase in (POINTING, THROWING):
            choices = self.choices
            self._actors = tuple([seat for seat in range(self.seats) if choices[seat] == WAITING])
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

    def _tell(self, key: str, rule: str, data: Json, secret: dict[int, Json] | None = None) -> None:
        assert self.events is not None
        self.events.append(Event(key, rule, data, secret))

    def _named(self, card: int, data: Json) -> Json:
        """The data of an event with a card in it: its name, and its kind, which may be one of several of that name."""
        data["card"] = self.deck.types[card]
        data["kind"] = self.deck.kinds[card]
        return data

    # Setup and turn (C3 to C7).

    def _deal(self, seat: int, character: int) -> None:
        """C3: a secret character; the last one dealt, the first turn begins."""
        self.characters[seat] = character
        if self.events is not None:
            self._tell(
                "character", "C3", {"seat": seat, "character": HIDDEN}, {seat: {"character": CHARACTERS[character]}}
            )
        if self.next_dealt() == self.seats:
            self._begin_turn(self.setup.first)

    def _begin_turn(self, seat: int) -> None:
        self.turn += 1
        self.active = seat
        self.phase = TURNING
        self.step = TURN_STEP
        if self.events is not None:
            self._tell("turn", "C5", {"seat": seat, "round": self.round()})

    def _turn_over(self, card: int) -> None:
        """C5: the next card of the pile; an event is resolved at once."""
        if self.knows_next():
            self.under.pop(0)
        else:
            self.pool[card] -= 1
            self.pool_size -= 1
        deck = self.deck
        if self.events is not None:
            self._tell("turned", "C5", self._named(card, {"seat": self.active}))
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
        self.open_cards.remove(card)
        self.to_keep -= 1
        if self.events is not None:
            self._tell("kept", "C6", self._named(card, {"seat": self.active}))
        self._gain(self.active, card)

    def _give(self, card: int, seat: int) -> None:
        """C6: a card to another seat."""
        self.open_cards.remove(card)
        self.step = GIVE_STEP
        if self.events is not None:
            self._tell("given", "C6", self._named(card, {"seat": self.active, "to": seat}))
        self._gain(seat, card)

    def _put_under(self, card: int) -> None:
        """C4: under the pile, in the order put back; with a bag, among the others."""
        if self.setup.bag:
            self.pool[card] += 1
            self.pool_size += 1
        else:
            self.under.append(card)

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
            if self.events is not None:
                self._tell("put_back", "C6", self._named(card, {"seat": seat}))
        self.open_cards.clear()
        if self.pot == seat and not self.pot_waits:
            self.pot = -1
            self._put_under(self.deck.glue)
            if self.events is not None:
                self._tell("pot_back", "C13", {"seat": seat})
        self.pot_waits = False
        if not self.ending and min(self.sizes) >= THRESHOLD:
            self.ending = True
            if self.events is not None:
                self._tell("threshold", "C15", {"round": self.round()})
        if self.turn % self.seats == 0 and (
            self.ending or self.ordinary_cards() < self.setup.needed or self.round() >= LAST_ROUND
        ):
            self._end()
        else:
            self._begin_turn((seat + 1) % self.seats)

    def _end(self) -> None:
        """C15 to C18: hands and characters are shown and the stars counted."""
        self.phase = OVER
        if self.events is None:
            return
        for seat in range(self.seats):
            shown = cards(self.deck, self.hand(seat))
            self._tell("shown", "C16", {"seat": seat, "character": CHARACTERS[self.characters[seat]], "hand": shown})
        self._tell("end", "C18", {"reason": self.reason(), "stars": list(self.scores())})

    # Events (C8, C9).

    def _make_sign(self) -> None:
        """C8: everybody points at somebody, unless no pointer could take a card."""
        alone = self.setup.alone
        if not (self.others_hold(self.active) if alone else max(self.sizes) > 0):
            if self.events is not None:
                self._tell("nothing", "C8", self._named(self.event, {}))
            self.event = -1
            return
        for seat in range(self.seats):
            self.choices[seat] = WAITING if seat == self.active or not alone else NOT_ASKED
        self.phase = POINTING

    def _point(self, seat: int, target: int) -> None:
        """C8: a secret choice, shown once all are in."""
        self.choices[seat] = target
        if self.events is not None:
            secret: dict[int, Json] = {seat: {"target": "none" if target == NONE else target}}
            self._tell("pointed", "C8", {"seat": seat, "target": HIDDEN}, secret)
        if WAITING in self.choices:
            return
        self.phase = RACING
        if self.events is not None:
            for one in self.pointers():
                self._tell("points", "C8", {"seat": one, "target": self.choices[one]})

    def _fastest(self, seat: int) -> None:
        """C8: the fastest takes a card from the hand it pointed at."""
        target = -1 if seat == NONE else self.choices[seat]
        for one in range(self.seats):
            self.choices[one] = NOT_ASKED
        if seat == NONE:
            if self.events is not None:
                self._tell("nobody", "C8", {})
            self._resume()
            return
        if self.events is not None:
            self._tell("fastest", "C8", {"seat": seat, "target": target})
        if not self.sizes[target]:
            if self.events is not None:
                self._tell("empty_hand", "C8", {"seat": seat, "target": target})
            self._resume()
            return
        self.gainer = seat
        self.victim = target
        if not self.setup.choose:
            self.phase = LOSING
            return
        self.phase = TAKING
        if self.events is not None:
            seen: Json = {"hand": cards(self.deck, self.hand(target))}
            self._tell("look", "C8", {"seat": seat, "victim": target}, {seat: seen})

    def _challenge(self, rival: int) -> None:
        """C9: the drawer names a rival; both throw in secret."""
        self.choices[self.active] = WAITING
        self.choices[rival] = WAITING
        self.draws = 0
        self.phase = THROWING
        if self.events is not None:
            self._tell("challenge", "C9", {"seat": self.active, "rival": rival})

    def _throw(self, seat: int, throw: int) -> None:
        """C9: shown once both are in, and repeated while they are equal."""
        self.choices[seat] = throw
        if self.events is not None:
            self._tell("threw", "C9", {"seat": seat, "throw": HIDDEN}, {seat: {"throw": THROWS[throw]}})
        if WAITING in self.choices:
            return
        rival = self.rival()
        mine = self.choices[self.active]
        theirs = self.choices[rival]
        if self.events is not None:
            shown: Json = {"seat": self.active, "rival": rival, "throw": THROWS[mine], "answer": THROWS[theirs]}
            self._tell("throws", "C9", shown)
        if mine != theirs:
            self._win(self.active if (mine - theirs) % 3 == 1 else rival)
            return
        self.draws += 1
        self.choices[self.active] = WAITING
        self.choices[rival] = WAITING
        if self.draws == MOST_DRAWS:
            self.phase = DECIDING

    def _win(self, winner: int) -> None:
        """C9: the new king card and those staked go to the winner."""
        won = 1
        for seat in (self.active, self.rival()):
            self.choices[seat] = NOT_ASKED
            if self.kings[seat]:
                self.kings[seat] -= 1
                won += 1
        self.kings[winner] += won
        self.draws = 0
        if self.events is not None:
            self._tell("king", "C9", {"seat": winner, "cards": won})
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
            if self.events is not None:
                self._tell("pot", "C13", {"seat": seat})
            self._resume()
            return
        self.hands[seat * self.width + card] += 1
        self.ledger.append(entry(GAIN, seat, 0, card))
        what = tradable(deck, card)
        self._ask_trade(seat, 1 << what if self.tally.gain(seat, what) else 0)

    def _ask_trade(self, seat: int, may: int) -> None:
        """C10, C11: put the question if, as far as the public knows, the gain may have brought three of a kind."""
        if (may >> LEAF & 1 and self.others_hold(seat)) or (may >> CHESTNUT & 1 and self.man < 0):
            self.gainer = seat
            self.victim = -1
            self.phase = TRADING
        else:
            self._resume()

    def _trade(self, answer: int) -> None:
        """C10: three leaves for a theft. C11: three chestnuts for the chestnut man."""
        seat = self.gainer
        if answer != YES:
            if self.events is not None:
                self._tell("no_trade", "C10", {"seat": seat})
            self._resume()
            return
        card = kind_of(self.ledger[-1])
        self.hands[seat * self.width + card] -= TRADED
        self.ledger.append(entry(TRADED_AWAY, seat, 0, card))
        self.tally.trade(seat, tradable(self.deck, card))
        if card == self.deck.chestnut:
            self.man = seat
            if self.events is not None:
                self._tell("chestnut_man", "C11", {"seat": seat})
            self._resume()
            return
        for _ in range(TRADED):
            self._put_under(card)
        self.event = -1
        self.phase = STEALING
        if self.events is not None:
            self._tell("trade", "C10", {"seat": seat})

    def _steal_from(self, victim: int) -> None:
        """C10: the hand to steal from; nature names the card."""
        self.victim = victim
        self.phase = LOSING
        if self.events is not None:
            self._tell("steal", "C10", {"seat": self.gainer, "victim": victim})

    def _steal_card(self, card: int, how: int) -> None:
        """C8, C10: a card changes hands, known to the two seats; taking is a gain."""
        seat = self.gainer
        victim = self.victim
        self.hands[victim * self.width + card] -= 1
        self.hands[seat * self.width + card] += 1
        self.ledger.append(entry(how, seat, victim, card))
        if self.events is not None:
            named = self._named(card, {})
            rule = "C8" if self.event >= 0 else "C10"
            data: Json = {"seat": seat, "victim": victim, "card": HIDDEN}
            self._tell("stolen", rule, data, {seat: named, victim: named})
        self._ask_trade(seat, self.tally.steal(seat, victim))

    def _gain_friend(self, seat: int) -> None:
        """C12: laid in front and turned to another seat, or under the pile if none is left."""
        if self.friends[seat] | 1 << seat == (1 << self.seats) - 1:
            self._put_under(self.deck.friend)
            if self.events is not None:
                self._tell("no_friend", "C12", {"seat": seat})
            self._resume()
            return
        self.gainer = seat
        self.phase = BEFRIENDING

    def _befriend(self, other: int) -> None:
        self.friends[self.gainer] |= 1 << other
        if self.events is not None:
            self._tell("friend", "C12", {"seat": self.gainer, "to": other})
        self._resume()

    def _glue(self, answer: int) -> None:
        """C13: keep two cards in this turn, or not."""
        if self.events is not None:
            self._tell("glue_used" if answer == YES else "glue_unused", "C13", {"seat": self.active})
        self._start_keeping(2 if answer == YES else 1)


def fresh(setup: Setup) -> CourState:
    """The first position (C3): nothing dealt, the whole pile unknown."""
    seats = setup.seats
    return CourState(
        setup,
        [-1] * seats,
        [0] * (seats * setup.deck.in_hand),
        empty(seats),
        [],
        setup.deck.counts.copy(),
        sum(setup.deck.counts),
        [],
        [],
        [0] * seats,
        [0] * seats,
        -1,
        False,
        -1,
        0,
        setup.first,
        DEALING,
        TURN_STEP,
        0,
        False,
        -1,
        [NOT_ASKED] * seats,
        0,
        -1,
        -1,
        ONLY_NATURE,
        (),
    )
