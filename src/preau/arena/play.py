"""One game of a plan, from its number to its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple, Protocol
from zlib import crc32

from ..bots import Bot, BotMatch
from ..core.errors import PreauError
from ..core.record import Record
from ..core.registry import find_game
from ..core.state import NATURE, Action, Event, Json, State
from .chance import DealtMatch
from .schedule import Plan, Seating
from .statistics import Times


class BotFailure(PreauError):
    """A bot that raised an error or chose what it may not. It ends the run: a broken bot has no results."""


@dataclass(frozen=True)
class Played:
    """How one game went: who sat where (`names`), `ranking` and `scores` by seat, and how long it was."""

    index: int
    deal: int
    deal_seed: int
    seed: int
    names: tuple[str, ...]
    ranking: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    reason: str
    decisions: int
    moves: str
    """A checksum of all that was done: games with the same one are the same game."""
    times: tuple[Times, ...]
    """How long each seat's decisions took."""
    record: Json | None = None
    seen: Any = None
    """What a witness says of it, if there was one."""

    def to_json(self) -> Json:
        """The game as JSON data; `from_json` reads it back."""
        data = self.row() | {"times": [times.to_json() for times in self.times]}
        if self.record is not None:
            data["record"] = self.record
        if self.seen is not None:
            data["seen"] = self.seen
        return data

    def row(self) -> Json:
        """The game as JSON data, without times and record."""
        return {
            "index": self.index,
            "deal": self.deal,
            "deal_seed": self.deal_seed,
            "seed": self.seed,
            "line_up": list(self.names),
            "ranking": [list(group) for group in self.ranking],
            "scores": list(self.scores),
            "reason": self.reason,
            "decisions": self.decisions,
            "moves": self.moves,
        }

    @classmethod
    def from_json(cls, data: Any) -> Played:
        """The game written by `to_json`."""
        return cls(
            int(data["index"]),
            int(data["deal"]),
            int(data["deal_seed"]),
            int(data["seed"]),
            tuple(data["line_up"]),
            tuple(tuple(group) for group in data["ranking"]),
            tuple(data["scores"]),
            str(data["reason"]),
            int(data["decisions"]),
            str(data["moves"]),
            tuple(Times.from_json(times) for times in data["times"]),
            data.get("record"),
            data.get("seen"),
        )


class Witness(Protocol):
    """Somebody who watches one game, without a say in it."""

    def told(self, events: Sequence[Event]) -> None:
        """What happened, the deal before the first decision included."""
        ...

    def chosen(self, state: State, step: int, seat: int, bot: Bot, action: Action) -> None:
        """A bot has decided and will act next: its position, and how many actions went before."""
        ...

    def says(self, state: State) -> Any:
        """What there is to say of the game, once it is over."""
        ...


Summon = Callable[[State], Witness]
"""Makes a witness of a game that is about to begin. It can be sent to other processes."""


def play_game(plan: Plan, index: int, *, keep_record: bool = False, summon: Summon | None = None) -> Played:
    """Play game number `index` of a plan. It goes the same way whenever and wherever it is played, whoever watches.

    >>> from .entrants import enter
    >>> from .schedule import make_plan
    >>> played = play_game(make_plan("recess", enter("greedy,random"), seats=3), 4)
    >>> played.names, sum(played.scores)
    (('random', 'random', 'greedy'), 30)
    """
    seating = plan.seating(index)
    game = find_game(plan.game)
    start = game.start(plan.seats, plan.options, seed=seating.deal_seed)
    witness = summon(start) if summon is not None else None
    match = DealtMatch(game, start, seating.deal_seed)
    if witness is not None:
        witness.told(match.opening)
    times = tuple(Times() for _ in range(plan.seats))
    table: BotMatch | None = None
    try:
        table = BotMatch(match, _seat(plan, seating), seating.seed)
        while not match.over:
            _step(table, seating, times, witness)
    finally:
        if table is not None:
            table.close()
    result = match.result()
    return Played(
        index,
        seating.deal,
        seating.deal_seed,
        seating.seed,
        seating.names,
        result.ranking,
        result.scores,
        result.reason,
        sum(entry.actor != NATURE for entry in match.record.entries),
        _checksum(match.record),
        times,
        _described(match.record, seating) if keep_record else None,
        witness.says(match.state) if witness is not None else None,
    )


def _seat(plan: Plan, seating: Seating) -> Mapping[int, Bot]:
    return {seat: plan.entrant(name).make() for seat, name in enumerate(seating.names)}


def _step(table: BotMatch, seating: Seating, times: tuple[Times, ...], witness: Witness | None) -> None:
    """Let one bot decide, and note how long it took."""
    seat = table.waiting_bot()
    assert seat is not None, "every seat has a bot"
    begun = perf_counter()
    try:
        action = table.choose(seat)
    except Exception as error:
        raise _failure(table, seating, seat, f"failed: {_said(error)}") from error
    times[seat].add(perf_counter() - begun)
    if not isinstance(action, Action):
        raise _failure(table, seating, seat, f"returned {action!r}, which is no action")
    try:
        table.match.state.check(seat, action)
    except PreauError as error:
        raise _failure(table, seating, seat, f"chose {action.text!r}: {error}") from error
    if witness is not None:
        witness.chosen(table.match.state, len(table.match.record.entries), seat, table.seated[seat].bot, action)
    events = table.apply(seat, action)
    if witness is not None:
        witness.told(events)


def _failure(table: BotMatch, seating: Seating, seat: int, what: str) -> BotFailure:
    return BotFailure(
        f"{seating.names[seat]} in seat {seat} {what.rstrip('.')}",
        field=f"game {seating.index} (seed {seating.seed}, deal seed {seating.deal_seed}), "
        f"action {len(table.match.record.entries) + 1}",
        hint="The run stops here, because a bot that breaks off has no results that count.",
        params={"index": seating.index, "seed": seating.seed, "bot": seating.names[seat], "seat": seat},
    )


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, PreauError) else f"{type(error).__name__}: {error}"


def _described(record: Record, seating: Seating) -> Json:
    record.meta = {"bots": list(seating.names), "arena_game": seating.index, "seed": seating.seed}
    return record.to_json()


def _checksum(record: Record) -> str:
    done = "\n".join(f"{entry.actor} {entry.text}" for entry in record.entries)
    return f"{crc32(repr(sorted(record.options.items(), key=str)).encode()):08x}{crc32(done.encode()):08x}"


class PlannedGames(NamedTuple):
    """The games of a plan, for the runner."""

    plan: Plan
    keep_records: bool = False
    summon: Summon | None = None

    def play(self, number: int) -> Played:
        """Play a game."""
        return play_game(self.plan, number, keep_record=self.keep_records, summon=self.summon)

    def seed_of(self, number: int) -> int:
        """The seed of the bots' chance."""
        return self.plan.seating(number).seed

    def name_of(self, number: int) -> str:
        """Its number, seed and players."""
        seating = self.plan.seating(number)
        return f"game {number} (seed {seating.seed}, {', '.join(seating.names)})"
