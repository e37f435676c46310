"""Full positions drawn from what one seat knows: the part of the sampler that runs for every draw.

Hidden from a seat are the characters of the others, answers not yet shown, and which card each blind theft between two
others moved. All else follows from what the table remembers. Each hidden theft is a draw from a hand whose size
everybody knows, so a history is as likely as the product, over its hidden thefts, of (cards of that kind in the hand) /
(cards in the hand), provided that it agrees with what the seat saw later:

- its own blind theft of a card, which is as likely as that hand holds many of its kind;
- a trade, which proves three of the kind, and that a theft just before it brought one of them;
- with `slap_pick = choose`, a hand that it saw.

These are the evidence. Histories are drawn one theft after another, each kind in proportion to its share of the hand
times the chance that all later evidence comes out as it did. That chance is computed backwards and remembered; it
depends only on the hands and kinds that later evidence is about, usually few, so there are few cases. Where no evidence
follows, cards are simply drawn alike. So every draw is exact and none is thrown away.

What players chose tells nothing beyond what it proves. A card chosen in secret (`take`) counts as taken blind,
characters as dealt alike, and answers not yet shown as given at random.
"""

from __future__ import annotations

from random import Random
from typing import Final

from .memory import GAIN, TRADE, UNKNOWN, entry, kind_of, op_of, other_of, seat_of
from .rules import CourState
from .tally import TRADED

ADD: Final = 0
WEIGH: Final = 1
NEED: Final = 2
LOOK: Final = 3


class Fact:
    """Something known to happen between two hidden thefts: a change of a hand, or evidence about one."""

    def __init__(self, what: int, at: int, number: int, hand: list[int]) -> None:
        self.what = what
        self.at = at
        """The place in the flat list of hands; for LOOK, where that hand starts."""
        self.number = number
        self.hand = hand


class Theft:
    """A theft whose card the seat does not know."""

    def __init__(self, place: int, thief: int, victim: int, size: int) -> None:
        self.place = place
        """Its place in the memory."""
        self.thief = thief
        """Where the thief's hand starts, and the victim's."""
        self.victim = victim
        self.size = size
        """How many cards the victim held."""
        self.facts: list[Fact] = []
        """What is known to have happened after it, up to the next hidden theft."""
        self.places: list[int] = []
        """The places in the flat list of hands whose counts before this theft matter to later evidence."""
        self.kinds: list[int] = []
        """The kinds that it matters to later evidence whether this theft moved them."""
        self.cases: dict[tuple[int, ...], list[float]] = {}
        """By the counts at those places: the chance of all later evidence if each of those kinds, or any other, was
        taken."""


