"""What bots do when they are asked: one decision of each that owes one now, one after the other, as at any other table.

Whoever hosts the table asks the questions, wherever bots think (`thinking`), and takes the answers in.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from ..bots import BOTS, Bot, make_bot
from ..bots.seated import listens, shown, told
from ..core.state import State
from .questions import BotQuestion
from .think_worker import searches

Json = dict[str, Any]

CHALLENGED = 3
"""How often a bot that fails is asked in a challenge, where nobody may stand in for it."""


class Decision(NamedTuple):
    """What is done for a bot's seat, and the kind of row in the log that it makes."""

    text: str
    kind: str


class AvailableBots(NamedTuple):
    """Which bots there are for a table beside those that ship: their files by level; and who plays for one that is not
    here any more.
    """

    files: Mapping[str, str] = MappingProxyType({})
    stand_in: str = "normal"

    def here(self, level: str) -> str:
        """The level that is wanted, or the stand-in."""
        return level if level in BOTS or level in self.files else self.stand_in

    def bot(self, level: str) -> Bot:
        """A bot of a level, to see what it wants to be shown; it is never asked."""
        here = self.here(level)
        return _bot(self.files.get(here, here))

    def hears(self, level: str) -> bool:
        """Whether bots of a level want to know what has happened; few do, so it is found out when it is wanted."""
        return listens(self.bot(level))


SHIPPED_BOTS = AvailableBots()
"""No others."""


class BotRound:
    """One decision of every bot that owes one after `head` actions: whoever is asked later sees as much of the answers
    before as there is to be seen. The position is used up. `due` says which seats bots are to decide for now, of those
    to act; `pasts` is what those have seen who want to know (`hears`); `seed` says where the chance of a bot comes from
    after so many actions, at a table where that is not by lot.

    For a bot that searches a `quick` one stands in, where there is no time or it fails; if that fails too, the
    game does what it does for somebody absent. In a challenge, where bots have a seed, nobody stands in: the bot is
    asked again. For one that is not in the `company` its stand-in plays.
    """

    def __init__(
        self,
        table: str,
        state: State,
        head: int,
        owed: Mapping[int, str],
        pasts: Mapping[int, list[Json]],
        *,
        due: Callable[[tuple[int, ...]], Container[int]],
        quick: str,
        seed: Callable[[int], int | None] = lambda number: None,
        company: AvailableBots = SHIPPED_BOTS,
    ) -> None:
        self._company = company
        self.head = head
        self.answers: dict[int, Decision] = {}
        self._table = table
        self._due = due
        self._quick = quick
        self._state = state
        self._owed = owed
        self._pasts = pasts
        self._seed = seed
        self._waiting = list(owed)
        self._tries: list[tuple[str, str]] = []
        self._drawn: int | None = None
        self._next()

    @property
    def done(self) -> bool:
        """Whether all have answered."""
        return not self._waiting

    @property
    def level(self) -> str:
        """The level of the bot that is asked now."""
        return self._tries[0][0]

    def question(self) -> BotQuestion | None:
        """Return what to ask a bot now; None if all have answered."""
        if not self._waiting:
            return None
        seat, (level, _) = self._waiting[0], self._tries[0]
        asked = question(self._table, self._state, seat, level, self._pasts[seat], self._company)
        return asked if self._drawn is None else msgspec.structs.replace(asked, seed=self._drawn)

    def take(self, text: str | None) -> None:
        """The answer to that; None if there is none."""
        seat, (_, kind) = self._waiting[0], self._tries.pop(0)
        if text is not None:
            self._settle(seat, Decision(text, kind))
        elif not self._tries:
            self._settle(seat, Decision(self._state.zombie(seat).text, "skipped"))

    def _settle(self, seat: int, decision: Decision) -> None:
        self.answers[seat] = decision
        happened = self._state.apply(seat, decision.text)
        for other, level in self._owed.items():
            if self._company.hears(level):
                self._pasts[other].extend(told(happened, other))
        self._waiting.pop(0)
        self._next()

    def _next(self) -> None:
        if not self._waiting:
            return
        seat = self._waiting[0]
        if seat not in self._due(self._state.to_act):
            self._waiting = []  # those before it have settled the matter
            return
        level = self._owed[seat]
        self._drawn = self._seed(self.head + len(self.answers))
        here = self._company.here(level)
        self._tries = [(here, "bot" if here == level else "missing")]
        if self._drawn is not None:
            self._tries *= CHALLENGED
        elif searches(here):
            self._tries.append((self._quick, "eased"))


def question(
    table: str, state: State, seat: int, level: str, past: list[Json], company: AvailableBots = SHIPPED_BOTS
) -> BotQuestion:
    """Return what to ask a bot of a level: what its seat sees and may do, as plain data, and nothing else."""
    return BotQuestion(
        table=table,
        level=level,
        game=state.game.id,
        seat=seat,
        view=shown(state, seat, company.bot(level)),
        legal=[(action.number, action.text) for action in state.legal(seat)],
        history=past,
    )


def chosen(asked: BotQuestion, text: str | None) -> str | None:
    """Return what a bot answered, if it is an action that the seat may take."""
    return text if any(text == legal for _, legal in asked.legal) else None


@lru_cache(maxsize=64)
def _bot(spec: str) -> Bot:
    return make_bot(spec)
