"""The gallery of a game: every thing in its box, as `gallery.py` of its folder lists it from the game's own data.

    def gallery() -> Gallery: ...

There is a box for every set of things that ships; where there are several, an option says with which a table plays.
A thing has a name, which its picture and its address go by, and a kind: `gallery.<kind>` in the game's texts heads all
things of a kind. What it is called and what it does are texts of the game, too: their keys stand here, with parameters.
`words.<name>` may hold other words that people look for it by.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import PreauError
from .state import Json
from .texts import LANGUAGES

if TYPE_CHECKING:
    from .game import Game


class Thing(NamedTuple):
    """One kind of card or piece."""

    name: str
    kind: str
    copies: int
    """How many of it are in the box, or are there for each player."""
    rule: str
    title: str
    """The key of what it is called."""
    about: str
    """The key of what it does."""
    params: Mapping[str, Any] = {}
    """What the texts tell of it."""
    sources: Mapping[str, str] = {}
    """Where each datum of it comes from, as in `Game.provenance`; `datum.<name>` in the texts names the datum. Nothing:
    all of it is on the sheet.
    """
    each: bool = False
    """So many copies are there for each player."""


class Box(NamedTuple):
    """All things of one set, those of a kind together."""

    name: str
    things: tuple[Thing, ...]


class Gallery(NamedTuple):
    """The boxes of a game, the usual one first."""

    boxes: tuple[Box, ...]
    option: str = ""
    """The option whose values the boxes are named by; nothing where there is one box only."""


def sources_of(provenance: Iterable[Json], box: str) -> dict[str, dict[str, str]]:
    """Where the data of each thing of a box come from: by the thing, then by the datum.

    >>> rows = [{"what": "king stars", "where": "ours: stars.king", "source": "reconstructed"}]
    >>> sources_of(rows, "ours")
    {'king': {'stars': 'reconstructed'}}
    """
    found: dict[str, dict[str, str]] = {}
    for row in provenance:
        if row["where"].startswith(f"{box}: "):
            thing, _, datum = row["what"].rpartition(" ")
            found.setdefault(thing, {})[datum] = row["source"]
    return found


def gallery_faults(game: Game) -> list[str]:
    """What is wrong with the gallery of a game, a sentence each; nothing of a game without one."""
    shown = game.gallery
    if shown is None:
        return []
    found = [f"there is no option {shown.option!r}"] if shown.option not in ("", *_named(game)) else []
    if len(shown.boxes) > 1 and not shown.option:
        found.append("nothing says with which box a table plays")
    for box in shown.boxes:
        names = Counter(thing.name for thing in box.things)
        found += [f"{box.name}: {name} is there {count} times" for name, count in names.items() if count > 1]
        for thing in box.things:
            found += [f"{box.name}: {thing.name}: {fault}" for fault in _faults(game, thing, box)]
    return found


def _named(game: Game) -> list[str]:
    return [option.name for option in game.options]


def _faults(game: Game, thing: Thing, box: Box) -> list[str]:
    found = [] if re.fullmatch(r"[\w-]+", thing.name, re.ASCII) else ["no address can name it"]
    if thing.copies < 1:
        found.append("there are none of it")
    for language in LANGUAGES:
        texts = game.texts(language)
        if f"rule.{thing.rule}" not in texts:
            found.append(f"{language}: there is no rule {thing.rule!r}")
        for key in (thing.title, thing.about, f"gallery.{thing.kind}", *(f"datum.{datum}" for datum in thing.sources)):
            try:
                texts.say(key, thing.params)
            except PreauError as error:
                found.append(f"{language}: {error}")
    ruled = game.texts("en").messages.get("rulings", "").split()
    told = sources_of(game.provenance(), box.name).get(thing.name, {})
    if {**thing.sources, **told} != thing.sources:
        found.append(f"its sources are not {told}")
    if set(thing.sources) - set(told) and thing.rule not in ruled:
        found.append(
            f"{thing.rule} is no ruling of ours, so there is nothing to say of sources but what is known of them"
        )
    return found
