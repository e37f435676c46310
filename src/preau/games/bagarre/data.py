"""Card files: reading them, refusing broken ones, and saying where each datum comes from (B1 to B5)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...core.errors import DataError, said, short
from ...core.state import Json
from .deck import EFFECTS, FRIENDS, MARIE_EDWIGE, Deck

FOLDER = Path(__file__).parent
FORMAT = "preau-bagarre-cards/1"
SETS = ("reconstructed", "leaflet")
"""The sets that ship; the first is the default."""
SOURCES = ("sheet", "box", "reconstructed")
"""Where a datum can come from: the rule sheet, a box somebody owns, or us."""
HAND = 5
"""Cards in hand at the end of every turn (B6, B12)."""
MOST_TOYS = 99
"""The most entries of a list of cards: toys are numbered with two digits."""
MOST_COPIES = 99
MOST_MARBLES = 9
MOST_LETTERS = 1_000
"""The most letters of a set's name or of where it comes from."""
MOST_OF_A_NAME = 60

_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "toys": ("name", "value", "second", "general"),
    "friends": ("number", "copies"),
    "specials": ("id", "copies"),
}
"""The three parts of a card file, and the fields whose source is told. A toy's name stands as `fr` and `en`."""


@lru_cache(maxsize=4)
def shipped(name: str) -> Json:
    """The contents of a card file that ships."""
    data: Json = json.loads((FOLDER / "data" / f"{name}.json").read_text(encoding="utf-8"))
    return data


