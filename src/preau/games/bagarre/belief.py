"""What one seat can work out about the hidden hands from all it remembers (B24), exactly.

**Weights.** A full history (every card dealt, every choice made) counts with the product of nature's probabilities. A
choice of a player counts 1 for every single card it could have been, whatever else that player could have done: what
people choose is taken to prove that they could choose it, and nothing more. Answers to Maman questions that did not
take effect count nothing at all. A full position is as likely as all histories that lead to it and look like what the
seat saw, taken together.

**Slots.** Think of every card in a hidden hand as a slot. A slot remembers out of which pile it was drawn (the first,
or the one after the first, second, .. refill) and what is known of it: nothing; that it is a friend (placed and taken
back); that it is none (its seat said so); or which card it is (seen at the bell, or one's own). A *guess* is a list of
slots for each hand and for the cards that lie face down, with what is left of every pile. Given a guess, all ways to
put the cards left of each pile into its slots are alike, and they can be counted (`ways`). When a card is shown, it
may have been any slot that can be that card: the guess falls apart into one guess for each such slot, and its weight
is multiplied by the number of equal slots and of equal cards in that pile. Equal guesses are put together again. So
the weight of a guess times `ways` is exactly the sum of its histories.

"Has a friend" (`HAS`, or a forfeit) is told apart by the first slot that is a friend.

**Limit.** Before the first refill there are rarely more than a few guesses. Later, a shown friend may come from an old
slot or a new one, and with many seats their number can grow without end. Beyond a limit some light ones are
dropped at random and others made heavier, so that the expectation of every weight stays right (the threshold rule of
Fearnhead and Clifford). Up to there the answer is exact; beyond, it is an estimate without bias in the weights.

**Foresight.** After many refills all guesses that were kept may turn out wrong: a toy that was not in the last refill
is shown by a seat that no guess left with a card that old. Then the memory is read again from the start, this time
with `needs`: which later notes can only be about a card of a certain pile. Guesses that cannot come true are left out
at once, so that no place is lost on them; the weights of the others are the same as before.
"""

from __future__ import annotations

from random import Random
from typing import Final

from .deck import FRIENDS, Deck
from .memory import BACK, BELL, DREW, FORFEITED, GAVE_UP, HAS, LOOKED, NONE, PLACED, POOL, SECRET, SHOWED, TURNED, Note

LIMIT: Final = 256
ANY: Final = 0
FRIEND: Final = 1
PLAIN: Final = 2
KNOWN: Final = 3
"""What is known of a slot; from KNOWN on, the kind of card plus KNOWN. `stride` times its pile is added."""
NO_SLOT: Final = -1
"""Nothing lies face down there; FORFEITED stands there for a forfeit."""

Slots = tuple[int, ...]
Need = tuple[int, int, bool, int]
"""A hand (what lies face down included) must hold of a pile, friends or others, at least so many cards."""
Guess = tuple[tuple[Slots, ...], Slots, bytes]
"""The slots of each hand, sorted; the slot each seat has face down; what is left of each pile, kind by kind."""

_HUGE: Final = 1e150
_LUCK: Final = Random(0)
_POINTS: Final[list[float]] = []
"""The random numbers that guesses are dropped by, as far as they were ever wanted: the same for every belief."""


