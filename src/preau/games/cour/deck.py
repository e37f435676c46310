"""A card set as tables: the kinds of cards, their stars and edges, and the bonuses of the characters (C1, C2, C17).

Kinds are numbered: toys first (`brick`, or `brick.1`, `brick.2`, ... where a set gives every card its own edges), then
leaf, chestnut, friend, glue, and the events spider, butterfly, king. Only toys, leaves and chestnuts are ever in a
hand. An edge is a bit mask over the places top, middle, bottom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...core.mypyc_shims import i64

if TYPE_CHECKING:
    from .shapes import Card, CardSet, Character, Counted, Toy

PLACES: Final = "HMB"
"""The places along an edge: haut, milieu, bas."""
TOYS: Final[tuple[Toy, ...]] = ("marble", "brick", "soldier", "monster", "car")
"""The five collections (C19)."""
OTHERS: Final[tuple[Card, ...]] = ("leaf", "chestnut", "friend", "glue", "spider", "butterfly", "king")
CHARACTERS: Final[tuple[Character, ...]] = (
    "agent", "boss", "minx", "architect", "queen", "lucky", "herbalist", "general",
)  # fmt: skip
COLLECTION: Final = "collection"
"""The bonus that counts different collections instead of cards."""

BITS: Final = [0, 1, 1, 2, 1, 2, 2, 3]
"""How many places a mask holds."""


class Look:
    """What a card adds to a row: its full stars and its two edges."""

    def __init__(self, full: int, left: int, right: int) -> None:
        self.full = full
        self.left = left
        self.right = right


class Deck:
    """One card set: for every kind its name, number of cards, toy type and look; for every character look and bonus."""

    def __init__(
        self,
        source: CardSet,
        toys: list[tuple[str, int, int, Look]],
        others: list[int],
        characters: list[Look],
        bonuses: list[dict[Counted, int]],
        king_stars: int,
        chestnut_man_stars: int,
    ) -> None:
        self.source = source
        """The value of the option `cards` that this deck was made from."""
        self.identity = repr(source)
        self.kinds: list[str] = [name for name, _, _, _ in toys] + list(OTHERS)
        self.counts: list[int] = [count for _, count, _, _ in toys] + others
        self.toys = len(toys)
        """How many kinds are toys; they come first."""
        self.leaf = self.toys
        self.chestnut = self.toys + 1
        self.in_hand = self.toys + 2
        """How many kinds can be in a hand: toys, leaf, chestnut."""
        self.friend = self.toys + 2
        self.glue = self.toys + 3
        self.ordinary = self.toys + 4
        """How many kinds are no events; these come first."""
        self.spider = self.toys + 4
        self.butterfly = self.toys + 5
        self.king = self.toys + 6
        self.size = len(self.kinds)
        self.toy_of: list[int] = [toy for _, _, toy, _ in toys] + [-1] * len(OTHERS)
        """The toy type of a kind, or -1."""
        self.groups: list[int] = [toy for _, _, toy, _ in toys] + [len(TOYS) + other for other in range(len(OTHERS))]
        """The same, and numbers of their own for all that is no toy."""
        self.by_group = self.groups == list(range(len(TOYS) + len(OTHERS)))
        """Whether every kind is a group of its own."""
        self.types: list[Card] = [*(TOYS[toy] for _, _, toy, _ in toys), *OTHERS]
        """The name of a kind without its number: what texts call it."""
        bare = Look(0, 0, 0)
        self.looks: list[Look] = [look for _, _, _, look in toys] + [bare, bare]
        self.characters = characters
        self.bonuses = bonuses
        self.king_stars = king_stars
        self.chestnut_man_stars = chestnut_man_stars
        self.numbers: dict[str, int] = {name: number for number, name in enumerate(self.kinds)}
        self.ordinary_cards = sum(self.counts[: self.ordinary])
        self.worth: list[list[int]] = [self._worth(bonus) for bonus in bonuses]
        """For every character and kind in hand, the bonus stars a card of that kind brings."""
        self.full: list[int] = [look.full for look in self.looks]
        """For every kind in hand the full stars on a card."""
        self.collection: list[int] = [bonus.get(COLLECTION, 0) for bonus in bonuses]
        """For every character the bonus stars of each different collection."""

    def _worth(self, bonus: dict[Counted, int]) -> list[int]:
        stars = [bonus.get(TOYS[self.toy_of[kind]], 0) for kind in range(self.toys)]
        return [*stars, bonus.get("leaf", 0), bonus.get("chestnut", 0)]


def has(mask: i64, number: i64) -> bool:
    """Whether a mask holds a number: an edge a place, a set of seats a seat.

    >>> has(5, 2), has(5, 1)
    (True, False)
    """
    return mask >> number & 1 != 0


def bit(number: i64) -> i64:
    """The mask that holds this number alone.

    >>> bit(2)
    4
    """
    return 1 << number


def places(mask: int) -> str:
    """The places of an edge by their letters.

    >>> places(3)
    'HM'
    """
    return "".join(letter for place, letter in enumerate(PLACES) if has(mask, place))
