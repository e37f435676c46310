"""Positions as JSON, in and out, what each seat knows of them, and what is asked now.

A position can be written by hand, for a test or a puzzle: whatever is left out stands as at the start of a turn, and
the pool is all that lies nowhere else.

    {"game": "cour", "seats": 3, "active": 1, "phase": "keep", "open": ["marble", "brick", "leaf"],
     "characters": ["agent", "boss", "minx"], "hands": [{"leaf": 2}, {}, {"car": 1}], "under": ["brick"],
     "kings": [1, 0, 0], "friends": [[2], [], []], "box": {"spider": 1}}

Hands without a `ledger` are taken to have been gained openly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.errors import said
from ...core.refusing import read_head, refuse, whole
from ...core.state import HIDDEN, NATURE
from . import memory
from .actions import NONE, THROWS
from .deck import CHARACTERS, Deck, bit, has
from .position import (
    BEFRIENDING,
    CHALLENGING,
    DEALING,
    DECIDING,
    GIVE_STEP,
    GIVING,
    GLUING,
    KEEP_STEP,
    KEEPING,
    LAID,
    LAST_ROUND,
    LOSING,
    MOST_DRAWS,
    NOT_ASKED,
    OVER,
    PHASES,
    POINTING,
    RACING,
    STEALING,
    STEPS,
    TAKING,
    THROWING,
    TRADING,
    TURN_STEP,
    WAITING,
)
from .rules import CourState, fresh
from .tally import TRADED

if TYPE_CHECKING:
    from .shapes import Alike, Asked, Choice, EventCard, HiddenPart, OpenPart, Own, Position, View

FIELDS = (
    "game", "rules", "seats", "options", "turn", "active", "phase", "step", "to_keep", "ending", "characters", "hands",
    "pool", "under", "open", "kings", "friends", "pot", "pot_waits", "chestnut_man", "event", "choices", "draws",
    "gainer", "victim", "ledger", "box",
)  # fmt: skip
"""What a position may say; a view says more."""


# Out.


def to_json(state: CourState) -> Position:
    """The whole position as JSON data, in the usual order: files of positions stay the same to the letter."""
    written: Any = {**_open_part(state), **_hidden_part(state, None, True)}
    ordered: Any = {name: written[name] for name in FIELDS if name in written}
    position: Position = ordered
    return position


def view(state: CourState, seat: int | None) -> View:
    """What a seat knows: the position with the secrets of others left out, and what a good memory holds."""
    return {**_alike(state), **_own(state, seat)}


def views(state: CourState, eyes: Sequence[int | None]) -> tuple[Alike, list[Own]]:
    """What several seats know: what lies open is open to all."""
    return _alike(state), [_own(state, seat) for seat in eyes]


def _alike(state: CourState) -> Alike:
    """What everybody sees alike."""
    found: Any = {**_open_part(state), "round": state.round(), "sizes": list(state.sizes)}
    if state.phase == OVER:
        found["result"] = state.result().to_json()
    data: Alike = found
    return data


def _own(state: CourState, seat: int | None) -> Own:
    """What only one seat knows so."""
    hidden = _hidden_part(state, seat, state.phase == OVER)
    return {
        **hidden,
        "seat": seat,
        "prompt": prompt(state, seat),
        "memory": memory.known(state.deck, state.seats, hidden["ledger"]),
    }


def _open_part(state: CourState) -> OpenPart:
    """What lies open."""
    names = state.deck.kinds
    seats = range(state.seats)
    return {
        "game": "cour",
        "rules": state.game.rules_version,
        "seats": state.seats,
        "options": state.setup.options.copy(),
        "turn": state.turn,
        "active": state.active,
        "phase": PHASES[state.phase],
        "step": STEPS[state.step],
        "to_keep": state.to_keep,
        "ending": state.ending,
        "pool": {name: count for name, count in zip(names, state.pool, strict=True) if count},
        "under": [names[card] for card in state.under],
        "open": [names[card] for card in state.open_cards],
        "kings": list(state.kings),
        "friends": [[other for other in seats if has(mask, other)] for mask in state.friends],
        "pot": _seat(state.pot),
        "pot_waits": state.pot_waits,
        "chestnut_man": _seat(state.man),
        "event": _event(state),
        "draws": state.draws,
        "gainer": _seat(state.gainer),
        "victim": _seat(state.victim),
    }


def _hidden_part(state: CourState, seat: int | None, everything: bool) -> HiddenPart:
    """What a seat knows of what is hidden, or everything."""
    deck = state.deck
    seats = range(state.seats)
    taking = state.phase == TAKING and seat == state.gainer

    def knows_hand(other: int) -> bool:
        return everything or other == seat or (taking and other == state.victim)

    return {
        "characters": [
            None if one < 0 else CHARACTERS[one] if everything or other == seat else HIDDEN
            for other, one in enumerate(state.characters)
        ],
        "hands": [memory.cards(deck, state.hand(other)) if knows_hand(other) else None for other in seats],
        "choices": [_answer(state, other, everything or other == seat) for other in seats],
        "ledger": memory.to_json(deck, state.seats, state.memory, seat, everything),
    }


def _seat(number: int) -> int | None:
    return number if number >= 0 else None


def _event(state: CourState) -> EventCard | None:
    if state.event < 0:
        return None
    return "king" if state.event == state.deck.king else state.sign()


def _answer(state: CourState, seat: int, known: bool) -> Choice:
    answer = state.answers[seat]
    if answer == NOT_ASKED:
        return None
    if answer == WAITING:
        return "waiting"
    if not known and state.phase != RACING:
        return HIDDEN
    if state.phase == THROWING:
        return THROWS[answer]
    return "none" if answer == NONE else answer


def prompt(state: CourState, seat: int | None) -> Asked:
    """What the seat is asked, or whom it waits for."""
    if state.phase == OVER:
        return {"key": "prompt.over", "winners": list(state.result().winners), "reason": state.reason()}
    key = f"{'prompt' if seat in state.to_act else 'wait'}.{PHASES[state.phase]}"
    seats = [one for one in state.to_act if one != NATURE]
    if state.phase in (POINTING, RACING):
        return {"key": key, "seats": seats, "card": state.sign()}
    if state.phase in (KEEPING, GIVING, GLUING):
        names = [state.deck.types[card] for card in state.open_cards]
        return {"key": key, "seats": seats, "cards": names, "n": state.to_keep}
    if state.phase in (THROWING, DECIDING):
        return {"key": key, "seats": seats, "seat": state.active, "rival": state.rival(), "draws": state.draws}
    if state.phase == TAKING:
        return {"key": key, "seats": seats, "victim": state.victim}
    return {"key": key, "seats": seats}


# In.


def load(data: Mapping[str, Any]) -> CourState:
    """A position from JSON data; an impossible one is refused, with the field and the rule."""
    from .game import GAME

    options = read_head(data, GAME, FIELDS)
    state = fresh(GAME.setup(data.get("seats"), options))
    _read_characters(state, data)
    _read_memory(state, data)
    read_table(state, data)
    _read_pile(state, data)
    _read_answers(state, data.get("choices", [None] * state.seats))
    _check_step(state)
    _check_phase(state)
    state.settle()
    return state


def _list(value: Any, length: int | None, field: str, rule: str) -> list[Any]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        wanted = "a JSON list" if length is None else f"a JSON list of {length}"
        raise refuse(f"{wanted} is wanted", field, rule)
    return value


def _kind(deck: Deck, name: Any, field: str, below: int, rule: str) -> int:
    number = deck.numbers.get(name) if isinstance(name, str) else None
    if number is None or number >= below:
        raise refuse(f"{said(name)} does not belong here", field, rule, f"Use {', '.join(deck.kinds[:below])}.")
    return number


def _one_of(value: Any, names: tuple[str, ...], field: str, rule: str) -> int:
    if value not in names:
        raise refuse(f"{said(value)} is not one of {', '.join(names)}", field, rule)
    return names.index(value)


def _flag(value: Any, field: str, rule: str) -> bool:
    if not isinstance(value, bool):
        raise refuse(f"{said(value)} is neither true nor false", field, rule)
    return value


def _counts(deck: Deck, value: Any, field: str, below: int, rule: str) -> list[int]:
    if not isinstance(value, Mapping):
        raise refuse("cards are a JSON object: name to number", field, rule)
    counts = [0] * below
    for name, number in value.items():
        kind = _kind(deck, name, field, below, rule)
        counts[kind] = whole(number, 0, deck.counts[kind], f"{field}.{name}", "C1")
    return counts


def _read_characters(state: CourState, data: Mapping[str, Any]) -> None:
    state.phase = _one_of(data.get("phase", "turn"), PHASES, "phase", "C5")
    default = [None if state.phase == DEALING else name for name in CHARACTERS[: state.seats]]
    names = _list(data.get("characters", default), state.seats, "characters", "C3")
    for seat, name in enumerate(names):
        if name is not None:
            state.characters[seat] = _one_of(name, CHARACTERS, f"characters[{seat}]", "C3")
    dealt = [one for one in state.characters if one >= 0]
    if len(set(dealt)) < len(dealt):
        raise refuse("two seats have the same character", "characters", "C3")
    if (None in names) != (state.phase == DEALING) or state.next_dealt() != len(dealt):
        raise refuse("characters are dealt in seat order, all of them before the first turn", "characters", "C3")


def _read_memory(state: CourState, data: Mapping[str, Any]) -> None:
    """Hands, tally and memory; the ledger is the truth, and without one all cards were gained openly."""
    deck, width = state.deck, state.width
    hands = None
    if "hands" in data:
        rows = _list(data["hands"], state.seats, "hands", "C6")
        hands = [_counts(deck, row, f"hands[{seat}]", width, "C6") for seat, row in enumerate(rows)]
    if "ledger" in data:
        rows = _list(data["ledger"], None, "ledger", "C20")
        state.memory = [read_entry(deck, state.seats, row, f"ledger[{number}]") for number, row in enumerate(rows)]
        if any(memory.kind_of(number) == memory.UNKNOWN for number in state.memory):
            raise refuse("it does not say which card was stolen", "ledger", "C20")
    else:
        state.memory = [
            memory.entry(memory.GAIN, seat, 0, kind)
            for seat, hand in enumerate(hands or [])
            for kind, count in enumerate(hand)
            for _ in range(count)
        ]
    try:
        state.hands, _ = memory.replay(deck, state.seats, state.memory)
    except ValueError:
        raise refuse("a card leaves a hand that does not hold it", "ledger", "C20") from None
    state.tally = memory.public_tally(deck, state.seats, state.memory)
    state.sizes = state.tally.sizes
    if hands is not None and [count for hand in hands for count in hand] != state.hands:
        raise refuse("the hands are not what the ledger leads to", "hands", "C20")
    if state.phase == DEALING and state.memory:
        raise refuse("nobody holds a card while characters are dealt", "hands", "C3")


def read_entry(deck: Deck, seats: int, row: Any, field: str) -> int:
    """One row of a ledger, or of a view's, where a card may be null."""
    if not isinstance(row, dict) and not isinstance(row, Mapping):  # the first is quicker to see, and usual
        raise refuse("an entry is a JSON object", field, "C20", "It has op, seat, card, and victim for a theft.")
    name = row.get("op")
    op = memory.OPS.index(name) if name in memory.OPS else _one_of(name, memory.OPS, f"{field}.op", "C20")
    seat = _seat_in(row, "seat", seats, field, "C20")
    other = 0
    theft = op in (memory.LOSE, memory.TAKE)
    if theft:
        other = _seat_in(row, "victim", seats, field, "C14")
        if other == seat:
            raise refuse("nobody steals from itself", f"{field}.victim", "C14")
    card = row.get("card")
    if theft and card is None:
        return memory.entry(op, seat, other, memory.UNKNOWN)
    known = deck.numbers.get(card) if isinstance(card, str) else None
    kind = (
        known if known is not None and known < deck.in_hand else _kind(deck, card, f"{field}.card", deck.in_hand, "C20")
    )
    if op == memory.TRADE and kind < deck.leaf:
        raise refuse("only leaves and chestnuts are traded", f"{field}.card", "C10")
    return memory.entry(op, seat, other, kind)


