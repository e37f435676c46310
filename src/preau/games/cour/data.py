"""Card sets: reading them, refusing broken ones (C1, C2, C17)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import DataError, said
from ...core.state import Action
from .actions import Actions
from .deck import CHARACTERS, COLLECTION, OTHERS, PLACES, TOYS, Deck, Look, bit

if TYPE_CHECKING:
    from .shapes import CardSet, Counted

FOLDER = Path(__file__).parent
FORMAT = "preau-leaf-pile/1"
SHIPPED = ("reconstructed",)
SOURCES = ("sheet", "reconstructed", "box")
"""Where a datum comes from: the rule sheet, ourselves, or somebody who has the cards at hand."""
FIELDS = ("counts", "full", "edges", "character_edges", "bonuses", "king_stars", "chestnut_man_stars")
"""The groups of data whose provenance a set must state."""
_FIELDS = ("format", "name", "about", "provenance", "toys", "others", "characters", "stars")
MOST = 99
"""The most cards of one kind, and the most stars on one card, that a set may name."""
MOST_KINDS = 120
MOST_LETTERS = 1_000
"""The most letters of a set's name or of what it says about itself."""


def shipped(name: str) -> dict[str, Any]:
    """The contents of a card set that ships."""
    data: dict[str, Any] = json.loads((FOLDER / "data" / f"{name}.json").read_text(encoding="utf-8"))
    return data


def deck(cards: object) -> Deck:
    """The deck of an option value: the name of a shipped set, or the contents of a card file; read once."""
    if not isinstance(cards, str):
        _object(cards, "cards", _FIELDS, "C1")  # most of what is wrong, before all of it is written out
    return _deck(json.dumps(cards, sort_keys=True))


@lru_cache(maxsize=64)
def _deck(cards: str) -> Deck:
    value = json.loads(cards)
    return read_deck(shipped(value) if isinstance(value, str) else value, value)


def read_deck(data: Any, source: CardSet) -> Deck:
    """A deck from JSON data of the schema of `data/reconstructed.json`; a broken one is refused whole."""
    whole = _object(data, "cards", _FIELDS, "C1")
    if whole["format"] != FORMAT:
        raise _refuse(f"unknown format {said(whole['format'])}", "format", "C1", f"It must be {FORMAT!r}.")
    for name in ("name", "about"):
        if not isinstance(whole[name], str) or not whole[name].strip():
            raise _refuse("missing or empty", name, "C1", "Say what the set is called and what it is.")
        if len(whole[name]) > MOST_LETTERS:
            raise _refuse("too long", name, "C1", f"At most {MOST_LETTERS} letters.")
    stated = _object(whole["provenance"], "provenance", FIELDS, "C2")
    for name, where in stated.items():
        if where not in SOURCES:
            raise _refuse(f"{said(where)} is no source", f"provenance.{name}", "C2", f"Use {', '.join(SOURCES)}.")
    toys = _read_toys(whole["toys"])
    counts = _object(whole["others"], "others", OTHERS, "C1")
    others = [_number(counts[name], f"others.{name}", 0, 1 if name == "glue" else MOST, "C1") for name in OTHERS]
    people = _object(whole["characters"], "characters", CHARACTERS, "C17")
    looks, bonuses = [], []
    for name in CHARACTERS:
        field = f"characters.{name}"
        person = _object(people[name], field, ("full", "left", "right", "bonus"), "C17")
        looks.append(_look(person, field))
        bonuses.append(_bonus(person["bonus"], f"{field}.bonus"))
    stars = _object(whole["stars"], "stars", ("king", "chestnut_man"), "C9")
    king = _number(stars["king"], "stars.king", 0, MOST, "C9")
    man = _number(stars["chestnut_man"], "stars.chestnut_man", 0, MOST, "C11")
    return Deck(source, toys, others, looks, bonuses, king, man)


def _read_toys(data: Any) -> list[tuple[str, int, int, Look]]:
    toys: list[tuple[str, int, int, Look]] = []
    found = _object(data, "toys", TOYS, "C2")
    for number, name in enumerate(TOYS):
        field = f"toys.{name}"
        if isinstance(found[name], Mapping) and "cards" in found[name]:
            cards = _object(found[name], field, ("cards",), "C2")["cards"]
            if not isinstance(cards, list) or not 1 <= len(cards) <= MOST:
                raise _refuse(f"a list of 1 to {MOST} cards is wanted", f"{field}.cards", "C2")
            for place, card in enumerate(cards, 1):
                where = f"{field}.cards[{place}]"
                toys.append((f"{name}.{place}", 1, number, _look(_object(card, where, _EDGES, "C2"), where)))
        else:
            toy = _object(found[name], field, ("count", *_EDGES), "C2")
            toys.append((name, _number(toy["count"], f"{field}.count", 0, MOST, "C1"), number, _look(toy, field)))
    if len(toys) + len(OTHERS) > MOST_KINDS:
        raise _refuse(f"there are {len(toys)} kinds of toys", "toys", "C2", f"At most {MOST_KINDS - len(OTHERS)}.")
    return toys


