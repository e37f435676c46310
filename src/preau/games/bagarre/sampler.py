"""Full positions that agree with all one seat knows, drawn with the right probabilities.

`belief.py` says which probabilities these are. A sampler reads a view once and then draws: a guess by its weight, and
cards for its slots. Seats that owe a friend or a toy hold one, because they would not be asked otherwise: draws in
which one does not are thrown away. A seat whose Maman answer is in and unknown said yes or no with equal chances if
it holds Maman.

In a drawn position the other seats remember what the table saw, and see their hands; what they alone saw earlier (when
they drew which card, and hands that passed between two others at the bell) is left open.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from random import Random
from typing import Final

from ...core.errors import ViewError
from ...core.game import Sampler
from ...core.state import Json
from .belief import ANY, FRIEND, KNOWN, LIMIT, Belief, Guess, needs
from .deck import FRIENDS, Deck
from .memory import FORFEITED, MOST_RECENT, UNKNOWN, goes_on, in_order, read
from .position import ANSWER, ATTACK, BETTING, FORFEIT, LAYING, NOTHING, REPLYING, SAID_NO, SAID_YES, SEATING, SEATS_IN
from .rules import BagarreState

_OWE_FRIEND: Final = (ATTACK, ANSWER, SEATING, BETTING, REPLYING)
"""The phases in which whoever is asked holds a friend."""
_FORESIGHT: Final = (1, 4, 16)
"""How many times as many guesses are kept, one after another, if all turned out wrong and the memory is read again."""
_ANY_LUCK: Final = Random(0)
"""For positions of which only the numbers of cards are looked at."""
_HELD_BACK: Final = 1000
"""Draws in a row without success after which a view is taken to be impossible."""


def sampler(view: Json) -> BagarreSampler:
    """A source of positions that agree with all a seat knows."""
    return BagarreSampler(view)


class Plan:
    """One guess, ready to be filled: the places to fill from each pile, and the cards left of it."""

    def __init__(self, guess: Guess, belief: Belief) -> None:
        hands, down, piles = guess
        seats = belief.seats
        kinds = belief.deck.kinds
        left = bytearray(piles)
        self.known: list[tuple[int, int]] = []
        """Places with a known card. A place is a seat (its hand), or a seat + `seats` (what it has face down)."""
        self.forfeits = [seat for seat in range(seats) if down[seat] == FORFEITED]
        self.friend_places: list[list[int]] = [[] for _ in range(belief.piles)]
        self.plain_places: list[list[int]] = [[] for _ in range(belief.piles)]
        self.any_places: list[list[int]] = [[] for _ in range(belief.piles)]
        slots = [(seat, slot) for seat in range(seats) for slot in hands[seat]]
        slots += [(seats + seat, down[seat]) for seat in range(seats) if down[seat] >= 0]
        for place, slot in slots:
            pile = slot // belief.stride
            what = slot % belief.stride
            if what >= KNOWN:
                self.known.append((place, what - KNOWN))
                left[pile * kinds + what - KNOWN] -= 1
            elif what == ANY:
                self.any_places[pile].append(place)
            elif what == FRIEND:
                self.friend_places[pile].append(place)
            else:
                self.plain_places[pile].append(place)
        self.friends: list[list[int]] = []
        self.others: list[list[int]] = []
        for pile in range(belief.piles):
            cards = [kind for kind in range(kinds) for _ in range(left[pile * kinds + kind])]
            self.friends.append([kind for kind in cards if kind < FRIENDS])
            self.others.append([kind for kind in cards if kind >= FRIENDS])

    def fill(self, base: BagarreState, rng: Random) -> BagarreState:
        """The position, with cards drawn for every slot."""
        state = base.copy()
        seats = state.seats
        hands: list[list[int]] = [[] for _ in range(seats)]
        placed = [NOTHING] * seats
        for place, card in self.known:
            if place < seats:
                hands[place].append(card)
            else:
                placed[place - seats] = card
        for seat in self.forfeits:
            placed[seat] = FORFEIT
        rest: list[int] = []
        for pile in range(len(self.friends)):
            friends = self.friends[pile].copy()
            others = self.others[pile].copy()
            _hand_out(friends, self.friend_places[pile], hands, placed, rng)
            _hand_out(others, self.plain_places[pile], hands, placed, rng)
            rest = friends + others
            _hand_out(rest, self.any_places[pile], hands, placed, rng)
        for hand in hands:
            hand.sort()
        pile_counts = [0] * state.deck.kinds
        for card in rest:
            pile_counts[card] += 1
        state.hands = hands
        state.placed = placed
        state.pile = pile_counts
        state.pile_size = len(rest)
        return state


class BagarreSampler(Sampler):
    """Draws positions that agree with a seat's view; `limit` is how many guesses are kept apart."""

    def __init__(self, view: Json, limit: int = LIMIT) -> None:
        from .views import open_state

        self._base: BagarreState = open_state(view)
        self._seat = -1 if view["seat"] is None else int(view["seat"])
        self._answered = [
            seat for seat, player in enumerate(view["players"]) if seat != self._seat and player["answer"]
        ]
        self._owing_friend = self._others_asked() if self._base.phase in _OWE_FRIEND else []
        self._owing_toy = self._others_asked() if self._base.phase == LAYING else []
        belief = self._believe(view, limit, 0)
        weighted = belief.weighted()
        for wider in _FORESIGHT:
            if not weighted:
                belief = self._believe(view, limit, wider)
                weighted = belief.weighted()
        if not weighted:
            raise ViewError("no position agrees with this view", field="memory", rule="B24")
        self._belief = belief
        self._guesses = [guess for guess, _ in weighted]
        self._plans: list[Plan | None] = [None] * len(weighted)
        """Made when they are first drawn: of many guesses few are."""
        self._steps = list(accumulate(weight for _, weight in weighted))
        self._check_sizes(view)

    def _others_asked(self) -> list[int]:
        return [seat for seat in SEATS_IN[self._base.owing] if seat != self._seat]

    def _believe(self, view: Json, limit: int, wider: int) -> Belief:
        """All that follows from the memory, from answers given in secret, and from one's own cards."""
        base = self._base
        if wider:
            belief = believe_again(view["memory"], base.deck, base.seats, limit, wider)
        else:
            belief = believe(view["memory"], base.deck, base.seats, limit)
        if base.phase == ANSWER:
            for seat, player in enumerate(view["players"]):
                if player["placed"] and not (base.round == 1 and seat == base.active):
                    secret = base.setup.may_forfeit and seat == base.owner and not base.is_general()
                    belief.place(seat, base.placed[seat] if seat == self._seat else UNKNOWN, secret)
        if self._seat >= 0:
            belief.look(self._seat, tuple(base.hands[self._seat]))
        return belief

    def _plan(self, number: int) -> Plan:
        plan = self._plans[number]
        if plan is None:
            plan = self._plans[number] = Plan(self._guesses[number], self._belief)
        return plan

    def _check_sizes(self, view: Json) -> None:
        """The memory must lead to the hands that the view shows."""
        state = self._plan(0).fill(self._base, _ANY_LUCK)
        for seat, player in enumerate(view["players"]):
            if seat != self._seat and state.cards_shown(seat) != player["cards"]:
                raise ViewError(
                    "the memory leads to another number of cards", field=f"players[{seat}].cards", rule="B24"
                )
        if state.pile_size != view["pile"]:
            raise ViewError("the memory leads to another pile", field="pile", rule="B24")

    def draw(self, rng: Random) -> BagarreState:
        """One position."""
        last = len(self._plans) - 1
        for _ in range(_HELD_BACK):
            number = min(bisect_right(self._steps, rng.random()), last) if last else 0
            state = self._plan(number).fill(self._base, rng)
            if self._is_able(state):
                break
        else:
            raise ViewError("nobody could be asked this", field="phase", rule="B24")
        for seat in self._answered:
            says_yes = state.deck.maman in state.hands[seat] and rng.random() < 0.5
            state.answers[seat] = SAID_YES if says_yes else SAID_NO
        return state

    def _is_able(self, state: BagarreState) -> bool:
        """Whether everybody holds what it is asked for."""
        for seat in self._owing_friend:
            if not state.has_friend(seat):
                return False
        for seat in self._owing_toy:  # noqa: SIM110, `all` would make a list
            if not state.has_toy(seat):
                return False
        return True


