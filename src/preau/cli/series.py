"""Playing many games between bots, in one process or several, always with the same results for the same seed."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from random import Random
from typing import Any, NamedTuple

from ..bots.base import Bot, Seen
from ..bots.table import Table, make_bot
from ..core.errors import PreauError, SetupError
from ..core.game import Game
from ..core.match import Match
from ..core.record import Record
from ..core.registry import find_game
from ..core.state import NATURE, Result


class Series(NamedTuple):
    """What is to be played: a game and its setting, one bot a seat, and the seed of it all."""

    game: str
    seats: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: int
    records: bool = False


class Outcome(NamedTuple):
    """How one game went."""

    decisions: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    line: str = ""
    """The record as a line of JSON, if records are kept."""


def game_seed(seed: int, number: int) -> int:
    """The seed of game `number` of a series; `preau.play(..., seed=...)` plays that game again."""
    return Random(f"{seed}/{number}").getrandbits(53)


def play_series(series: Series, games: int, workers: int = 1) -> Iterator[Outcome]:
    """Play the games and give their outcomes in order."""
    if workers == 1:
        for number in range(games):
            yield _play(series, number)
        return
    # Worker k plays the games k, k + workers, ...: reading from them in turn puts the games back in order.
    context = get_context("spawn")  # not a copy of this process, which may have threads
    running = []
    try:
        for worker in range(workers):
            mine, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(theirs, series, range(worker, games, workers)), daemon=True)
            process.start()
            theirs.close()
            running.append((process, mine))
        for number in range(games):
            yield _receive(running[number % workers][1])
    finally:
        for process, mine in running:
            mine.close()
            process.terminate()
            process.join()


def _work(pipe: Connection, series: Series, numbers: range) -> None:
    """A worker's whole life. Interrupts are the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for number in numbers:
            pipe.send(_play(series, number))
    except PreauError as error:
        pipe.send(str(error))
    except BrokenPipeError:  # nobody wants the rest
        pass


def _receive(pipe: Connection) -> Outcome:
    try:
        found = pipe.recv()
    except EOFError:
        hint = "There may be too little memory; try fewer."
        raise SetupError("a worker died", field="--workers", hint=hint) from None
    if isinstance(found, str):
        raise PreauError(found)
    assert isinstance(found, Outcome)
    return found


def _play(series: Series, number: int) -> Outcome:
    game = find_game(series.game)
    bots = [make_bot(name) for name in series.bots]
    seed = game_seed(series.seed, number)
    way = _at_a_table if any(bot.wants_view for bot in bots) else _quickly
    try:
        decisions, result, record = way(game, series, bots, seed)
    finally:
        for bot in bots:
            bot.close()
    line = ""
    if series.records:
        record.close(result)
        record.meta = {"bots": list(series.bots), "seed": seed}
        line = record.dump_line()
    return Outcome(decisions, result.scores, result.winners, result.reason, line)


def _at_a_table(game: Game, series: Series, bots: Sequence[Bot], seed: int) -> tuple[int, Result, Record]:
    match = Match.new(game, series.seats, dict(series.options), seed)
    table = Table(match, dict(enumerate(bots)), seed)
    decisions = 0
    while not match.over:
        table.step()
        decisions += 1
    return decisions, match.result(), match.record


def _quickly(game: Game, series: Series, bots: Sequence[Bot], seed: int) -> tuple[int, Result, Record]:
    """The same game as at a table, for bots that look at nothing: no views, no events, and a record only if wanted."""
    nature = Random(seed)
    chance = [Random(f"{seed} {seat}") for seat in range(series.seats)]
    state = game.start(series.seats, series.options, seed=nature.getrandbits(62))
    record = Record.begin(state)
    recording = series.records
    decisions = 0
    while actors := state.to_act:
        actor = actors[0]
        if actor == NATURE:
            action = state.draw(nature)
        else:
            action = bots[actor].choose(Seen(game, actor, None, state.legal(actor), (), chance[actor]))
            decisions += 1
        state.advance(actor, action)
        if recording:
            record.add(actor, action.text)
    return decisions, state.result(), record


def seat_bots(seats: int, names: Sequence[str], flag: str) -> tuple[str, ...]:
    """One bot for each seat: one name for all of them, or one each. Unknown ones are refused."""
    if len(names) not in (1, seats):
        raise SetupError(
            f"{len(names)} bots for {seats} seats", field=flag, hint="Name one bot for all seats, or one for each."
        )
    for name in dict.fromkeys(names):
        make_bot(name).close()
    return tuple(names) * (seats if len(names) == 1 else 1)


def can_play(game: Game, name: str) -> bool:
    """Whether this bot knows what to do in this game."""
    match = Match.new(game, seed=1)
    seat = match.to_act[0]
    table = Table(match, {seat: make_bot(name)}, 1)
    try:
        table.choose(seat)
    except PreauError:
        return False
    finally:
        table.close()
    return True
