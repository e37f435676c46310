"""What the table remembers: every change of a hand, in order. From it follow the hands, the tally, and what each seat
knows of both. Positions and views call it their ledger.

An entry is one number: what happened, the seat it happened to, another seat, and the kind of card.

- GAIN: a seat kept or received a card. Everybody saw it.
- LOSE: a seat stole a card blind from another. The two know which.
- TAKE: the same with `slap_pick = choose`: the thief also saw the whole hand it took the card from.
- TRADE: a seat put away three of a kind; it is the kind of the entry before, for a trade follows the gain at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...core.mypyc_shims import i64
from .deck import Deck
from .tally import CHESTNUT, LEAF, TRADED, Tally, empty

if TYPE_CHECKING:
    from .shapes import Hand, Known, LedgerRow, Op

GAIN: Final = 0
LOSE: Final = 1
TAKE: Final = 2
TRADE: Final = 3
OPS: Final[tuple[Op, ...]] = ("gain", "lose", "take", "trade")

UNKNOWN: Final = 127
"""In the place of a kind: whoever remembers this does not know it."""


def entry(op: int, seat: int, other: int, kind: int) -> int:
    """One entry as a number."""
    return op << 13 | seat << 10 | other << 7 | kind


def op_of(number: int) -> int:
    """What happened."""
    return number >> 13


def seat_of(number: int) -> int:
    """Whose hand grew, or who traded."""
    return number >> 10 & 7


def other_of(number: int) -> int:
    """Who was robbed; 0 where nobody was."""
    return number >> 7 & 7


def kind_of(number: int) -> int:
    """The kind of card."""
    return number & 127


def tradable(deck: Deck, kind: int) -> int:
    """LEAF, CHESTNUT, or -1 for a kind that is never traded."""
    if kind == deck.leaf:
        return LEAF
    if kind == deck.chestnut:
        return CHESTNUT
    return -1


def replay(deck: Deck, seats: int, memory: list[int]) -> tuple[list[int], list[list[int]]]:
    """The hands (flat, seat by seat) after these entries, and for every TAKE the hand that was seen."""
    width = deck.in_hand
    hands = [0] * (seats * width)
    seen: list[list[int]] = []
    for number in memory:
        op, seat, other, kind = op_of(number), seat_of(number), other_of(number), kind_of(number)
        if op == GAIN:
            hands[seat * width + kind] += 1
        elif op == TRADE:
            hands[seat * width + kind] -= TRADED
        else:
            if op == TAKE:
                seen.append(hands[other * width : (other + 1) * width])
            hands[other * width + kind] -= 1
            hands[seat * width + kind] += 1
        if min(hands) < 0:
            raise ValueError("a hand cannot hold fewer than no cards")
    return hands, seen


def public_tally(deck: Deck, seats: int, memory: list[int]) -> Tally:
    """The tally after these entries; the cards of thefts need not be known."""
    tally = empty(seats)
    for number in memory:
        op, seat = op_of(number), seat_of(number)
        if op == GAIN:
            tally.gain(seat, tradable(deck, kind_of(number)))
        elif op == TRADE:
            tally.trade(seat, tradable(deck, kind_of(number)))
        else:
            tally.steal(seat, other_of(number))
    return tally


def to_json(deck: Deck, seats: int, memory: list[int], seat: int | None, everything: bool) -> list[LedgerRow]:
    """The entries as `seat` knows them (None: a spectator), or with `everything` as they are."""
    seen = replay(deck, seats, memory)[1] if any(op_of(number) == TAKE for number in memory) else []
    looks = iter(seen)
    rows: list[LedgerRow] = []
    for number in memory:
        op, actor, other, kind = op_of(number), seat_of(number), other_of(number), kind_of(number)
        if op in (GAIN, TRADE):
            rows.append({"op": OPS[op], "seat": actor, "card": deck.kinds[kind]})
            continue
        known = everything or seat in (actor, other)
        row: LedgerRow = {"op": OPS[op], "seat": actor, "victim": other, "card": deck.kinds[kind] if known else None}
        if op == TAKE:
            hand = next(looks)
            if seat == actor and not everything:
                row["hand"] = cards(deck, hand)
        rows.append(row)
    return rows


def cards(deck: Deck, hand: list[int]) -> Hand:
    """A hand as counts by name, without zeros."""
    return {deck.kinds[kind]: count for kind, count in enumerate(hand) if count}


def known(deck: Deck, seats: int, rows: list[LedgerRow]) -> list[Known]:
    """What somebody who remembers these rows can be sure of: per hand the cards surely in it, and how many more.

    Sound and simple, as a person would keep it: after an unseen theft each kind in that hand may be one fewer, and the
    thief has one card more that is not known.
    """
    sure = [[0] * deck.in_hand for _ in range(seats)]
    sizes = [0] * seats
    for row in rows:
        seat = row["seat"]
        card = row["card"]
        kind = UNKNOWN if card is None else deck.numbers[card]
        if row["op"] == "gain":
            sizes[seat] += 1
            sure[seat][kind] += 1
        elif row["op"] == "trade":
            sizes[seat] -= TRADED
            sure[seat][kind] = max(0, sure[seat][kind] - TRADED)
        else:
            victim = row["victim"]
            if "hand" in row:
                sure[victim] = hand_of(deck, row["hand"])
            held = sure[victim]
            if kind == UNKNOWN and sum(held) == sizes[victim] and max(held) == sizes[victim]:
                kind = held.index(max(held))
            sizes[seat] += 1
            sizes[victim] -= 1
            if kind == UNKNOWN:
                sure[victim] = [max(0, count - 1) for count in held]
            else:
                held[kind] = max(0, held[kind] - 1)
                sure[seat][kind] += 1
    return [{"sure": cards(deck, sure[seat]), "unsure": sizes[seat] - sum(sure[seat])} for seat in range(seats)]


class Eight:
    """Eight counts in one number, eight bits for each: quickly changed, and quickly written down."""

    def __init__(self) -> None:
        self.number: i64 = 0


class Sure:
    """What somebody is sure of in one hand, and how many more cards it has."""

    def __init__(self, kinds: int) -> None:
        self.size: i64 = 0
        self.unsure: i64 = 0
        self.counts = [Eight() for _ in range((kinds + 7) // 8)]

    def count(self, kind: i64) -> i64:
        """Of how many cards of a kind it is sure."""
        return self.counts[kind >> 3].number >> ((kind & 7) << 3) & 255

    def add(self, kind: i64, cards: i64) -> None:
        """More cards of a kind, or fewer, but never fewer than none."""
        eight = self.counts[kind >> 3]
        eight.number += cards << ((kind & 7) << 3)

    def lose(self, kind: i64, cards: i64) -> None:
        """Cards that leave the hand: those it was sure of first."""
        known = self.count(kind)
        if known < cards:
            self.unsure -= cards - known
            cards = known
        self.add(kind, -cards)


class Knowing:
    """What one seat is sure of, kept up with a memory that grows: what `known` says of its rows, without the rows."""

    def __init__(self, deck: Deck, seats: int, seat: int) -> None:
        self.deck = deck
        self.seats = seats
        self.seat: i64 = seat
        self.heard: i64 = 0
        """How many entries it knows of."""
        self.hands = [Sure(deck.in_hand) for _ in range(seats)]

    def hear(self, memory: list[int]) -> None:
        """Take in what was added."""
        at: i64
        for at in range(self.heard, len(memory)):
            entry: i64 = memory[at]
            op = entry >> 13
            actor = self.hands[entry >> 10 & 7]
            kind = entry & 127
            if op == GAIN:
                actor.size += 1
                actor.add(kind, 1)
            elif op == TRADE:
                actor.size -= TRADED
                actor.lose(kind, TRADED)
            else:
                thief = entry >> 10 & 7
                robbed = entry >> 7 & 7
                if op == TAKE and thief == self.seat:
                    self._look(robbed, memory[:at])
                self._theft(actor, self.hands[robbed], kind, self.seat in (thief, robbed))
        self.heard = len(memory)

    def _look(self, other: i64, memory: list[int]) -> None:
        """The whole of a hand is seen."""
        hands, _ = replay(self.deck, self.seats, memory)
        width: i64 = self.deck.in_hand
        seen = self.hands[other]
        kind: i64
        for kind in range(width):
            held: i64 = hands[other * width + kind]
            seen.add(kind, held - seen.count(kind))
        seen.unsure = 0

    def _theft(self, thief: Sure, other: Sure, card: i64, seen: bool) -> None:
        width: i64 = self.deck.in_hand
        size = other.size
        kind: i64
        if not seen:
            for kind in range(width):
                if other.count(kind) == size:
                    seen = True  # nothing else is in that hand
        if seen:
            other.lose(card, 1)
            thief.add(card, 1)
        else:
            lost: i64 = 0
            for kind in range(width):
                if other.count(kind):
                    other.add(kind, -1)
                    lost += 1
            other.unsure += lost - 1
            thief.unsure += 1
        other.size -= 1
        thief.size += 1


def hand_of(deck: Deck, names: Hand) -> list[int]:
    """The counts of a hand written by names."""
    hand = [0] * deck.in_hand
    for name, count in names.items():
        hand[deck.numbers[name]] = count
    return hand