def _seat_in(row: Any, name: str, seats: int, field: str, rule: str) -> int:
    """A seat that an entry names. There are many entries, and the names of fields are for refusals only."""
    seat = row.get(name)
    if type(seat) is int and 0 <= seat < seats:
        return seat
    return whole(seat, 0, seats - 1, f"{field}.{name}", rule)


def read_table(state: CourState, data: Mapping[str, Any]) -> None:
    """All that lies open and how far the turn has come; the same in a position and in a view."""
    deck, seats = state.deck, state.seats
    _read_turn(state, data)
    state.step = _one_of(data.get("step", _default_step(state.phase)), STEPS, "step", "C6")
    state.to_keep = whole(data.get("to_keep", 1 if state.phase == KEEPING else 0), 0, 2, "to_keep", "C13")
    state.ending = _flag(data.get("ending", False), "ending", "C15")
    state.open_cards = [
        _kind(deck, name, "open", deck.ordinary, "C5") for name in _list(data.get("open", []), None, "open", "C5")
    ]
    state.under = [
        _kind(deck, name, "under", deck.ordinary, "C4") for name in _list(data.get("under", []), None, "under", "C4")
    ]
    if state.under and state.setup.bag:
        raise refuse("with a bag, no card lies in a known place", "under", "C4")
    kings = _list(data.get("kings", [0] * seats), seats, "kings", "C9")
    state.kings = [whole(number, 0, deck.counts[deck.king], "kings", "C9") for number in kings]
    for seat, friends in enumerate(_list(data.get("friends", [[]] * seats), seats, "friends", "C12")):
        field = f"friends[{seat}]"
        mask = 0
        for other in _list(friends, None, field, "C12"):
            friend = whole(other, 0, seats - 1, field, "C12")
            if friend == seat or has(mask, friend):
                raise refuse("friend cards are turned to different other seats", field, "C12")
            mask |= bit(friend)
        state.friends[seat] = mask
    state.pot = _maybe_seat(data, "pot", seats, "C13")
    state.pot_waits = _flag(data.get("pot_waits", False), "pot_waits", "C13")
    if state.pot_waits and state.pot != state.active:
        raise refuse("a pot waits only in the turn in which its owner gained it", "pot_waits", "C13")
    state.man = _maybe_seat(data, "chestnut_man", seats, "C11")
    event = data.get("event", _default_event(state.phase))
    state.event = -1 if event is None else _kind(deck, event, "event", deck.size, "C8")
    if 0 <= state.event < deck.ordinary:
        raise refuse(f"{event} is no event", "event", "C8")
    state.draws = whole(data.get("draws", 0), 0, MOST_DRAWS, "draws", "C9")
    state.gainer = _maybe_seat(data, "gainer", seats, "C14")
    state.victim = _maybe_seat(data, "victim", seats, "C14")