class Worlds:
    """All positions that agree with a view, as a source to draw from."""

    def __init__(self, known: CourState, memory: list[int], looks: list[list[int] | None]) -> None:
        self.known = known
        """The position as far as it is known; what is hidden is filled in for every draw."""
        self.memory = memory
        self.looks = looks
        """For every entry of the memory the hand the seat saw before it, if it did; one more for the present."""
        self.width = known.width
        self.start = [0] * (known.seats * self.width)
        """The hands just before the first hidden theft."""
        self.thefts: list[Theft] = []
        self.unknown: list[int] = []
        """The seats whose character is not known."""
        self.left: list[int] = []
        """The characters that may be theirs."""
        self.secret: list[int] = []
        """The seats that have answered in secret."""
        self.answers: list[list[int]] = []
        """For each of those, what they may have answered."""
        self._read()

    # Reading the memory.

    def _read(self) -> None:
        seats = self.known.seats
        width = self.width
        sizes = [0] * seats
        unsure = [False] * seats
        for place, number in enumerate(self.memory):
            op, seat, other, kind = op_of(number), seat_of(number), other_of(number), kind_of(number)
            self._look(self.looks[place], other, unsure)
            if op == GAIN:
                sizes[seat] += 1
                self._add(seat * width + kind, 1)
            elif op == TRADE:
                if unsure[seat]:
                    self._note(Fact(NEED, seat * width + kind, TRADED, []))
                sizes[seat] -= TRADED
                self._add(seat * width + kind, -TRADED)
            else:
                kind = self._proved(place, kind)
                if kind == UNKNOWN:
                    self.thefts.append(Theft(place, seat * width, other * width, sizes[other]))
                    unsure[seat] = unsure[other] = True
                else:
                    if unsure[other]:
                        self._note(Fact(WEIGH, other * width + kind, 0, []))
                    self._add(other * width + kind, -1)
                    self._add(seat * width + kind, 1)
                sizes[seat] += 1
                sizes[other] -= 1
        self._look(self.looks[-1], self.known.victim, unsure)
        self._mark()

    def _proved(self, place: int, kind: int) -> int:
        """A theft followed by a trade brought the kind that was traded."""
        if kind == UNKNOWN and place + 1 < len(self.memory) and op_of(self.memory[place + 1]) == TRADE:
            proved = self.memory[place + 1]
            self.memory[place] = entry(
                op_of(self.memory[place]), seat_of(proved), other_of(self.memory[place]), kind_of(proved)
            )
            return kind_of(proved)
        return kind

    def _look(self, hand: list[int] | None, seat: int, unsure: list[bool]) -> None:
        if hand is not None and unsure[seat]:
            self._note(Fact(LOOK, seat * self.width, 0, hand))
            unsure[seat] = False

    def _note(self, fact: Fact) -> None:
        self.thefts[-1].facts.append(fact)

    def _add(self, at: int, number: int) -> None:
        if not self.thefts:
            self.start[at] += number
        else:
            self._note(Fact(ADD, at, number, []))

    def _mark(self) -> None:
        """Find, from the last theft back, which counts later evidence is about.

        A hand that was seen settles all that comes after it; a card that came out of another hand brings that hand in.
        """
        width = self.width
        matter: list[set[int]] = [set() for _ in range(self.known.seats)]
        for theft in reversed(self.thefts):
            for fact in reversed(theft.facts):
                if fact.what == LOOK:
                    matter[fact.at // width] = set(range(width))
                elif fact.what != ADD:
                    matter[fact.at // width].add(fact.at % width)
            matter[theft.victim // width] |= matter[theft.thief // width]
            theft.kinds = sorted(matter[theft.victim // width])
            theft.places = [seat * width + kind for seat, kinds in enumerate(matter) for kind in sorted(kinds)]

    # The chance of the evidence.

    def possible(self) -> bool:
        """Whether any history agrees with all the evidence."""
        return self._chance(0, self.start) > 0.0

    def _chance(self, number: int, hands: list[int]) -> float:
        """The chance of all evidence after theft `number`, for these hands before it."""
        if number == len(self.thefts) or not self.thefts[number].places:
            return 1.0
        theft = self.thefts[number]
        cases = self._cases(number, hands)
        chance = 0.0
        rest = theft.size
        for place, kind in enumerate(theft.kinds):
            count = hands[theft.victim + kind]
            rest -= count
            chance += count * cases[place]
        return (chance + rest * cases[-1]) / theft.size

    def _cases(self, number: int, hands: list[int]) -> list[float]:
        """The chance of all later evidence, for each kind it is about being taken, and last for any other kind."""
        theft = self.thefts[number]
        key = tuple([hands[place] for place in theft.places])
        found = theft.cases.get(key)
        if found is not None:
            return found
        cases: list[float] = []
        rest = theft.size
        for kind in theft.kinds:
            count = hands[theft.victim + kind]
            rest -= count
            if count:
                after = hands.copy()
                after[theft.victim + kind] -= 1
                after[theft.thief + kind] += 1
                cases.append(self._after(number, after))
            else:
                cases.append(0.0)
        cases.append(self._after(number, hands.copy()) if rest > 0 else 0.0)
        theft.cases[key] = cases
        return cases

    def _after(self, number: int, hands: list[int]) -> float:
        """The chance of all evidence from here on, once theft `number` has changed the hands; they are used up."""
        weight = 1.0
        for fact in self.thefts[number].facts:
            if fact.what == ADD:
                hands[fact.at] += fact.number
            elif fact.what == WEIGH:
                weight *= hands[fact.at]
            elif fact.what == NEED:
                if hands[fact.at] < fact.number:
                    return 0.0
            elif hands[fact.at : fact.at + self.width] != fact.hand:
                return 0.0
            if weight == 0.0:
                return 0.0
        return weight * self._chance(number + 1, hands)

    # Drawing.

    def draw(self, rng: Random) -> CourState:
        """One full position, with the right probability."""
        draw = rng.random
        state = self.known.copy()
        hands = self.start.copy()
        memory = self.memory.copy()
        for number, theft in enumerate(self.thefts):
            kind = self._taken(number, hands, draw())
            hands[theft.victim + kind] -= 1
            hands[theft.thief + kind] += 1
            memory[theft.place] = memory[theft.place] - UNKNOWN + kind
            for fact in theft.facts:
                if fact.what == ADD:
                    hands[fact.at] += fact.number
        state.hands = hands
        state.memory = memory
        left = self.left.copy()
        for seat in self.unknown:
            state.characters[seat] = left.pop(int(draw() * len(left)))
        for place, seat in enumerate(self.secret):
            answers = self.answers[place]
            state.answers[seat] = answers[int(draw() * len(answers))]
        return state

    def _taken(self, number: int, hands: list[int], drawn: float) -> int:
        """The kind of card that a hidden theft moved."""
        theft = self.thefts[number]
        victim = theft.victim
        if not theft.kinds:
            left = int(drawn * theft.size)
            for kind in range(self.width):
                left -= hands[victim + kind]
                if left < 0:
                    return kind
        cases = self._cases(number, hands)
        weights = [hands[victim + kind] * cases[-1] for kind in range(self.width)]
        for place, kind in enumerate(theft.kinds):
            weights[kind] = hands[victim + kind] * cases[place]
        point = drawn * sum(weights)
        taken = 0
        for kind, weight in enumerate(weights):
            if weight > 0.0:
                taken = kind
                point -= weight
                if point < 0.0:
                    break
        return taken
