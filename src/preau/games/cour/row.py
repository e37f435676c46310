"""The best row (C16), found exactly, and what a seat's stars are made of (C16, C17).

Only the edges decide how cards fit, so cards with the same two edges are one class and a row is a sequence of classes.
The search asks for the most joins that could be hoped for, then for one fewer, until a row reaches what was asked. At
every step each place along the edges can join no more often than there are cards to come with a half-star there on
their left, nor more often than there are right edges to meet them; a branch that cannot reach its aim any more is
left, and a set of classes that failed after the same last card is remembered. That is dynamic programming over
multisets (Held and Karp's where every card differs) of which only the promising part is ever looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .deck import BITS, CHARACTERS, COLLECTION, TOYS, Deck, bit, has, places

if TYPE_CHECKING:
    from .shapes import Bonus, BonusItem, Counted, Join, RowCard, RowWorking

MOST_REMEMBERED: Final = 100_000
"""How many solved hands are kept before all are forgotten."""


class Search:
    """One search for the best order of a multiset of classes."""

    def __init__(self, left: list[int], right: list[int], counts: list[int]) -> None:
        self.left = left
        self.right = right
        self.counts = counts
        self.order: list[int] = []
        self.size = sum(counts)
        self.radix: list[int] = []
        code = 1
        for count in counts:
            self.radix.append(code)
            code *= count + 1
        self.lasts = len(counts) + 1
        self.code = code - 1
        self.failed: dict[int, int] = {}
        """By what is left and the last card: the smallest number of joins known to be out of reach."""
        self.lefts = [0, 0, 0]
        self.rights = [0, 0, 0]
        for number, count in enumerate(counts):
            self._add(number, count)

    def _add(self, number: int, count: int) -> None:
        for place in range(3):
            if has(self.left[number], place):
                self.lefts[place] += count
            if has(self.right[number], place):
                self.rights[place] += count

    def most(self) -> int:
        """No row has more joins than this."""
        joins = 0
        for place in range(3):
            joins += min(self.lefts[place], self.rights[place])
        return joins

    def run(self, aim: int) -> int:
        """Find the best order, leave it in `order`, and return its joins; `aim` is what they are, or more."""
        while not self._reach(aim, -1, 0):
            aim -= 1
        return aim

    def _hope(self, edge: int) -> int:
        """The most joins to come after a card with this right edge, or more."""
        hope = 0
        tight = 0
        for place in range(3):
            lefts = self.lefts[place]
            rights = self.rights[place] + has(edge, place)
            if rights <= lefts:
                hope += rights
                tight |= bit(place)
            else:
                hope += lefts
        if tight:
            waste = 3  # the last card's right edge meets nothing
            for number, count in enumerate(self.counts):
                if count:
                    waste = min(waste, BITS[self.right[number] & tight])
            hope -= waste
        return hope

    def _reach(self, need: int, last: int, edge: int) -> bool:
        """Whether the cards left can follow the last one with `need` joins; if so, the order is completed."""
        if len(self.order) == self.size:
            return need <= 0
        state = self.code * self.lasts + last + 1
        if need >= self.failed.get(state, 99) or self._hope(edge) < need:
            return False
        for stars in (3, 2, 1, 0):
            for number, count in enumerate(self.counts):
                if count and BITS[edge & self.left[number]] == stars:
                    self.counts[number] -= 1
                    self.code -= self.radix[number]
                    self._add(number, -1)
                    self.order.append(number)
                    if self._reach(need - stars, number, self.right[number]):
                        return True
                    self.order.pop()
                    self._add(number, 1)
                    self.code += self.radix[number]
                    self.counts[number] += 1
        self.failed[state] = need
        return False


class Orders:
    """The best orders of cards of some classes; each multiset is solved once and remembered."""

    def __init__(self, left: list[int], right: list[int]) -> None:
        self.left = left
        self.right = right
        self._solved: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {}
        self._joins: dict[tuple[int, ...], int] = {}

    def joins(self, counts: tuple[int, ...]) -> int:
        """The most joins that so many cards of each class can have."""
        found = self._joins.get(counts)
        if found is None:
            smaller, beside = self._smaller(counts)
            found = beside + self.best(smaller)[0]
            if len(self._joins) >= MOST_REMEMBERED:
                self._joins.clear()
            self._joins[counts] = found
        return found

    def best(self, counts: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """The same, and an order that has them."""
        found = self._solved.get(counts)
        if found is not None:
            return found
        used = [number for number, count in enumerate(counts) if count]
        search = Search(
            [self.left[number] for number in used],
            [self.right[number] for number in used],
            [counts[number] for number in used],
        )
        smaller, beside = self._smaller(counts)
        joins = search.run(search.most() if smaller == counts else beside + self.best(smaller)[0])
        solved = (joins, tuple([used[number] for number in search.order]))
        if len(self._solved) >= MOST_REMEMBERED:
            self._solved.clear()
        self._solved[counts] = solved
        return solved

    def _smaller(self, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """As few cards as tell how many joins these can have, and the joins of the others.

        Cards of a class whose two edges are alike lie side by side in some best order: to take one of them from
        elsewhere and put it beside its like never loses a join. So one card of each such class is enough.
        """
        few = list(counts)
        beside = 0
        for number, count in enumerate(counts):
            if count > 1 and self.left[number] == self.right[number]:
                few[number] = 1
                beside += (count - 1) * BITS[self.left[number]]
        return tuple(few), beside


class Rows:
    """The best rows of one deck."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.left: list[int] = []
        self.right: list[int] = []
        self.classes = [self._class(look.left, look.right) for look in deck.looks]
        """The class of every kind that can be in a hand; -1 for cards without a half-star, which fit anywhere."""
        self.character_classes = [self._class(look.left, look.right) for look in deck.characters]
        self.orders = Orders(self.left, self.right)

    def _class(self, left: int, right: int) -> int:
        if not left and not right:
            return -1
        for number in range(len(self.left)):
            if self.left[number] == left and self.right[number] == right:
                return number
        self.left.append(left)
        self.right.append(right)
        return len(self.left) - 1

    def _counts(self, hand: list[int], character: int) -> list[int]:
        """How many cards of each class a row has."""
        counts = [0] * len(self.left)
        for kind, number in enumerate(self.classes):
            if number >= 0:
                counts[number] += hand[kind]
        if character >= 0 and self.character_classes[character] >= 0:
            counts[self.character_classes[character]] += 1
        return counts

    def joins(self, hand: list[int], character: int) -> int:
        """How many joins the best row of these cards has; `character` may be -1 for none."""
        return self.orders.joins(tuple(self._counts(hand, character)))

    def full(self, hand: list[int], character: int) -> int:
        """The full stars on these cards."""
        stars = self.deck.characters[character].full if character >= 0 else 0
        full = self.deck.full
        for kind in range(self.deck.in_hand):
            stars += hand[kind] * full[kind]
        return stars

    def order(self, hand: list[int], character: int) -> list[int]:
        """A best row as kinds from left to right; -1 is the character. Cards without half-stars come last."""
        rest = hand.copy()
        row: list[int] = []
        person = self.character_classes[character] if character >= 0 else -2
        for number in self.orders.best(tuple(self._counts(hand, character)))[1]:
            if number == person and -1 not in row:
                row.append(-1)
                continue
            for kind, other in enumerate(self.classes):
                if other == number and rest[kind]:
                    rest[kind] -= 1
                    row.append(kind)
                    break
        if person == -1:
            row.append(-1)
        for kind, count in enumerate(rest):
            row += [kind] * count
        return row

    def bonus(self, hand: list[int], character: int, agent_min: int) -> int:
        """The stars a character adds for the cards in hand (C17)."""
        if character < 0:
            return 0
        stars = 0
        worth = self.deck.worth[character]
        for kind in range(self.deck.in_hand):
            stars += worth[kind] * hand[kind]
        each = self.deck.collection[character]
        if each:
            for count in self.collections(hand):
                if count >= agent_min:
                    stars += each
        return stars

    def collections(self, hand: list[int]) -> list[int]:
        """How many cards of each toy type a hand holds (C19)."""
        counts = [0] * len(TOYS)
        for kind in range(self.deck.toys):
            counts[self.deck.toy_of[kind]] += hand[kind]
        return counts

    def stars(self, hand: list[int], character: int, agent_min: int) -> int:
        """Row and bonus together: all that the cards in hand are worth to this character."""
        return self.full(hand, character) + self.joins(hand, character) + self.bonus(hand, character, agent_min)

    # What one more card of each kind adds.

    def more_joins(self, hand: list[int], character: int) -> list[int]:
        """To the joins of the best row."""
        counts = self._counts(hand, character)
        now = self.orders.joins(tuple(counts))
        more: list[int] = []
        for number in self.classes:
            if number < 0:
                more.append(0)
                continue
            counts[number] += 1
            more.append(self.orders.joins(tuple(counts)) - now)
            counts[number] -= 1
        return more

    def more_stars(self, hand: list[int], character: int, agent_min: int) -> list[int]:
        """To row and bonus together, for a character."""
        deck = self.deck
        worth = deck.worth[character]
        more = self.more_joins(hand, character)
        for kind in range(deck.in_hand):
            more[kind] += deck.full[kind] + worth[kind]
        each = deck.collection[character]
        if each:
            held = self.collections(hand)
            for kind in range(deck.toys):
                if held[deck.toy_of[kind]] + 1 == agent_min:
                    more[kind] += each
        return more

    # The working, for people.

    def row_working(self, hand: list[int], character: int) -> RowWorking:
        """The best row card by card and join by join."""
        deck = self.deck
        row: list[RowCard] = []
        joins: list[Join] = []
        edge = 0
        for number, kind in enumerate(self.order(hand, character)):
            look = deck.characters[character] if kind < 0 else deck.looks[kind]
            row.append({"card": CHARACTERS[character] if kind < 0 else deck.kinds[kind], "full": look.full})
            if number:
                met = edge & look.left
                joins.append({"stars": BITS[met], "places": places(met)})
            edge = look.right
        return {
            "row": row,
            "joins": joins,
            "full": self.full(hand, character),
            "joined": self.joins(hand, character),
        }

    def bonus_working(self, hand: list[int], character: int, agent_min: int) -> Bonus:
        """What the character counts, and what it gives."""
        items: list[BonusItem] = []
        toys = self.collections(hand)
        counts: dict[Counted, int] = {name: toys[number] for number, name in enumerate(TOYS)}
        counts["leaf"] = hand[self.deck.leaf]
        counts["chestnut"] = hand[self.deck.chestnut]
        counts[COLLECTION] = len([count for count in toys if count >= agent_min])
        for name, each in self.deck.bonuses[character].items():
            items.append({"card": name, "count": counts[name], "stars": each * counts[name]})
        stars = self.bonus(hand, character, agent_min)
        return {"character": CHARACTERS[character], "items": items, "stars": stars}
