"""Positions as JSON, in and out; what each seat sees of them, and what it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from preau.core import HIDDEN, NATURE
from preau.core.errors import said
from preau.core.refusing import read_head, refuse, whole
from preau.core.state import Json

from .deck import CARDS, COUNTS, HAND, WORDS
from .position import CHOOSING, DEALING, NONE, OVER, PHASES, TURNING, Position

if TYPE_CHECKING:
    from . import shapes
    from .rules import SoleilState

Name = TypeVar("Name", bound=str)
FIELDS = (
    *("game", "rules", "seats", "options", "round", "phase"),
    *("places", "caught", "hands", "chosen", "played", "word"),
)
"""What a position says."""


# Out.


def to_json(state: Position) -> Json:
    """The whole position: what somebody who watches sees, and all cards."""
    seen = view(state, None)
    whole = {field: value for field, value in seen.items() if field in FIELDS}
    return whole | {
        "hands": [hand_names(hand) for hand in state.hands],
        "chosen": [_name(CARDS, card) for card in state.chosen],
    }


def view(state: Position, seat: int | None) -> shapes.View:
    """What the seat knows: its own hand and card, and that others have chosen."""
    setup = state.setup
    return {
        "game": "soleil",
        "rules": setup.game.rules_version,
        "seats": state.seats,
        "options": {"steps": setup.wall, "back": setup.options["back"], "rounds": setup.rounds},
        "seat": seat,
        "round": state.round,
        "phase": PHASES[state.phase],
        "places": list(state.places),
        "caught": list(state.caught),
        "cards": [sum(hand) for hand in state.hands],
        "chosen": [
            _name(CARDS, card) if other == seat or card == NONE else HIDDEN for other, card in enumerate(state.chosen)
        ],
        "played": [_name(CARDS, card) for card in state.played],
        "word": _name(WORDS, state.word),
        "hand": None if seat is None else hand_names(state.hands[seat]),
        "prompt": prompt(state, seat),
    }


def prompt(state: Position, seat: int | None) -> shapes.Prompt:
    """What the seat is asked, or whom it waits for."""
    if state.phase == OVER:
        return {"key": "prompt.over", "winners": list(state.result().winners), "reason": state.reason()}
    kind = "prompt" if seat in state.to_act else "wait"
    return {"key": f"{kind}.{PHASES[state.phase]}", "seats": [one for one in state.to_act if one != NATURE]}


def hand_names(hand: Sequence[int]) -> list[shapes.Card]:
    """The cards of a hand, the slowest first."""
    return [CARDS[card] for card, count in enumerate(hand) for _ in range(count)]


def _name(names: Sequence[Name], number: int) -> Name | None:
    return None if number == NONE else names[number]


# In.


def load(data: Mapping[str, Any]) -> SoleilState:
    """A position from JSON data; an impossible one is refused, with the field and the rule."""
    from .game import GAME
    from .rules import fresh

    options = read_head(data, GAME, FIELDS)
    state = fresh(GAME.setup(data.get("seats"), options))
    read_table(state, data)
    state.chosen = [_number(CARDS, name, "chosen", "S3") for name in _row(state, data, "chosen")]
    for seat, names in enumerate(_row(state, data, "hands")):
        state.hands[seat] = read_hand(names)
    _check(state)
    return state


def read_table(state: Position, data: Mapping[str, Any]) -> None:
    """What everybody sees."""
    setup = state.setup
    state.phase = _number(PHASES, data.get("phase"), "phase", "S3")
    state.round = whole(data.get("round"), 0, setup.rounds, "round", "S8")
    state.places = [whole(place, 0, setup.wall, "places", "S1") for place in _row(state, data, "places")]
    state.caught = [whole(times, 0, setup.rounds, "caught", "S5") for times in _row(state, data, "caught")]
    state.played = [_number(CARDS, name, "played", "S3") for name in _row(state, data, "played")]
    state.word = _number(WORDS, data.get("word"), "word", "S4")


def read_hand(names: Any) -> list[int]:
    """The cards of a hand, counted."""
    if not isinstance(names, list) or len(names) > HAND:
        raise refuse(f"a hand is a list of at most {HAND} cards", "hands", "S2")
    cards = [_number(CARDS, name, "hands", "S2") for name in names]
    if NONE in cards:
        raise refuse("a hand holds cards only", "hands", "S2")
    return [cards.count(card) for card in range(len(CARDS))]


def _row(state: Position, data: Mapping[str, Any], field: str) -> list[Any]:
    """A list with an entry for every seat."""
    found = data.get(field)
    if not isinstance(found, list) or len(found) != state.seats:
        raise refuse(f"it has an entry for each of the {state.seats} seats", field, "S1")
    return found


def _number(names: Sequence[str], name: Any, field: str, rule: str) -> int:
    if name is None and names is not PHASES:
        return NONE
    if name not in names:
        raise refuse(f"{said(name)} is none of {', '.join(names)}", field, rule)
    return names.index(name)


def _check(state: Position) -> None:
    """The cards are there as often as they are, and the phase is the one that follows from them."""
    if min(state.pile()) < 0:
        raise refuse(f"there are not so many of a card; there are {COUNTS}, from {CARDS[0]} on", "hands", "S2")
    sizes = [sum(hand) + (card != NONE) for hand, card in zip(state.hands, state.chosen, strict=True)]
    chosen = sum(card != NONE for card in state.chosen)
    fits = {
        DEALING: state.next_to_draw() != NONE and not chosen and not state.at_the_wall(),
        CHOOSING: set(sizes) == {HAND} and chosen < state.seats and state.round > 0,
        TURNING: set(sizes) == {HAND} and chosen == state.seats and state.round > 0,
        OVER: not chosen and (bool(state.at_the_wall()) or state.round == state.setup.rounds),
    }
    if not fits[state.phase]:
        raise refuse(f"the hands and places do not go with {PHASES[state.phase]!r}", "phase", "S3")
