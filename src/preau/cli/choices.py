"""A list of legal actions on the screen: numbered, in columns, and narrowed down by what somebody types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

SHORT = 8
"""Up to so many actions stand one below the other."""


def matching(typed: str, actions: Sequence[str]) -> list[int]:
    """The places of the actions meant by a part of a text: those it begins, or else those with all its words.

    >>> matching("B1", ["pass", "b1 a1", "b1 c2", "b2 c2"])
    [1, 2]
    >>> matching("c2", ["pass", "b1 a1", "b1 c2", "b2 c2"])
    [2, 3]
    """
    wanted = typed.lower().split()
    if not wanted:
        return []
    start = " ".join(wanted)
    begun = [place for place, text in enumerate(actions) if text.lower() == start or text.lower().startswith(start)]
    whole = [place for place in begun if text_words(actions[place])[: len(wanted)] == wanted]
    if whole or begun:
        return whole or begun
    return [place for place, text in enumerate(actions) if set(wanted) <= set(text_words(text))]


def text_words(text: str) -> list[str]:
    """The words of a text form, in small letters."""
    return text.lower().split()


def listing(actions: Sequence[str], places: Sequence[int], width: int) -> list[Text]:
    """The actions at `places` with their numbers, as lines of at most `width` columns.

    A long list is grouped by the first word, which then stands in front of the group.
    """
    from rich.text import Text

    digits = len(str(len(actions)))
    if len(places) <= SHORT:
        return [Text.assemble("  ", (f"{place + 1:>{digits}})", "cyan"), f" {actions[place]}") for place in places]
    groups: dict[str, list[tuple[int, str]]] = {}
    for place in places:
        first, _, rest = actions[place].partition(" ")
        groups.setdefault(first if rest else "", []).append((place, rest or first))
    margin = max(map(len, groups)) + 2
    cell = digits + 2 + max(len(text) for group in groups.values() for _, text in group) + 2
    across = max(1, (width - margin - 2) // cell)
    lines = []
    for first, group in groups.items():
        for begin in range(0, len(group), across):
            line = Text("  ")
            line.append(f"{'' if begin else first:<{margin}}", style="bold")
            for place, text in group[begin : begin + across]:
                line.append(f"{place + 1:>{digits}})", style="cyan")
                line.append(f" {text}".ljust(cell - digits - 1))
            line.rstrip()
            lines.append(line)
    return lines
