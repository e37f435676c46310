"""A study: games with one set of options or two, watched by what the game has counted, and kept as they end."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from ..arena import Plan, enter, make_plan
from ..arena.cluster import import_ray
from ..arena.engine import engine
from ..arena.journal import Journal
from ..bots import Bot
from ..core.errors import SetupError
from ..core.state import Action, Event, Json, State
from .figures import Arm
from .folders import FIELD
from .plans import watched

BLIND = "random"
"""The bot that chooses without looking."""
BLIND_PART = 20
"""Beside so many games one is played in which one seat is blind,"""
BLIND_FEW = 12
"""but as many as this, or as there are others."""


class Ledger:
    """A witness that has the game count."""

    def __init__(self, state: State) -> None:
        self._watch = state.game.watch(state)

    def told(self, events: Sequence[Event]) -> None:
        """Count what happened."""
        for event in events:
            self._watch.see(event)

    def chosen(self, state: State, step: int, seat: int, bot: Bot, action: Action) -> None:
        """What was chosen shows in what happens."""

    def says(self, state: State) -> list[list[str | int]]:
        """All that was counted."""
        self._watch.end(state)
        return list(self._watch.rows())


class Series(NamedTuple):
    """Games of one plan, and the file that keeps them."""

    plan: Plan
    games: int
    file: str


class Study(NamedTuple):
    """What is played: a plan for each set of options, and how many games of each.

    >>> from preau.lab.plans import plan_for
    >>> eight, four = (plan_for("recess", "greedy", options={"shove": shove}) for shove in (8, 4))
    >>> Study.of([eight, four], 30).all  # of each set of rules 30, and 12 with a seat that chooses blindly
    84
    """

    plans: tuple[Plan, ...]
    games: int

    @classmethod
    def of(cls, plans: Sequence[Plan], games: int) -> Study:
        """A study, unless its two sets of rules are one."""
        if len(plans) > 1 and plans[0].options == plans[1].options:
            raise SetupError(
                "both sets of rules are the same", field="--against", hint="Set an option to another value there."
            )
        return cls(tuple(plans), games)

    def series(self) -> list[tuple[Series, Series | None]]:
        """For each plan its games, and those in which one seat is blind, where that makes sense."""
        return [
            (Series(plan, plan.whole(self.games), f"games-{at}.jsonl"), _blind(plan, self.games, at))
            for at, plan in enumerate(self.plans, 1)
        ]

    @property
    def all(self) -> int:
        """How many games are played in all."""
        return sum(one.games for pair in self.series() for one in pair if one is not None)


def _blind(plan: Plan, games: int, at: int) -> Series | None:
    if not plan.mirror or plan.entrants[0].name == BLIND:
        return None
    entrants = [*enter(BLIND), *plan.entrants]
    other = make_plan(plan.game, entrants, plan.seats, plan.options, plan.seed)
    return Series(other, other.whole(max(games // BLIND_PART, min(games, BLIND_FEW))), f"blind-{at}.jsonl")


def play_study(
    study: Study,
    out: Path,
    *,
    workers: int = 0,
    ray: str = "",
    fresh: bool = False,
    watch: Callable[[int], None] = lambda done: None,
) -> list[Arm] | None:
    """Play what is missing of a study, and keep it in the folder `out`; None if that was interrupted."""
    if ray:
        import_ray()
    arms = []
    done = 0
    with ExitStack() as stack:
        for main, blind in study.series():
            found: list[Any] = []
            for series in (main, blind):
                if series is None:
                    found.append([])
                    continue
                journal = stack.enter_context(Journal(out / series.file, _identity(series), fresh=fresh, field=FIELD))
                missing = [index for index in range(series.games) if journal.lacks(index, record=False)]
                done += series.games - len(missing)
                watch(done)
                try:
                    with watched(series.plan, missing, Ledger, workers, ray) as games:
                        for game in games:
                            journal.add(game)
                            done += 1
                            watch(done)
                except KeyboardInterrupt:
                    return None
                found.append([journal.played[index] for index in range(series.games)])
            arms.append(Arm(main.plan, found[0], found[1], blind.plan if blind is not None else None))
    return arms


def _identity(series: Series) -> Json:
    identity: Json = json.loads(json.dumps(series.plan.to_json() | {"engine": engine(series.plan.game)}))
    return identity