_EDGES = ("full", "left", "right")


def _look(card: Mapping[str, Any], field: str) -> Look:
    full = _number(card["full"], f"{field}.full", 0, MOST, "C2")
    return Look(full, _edge(card["left"], f"{field}.left"), _edge(card["right"], f"{field}.right"))


def _edge(value: Any, field: str) -> int:
    short = isinstance(value, str) and len(value) <= len(PLACES)
    if not short or any(value.count(letter) != 1 or letter not in PLACES for letter in value):
        raise _refuse(
            f"{said(value)} is no edge", field, "C2", "Write the places with a half-star: H, M, B, each once."
        )
    return sum(bit(PLACES.index(letter)) for letter in value)


def _bonus(value: Any, field: str) -> dict[Counted, int]:
    counted: tuple[Counted, ...] = (*TOYS, "leaf", "chestnut", COLLECTION)
    known = {name: name for name in counted}
    if not isinstance(value, Mapping):
        raise _refuse("a JSON object is wanted", field, "C17", f"It may name {', '.join(known)}.")
    for name in value:
        if name not in known:
            raise _refuse(f"the rules know no bonus for {said(name)}", field, "C17", f"They know {', '.join(known)}.")
    return {known[name]: _number(stars, f"{field}.{name}", 0, MOST, "C17") for name, stars in value.items()}


def _number(value: Any, field: str, low: int, high: int, rule: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _refuse(f"{said(value)} is not a whole number from {low} to {high}", field, rule)
    return value


def _object(value: Any, field: str, names: tuple[str, ...], rule: str) -> Mapping[str, Any]:
    """A JSON object with exactly these fields."""
    hint = f"It has {', '.join(names)}."
    if not isinstance(value, Mapping):
        raise _refuse("a JSON object is wanted", field, rule, hint)
    for name in value:
        if name not in names:
            raise _refuse(f"there is no field {said(name)}", field, rule, hint)
    for name in names:
        if name not in value:
            raise _refuse(f"the field {name!r} is missing", field, rule, hint)
    return value


def _refuse(message: str, field: str, rule: str, hint: str = "") -> DataError:
    return DataError(message, field=field, rule=rule, hint=hint)


@lru_cache(maxsize=64)
def _actions(cards: str) -> Actions:
    return Actions(_deck(cards))


def actions(cards: object) -> Actions:
    """The actions of an option value's deck, made once."""
    return _actions(json.dumps(cards, sort_keys=True))


def revive(cards: object, text: str) -> Action:
    """The action of that card set with that text form; for pickles."""
    return actions(cards).parse(text)


def provenance(name: str) -> list[dict[str, Any]]:
    """Every datum of a shipped set: what it is, its value, where it stands, its source and the rule."""
    cards = shipped(name)
    sources = cards["provenance"]
    rows: list[dict[str, Any]] = []

    def add(what: str, value: Any, where: str, source: str, rule: str) -> None:
        rows.append(
            {"what": what, "value": value, "where": f"{name}: {where}", "source": sources[source], "rule": rule}
        )

    for toy, card in cards["toys"].items():
        add(f"{toy} count", card["count"], f"toys.{toy}.count", "counts", "C1")
        add(f"{toy} full", card["full"], f"toys.{toy}.full", "full", "C2")
        for edge in ("left", "right"):
            add(f"{toy} {edge}", card[edge], f"toys.{toy}.{edge}", "edges", "C2")
    for other, count in cards["others"].items():
        add(f"{other} count", count, f"others.{other}", "counts", "C1")
    for character, card in cards["characters"].items():
        add(f"{character} bonus", card["bonus"], f"characters.{character}.bonus", "bonuses", "C17")
        for edge in ("left", "right"):
            add(f"{character} {edge}", card[edge], f"characters.{character}.{edge}", "character_edges", "C2")
    for what, rule in (("king", "C9"), ("chestnut_man", "C11")):
        add(f"{what} stars", cards["stars"][what], f"stars.{what}", f"{what}_stars", rule)
    return rows