def contents(cards: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """The card file meant by the option `cards`: a shipped set by name, or the contents themselves."""
    return shipped(cards) if isinstance(cards, str) else cards


@lru_cache(maxsize=4)
def _shipped_text(name: str) -> str:
    return json.dumps(shipped(name), sort_keys=True)


@lru_cache(maxsize=64)
def _deck(text: str) -> Deck:
    return read_cards(json.loads(text))


def deck(cards: str | Mapping[str, Any]) -> Deck:
    """The tables of a set of cards, read and built once."""
    if not isinstance(cards, str):
        _check_head(cards)  # most of what is wrong, before all of it is written out
    return _deck(_shipped_text(cards) if isinstance(cards, str) else json.dumps(cards, sort_keys=True))


def read_cards(data: Any) -> Deck:
    """A set of cards from JSON data of the schema of `data/reconstructed.json`; a broken one is refused whole."""
    _check_head(data)
    toys = _section(data, "toys")
    friends = _section(data, "friends")
    specials = _section(data, "specials")
    effects = _read_specials(specials)
    found = Deck(
        _read_friends(friends), _read_toys(toys, any(effect == MARIE_EDWIGE for effect, _ in effects)), effects
    )
    _check_counts(data["counts"], found)
    check_size(found, 2)
    return found


def check_size(found: Deck, seats: int) -> None:
    """B4, B13: refuse a set with which pile and discard could both run out at a table of `seats`."""
    elsewhere = HAND * seats + 1 + len(found.toys())
    if elsewhere >= found.size:
        raise _refuse(
            f"{found.size} cards are too few for {seats} seats",
            "counts",
            f"Up to {elsewhere} can be in hands or in front of the seats, and there must be more than that.",
        )


def names(cards: str | Mapping[str, Any], language: str) -> dict[str, str]:
    """The toys of a set by name in one language: `T01` and so on."""
    rows = contents(cards)["toys"]["cards"]
    return {f"T{number:02}": row[language] for number, row in enumerate(rows, 1)}


def provenance(cards: str | Mapping[str, Any] = SETS[0]) -> list[Json]:
    """Every datum of a set with its source, field by field."""
    data = contents(cards)
    rows: list[Json] = []
    for section, fields in _SECTIONS.items():
        part = data[section]
        for number, card in enumerate(part["cards"], 1):
            sources = {**part["sources"], **card.get("sources", {})}
            what = _called(section, number, card)
            for field in fields:
                shown = {"fr": card["fr"], "en": card["en"]} if field == "name" else card.get(field)
                if shown is not None:
                    rows.append(
                        {
                            "what": f"{what} {field}",
                            "value": shown,
                            "where": f"{data['name']}: {section}.cards[{number - 1}].{field}",
                            "source": sources[field],
                            "rule": _RULES[section],
                        }
                    )
    return rows


_RULES = {"toys": "B2", "friends": "B3", "specials": "B4"}


def _called(section: str, number: int, card: Mapping[str, Any]) -> str:
    if section == "toys":
        return f"T{number:02}"
    return f"F{card['number']}" if section == "friends" else str(card["id"])


# Checking.


def _refuse(message: str, field: str, hint: str = "", rule: str = "B4") -> DataError:
    return DataError(message, field=field, rule=rule, hint=hint)


def _check_head(data: Any) -> None:
    if not isinstance(data, Mapping):
        raise _refuse("a card file holds a JSON object", "cards")
    known = ("format", "name", "provenance", "counts", *_SECTIONS)
    for name in data:
        if name not in known:
            raise _refuse("there is no such field", short(str(name)), "There are " + ", ".join(known) + ".")
    if data.get("format") != FORMAT:
        raise _refuse(f"unknown format {said(data.get('format'))}", "format", f"It must be {FORMAT!r}.")
    for name in ("name", "provenance"):
        if not isinstance(data.get(name), str) or not data[name].strip():
            raise _refuse("missing or empty", name, "Say what the set is called and where it comes from.")
        if len(data[name]) > MOST_LETTERS:
            raise _refuse("too long", name, f"At most {MOST_LETTERS} letters.")
    counts = data.get("counts")
    if not isinstance(counts, Mapping) or set(counts) != set(_SECTIONS):
        raise _refuse("missing or incomplete", "counts", "Say how many toys, friends and specials there are.")


def _section(data: Mapping[str, Any], section: str) -> list[Mapping[str, Any]]:
    """The cards of one part, with the source of every field named."""
    part = data.get(section)
    if not isinstance(part, Mapping) or set(part) != {"sources", "cards"}:
        raise _refuse("it must hold sources and cards", section)
    cards = part["cards"]
    if isinstance(cards, list) and len(cards) > MOST_TOYS:
        raise _refuse(f"{len(cards)} cards are listed", f"{section}.cards", f"At most {MOST_TOYS}, each once.")
    if not isinstance(cards, list) or not all(isinstance(card, Mapping) for card in cards):
        raise _refuse("the cards are a list of objects", f"{section}.cards")
    fields = _SECTIONS[section]
    _check_sources(part["sources"], fields, f"{section}.sources")
    allowed = {*(("fr", "en") if section == "toys" else ()), *fields, "sources"} - {"name"}
    for number, card in enumerate(cards):
        where = f"{section}.cards[{number}]"
        for name in card:
            if name not in allowed:
                raise _refuse(
                    "there is no such field", f"{where}.{short(str(name))}", "There are " + ", ".join(sorted(allowed))
                )
        own = card.get("sources", {})
        _check_sources(own, fields, f"{where}.sources")
        for field in fields:
            if (field in card or field == "name") and field not in own and field not in part["sources"]:
                raise _refuse(
                    "nothing says where this comes from",
                    f"{where}.{field}",
                    f"Name it in {section}.sources: one of {', '.join(SOURCES)}.",
                )
    return cards


def _check_sources(sources: Any, fields: tuple[str, ...], where: str) -> None:
    if not isinstance(sources, Mapping):
        raise _refuse("it must be a JSON object", where)
    for field, source in sources.items():
        if field not in fields:
            where = f"{where}.{short(str(field))}"
            raise _refuse("there is no such field", where, "There are " + ", ".join(fields) + ".")
        if source not in SOURCES:
            raise _refuse(f"unknown source {said(source)}", f"{where}.{field}", f"Use one of {', '.join(SOURCES)}.")


def _whole(card: Mapping[str, Any], field: str, low: int, high: int, where: str, rule: str) -> int:
    value = card.get(field)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _refuse(
            "missing or out of range", f"{where}.{field}", f"It must be a whole number from {low} to {high}.", rule
        )
    return value


def _read_toys(cards: list[Mapping[str, Any]], courted: bool) -> list[tuple[int, int, bool]]:
    """B2: value, second value (asked for only if Marie-Edwige is in the set) and mark of every toy."""
    toys = []
    for number, card in enumerate(cards):
        where = f"toys.cards[{number}]"
        for language in ("fr", "en"):
            if not isinstance(card.get(language), str) or not card[language].strip():
                raise _refuse("a toy has a name in each language", f"{where}.{language}", rule="B2")
            if len(card[language]) > MOST_OF_A_NAME:
                hint = f"At most {MOST_OF_A_NAME} letters."
                raise _refuse("too long for a name", f"{where}.{language}", hint, "B2")
        value = _whole(card, "value", 1, MOST_MARBLES, where, "B2")
        second = _whole(card, "second", 0, MOST_MARBLES, where, "B2") if courted or "second" in card else 0
        if not isinstance(card.get("general"), bool):
            raise _refuse("say true or false", f"{where}.general", rule="B2")
        toys.append((value, second, card["general"]))
    return toys


def _read_friends(cards: list[Mapping[str, Any]]) -> list[int]:
    """B3: how many copies there are of each number."""
    copies = [0] * FRIENDS
    for place, card in enumerate(cards):
        where = f"friends.cards[{place}]"
        number = _whole(card, "number", 1, FRIENDS, where, "B3")
        if copies[number - 1]:
            raise _refuse(f"friend {number} stands there twice", f"{where}.number", rule="B3")
        copies[number - 1] = _whole(card, "copies", 1, MOST_COPIES, where, "B3")
    return copies


def _read_specials(cards: list[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """B4: effect and copies of every special move; only effects that the rules know."""
    specials: list[tuple[int, int]] = []
    for place, card in enumerate(cards):
        where = f"specials.cards[{place}]"
        name = card.get("id")
        if name not in EFFECTS:
            raise _refuse(f"unknown special move {said(name)}", f"{where}.id", f"The rules know {', '.join(EFFECTS)}.")
        effect = EFFECTS.index(name)
        if any(effect == other for other, _ in specials):
            raise _refuse(f"{name} stands there twice", f"{where}.id")
        specials.append((effect, _whole(card, "copies", 1, MOST_COPIES, where, "B4")))
    return specials


def _check_counts(counts: Mapping[str, Any], found: Deck) -> None:
    sums = {
        "toys": len(found.toys()),
        "friends": sum(found.counts[:FRIENDS]),
        "specials": sum(found.counts[found.first_special :]),
    }
    for section, number in sums.items():
        if counts[section] != number or isinstance(counts[section], bool):
            raise _refuse(f"{said(counts[section])} announced, {number} listed", f"counts.{section}", rule="B1")
