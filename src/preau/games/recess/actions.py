"""Every action of Recess!, its text form and its number.

`pass` · `skip` · `share` · `stay e5` · `leave e5` · `b1 d4` · `tattle 0 e5` · `shove f6` · `nun 1 f6` · `timeout`
"""

from __future__ import annotations

from typing import Final

from ...core.compiling import i64
from ...core.errors import MalformedAction
from ...core.state import Action
from .yard import CELL_NAMES, CELL_NUMBERS

PASS: Final = 0
SKIP: Final = 1
SHARE: Final = 2
STAY: Final = 3
LEAVE: Final = 4
MOVE: Final = 5
TATTLE: Final = 6
SHOVE: Final = 7
NUN: Final = 8
TIMEOUT: Final = 9

CHILDREN: Final = ("b1", "b2", "g1", "g2")


class RecessAction(Action):
    """An action of Recess!: its `kind`, `who` (which child or nun) and `cell`, where it has them."""

    def __init__(self, number: int, text: str, kind: i64, who: i64, cell: i64) -> None:
        super().__init__(number, text)
        self.kind = kind
        self.who = who
        self.cell = cell

    def __reduce__(self) -> tuple[object, ...]:
        return (parse, (self.text,))


ACTIONS: Final[list[RecessAction]] = []
"""All actions in their fixed numbering."""


def _make(text: str, kind: int, who: int = 0, cell: int = -1) -> RecessAction:
    action = RecessAction(len(ACTIONS), text, kind, who, cell)
    ACTIONS.append(action)
    return action


THE_PASS: Final = _make("pass", PASS)
THE_SKIP: Final = _make("skip", SKIP)
THE_SHARE: Final = _make("share", SHARE)
STAYS: Final = [_make(f"stay {name}", STAY, 0, cell) for cell, name in enumerate(CELL_NAMES)]
LEAVES: Final = [_make(f"leave {name}", LEAVE, 0, cell) for cell, name in enumerate(CELL_NAMES)]
MOVES: Final = [
    [_make(f"{child} {name}", MOVE, who, cell) for cell, name in enumerate(CELL_NAMES)]
    for who, child in enumerate(CHILDREN)
]
"""`MOVES[child][cell]`, the child counted within its seat: b1 b2 g1 g2."""
TATTLES: Final = [
    [_make(f"tattle {nun} {name}", TATTLE, nun, cell) for cell, name in enumerate(CELL_NAMES)] for nun in (0, 1)
]
SHOVES: Final = [_make(f"shove {name}", SHOVE, 0, cell) for cell, name in enumerate(CELL_NAMES)]
NUNS: Final = [[_make(f"nun {nun} {name}", NUN, nun, cell) for cell, name in enumerate(CELL_NAMES)] for nun in (0, 1)]
THE_TIMEOUT: Final = _make("timeout", TIMEOUT)

BY_TEXT: Final = {action.text: action for action in ACTIONS}

FORMS: Final = (
    "pass, skip, share, stay e5, leave e5, b1 d4 (b1 b2 g1 g2), tattle 0 e5, shove f6, nun 1 f6; "
    "columns a to l, rows 1 to 12"
)


def parse(text: str) -> RecessAction:
    """The action with this text form; case and spacing do not matter.

    >>> parse(" B1  d4 ")
    <b1 d4>
    """
    plain = " ".join(text.lower().split())
    found = BY_TEXT.get(plain)
    if found is not None:
        return found
    words = plain.split()
    what = f"{text!r} is no action of Recess!"
    rule = "R8"
    if len(words) > 1 and (words[0] in CHILDREN or words[0] in ("stay", "leave", "shove", "tattle", "nun")):
        last = words[-1]
        if last not in CELL_NUMBERS:
            what = f"{text!r}: {last!r} is no cell of the yard"
            rule = "R2"
    raise MalformedAction(
        what, rule=rule, field="action", key="malformed", params={"text": text}, hint=f"The forms are: {FORMS}."
    )
