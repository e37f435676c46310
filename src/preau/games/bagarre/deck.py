"""The cards of one game as tables (B1 to B4): what each kind of card is, and how many there are.

Cards of one kind cannot be told apart. Kinds are numbered: the friends `F1` .. `F8` first, then the toys `T01`,
`T02`, .. in the order of the file, then the special moves by their id. Tables are built once per set of cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .shapes import Special

FRIENDS: Final = 8
"""Kinds below this number are friends; kind 0 is `F1`."""

MAMAN: Final = 0
MARIE_EDWIGE: Final = 1
SURVEILLANT: Final = 2
MAMIE: Final = 3
ECHANGE: Final = 4
PARTIE_DE_BILLES: Final = 5
CHAMPIONNE: Final = 6
MAITRESSE: Final = 7
CLOCHE: Final = 8
EFFECTS: Final[tuple[Special, ...]] = (
    "maman",
    "marie_edwige",
    "surveillant",
    "mamie",
    "echange",
    "partie_de_billes",
    "championne",
    "maitresse",
    "cloche",
)
"""The special moves that the rules know, by id."""


class Deck:
    """All tables of one set of cards.

    `friends` holds the copies of each number, `toys` the value, second value and general-fight mark of each toy,
    `specials` the effect and the copies of each special move.
    """

    def __init__(self, friends: list[int], toys: list[tuple[int, int, bool]], specials: list[tuple[int, int]]) -> None:
        self.kinds = FRIENDS + len(toys) + len(specials)
        self.first_special = FRIENDS + len(toys)
        """Kinds from here on are special moves; between the friends and this number they are toys."""
        self.names = [f"F{number}" for number in range(1, FRIENDS + 1)]
        self.counts = friends.copy()
        self.value = [0] * FRIENDS
        """The marbles a toy is worth; 0 for other cards."""
        self.second = [0] * FRIENDS
        """The marbles Marie-Edwige gives for it."""
        self.general = [False] * FRIENDS
        """Whether a fight for it is a general fight (B17)."""
        self.effect = [-1] * FRIENDS
        """What a special move does; -1 for other cards."""
        for number, (value, second, general) in enumerate(toys, 1):
            self.names.append(f"T{number:02}")
            self.counts.append(1)
            self.value.append(value)
            self.second.append(second)
            self.general.append(general)
            self.effect.append(-1)
        self.maman = -1
        """The kind that Maman is, or -1 in a set without her (B4)."""
        for effect, copies in specials:
            if effect == MAMAN:
                self.maman = len(self.names)
            self.names.append(EFFECTS[effect])
            self.counts.append(copies)
            self.value.append(0)
            self.second.append(0)
            self.general.append(False)
            self.effect.append(effect)
        self.known = [{"card": name} for name in self.names]
        """What a seat alone knows of a card that it draws or puts face down (B24); made once, for it is told often."""
        self.size = sum(self.counts)
        self.whole = bytes(self.counts)
        """The counts again, as they are read quickest."""
        self.numbers = {name.lower(): kind for kind, name in enumerate(self.names)}
        """The kind with a name, in small letters."""
        self.key = (tuple(self.counts), tuple(self.value), tuple(self.second), tuple(self.general), tuple(self.names))
        """Everything that tells this set from another."""

    def toys(self) -> range:
        """The kinds that are toys."""
        return range(FRIENDS, self.first_special)

    def is_toy(self, kind: int) -> bool:
        """Whether the kind is a toy."""
        return FRIENDS <= kind < self.first_special
