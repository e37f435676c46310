"""What people write: what is left of it when nothing hides, piles up or turns other words round.

A *cluster* is what a reader takes for one letter: a letter with its marks, or an emoji, which may be several joined
into one. Clusters are kept or dropped whole, and a text that is too long ends between two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import bidirectional, category, combining, normalize

MARKS = 3
"""Marks above, below or through one letter: Vietnamese, Hindi, Thai, Arabic and pointed Hebrew need no more. Marks with
a place of their own, as in Burmese, take room as letters do and are not counted.
"""

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U0001d159")
"""Letters and signs that show nothing."""
_IGNORED = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0d\U00016fe4\U000e0100-\U000e01ef]")
"""Marks that show nothing and only choose between forms of a letter."""
_PART = (
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
    "[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]?"
)
_EMOJI = re.compile(
    "[#*0-9]\ufe0f?\u20e3"  # keys
    "|[\U0001f1e6-\U0001f1ff]{2}"  # flags of countries
    "|\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f"  # flags of their parts
    f"|{_PART}(?:\u200d{_PART}){{0,5}}"  # pictures, also several joined into one
)
"""Emoji, also such as are newer than this Python's tables. The widest there are have four parts."""
_NO_JOINER, _JOINER = "\u200c", "\u200d"


def clean(text: str, most: int) -> str:
    """What somebody wrote as it is shown to others, at most so many characters (as databases count them).

    >>> clean(" a\\u3164\\t b\\u202e ", 24)
    'a b'
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())[:most].rstrip()
    while (after := _once(text := normalize("NFC", text), most)) != text:
        text = after  # what was dropped stood between others, which may belong together now
    return after


def _once(text: str, most: int) -> str:
    found = ""
    for cluster in clusters(_IGNORED.sub("", text)):
        shown = _shown(cluster)
        if shown == " " and (not found or found[-1] == " "):
            continue
        if len(found) + len(shown) > most:
            break
        found += shown
    return found.rstrip()


def clusters(text: str) -> Iterator[str]:
    """The clusters of a text, one after the other."""
    at = 0
    while at < len(text):
        emoji = _EMOJI.match(text, at)
        end = emoji.end() if emoji else at + 1
        while not emoji and end < len(text) and (category(text[end])[0] == "M" or _joins(text, end)):
            end += 1
        yield text[at:end]
        at = end


def _joins(text: str, at: int) -> bool:
    """Whether an invisible joiner changes how the letters around it are written: after a sign that silences a vowel,
    in the scripts of India, or between letters of Arabic scripts.
    """
    if text[at] not in (_NO_JOINER, _JOINER) or at + 1 == len(text):
        return False
    before, after = text[at - 1], text[at + 1]
    if combining(before) == 9:
        return category(after)[0] == "L" and after not in _BLANK
    return text[at] == _NO_JOINER and bidirectional(before) == bidirectional(after) == "AL"


def _shown(cluster: str) -> str:
    """What is shown of a cluster: all of an emoji, a letter with some of its marks, one space for all that is blank."""
    if _EMOJI.fullmatch(cluster):
        return cluster
    base, marks = cluster[0], cluster[1:]
    if base.isspace() or base in _BLANK:
        return " "
    if category(base)[0] in "CM":
        return ""
    kept, piled = base, 0
    for mark in marks:
        kind = category(mark)
        piled += kind == "Mn"
        if kind == "Mc" or mark in (_NO_JOINER, _JOINER) or (kind == "Mn" and piled <= MARKS and mark != "\ufe0f"):
            kept += mark
    return kept