def _default_step(phase: int) -> str:
    return "keep" if phase in (KEEPING, GIVING, BEFRIENDING) else "turn"


def _default_event(phase: int) -> str | None:
    if phase in (CHALLENGING, THROWING, DECIDING):
        return "king"
    return "spider" if phase in (POINTING, RACING) else None


def _read_turn(state: CourState, data: Mapping[str, Any]) -> None:
    first, seats = state.setup.first, state.seats
    if state.phase == DEALING:
        state.turn = whole(data.get("turn", 0), 0, 0, "turn", "C3")
        state.active = whole(data.get("active", first), first, first, "active", "C3")
        return
    active = whole(data.get("active", first), 0, seats - 1, "active", "C5")
    default = seats * LAST_ROUND if state.phase == OVER else (active - first) % seats + 1
    state.turn = whole(data.get("turn", default), 1, seats * LAST_ROUND, "turn", "C15")
    state.active = (first + state.turn - 1) % seats
    if "active" in data and active != state.active:
        raise refuse(f"turn {state.turn} is seat {state.active}'s", "active", "C6", f"Seat {first} began.")


def _maybe_seat(data: Mapping[str, Any], field: str, seats: int, rule: str) -> int:
    value = data.get(field)
    return -1 if value is None else whole(value, 0, seats - 1, field, rule)


