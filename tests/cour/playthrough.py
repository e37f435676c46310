"""Whole games as text a person can read. `python -m tests.cour.playthrough` writes the golden ones anew."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from preau.core import NATURE
from preau.games.cour.game import GAME
from tests.cour.positions import choose

FOLDER = Path(__file__).parent / "golden"
GAMES: dict[str, tuple[int, int, dict[str, Any]]] = {
    "2-seats": (2, 4, {}),
    "4-seats": (4, 1, {}),
    "8-seats": (8, 3, {"pile": "bag", "slap_pick": "choose", "agent_min": 2, "first": 5}),
}
"""Seats, seed and options of each golden game."""


def playthrough(name: str) -> str:
    """Every action with all that happened, seen with all secrets, and the table at the start of each turn."""
    seats, seed, options = GAMES[name]
    rng = Random(seed)
    texts = GAME.texts("en")
    state = GAME.start(seats, options, seed=seed)
    lines = [f"# {GAME.titles['en']}: {seats} seats, options {options}"]
    turn = 0
    while not state.over:
        if state.turn != turn:
            turn = state.turn
            lines += ["", *(f"| {line}" for line in state.diagram(state.active).split("\n"))]
        actor, action = choose(state, rng)
        lines.append(f"{'nature' if actor == NATURE else f'seat {actor}'}: {action.text}")
        for event in state.apply(actor, action):
            whole = {**event.data, **(next(iter(event.secret.values())) if event.secret else {})}
            lines.append(f"    [{event.rule}] {texts.say(f'event.{event.key}', whole)}")
    result = state.result()
    lines += ["", *(f"| {line}" for line in state.diagram().split("\n"))]
    for seat, working in enumerate(result.detail["working"]):
        row = " ".join(card["card"] for card in working["row"])
        lines.append(f"seat {seat}: {row}")
        friends = sum(friend["stars"] for friend in working["friends"])
        lines.append(
            f"    full {working['full']} + joined {working['joined']} + kings {working['kings']['stars']}"
            f" + chestnut man {working['chestnut_man']} + friends {friends}"
            f" + {working['bonus']['character']} {working['bonus']['stars']} = {working['total']}"
        )
    lines.append(f"ranking {result.ranking}, {result.reason}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the golden games."""
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    main()