_recent: dict[tuple[int, int, int, str], Belief] = {}
"""What followed from the last few memories, by set of cards, seats, limit and text; the oldest first."""


def believe(memory: str, deck: Deck, seats: int, limit: int) -> Belief:
    """What follows from a memory. It goes on from the longest beginning of it that was worked out before."""
    belief = Belief(deck, seats, limit)
    known = ""
    for (cards, table, most, text), earlier in list(_recent.items()):
        same = cards == id(deck) and table == seats and most == limit
        if same and len(text) > len(known) and goes_on(memory, text):
            known = text
            belief = earlier
    belief = belief.copy()
    for note in in_order(read(memory[len(known) :], deck, seats)):
        belief.remember(note)
    _put_aside(memory, belief)
    return belief


def believe_again(memory: str, deck: Deck, seats: int, limit: int, wider: int) -> Belief:
    """What follows from a memory whose guesses all turned out wrong: read with foresight, and `wider` as many."""
    belief = Belief(deck, seats, limit * wider)
    notes = in_order(read(memory, deck, seats))
    for note, later in zip(notes, needs(notes, deck, seats), strict=True):
        belief.needs = later
        belief.remember(note)
    belief.limit = limit
    _put_aside(memory, belief)
    return belief


def _put_aside(memory: str, belief: Belief) -> None:
    """Keep what follows from a memory, for those that go on from it."""
    key = (id(belief.deck), belief.seats, belief.limit, memory)
    _recent.pop(key, None)
    _recent[key] = belief.copy()  # it holds on to the deck, so that its id stays its own
    for oldest in list(_recent)[:-MOST_RECENT]:
        _recent.pop(oldest, None)


def _hand_out(cards: list[int], places: list[int], hands: list[list[int]], placed: list[int], rng: Random) -> None:
    """Put random cards into the places; what is left stays in `cards`."""
    seats = len(hands)
    draw = rng.random
    for place in places:
        at = int(draw() * len(cards))
        card = cards[at]
        cards[at] = cards[-1]
        cards.pop()
        if place < seats:
            hands[place].append(card)
        else:
            placed[place - seats] = card