def _elsewhere(state: CourState) -> list[int]:
    """How many cards of each kind lie outside pool and box."""
    deck = state.deck
    counts = [0] * deck.size
    for seat in range(state.seats):
        for kind, count in enumerate(state.hand(seat)):
            counts[kind] += count
    for card in state.under + state.open_cards:
        counts[card] += 1
    counts[deck.king] += sum(state.kings) + (state.event == deck.king)
    counts[deck.friend] += sum(mask.bit_count() for mask in state.friends) + (state.phase == BEFRIENDING)
    counts[deck.glue] += state.pot >= 0
    if state.event in (deck.spider, deck.butterfly):
        counts[state.event] += 1
    return counts


def _read_pile(state: CourState, data: Mapping[str, Any]) -> None:
    """C1: every card is somewhere, and only events and three traded chestnuts are in the box."""
    deck = state.deck
    lying = _elsewhere(state)
    if "pool" in data:
        state.pool = _counts(deck, data["pool"], "pool", deck.size, "C4")
        box = [deck.counts[kind] - lying[kind] - state.pool[kind] for kind in range(deck.size)]
    else:
        box = _counts(deck, data.get("box", {}), "box", deck.size, "C1")
        if "box" not in data and state.man >= 0:
            box[deck.chestnut] = TRADED
        state.pool = [deck.counts[kind] - lying[kind] - box[kind] for kind in range(deck.size)]
    for kind, name in enumerate(deck.kinds):
        if state.pool[kind] < 0 or box[kind] < 0:
            raise refuse(f"there are more than {deck.counts[kind]} of {name}", "pool", "C1")
        allowed = TRADED if kind == deck.chestnut and state.man >= 0 else 0
        if box[kind] != allowed and kind not in (deck.spider, deck.butterfly):
            raise refuse(f"{box[kind]} of {name} are nowhere", "pool", "C1", "Cards do not get lost.")
    state.pool_size = sum(state.pool)


