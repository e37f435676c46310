"""A record of finished games, as the page keeps it on a device."""

from __future__ import annotations

import time
from random import Random
from typing import Any

DAY_MS = 86_400_000
FEATS: dict[str, tuple[str, ...]] = {"recess": ("kisses",), "bagarre": ("jars", "front"), "cour": ("row", "row_stars")}
ONCE = ("kisses", "jars")
"""What happens in a game or not."""


def a_record(many: int = 48) -> dict[str, Any]:
    """So many games over some months up to yesterday: against all kinds of others, with hints, around one screen."""
    rng = Random(5)
    now = int(time.time() * 1000)
    games = [_game(rng, at, now - (many - at) * DAY_MS * 3 // 2) for at in range(many)]
    return {"games": games, "past": None, "since": 0}


def _game(rng: Random, at: int, ended: int) -> dict[str, Any]:
    name = list(FEATS)[at % 3]
    seats = rng.randint(2, 4)
    scores = [rng.randint(0, 12) + (at // 8 if seat == 0 else 0) for seat in range(seats)]
    best = sorted(set(scores), reverse=True)
    level = rng.choice(["easy", "normal", "hard"])
    found: dict[str, Any] = {
        "id": f"{at:016x}",
        "game": name,
        "time": ended,
        "lasted": rng.randint(4, 40) * 60_000,
        "own": [0, 1] if at % 11 == 5 else [0],
        "scores": scores,
        "ranking": [[seat for seat in range(seats) if scores[seat] == score] for score in best],
        "levels": ["", *(["", level, level] if at % 7 == 3 else [level] * 3)][:seats],
        "feats": {feat: rng.randint(0, 1) if feat in ONCE else rng.randint(3, 12) for feat in FEATS[name]},
    }
    if at % 9 == 4:
        found["hints"] = 2
    if at < 3:
        found["guided"] = True
    if at % 13 == 6:
        found["house"] = True
    return found
