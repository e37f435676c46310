"""The yard as a text picture, for the terminal and for test failures."""

from __future__ import annotations

from .position import EMPTY, FIGHT, MOVING, NUN_0, OVER, PHASES, child_of, has, name, seat_of
from .rules import RecessState
from .yard import BOYS_ENTRANCE, CELL_NAMES, CELLS, GIRLS_ENTRANCE, SIDE


def diagram(state: RecessState, seat: int | None = None, *, sight: bool = False) -> str:
    """The yard with row 12 on top, then everything the grid has no room for; all seats see the same.

    With `sight`, open cells that a nun sees are marked with a colon.
    """
    columns = "    " + " ".join(f" {letter} " for letter in "abcdefghijkl")
    lines = [columns]
    for row in range(SIDE - 1, -1, -1):
        cells = [_cell(state, row * SIDE + column, sight) for column in range(SIDE)]
        lines.append(f"{row + 1:>2}  " + " ".join(cells) + f"  {row + 1}")
    lines.append(columns)
    lines += _below(state)
    return "\n".join(lines)


def _cell(state: RecessState, cell: int, sight: bool) -> str:
    letter = state.yard.ground[cell]
    if letter != ".":
        return f"#{letter}#"
    if state.yard.safety[cell]:
        here = [_short(piece) for piece in _pieces(state) if state.where[piece] == cell]
        if not here:
            return "( )"
        return here[0].ljust(3) if len(here) == 1 else f"({len(here)})"
    there = state.ground[cell]
    if there == EMPTY:
        return " : " if sight and state.seen(cell) else " . "
    if there >= FIGHT:
        attacker = there - FIGHT
        return f"{seat_of(attacker)}x{seat_of(state.prey[attacker])}"
    return _short(there - 1).ljust(3)


def _pieces(state: RecessState) -> list[int]:
    return [*range(4 * state.seats), NUN_0, NUN_0 + 1]


def _short(piece: int) -> str:
    return f"N{piece - NUN_0 + 1}" if piece >= NUN_0 else f"{seat_of(piece)}{name(piece)}"


def _below(state: RecessState) -> list[str]:
    lines = [
        "coins   " + "  ".join(f"{seat}: {coins}" for seat, coins in enumerate(state.coins)),
    ]
    for cell in state.fights():
        attacker = state.ground[cell] - FIGHT
        lines.append(f"fight   {CELL_NAMES[cell]}: {_short(attacker)} on {_short(state.prey[attacker])}")
    for cell in range(CELLS):
        here = [_short(piece) for piece in _pieces(state) if state.where[piece] == cell]
        if state.yard.safety[cell] and len(here) > 1:
            lines.append(f"safety  {CELL_NAMES[cell]}: {' '.join(here)}")
    for label, entrance in (("boys", BOYS_ENTRANCE), ("girls", GIRLS_ENTRANCE)):
        here = []
        for child in range(4 * state.seats):
            if state.where[child] == entrance:
                here.append(_short(child) + ("*" if has(state.detained, child) else ""))
        if here:
            lines.append(f"{label:<7} {' '.join(here)}")
    if state.detained:
        lines.append("        * lies in detention")
    if state.phase == OVER:
        lines.append("over    " + (_kiss(state) if state.kisser >= 0 else "the bell has rung"))
    else:
        step = f", movement {state.movement}" if state.phase == MOVING else ""
        lines.append(f"turn    {state.turn} of {state.setup.turns}, seat {state.active}: {PHASES[state.phase]}{step}")
    return lines


def _kiss(state: RecessState) -> str:
    own = [child_of(state.kisser, who) for who in range(4)]
    boy, girl = next(
        (boy, girl)
        for boy in own[:2]
        for girl in own[2:]
        if state.where[boy] == state.where[girl] and state.where[boy] < CELLS
    )
    return f"{_short(boy)} and {_short(girl)} kissed on {CELL_NAMES[state.where[boy]]}"
