"""Dans la cour d'école as numbers, with the seats counted from the observer on.

Counts of cards go by toy type, then leaf, chestnut, friend, glue, spider, butterfly, king, also where a card set gives
every card its own edges; the action mask keeps the numbering of the set.
"""

from __future__ import annotations

from ...core.observation import Layout, Observation
from .actions import SEATS
from .deck import CHARACTERS, OTHERS, TOYS
from .position import OVER, RACING
from .rules import CourState
from .views import view

GROUPS = (*TOYS, *OTHERS)
_HELD = len(TOYS) + 2
_NEXT = 12
"""How many cards of the known order under the pile are shown."""

LAYOUT = Layout(
    [
        ("hand", (_HELD,)),
        ("character", (len(CHARACTERS),)),
        ("sure", (SEATS, _HELD)),
        ("unsure", (SEATS,)),
        ("sizes", (SEATS,)),
        ("kings", (SEATS,)),
        ("friends", (SEATS, SEATS)),
        ("pot", (SEATS,)),
        ("chestnut_man", (SEATS,)),
        ("pool", (len(GROUPS),)),
        ("under", (_NEXT, len(GROUPS))),
        ("open", (len(GROUPS),)),
        ("event", (len(GROUPS),)),
        ("seats", (SEATS,)),
        ("active", (SEATS,)),
        ("gainer", (SEATS,)),
        ("victim", (SEATS,)),
        ("answered", (SEATS,)),
        ("pointed", (SEATS, SEATS)),
        ("phase", (OVER + 1,)),
        ("to_keep", (1,)),
        ("draws", (1,)),
        ("ending", (1,)),
        ("progress", (1,)),
    ]
)
"""Vectors over seats start with the observer and go round the table."""


def observe(state: CourState, seat: int) -> Observation:
    """The position as `seat` sees it."""
    seen = view(state, seat)
    result = Observation(LAYOUT, len(state.setup.actions.all))
    piece = {block.name: result.piece(block.name) for block in LAYOUT.pieces}
    group = {name: GROUPS.index(name.split(".")[0]) for name in state.deck.kinds}
    for kind, count in enumerate(state.hand(seat)):
        piece["hand"][group[state.deck.kinds[kind]]] += count
    if state.characters[seat] >= 0:
        piece["character"][state.characters[seat]] = 1.0
    for name, count in seen["pool"].items():
        piece["pool"][group[name]] += count
    for place, name in enumerate(seen["under"][:_NEXT]):
        piece["under"][place * len(GROUPS) + group[name]] = 1.0
    for name in seen["open"]:
        piece["open"][group[name]] += 1.0
    if seen["event"]:
        piece["event"][group[seen["event"]]] = 1.0
    for away in range(state.seats):
        other = (seat + away) % state.seats
        memory = seen["memory"][other]
        for name, count in memory["sure"].items():
            piece["sure"][away * _HELD + group[name]] += count
        piece["unsure"][away] = memory["unsure"]
        piece["sizes"][away] = seen["sizes"][other]
        piece["kings"][away] = seen["kings"][other]
        for friend in seen["friends"][other]:
            piece["friends"][away * SEATS + (friend - seat) % state.seats] = 1.0
        piece["seats"][away] = 1.0
        piece["active"][away] = float(other == seen["active"])
        piece["pot"][away] = float(other == seen["pot"])
        piece["chestnut_man"][away] = float(other == seen["chestnut_man"])
        piece["gainer"][away] = float(other == seen["gainer"])
        piece["victim"][away] = float(other == seen["victim"])
        choice = seen["choices"][other]
        piece["answered"][away] = float(choice not in (None, "waiting"))
        if isinstance(choice, int) and state.phase <= RACING:
            piece["pointed"][away * SEATS + (choice - seat) % state.seats] = 1.0
    piece["phase"][state.phase] = 1.0
    piece["to_keep"][0] = state.to_keep
    piece["draws"][0] = state.draws
    piece["ending"][0] = float(state.ending)
    piece["progress"][0] = state.progress()
    for action in state.legal(seat):
        result.mask[action.number] = 1
    return result