def _read_answers(state: CourState, answers: Any) -> None:
    for seat, answer in enumerate(_list(answers, state.seats, "choices", "C8")):
        state.answers[seat] = read_answer(state, answer, f"choices[{seat}]")
        if state.answers[seat] == seat and state.phase in (POINTING, RACING):
            raise refuse("nobody points at itself", f"choices[{seat}]", "C14")


def read_answer(state: CourState, answer: Any, field: str) -> int:
    """A secret answer as it stands in a position."""
    if answer is None:
        return NOT_ASKED
    if answer == "waiting":
        return WAITING
    if state.phase == THROWING:
        return _one_of(answer, THROWS, field, "C9")
    if answer == "none" and state.setup.live:
        return NONE
    return whole(answer, 0, state.seats - 1, field, "C8")


def _check_step(state: CourState) -> None:
    """C5, C6, C7, C13: as many cards lie open as the step allows, and the pile lasts to the end of the round."""
    lying, keep, step = len(state.open_cards), state.to_keep, state.step
    glued = state.pot == state.active and not state.pot_waits
    if state.phase in (DEALING, OVER):
        fits = lying == 0 and keep == 0
    elif step == TURN_STEP:
        fits = keep == 0 and lying == LAID if state.phase == GLUING else keep == 0 and lying < LAID
    elif step == KEEP_STEP:
        usual = (3, 1) if state.phase == KEEPING else (2, 0)
        with_pot = ((3, 2), (2, 1)) if state.phase == KEEPING else ((2, 1), (1, 0))
        fits = (lying, keep) == usual or (glued and (lying, keep) in with_pot)
    else:
        fits = keep == 0 and (lying == 1 or (lying == 0 and glued))
    if not fits:
        hint = "Three cards are turned, one is kept (two with a glue pot), one given, one put back."
        raise refuse(f"{lying} cards lie open and {keep} are to be kept", "open", "C6", hint)
    if state.phase in (DEALING, OVER):
        return
    turns = state.seats - (state.turn - 1) % state.seats
    have = state.ordinary_cards() + (lying if step == TURN_STEP else 0)
    need = 2 * turns + 1 if step == TURN_STEP else 2 * turns - 2
    if have < need:
        raise refuse(f"the round needs {need} more cards that are no events and finds {have}", "pool", "C7")


