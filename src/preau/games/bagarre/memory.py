"""What the table remembers of the hidden hands (B24): every card that went into a hand or out of it, in order.

A position keeps this memory as a chain of notes. Everybody reads the same chain; what a seat alone saw (the cards it
drew, placed, or found in its hand) is left out for the others. In text a note is a word: the seat, a letter, and
after a colon the card if it is known.

- `2d` seat 2 drew a card, `2s:F6` showed one out of its hand
- `2n` said that it has no friend, `2h` has one, for it did not say so
- `2p` placed a friend face down, `2q` did that or forfeited
- `2t:F6` its placed card was turned, `2b` it took back what it had placed, `2g` it had forfeited
- `2l` looked at its whole hand, `bell` all hands passed to the left
- `pool:F1*3,T07` these cards became the pile; without one at the start, the pile was the whole deck

What seat 2 alone knows reads `2d:F6`, `2p:F6`, `2q:F6` or `2q:forfeit`, `2l:F6,F6,T07`.
"""

from __future__ import annotations

from typing import Final

from .deck import Deck

DREW: Final = 0
SHOWED: Final = 1
NONE: Final = 2
HAS: Final = 3
PLACED: Final = 4
SECRET: Final = 5
TURNED: Final = 6
BACK: Final = 7
GAVE_UP: Final = 8
LOOKED: Final = 9
BELL: Final = 10
POOL: Final = 11

UNKNOWN: Final = -1
FORFEITED: Final = -2
"""In place of a card: it was not seen; no card was placed, because its seat forfeited."""

LETTERS: Final = "dsnhpqtbgl"
"""The letter of each kind of note that has a seat."""
_OWN: Final = (DREW, PLACED, SECRET, LOOKED)
"""Notes whose card only their seat sees."""
_REFEREE: Final = -2
"""The reader who may see everything; a spectator is -1."""


class Note:
    """One thing to remember: what happened, to which seat's hand, with which card or cards; and all before it."""

    def __init__(self, before: Note | None, what: int, seat: int, card: int, cards: tuple[int, ...] | None) -> None:
        self.before = before
        self.what = what
        self.seat = seat
        self.card = card
        """A kind, UNKNOWN or FORFEITED."""
        self.cards = cards
        """The cards of a whole hand or pile by kind, if they are known."""
        self.texts: dict[int, str] | None = None
        """All notes up to this one in text, by reader, where somebody has asked for it last."""


def in_order(last: Note | None) -> list[Note]:
    """All notes, oldest first."""
    notes: list[Note] = []
    while last is not None:
        notes.append(last)
        last = last.before
    notes.reverse()
    return notes


def memory_key(last: Note | None) -> tuple[object, ...]:
    """A memory as something that can be compared."""
    return tuple([(note.what, note.seat, note.card, note.cards) for note in in_order(last)])


def write(last: Note | None, deck: Deck, everything: bool, seat: int) -> str:
    """The memory in text: everything in it, or what `seat` knows of it (-1: a spectator).

    A game is asked for it after every action, so the newest note keeps the text, and the next one goes on from there.
    """
    if last is None:
        return ""
    reader = _REFEREE if everything else seat
    if last.texts is None:
        last.texts = {}
    elif reader in last.texts:
        return last.texts[reader]
    fresh: list[Note] = []
    words: list[str] = []
    note: Note | None = last
    while note is not None:
        known = None if note.texts is None else note.texts.pop(reader, None)
        if known is not None:
            words.append(known)
            break
        fresh.append(note)
        note = note.before
    fresh.reverse()
    for one in fresh:
        words.append(_word(one, deck, everything or one.seat == seat))
    text = " ".join(words)
    last.texts[reader] = text
    return text


def _word(note: Note, deck: Deck, own: bool) -> str:
    """One note in text; `own` tells whether the reader knows what the note's seat knows."""
    what = note.what
    if what == BELL:
        return "bell"
    if what == POOL:
        return "pool:" + write_cards(note.cards or (), deck)
    word = f"{note.seat}{LETTERS[what]}"
    if own or what not in _OWN:
        if note.cards is not None:
            word += ":" + ",".join([deck.names[kind] for kind in note.cards])
        elif note.card >= 0:
            word += ":" + deck.names[note.card]
        elif note.card == FORFEITED:
            word += ":forfeit"
    return word


def write_cards(cards: tuple[int, ...], deck: Deck) -> str:
    """Cards with their number: `F1*3,T07`."""
    counts = [0] * deck.kinds
    for kind in cards:
        counts[kind] += 1
    words: list[str] = []
    for kind in range(deck.kinds):
        if counts[kind] == 1:
            words.append(deck.names[kind])
        elif counts[kind]:
            words.append(f"{deck.names[kind]}*{counts[kind]}")
    return ",".join(words)


_recent: dict[tuple[int, int, str], tuple[Deck, Note | None]] = {}
"""The last few memories that were read, by set of cards, seats and text; the oldest first."""
MOST_RECENT: Final = 24


def goes_on(text: str, earlier: str) -> bool:
    """Whether a memory begins with another one.

    >>> goes_on("0d 1d", "0d"), goes_on("0d 1d:F6", "0d 1d")
    (True, False)
    """
    return text.startswith(earlier) and (len(text) == len(earlier) or text[len(earlier)] == " ")


def recall(text: str, deck: Deck, seats: int) -> Note | None:
    """The same as `read`. It goes on from the longest beginning that was read lately: notes never change."""
    known = ""
    last: Note | None = None
    for (cards, table, earlier), (_, note) in list(_recent.items()):
        if cards == id(deck) and table == seats and len(earlier) > len(known) and goes_on(text, earlier):
            known = earlier
            last = note
    last = read(text[len(known) :], deck, seats, last)
    key = (id(deck), seats, text)
    _recent.pop(key, None)
    _recent[key] = (deck, last)  # it holds on to the deck, so that its id stays its own
    for oldest in list(_recent)[:-MOST_RECENT]:
        _recent.pop(oldest, None)
    return last


def read(text: str, deck: Deck, seats: int, before: Note | None = None) -> Note | None:
    """The memory written as text, after other notes or none; raises `ValueError` with the word that cannot be read."""
    last = before
    for word in text.split():
        head, _, tail = word.partition(":")
        if head == "bell" and not tail:
            last = Note(last, BELL, -1, UNKNOWN, None)
        elif head == "pool":
            last = Note(last, POOL, -1, UNKNOWN, tuple(_read_cards(tail, deck, word)))
        elif len(head) == 2 and head[0].isdigit() and int(head[0]) < seats and head[1] in LETTERS:
            what = LETTERS.index(head[1])
            cards: tuple[int, ...] | None = None
            card = UNKNOWN
            if what == LOOKED:
                cards = tuple(_read_cards(tail, deck, word)) if tail else None
            elif tail == "forfeit" and what == SECRET:
                card = FORFEITED
            elif tail:
                card = _read_cards(tail, deck, word)[0]
            elif what in (SHOWED, TURNED):
                raise ValueError(word)
            last = Note(last, what, int(head[0]), card, cards)
        else:
            raise ValueError(word)
    return last


def _read_cards(text: str, deck: Deck, word: str) -> list[int]:
    cards: list[int] = []
    for part in text.split(","):
        name, _, times = part.partition("*")
        if name.lower() not in deck.numbers or not (times.isdigit() or not times):
            raise ValueError(word)
        cards.extend([deck.numbers[name.lower()]] * (int(times) if times else 1))
    return cards
