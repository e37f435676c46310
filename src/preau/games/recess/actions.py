"""Every action of Recess!, its text form and its number.

`pass` · `skip` · `share` · `stay e5` · `leave e5` · `b1 d4` · `tattle 0 e5` · `shove f6` · `nun 1 f6` · `timeout`

The numbering depends on nothing: it runs through the forms in this order, children and nuns by number, and cells in
board order.
"""

from __future__ import annotations

from typing import Final

from ...core.actions import ActionTable
from ...core.errors import MalformedAction
from ...core.mypyc_shims import i64
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
NUN_NUMBERS: Final = (0, 1)

FORMS: Final = (
    "pass, skip, share, stay e5, leave e5, b1 d4 (b1 b2 g1 g2), tattle 0 e5, shove f6, nun 1 f6; "
    "columns a to l, rows 1 to 12"
)


class RecessAction(Action):
    """An action of Recess!: its `kind`, `who` (which child or nun) and `cell`, where it has them."""

    def __init__(self, number: int, text: str, kind: i64, who: i64, cell: i64) -> None:
        super().__init__(number, text)
        self.kind = kind
        self.who = who
        self.cell = cell

    def __reduce__(self) -> tuple[object, ...]:
        return (parse, (self.text,))


class Actions(ActionTable):
    """All actions, in their numbering and by what they name."""

    def __init__(self) -> None:
        super().__init__()
        self.pass_turn = self._make("pass", PASS)
        self.skip = self._make("skip", SKIP)
        self.share = self._make("share", SHARE)
        self.stay = self._on_cells("stay", STAY)
        self.leave = self._on_cells("leave", LEAVE)
        self.move = [self._on_cells(child, MOVE, who) for who, child in enumerate(CHILDREN)]
        """`move[who][cell]`, the child counted within its seat: b1 b2 g1 g2."""
        self.tattle = [self._on_cells(f"tattle {nun}", TATTLE, nun) for nun in NUN_NUMBERS]
        self.shove = self._on_cells("shove", SHOVE)
        self.nun = [self._on_cells(f"nun {nun}", NUN, nun) for nun in NUN_NUMBERS]
        self.timeout = self._make("timeout", TIMEOUT)

    def _on_cells(self, verb: str, kind: int, who: int = 0) -> list[RecessAction]:
        return [self._make(f"{verb} {name}", kind, who, cell) for cell, name in enumerate(CELL_NAMES)]

    def _make(self, text: str, kind: int, who: int = 0, cell: int = -1) -> RecessAction:
        action = RecessAction(len(self.all), text, kind, who, cell)
        self.add(action)
        return action

    def malformed(self, text: str, words: list[str]) -> MalformedAction:
        """The error for a text that is no action: at fault is the cell, or all of it."""
        what = f"{text!r} is no action of Recess!"
        rule = "R8"
        if len(words) > 1 and (words[0] in CHILDREN or words[0] in ("stay", "leave", "shove", "tattle", "nun")):
            last = words[-1]
            if last not in CELL_NUMBERS:
                what = f"{text!r}: {last!r} is no cell of the yard"
                rule = "R2"
        return MalformedAction(
            what, rule=rule, field="action", key="malformed", params={"text": text}, hint=f"The forms are: {FORMS}."
        )


ACTIONS: Final = Actions()


def parse(text: str) -> Action:
    """The action with this text form; case and spacing do not matter.

    >>> parse(" B1  d4 ")
    <b1 d4>
    """
    return ACTIONS.parse(text)
