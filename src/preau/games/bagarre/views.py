"""Positions as JSON, in and out, what a seat sees of one, and what is asked now.

A position can be written by hand, for a test or a puzzle. Whatever is left out stands as at the start of a game, the
cards that are nowhere lie in the pile, and nobody remembers anything but what lies open.

    {"game": "bagarre", "seats": 2, "active": 1,
     "players": [{"hand": ["F1", "F2", "F3", "T01", "maman"], "front": ["T12"]},
                 {"hand": ["F4", "F5", "F6", "T02", "echange", "F8"], "marbles": 3}]}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.errors import ViewError
from ...core.refusing import read_head, refuse, whole
from .deck import EFFECTS, FRIENDS, Deck
from .memory import BACK as TOOK_BACK
from .memory import (
    BELL,
    DREW,
    FORFEITED,
    GAVE_UP,
    PLACED,
    POOL,
    SECRET,
    SHOWED,
    TURNED,
    UNKNOWN,
    Note,
    in_order,
    read,
    recall,
    write,
)
from .position import (
    ACTION,
    ANSWER,
    ATTACK,
    BETTING,
    CONVERTING,
    DEALING,
    DRAWING,
    EXCESS,
    FILLING,
    FORFEIT,
    GIVING,
    HAND,
    LAYING,
    LAYING_MORE,
    MOST_TURNS,
    NOT_ASKED,
    NOTHING,
    OPTIONAL,
    OVER,
    PHASES,
    REPLYING,
    SAID_NO,
    SAID_YES,
    SEATING,
    SEATS_IN,
    TAKING,
    TURN,
    WINDOW,
    has,
    mask_of,
)
from .rules import BagarreState, fresh

if TYPE_CHECKING:
    from . import shapes

FIELDS = (
    "game",
    "rules",
    "seats",
    "options",
    "turn",
    "active",
    "phase",
    "to_act",
    "drawer",
    "filled",
    "players",
    "pile",
    "discard",
    "ban",
    "special",
    "given",
    "limit",
    "toy",
    "owner",
    "round",
    "turned",
    "memory",
)
"""What a position may say."""
_PLAYER_FIELDS = ("marbles", "hand", "front", "placed", "answer")
_ANSWERS: dict[int, shapes.Answer | None] = {NOT_ASKED: None, SAID_NO: "no", SAID_YES: "yes"}

# Out.


def to_json(state: BagarreState) -> shapes.Position:
    """The position as JSON data, secrets included."""
    return {
        **_open_part(state),
        "players": [_own_player(state, seat) for seat in range(state.seats)],
        "pile": counted(state.pile, state.deck),
        "memory": write(state.memory, state.deck, True, -1),
    }


def view(state: BagarreState, seat: int | None) -> shapes.View:
    """What a seat knows (None: a spectator), all that it remembers included (B24).

    `unseen` are the cards it does not see, in the pile or in other hands. `memory` is what went on with the hands, in
    the words of `memory.py`.
    """
    return {**_alike(state), **_own(state, seat)}


def views(state: BagarreState, eyes: Sequence[int | None]) -> tuple[shapes.Alike, list[shapes.Own]]:
    """What several seats know: the middle of the table is open to all."""
    return _alike(state), [_own(state, seat) for seat in eyes]


def _alike(state: BagarreState) -> shapes.Alike:
    """What everybody sees alike."""
    return {**_open_part(state), "pile": state.pile_size}


def _own(state: BagarreState, seat: int | None) -> shapes.Own:
    """What only one seat knows so."""
    return {
        "seat": seat,
        "players": [
            _own_player(state, other) if other == seat else _other_player(state, other) for other in range(state.seats)
        ],
        "unseen": counted(unseen(state, seat), state.deck),
        "memory": write(state.memory, state.deck, False, -1 if seat is None else seat),
        "prompt": prompt(state, seat),
    }


def _open_part(state: BagarreState) -> shapes.OpenPart:
    names = state.deck.names
    return {
        "game": "bagarre",
        "rules": state.game.rules_version,
        "seats": state.seats,
        "options": _options(state),
        "turn": state.turn,
        "active": state.active,
        "phase": PHASES[state.phase],
        "to_act": list(SEATS_IN[state.owing]),
        "drawer": _seat_or_none(state.drawer),
        "filled": state.filled,
        "discard": counted(state.discard, state.deck),
        "ban": _seat_or_none(state.ban),
        "special": EFFECTS[state.effect] if state.effect >= 0 else None,
        "given": names[state.given] if state.given >= 0 else None,
        "limit": state.limit,
        "toy": names[state.toy] if state.toy >= 0 else None,
        "owner": _seat_or_none(state.owner),
        "round": state.round,
        "turned": _turned(state),
    }


def _turned(state: BagarreState) -> list[Any]:
    """Pairs as JSON has them, in lists."""
    return [[seat, state.deck.names[card]] for seat, card in state.turned]


def _options(state: BagarreState) -> shapes.Options:
    options: Any = dict(state.options)
    found: shapes.Options = options
    return found


def _own_player(state: BagarreState, seat: int) -> shapes.OwnPlayer:
    """One seat with its cards in full."""
    names = state.deck.names
    placed = state.placed[seat]
    return {
        "marbles": state.marbles[seat],
        "front": [names[toy] for toy in state.front[seat]],
        "hand": [names[card] for card in state.hands[seat]],
        "placed": names[placed] if placed >= 0 else "forfeit" if placed == FORFEIT else None,
        "answer": _ANSWERS[state.answers[seat]],
    }


def _other_player(state: BagarreState, seat: int) -> shapes.OtherPlayer:
    """What the table sees of one seat."""
    names = state.deck.names
    return {
        "marbles": state.marbles[seat],
        "front": [names[toy] for toy in state.front[seat]],
        "cards": state.cards_shown(seat),
        "placed": state.placed[seat] != NOTHING,
        "answer": state.answers[seat] != NOT_ASKED,
    }


def _seat_or_none(seat: int) -> int | None:
    return seat if seat >= 0 else None


def counted(cards: Sequence[int], deck: Deck) -> dict[str, int]:
    """Counts by kind as a map from name to number."""
    return {deck.names[kind]: count for kind, count in enumerate(cards) if count}


def unseen(state: BagarreState, seat: int | None) -> list[int]:
    """The cards that a seat does not see: the pile, the other hands and what others have face down."""
    counts = state.pile.copy()
    for other in range(state.seats):
        if other != seat:
            for card in state.hands[other]:
                counts[card] += 1
            if state.placed[other] >= 0:
                counts[state.placed[other]] += 1
    return counts


def prompt(state: BagarreState, seat: int | None) -> shapes.Prompt:
    """What the seat is asked, or whom it waits for."""
    found: Any = {"key": _prompt_key(state, seat), **_asked(state)}
    asked: shapes.Prompt = found
    return asked


def _asked(
    state: BagarreState,
) -> (
    shapes.Asked
    | shapes.ActionAsked
    | shapes.ToyAsked
    | shapes.BetAsked
    | shapes.LayAsked
    | shapes.SpecialAsked
    | shapes.Over
):
    """Who is asked about what, whoever reads it."""
    if state.phase == OVER:
        winners = list(state.result().winners)
        winner = winners[0] if len(winners) == 1 else None
        return {"winners": winners, "winner": winner, "reason": state.reason(), "goal": state.setup.goal}
    seats = list(SEATS_IN[state.owing]) if state.phase > FILLING else [state.drawer]
    if state.phase == ACTION:
        return {"seats": seats, "general": _general(state), "maman": state.deck.maman >= 0}
    if state.phase in (ATTACK, ANSWER, WINDOW):
        return {"seats": seats, "card": state.deck.names[state.toy], "owner": state.owner}
    if state.phase in (BETTING, REPLYING):
        return {"seats": seats, "owner": state.owner}
    if state.phase == LAYING_MORE:
        return {"seats": seats, "limit": state.limit}
    if state.phase in (GIVING, TAKING):
        return {"seats": seats, "special": EFFECTS[state.effect]}
    return {"seats": seats}


def _general(state: BagarreState) -> list[str]:
    """The toys for which the active seat would start a general fight (B17, B22)."""
    if state.seats == 2:
        return []
    deck = state.deck
    others = [seat for seat in range(state.seats) if seat != state.active]
    return [deck.names[toy] for seat in others for toy in state.front[seat] if deck.general[toy]]


def _prompt_key(state: BagarreState, seat: int | None) -> str:
    """Under which key the seat is asked, or waits."""
    phase = PHASES[state.phase]
    if state.phase == OVER:
        return "prompt.over"
    if seat is None or not has(state.owing, seat):
        return f"wait.{phase}"
    if state.phase == WINDOW and state.deck.maman not in state.hands[seat]:
        return "prompt.maman_none"
    if state.phase == WINDOW and seat == state.owner:
        return "prompt.maman_own"
    return f"prompt.{phase}"


# In.


def load(data: Mapping[str, Any]) -> BagarreState:
    """A position from JSON data; an impossible one is refused, with the field and the rule."""
    from .game import GAME

    options = read_head(data, GAME, FIELDS)
    state = fresh(GAME.setup(data.get("seats"), options))
    state.turn = whole(data.get("turn", 1), 0, MOST_TURNS, "turn", "B14")
    state.active = whole(data.get("active", state.setup.first), 0, state.seats - 1, "active", "B6")
    _read_players(state, data.get("players"))
    _read_cards(state, data)
    _read_step(state, data)
    _check_step(state)
    _read_memory(state, data.get("memory"))
    return state


def open_state(view: Mapping[str, Any]) -> BagarreState:
    """The position of a view as far as its seat sees it: other hands and the pile are empty. For the sampler."""
    from .game import GAME

    try:
        state = fresh(GAME.setup(view["seats"], view["options"]))
        seat = view["seat"]
        state.turn = view["turn"]
        state.active = view["active"]
        players = [
            {field: player[field] for field in _PLAYER_FIELDS if other == seat or field in ("marbles", "front")}
            for other, player in enumerate(view["players"])
        ]
        _read_players(state, players)
        state.discard = _read_counts(state.deck, view["discard"], "discard")
        state.turned = [(other, _card(state.deck, card, "turned")) for other, card in view["turned"]]
        _read_step(state, view)
        state.memory = recall(view["memory"], state.deck, state.seats)
    except (KeyError, TypeError, ValueError) as error:
        raise ViewError(f"this is no view of the game ({error})", field="view", rule="B24") from None
    state.pile = [0] * state.deck.kinds
    state.pile_size = 0
    return state


def _card(deck: Deck, name: Any, field: str) -> int:
    kind = deck.numbers.get(name.lower()) if isinstance(name, str) else None
    if kind is None:
        raise refuse(f"{name!r} is no card of this set", field, "B4")
    return kind


def _cards(deck: Deck, names: Any, field: str) -> list[int]:
    if not isinstance(names, list):
        raise refuse("it is a JSON list of cards", field, "B4")
    return sorted(_card(deck, name, field) for name in names)


def _toy(deck: Deck, name: Any, field: str) -> int:
    kind = _card(deck, name, field)
    if not deck.is_toy(kind):
        raise refuse(f"{name} is no toy", field, "B10")
    return kind


def _read_players(state: BagarreState, players: Any) -> None:
    if not isinstance(players, list) or len(players) != state.seats:
        raise refuse(f"there must be one entry for each of the {state.seats} seats", "players", "B6")
    for seat, player in enumerate(players):
        where = f"players[{seat}]"
        if not isinstance(player, Mapping) or any(field not in _PLAYER_FIELDS for field in player):
            raise refuse(f"it has only the fields {', '.join(_PLAYER_FIELDS)}", where)
        state.marbles[seat] = whole(player.get("marbles", 0), 0, 999, f"{where}.marbles", "B14")
        state.hands[seat] = _cards(state.deck, player.get("hand", []), f"{where}.hand")
        front = player.get("front", [])
        if not isinstance(front, list):
            raise refuse("it is a JSON list of toys", f"{where}.front", "B10")
        state.front[seat] = sorted(_toy(state.deck, name, f"{where}.front") for name in front)
        placed = player.get("placed")
        if placed == "forfeit":
            state.placed[seat] = FORFEIT
        elif placed is not None:
            state.placed[seat] = _card(state.deck, placed, f"{where}.placed")
            if state.placed[seat] >= FRIENDS:
                raise refuse(f"{placed} is no friend", f"{where}.placed", "B15")
        answer = player.get("answer")
        if answer not in _ANSWERS.values():
            raise refuse("an answer is yes, no or null", f"{where}.answer", "B18")
        state.answers[seat] = {said: number for number, said in _ANSWERS.items()}[answer]
        if answer == "yes" and state.deck.maman not in state.hands[seat]:
            raise refuse("nobody says yes without holding Maman", f"{where}.answer", "B18")


def _read_counts(deck: Deck, cards: Any, field: str) -> list[int]:
    if not isinstance(cards, Mapping):
        raise refuse("it is a JSON object: card to number", field, "B1")
    counts = [0] * deck.kinds
    for name, number in cards.items():
        kind = _card(deck, name, field)
        counts[kind] = whole(number, 0, deck.counts[kind], f"{field}.{name}", "B1")
    return counts


def _read_cards(state: BagarreState, data: Mapping[str, Any]) -> None:
    """Discard, turned cards and pile; every card of the set must be somewhere, once (B1)."""
    deck = state.deck
    state.discard = _read_counts(deck, data.get("discard", {}), "discard")
    turned = data.get("turned", [])
    if not isinstance(turned, list):
        raise refuse("it is a JSON list of [seat, card]", "turned", "B19")
    for row in turned:
        if not isinstance(row, list) or len(row) != 2:
            raise refuse("it is a JSON list of [seat, card]", "turned", "B19")
        state.turned.append((whole(row[0], 0, state.seats - 1, "turned", "B19"), _card(deck, row[1], "turned")))
    rest = deck.counts.copy()
    for kind in [kind for kinds in (*state.hands, *state.front) for kind in kinds]:
        rest[kind] -= 1
    for kind in [*(kind for kind in state.placed if kind >= 0), *(kind for _, kind in state.turned)]:
        rest[kind] -= 1
    for kind in range(deck.kinds):
        rest[kind] -= state.discard[kind]
        if rest[kind] < 0:
            raise refuse(f"there are more {deck.names[kind]} than the set has", "players", "B1")
    state.pile = _read_counts(deck, data["pile"], "pile") if "pile" in data else rest
    if state.pile != rest:
        missing = next(deck.names[kind] for kind in range(deck.kinds) if state.pile[kind] != rest[kind])
        raise refuse(f"hands, table, discard and pile do not make up the set: look at {missing}", "pile", "B1")
    state.pile_size = sum(rest)


def _default_phase(state: BagarreState) -> int:
    if len(state.hands[state.active]) > HAND:
        return ACTION
    return TURN if state.front[state.active] else DRAWING


def _seat(state: BagarreState, data: Mapping[str, Any], field: str, rule: str) -> int:
    seat = data.get(field)
    return -1 if seat is None else whole(seat, 0, state.seats - 1, field, rule)


def _read_step(state: BagarreState, data: Mapping[str, Any]) -> None:
    """How far the turn has come."""
    phase = data.get("phase", PHASES[_default_phase(state)])
    if phase not in PHASES:
        raise refuse(f"there is no phase {phase!r}", "phase", "B7", f"There are {', '.join(PHASES)}.")
    state.phase = PHASES.index(phase)
    state.ban = _seat(state, data, "ban", "B23")
    state.owner = _seat(state, data, "owner", "B15")
    special = data.get("special")
    if special is not None and special not in EFFECTS:
        raise refuse(f"there is no special move {special!r}", "special", "B23")
    state.effect = EFFECTS.index(special) if special is not None else -1
    state.given = _toy(state.deck, data["given"], "given") if data.get("given") is not None else -1
    state.toy = _toy(state.deck, data["toy"], "toy") if data.get("toy") is not None else -1
    if state.toy >= 0 and state.owner < 0:
        state.owner = state.owner_of(state.toy)
    state.limit = whole(data.get("limit", 0), 0, 2, "limit", "B23")
    fighting = state.phase in (ATTACK, ANSWER) or (state.phase == WINDOW and state.effect < 0)
    state.round = whole(data.get("round", 1 if fighting else 0), 0, state.deck.size, "round", "B20")
    state.filled = whole(data.get("filled", 0), 0, state.seats - 1, "filled", "B12")
    state.drawer = _seat(state, data, "drawer", "B12")
    if state.drawer < 0 and state.phase <= FILLING:
        state.drawer = state.active
    seats = data.get("to_act", _default_actors(state))
    if not isinstance(seats, list):
        raise refuse("it is a JSON list of seats", "to_act", "B7")
    state.owing = 0
    for seat in seats:
        state.owing |= mask_of(whole(seat, 0, state.seats - 1, "to_act", "B7"))


def _default_actors(state: BagarreState) -> list[int]:
    """Who owes a decision, if the position does not say."""
    if state.phase <= FILLING or state.phase == OVER:
        return []
    if state.phase == REPLYING:
        return [state.owner]
    if state.phase == ANSWER:
        others = range(state.seats) if state.is_general() else [state.owner]
        return [seat for seat in others if state.placed[seat] == NOTHING and state.has_friend(seat)]
    if state.phase == WINDOW:
        down = [seat for seat in range(state.seats) if state.placed[seat] != NOTHING]
        return [seat for seat in sorted({*down, state.owner}) if state.answers[seat] == NOT_ASKED]
    if state.phase == EXCESS:
        return [(state.active + state.filled) % state.seats]
    return [state.active]


def _check_step(state: BagarreState) -> None:
    """Refuse positions that cannot come up in play, and in which play would stop."""
    phase = state.phase
    if phase == OVER:
        return
    if max(state.marbles) >= state.setup.goal:
        raise refuse(f"somebody has {state.setup.goal} marbles, and the game is not over", "players", "B14")
    if phase == DEALING:
        return
    if state.turn < 1:
        raise refuse("the first turn is turn 1", "turn", "B7")
    for seat in range(state.seats):
        held = len(state.hands[seat]) + (1 if state.placed[seat] >= 0 else 0)
        if held > HAND + 1 or (held > HAND and seat != state.active):
            raise refuse(f"{held} cards are too many", f"players[{seat}].hand", "B12")
    if phase in (TURN, DRAWING):
        for seat in range(state.seats):
            if len(state.hands[seat]) != HAND:
                raise refuse("everybody has five cards when a turn begins", f"players[{seat}].hand", "B12")
    if phase == TURN and not state.front[state.active]:
        raise refuse("a seat without toys in front is not asked: it draws", "phase", "B9")
    if phase in (DRAWING, FILLING) and not state.pile_size and not sum(state.discard):
        raise refuse("there is no card left to draw", "pile", "B13")
    if phase in (DRAWING, FILLING) and not state.pile_size:
        raise refuse("an empty pile is refilled before a card is drawn", "pile", "B13")
    _check_toys(state)
    _check_actors(state)


def _check_toys(state: BagarreState) -> None:
    phase = state.phase
    if phase in (ATTACK, ANSWER, WINDOW):
        if state.toy < 0 or state.toy not in state.front[state.owner]:
            raise refuse("a toy that lies in front of its owner is at stake", "toy", "B15")
        if state.owner == state.active:
            raise refuse("nobody fights for a toy of its own", "toy", "B15")
    if phase == WINDOW and state.deck.maman < 0:
        raise refuse("this set has no Maman", "phase", "B4")
    if phase in (BETTING, REPLYING) and (state.owner < 0 or state.owner == state.active):
        raise refuse("another seat is challenged", "owner", "B23")
    if phase == GIVING and len(state.front[state.active]) < 2:
        raise refuse("the only toy is given without asking", "phase", "B23")
    if phase == TAKING and len(state.toys_of_others(state.active)) < 2:
        raise refuse("the only toy is taken without asking", "phase", "B23")
    if phase == SEATING and len(state.rich_others(state.active)) < 2:
        raise refuse("the only seat is challenged without asking", "phase", "B23")
    wanted = {GIVING: ("marie_edwige", "echange"), TAKING: ("surveillant", "championne", "echange")}.get(phase)
    if wanted and (state.effect < 0 or EFFECTS[state.effect] not in wanted):
        raise refuse(f"one of {', '.join(wanted)} is being played", "special", "B23")
    if phase == TAKING and EFFECTS[state.effect] == "echange" and state.given not in state.front[state.active]:
        raise refuse("a toy of the active seat is given first", "given", "B23")


def _check_actors(state: BagarreState) -> None:
    if state.phase <= FILLING:
        if state.owing:
            raise refuse("nature acts", "to_act", "B12")
        return
    if not state.owing:
        raise refuse("somebody owes a decision", "to_act", "B7")
    for seat in SEATS_IN[state.owing]:
        if state.phase in (ANSWER, WINDOW) or seat == _default_actors(state)[0]:
            if not state.choices(seat):
                raise refuse(f"seat {seat} has nothing to choose from", "to_act", "B7")
        else:
            raise refuse(f"seat {seat} is not asked here", "to_act", "B7")
    if state.phase in (ACTION, CONVERTING, OPTIONAL, LAYING, LAYING_MORE) and state.owing != mask_of(state.active):
        raise refuse("the active seat acts", "to_act", "B7")


# Memory.


def _read_memory(state: BagarreState, text: Any) -> None:
    if text is None:
        state.memory = _blank_memory(state)
        return
    if not isinstance(text, str):
        raise refuse("it is a text", "memory", "B24")
    try:
        state.memory = read(text, state.deck, state.seats)
    except ValueError as error:
        raise refuse(f"{error.args[0]!r} is no note", "memory", "B24") from None
    _check_memory(state)


def _blank_memory(state: BagarreState) -> Note | None:
    """The memory of a position that was written by hand: what is hidden now came out of one pile."""
    hidden = unseen(state, None)
    cards = tuple(kind for kind in range(state.deck.kinds) for _ in range(hidden[kind]))
    last: Note | None = None
    if hidden != state.deck.counts:
        last = Note(None, POOL, -1, UNKNOWN, cards)
    waiting = state.phase == ANSWER
    for seat in range(state.seats):
        placed = state.placed[seat]
        for card in [*state.hands[seat], *([placed] if placed >= 0 else [])]:
            last = Note(last, DREW, seat, card, None)
        if placed != NOTHING and not (waiting and seat != state.active):
            secret = state.setup.may_forfeit and seat == state.owner and not state.is_general()
            last = Note(last, SECRET if secret else PLACED, seat, placed, None)
    return last


def _check_memory(state: BagarreState) -> None:
    """Refuse a memory that leads to hands of other sizes."""
    held = [0] * state.seats
    down: list[int | None] = [None] * state.seats
    for note in in_order(state.memory):
        _remember(note, held, down)
    for seat in range(state.seats):
        placed = state.placed[seat]
        if placed >= 0 and down[seat] is None:
            held[seat] -= 1  # an answer that the table does not know of yet
        elif placed == FORFEIT and down[seat] == UNKNOWN:
            held[seat] += 1
        if held[seat] != len(state.hands[seat]):
            raise refuse(f"it does not lead to the hand of seat {seat}", "memory", "B24")


def _remember(note: Note, held: list[int], down: list[int | None]) -> None:
    """What a note means for the sizes of the hands."""
    what, seat = note.what, note.seat
    if what == DREW:
        held[seat] += 1
    elif what == SHOWED:
        held[seat] -= 1
    elif what in (PLACED, SECRET):
        down[seat] = note.card
        held[seat] -= note.card != FORFEITED
    elif what in (TURNED, GAVE_UP, TOOK_BACK):
        held[seat] += what != TURNED and down[seat] != FORFEITED
        down[seat] = None
    elif what == BELL:
        held[:] = [held[-1], *held[:-1]]