def _check_phase(state: CourState) -> None:
    """What a phase needs: an event, a seat that gains, answers that are still to come."""
    phase, gainer, victim = state.phase, state.gainer, state.victim
    steps = {KEEPING: (KEEP_STEP,), GIVING: (KEEP_STEP,), BEFRIENDING: (KEEP_STEP, GIVE_STEP)}
    anywhere = (TRADING, STEALING, LOSING, DEALING, OVER)
    allowed = (TURN_STEP, KEEP_STEP, GIVE_STEP) if phase in anywhere else steps.get(phase, (TURN_STEP,))
    if state.step not in allowed:
        raise refuse(f"{PHASES[phase]} does not belong to the step {STEPS[state.step]}", "step", "C6")
    events = {
        **dict.fromkeys((CHALLENGING, THROWING, DECIDING), (state.deck.king,)),
        **dict.fromkeys((POINTING, RACING, TAKING), (state.deck.spider, state.deck.butterfly)),
        **dict.fromkeys((LOSING, TRADING), (-1, state.deck.spider, state.deck.butterfly)),
    }
    if state.event not in events.get(phase, (-1,)) or (state.event >= 0 and state.step != TURN_STEP):
        raise refuse("this event is not what is being resolved", "event", "C8")
    if (gainer >= 0) != (phase in (LOSING, TAKING, TRADING, STEALING, BEFRIENDING)):
        raise refuse("a gaining seat is named while its gain is resolved, and only then", "gainer", "C14")
    if (victim >= 0) != (phase in (LOSING, TAKING)) or (victim >= 0 and (victim == gainer or not state.sizes[victim])):
        raise refuse("a victim is another seat with cards in hand, named while it loses one", "victim", "C14")
    if phase == TAKING and not state.setup.choose:
        raise refuse("cards are taken blind with these options", "phase", "C8")
    if phase == GLUING and (state.pot != state.active or state.pot_waits):
        raise refuse("the active seat has no glue pot to use", "pot", "C13")
    if phase in (TRADING, STEALING):
        _check_gain(state)
    if phase == BEFRIENDING and not state.strangers(gainer):
        raise refuse("this friend card has no seat left to be turned to", "friends", "C12")
    _check_answers(state)
    if phase == OVER and (
        state.turn % state.seats
        or not (state.ending or state.round() == LAST_ROUND or state.ordinary_cards() < state.setup.needed)
    ):
        raise refuse("the game does not end here", "phase", "C15")


def _check_gain(state: CourState) -> None:
    """C10: a trade follows at once upon the gain that calls for it, and a theft upon a trade of leaves."""
    last = state.memory[-1] if state.memory else -1
    follows = last >= 0 and memory.seat_of(last) == state.gainer
    if state.phase == STEALING:
        follows = follows and memory.op_of(last) == memory.TRADE and memory.kind_of(last) == state.deck.leaf
        follows = follows and state.others_hold(state.gainer)
    else:
        follows = follows and memory.op_of(last) != memory.TRADE
        follows = follows and state.tally.may_trade(state.gainer)
    if not follows:
        raise refuse("the ledger does not end with what this question is about", "ledger", "C10")


def _check_answers(state: CourState) -> None:
    """C8, C9: who is asked in secret, and that somebody still is."""
    asked = [seat for seat in range(state.seats) if state.answers[seat] != NOT_ASKED]
    waiting = [seat for seat in asked if state.answers[seat] == WAITING]
    if state.phase in (POINTING, RACING):
        wanted = [state.active] if state.setup.alone else list(range(state.seats))
        fits = asked == wanted and bool(waiting) == (state.phase == POINTING)
    elif state.phase in (THROWING, DECIDING):
        fits = len(asked) == 2 and state.active in asked and bool(waiting)
        fits = fits and (state.draws == MOST_DRAWS) == (state.phase == DECIDING)
        fits = fits and (len(waiting) == 2 or state.phase == THROWING)
    else:
        fits = not asked
    if not fits:
        raise refuse("these are not the answers of this moment", "choices", "C9" if state.event >= 0 else "C8")