class Belief:
    """All guesses that agree with a memory, with their weights."""

    def __init__(self, deck: Deck, seats: int, limit: int = LIMIT) -> None:
        self.deck = deck
        self.seats = seats
        self.limit = limit
        self.stride = deck.kinds + KNOWN
        self.piles = 1
        """How many piles there have been."""
        self.guesses: dict[Guess, float] = {(tuple([()] * seats), tuple([NO_SLOT] * seats), bytes(deck.counts)): 1.0}
        self.needs: list[Need] = []
        """What a guess must hold to come true later; only known with foresight."""
        self._thinnings = 0
        """How often guesses were dropped."""

    def copy(self) -> Belief:
        """An independent copy."""
        twin = Belief(self.deck, self.seats, self.limit)
        twin.piles = self.piles
        twin.guesses = self.guesses  # replaced by every note, never changed
        twin._thinnings = self._thinnings
        return twin

    def remember(self, note: Note) -> None:
        """Take one more note into account."""
        what = note.what
        seat = note.seat
        if what == DREW:
            self._draw(seat, note.card)
        elif what == SHOWED:
            self._show(seat, note.card)
        elif what == PLACED:
            self.place(seat, note.card, False)
        elif what == SECRET:
            self.place(seat, note.card, True)
        elif what == TURNED:
            self._turn(seat, note.card)
        elif what == BACK:
            self._take_back(seat)
        elif what == NONE:
            self._no_friend(seat)
        elif what == HAS:
            self._has_friend(seat)
        elif what == GAVE_UP:
            self._give_up(seat)
        elif what == BELL:
            self._ring()
        elif what == POOL:
            self._refill(note.cards or ())
        else:
            assert what == LOOKED
            if note.cards is not None:
                self.look(seat, note.cards)

    # Cards come and go.

    def _draw(self, seat: int, card: int) -> None:
        slot = (self.piles - 1) * self.stride + (KNOWN + card if card >= 0 else ANY)
        found: dict[Guess, float] = {}
        for (hands, down, piles), weight in self.guesses.items():
            found[(_with(hands, seat, _and(hands[seat], slot)), down, piles)] = weight
        self.guesses = found

    def _refill(self, cards: tuple[int, ...]) -> None:
        counts = bytearray(self.deck.kinds)
        for card in cards:
            counts[card] += 1
        new = bytes(counts)
        drawn = any(hand for hands, _, _ in self.guesses for hand in hands)
        found: dict[Guess, float] = {}
        for (hands, down, piles), weight in self.guesses.items():
            found[(hands, down, piles + new if drawn else new)] = weight
        self.guesses = found
        self.piles = self.piles + 1 if drawn else 1

    def _show(self, seat: int, card: int) -> None:
        """A card leaves a hand for all to see; it may have been any slot that fits."""
        found: dict[Guess, float] = {}
        kinds = self.deck.kinds
        for (hands, down, piles), weight in self.guesses.items():
            hand = hands[seat]
            last = NO_SLOT
            for slot in hand:
                if slot == last or not self._fits(slot, card):
                    continue
                last = slot
                at = slot // self.stride * kinds + card
                if piles[at]:
                    guess = (_with(hands, seat, _without(hand, slot)), down, _less(piles, at))
                    found[guess] = found.get(guess, 0.0) + weight * hand.count(slot) * piles[at]
        self._keep(found)

    def _ring(self) -> None:
        found: dict[Guess, float] = {}
        for (hands, down, piles), weight in self.guesses.items():
            found[((hands[-1], *hands[:-1]), down, piles)] = weight
        self.guesses = found

    def look(self, seat: int, cards: tuple[int, ...]) -> None:
        """A hand is seen: every slot gets its card, in all ways that fit."""
        counts = [0] * self.deck.kinds
        for card in cards:
            counts[card] += 1
        kinds = sorted(set(cards))
        found: dict[Guess, float] = {}
        for (hands, down, piles), weight in self.guesses.items():
            labels: dict[Slots, int] = {}
            self._label(hands[seat], 0, kinds, counts, [], labels)
            for hand, times in labels.items():
                guess = (_with(hands, seat, hand), down, piles)
                found[guess] = found.get(guess, 0.0) + weight * times
        self._keep(found)

    def _label(
        self, hand: Slots, at: int, kinds: list[int], counts: list[int], slots: list[int], labels: dict[Slots, int]
    ) -> None:
        """Give the slots from `at` on their cards, of which there are `counts` of some `kinds`."""
        if at == len(hand):
            labelled = tuple(sorted(slots))
            labels[labelled] = labels.get(labelled, 0) + 1
            return
        slot = hand[at]
        for card in kinds:
            if counts[card] and self._fits(slot, card):
                counts[card] -= 1
                slots.append(slot // self.stride * self.stride + KNOWN + card)
                self._label(hand, at + 1, kinds, counts, slots, labels)
                slots.pop()
                counts[card] += 1

    # Friends.

    def place(self, seat: int, card: int, secret: bool) -> None:
        """A friend goes face down; `secret` if it may be a forfeit instead. `card` is known to its own seat."""
        found: dict[Guess, float] = {}
        for (hands, down, piles), weight in self.guesses.items():
            hand = hands[seat]
            last = NO_SLOT
            for slot in hand:
                if slot == last or card == FORFEITED:
                    continue
                last = slot
                placed = self._as_card(slot, card) if card >= 0 else self._as_friend(slot)
                if placed != NO_SLOT:
                    guess = (_with(hands, seat, _without(hand, slot)), _put(down, seat, placed), piles)
                    found[guess] = found.get(guess, 0.0) + weight * hand.count(slot)
            if secret and card < 0:
                for kept in self._first_friends(hand):
                    guess = (_with(hands, seat, kept), _put(down, seat, FORFEITED), piles)
                    found[guess] = found.get(guess, 0.0) + weight
        self._keep(found)

    def _turn(self, seat: int, card: int) -> None:
        found: dict[Guess, float] = {}
        for (hands, down, piles), weight in self.guesses.items():
            slot = down[seat]
            if slot >= 0 and self._fits(slot, card):
                at = slot // self.stride * self.deck.kinds + card
                if piles[at]:
                    guess = (hands, _put(down, seat, NO_SLOT), _less(piles, at))
                    found[guess] = found.get(guess, 0.0) + weight * piles[at]
        self._keep(found)

    def _take_back(self, seat: int) -> None:
        found: dict[Guess, float] = {}
        for (hands, down, piles), weight in self.guesses.items():
            hand = _and(hands[seat], down[seat]) if down[seat] >= 0 else hands[seat]
            guess = (_with(hands, seat, hand), _put(down, seat, NO_SLOT), piles)
            found[guess] = found.get(guess, 0.0) + weight
        self._keep(found)

    def _give_up(self, seat: int) -> None:
        found: dict[Guess, float] = {}
        for (hands, down, piles), weight in self.guesses.items():
            if down[seat] == FORFEITED:
                found[(hands, _put(down, seat, NO_SLOT), piles)] = weight
        self._keep(found)

    def _no_friend(self, seat: int) -> None:
        found: dict[Guess, float] = {}
        for (hands, down, piles), weight in self.guesses.items():
            slots: list[int] = []
            for slot in hands[seat]:
                plain = self._as_plain(slot)
                if plain == NO_SLOT:
                    break
                slots.append(plain)
            else:
                guess = (_with(hands, seat, tuple(sorted(slots))), down, piles)
                found[guess] = found.get(guess, 0.0) + weight
        self._keep(found)

    def _has_friend(self, seat: int) -> None:
        found: dict[Guess, float] = {}
        for (hands, down, piles), weight in self.guesses.items():
            for hand in self._first_friends(hands[seat]):
                guess = (_with(hands, seat, hand), down, piles)
                found[guess] = found.get(guess, 0.0) + weight
        self._keep(found)

    def _first_friends(self, hand: Slots) -> list[Slots]:
        """The hand with at least one friend, told apart by which unknown slot is the first one."""
        for slot in hand:
            known = slot % self.stride
            if known == FRIEND or KNOWN <= known < KNOWN + FRIENDS:
                return [hand]
        found: list[Slots] = []
        slots = list(hand)
        for at, slot in enumerate(hand):
            if slot % self.stride == ANY:
                slots[at] = slot + FRIEND
                found.append(tuple(sorted(slots)))
                slots[at] = slot + PLAIN
        return found

    # Slots.

    def _fits(self, slot: int, card: int) -> bool:
        known = slot % self.stride
        if known >= KNOWN:
            return known == KNOWN + card
        return known == ANY or (known == FRIEND) == (card < FRIENDS)

    def _as_card(self, slot: int, card: int) -> int:
        return slot // self.stride * self.stride + KNOWN + card if self._fits(slot, card) else NO_SLOT

    def _as_friend(self, slot: int) -> int:
        known = slot % self.stride
        if known == ANY:
            return slot + FRIEND
        return slot if known == FRIEND or KNOWN <= known < KNOWN + FRIENDS else NO_SLOT

    def _as_plain(self, slot: int) -> int:
        known = slot % self.stride
        if known == ANY:
            return slot + PLAIN
        return slot if known == PLAIN or known >= KNOWN + FRIENDS else NO_SLOT

    # Counting.

    def ways(self, guess: Guess) -> float:
        """In how many ways the cards left of each pile can fill the slots."""
        hands, down, piles = guess
        kinds = self.deck.kinds
        left = bytearray(piles)
        wanted = [0] * (3 * self.piles)
        ways = 1.0
        for slots in (*hands, down):
            for slot in slots:
                if slot < 0:
                    continue
                pile = slot // self.stride
                known = slot % self.stride
                if known < KNOWN:
                    wanted[3 * pile + known] += 1
                    continue
                at = pile * kinds + known - KNOWN
                if not left[at]:
                    return 0.0
                ways *= left[at]
                left[at] -= 1
        for pile in range(self.piles):
            friends = sum(left[pile * kinds : pile * kinds + FRIENDS])
            others = sum(left[pile * kinds + FRIENDS : (pile + 1) * kinds])
            ways *= _falling(friends, wanted[3 * pile + FRIEND])
            ways *= _falling(others, wanted[3 * pile + PLAIN])
            rest = friends + others - wanted[3 * pile + FRIEND] - wanted[3 * pile + PLAIN]
            ways *= _falling(rest, wanted[3 * pile + ANY])
        return ways

    def weighted(self) -> list[tuple[Guess, float]]:
        """All possible guesses with their full weights, which sum to 1; empty if there is none."""
        found: list[tuple[Guess, float]] = []
        total = 0.0
        for guess, weight in self.guesses.items():
            full = weight * self.ways(guess)
            if full > 0.0:
                found.append((guess, full))
                total += full
        return [(guess, full / total) for guess, full in found]

    def _meets(self, guess: Guess) -> bool:
        """Whether the guess can still lead to all that is needed later."""
        hands, down, _ = guess
        for seat, pile, friends, number in self.needs:
            left = number
            for slot in (*hands[seat], down[seat]):
                if slot >= 0 and slot // self.stride == pile:
                    fits = self._as_friend(slot) if friends else self._as_plain(slot)
                    left -= fits != NO_SLOT
            if left > 0:
                return False
        return True

    def _keep(self, found: dict[Guess, float]) -> None:
        """Go on with these guesses; if they are too many, with a fair choice of them."""
        if self.needs:
            found = {guess: weight for guess, weight in found.items() if self._meets(guess)}
        if len(found) > self.limit:
            found = self._thinned(found)
        for weight in found.values():
            if weight > _HUGE:
                found = {guess: weight / _HUGE for guess, weight in found.items()}
                break
        self.guesses = found

    def _thinned(self, found: dict[Guess, float]) -> dict[Guess, float]:
        """At most about half of the limit; every weight keeps its expectation."""
        self.guesses = found
        fulls = self.weighted()
        bar = _threshold([full for _, full in fulls], self.limit // 2)
        kept: dict[Guess, float] = {}
        while len(_POINTS) <= self._thinnings:
            _POINTS.append(_LUCK.random())
        drawn = _POINTS[self._thinnings] * bar
        self._thinnings += 1
        for guess, full in fulls:
            if full >= bar:
                kept[guess] = found[guess]
                continue
            drawn -= full
            if drawn < 0.0:
                drawn += bar
                kept[guess] = found[guess] * (bar / full)
        return kept


def needs(notes: list[Note], deck: Deck, seats: int) -> list[list[Need]]:
    """After each note, what the hands must hold because a later note can only be about a card of that pile.

    A card that was shown came out of the last pile that had all its copies, or out of a later one that had some of
    them. Where that leaves one pile, the hand held a card of it from the draw on until it was shown.
    """
    sources = _sources(notes, deck)
    found: list[list[Need]] = []
    held: dict[tuple[int, int, bool], int] = {}
    for note, piles in zip(reversed(notes), reversed(sources), strict=True):
        found.append([(seat, pile, friends, number) for (seat, pile, friends), number in held.items()])
        if note.what in (SHOWED, TURNED) and len(piles) == 1:
            key = (note.seat, piles[0], note.card < FRIENDS)
            held[key] = held.get(key, 0) + 1
        elif note.what == DREW:
            for friends in (False, True):
                key = (note.seat, piles[0], friends)
                if held.get(key, 0):
                    held[key] -= 1
        elif note.what == BELL:
            held = {((seat - 1) % seats, pile, friends): number for (seat, pile, friends), number in held.items()}
        held = {key: number for key, number in held.items() if number}
    found.reverse()
    return found


def _sources(notes: list[Note], deck: Deck) -> list[list[int]]:
    """For each note the piles that its card can have come from: of a draw, the pile there was."""
    piles: list[list[int]] = [list(deck.counts)]
    in_hands = 0
    found: list[list[int]] = []
    for note in notes:
        sources: list[int] = []
        if note.what == POOL:
            counts = [0] * deck.kinds
            for card in note.cards or ():
                counts[card] += 1
            piles = [*piles, counts] if in_hands else [counts]
        elif note.what == DREW:
            in_hands += 1
            sources = [len(piles) - 1]
        elif note.what in (SHOWED, TURNED):
            in_hands -= 1
            for pile in range(len(piles) - 1, -1, -1):
                if piles[pile][note.card]:
                    sources.append(pile)
                if piles[pile][note.card] == deck.counts[note.card]:
                    break
        found.append(sources)
    return found


def _threshold(weights: list[float], number: int) -> float:
    """The bar at which, weights below it kept with probability weight / bar, `number` are kept on average."""
    if len(weights) <= number:
        return 0.0
    ordered = sorted(weights, reverse=True)
    rest = sum(ordered)
    for above, weight in enumerate(ordered):
        if above >= number or weight * (number - above) <= rest:
            return rest / max(1, number - above)
        rest -= weight
    return 0.0


def _falling(number: int, times: int) -> float:
    """number * (number - 1) * .. with so many factors; 0 if there are not enough."""
    if times > number:
        return 0.0
    product = 1.0
    for step in range(times):
        product *= number - step
    return product


def _with(hands: tuple[Slots, ...], seat: int, hand: Slots) -> tuple[Slots, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _put(down: Slots, seat: int, slot: int) -> Slots:
    return (*down[:seat], slot, *down[seat + 1 :])


def _and(hand: Slots, slot: int) -> Slots:
    return tuple(sorted((*hand, slot)))


def _without(hand: Slots, slot: int) -> Slots:
    at = hand.index(slot)
    return hand[:at] + hand[at + 1 :]


def _less(piles: bytes, at: int) -> bytes:
    left = bytearray(piles)
    left[at] -= 1
    return bytes(left)
