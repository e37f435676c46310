"""The games of `preau simulate`: played between bots, always with the same results for the same seed."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from random import Random
from typing import Any, NamedTuple

from ..arena.runner import play_in_order
from ..bots import Bot, BotMatch, SeatedBot, make_bot
from ..core.errors import PreauError, SetupError
from ..core.game import Game
from ..core.match import Match
from ..core.record import Record
from ..core.registry import find_game
from ..core.state import NATURE, Result, State


class Series(NamedTuple):
    """What is to be played: a game and its setting, one bot a seat, and the seed of it all."""

    game: str
    seats: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: int
    records: bool = False

    def play(self, number: int) -> Outcome:
        """Play a game."""
        game = find_game(self.game)
        bots = [make_bot(name) for name in self.bots]
        seed = self.seed_of(number)
        way = _at_a_table if any(bot.wants_view for bot in bots) else _quickly
        try:
            decisions, result, record = way(game, self, bots, seed)
        finally:
            for bot in bots:
                bot.close()
        line = ""
        if self.records:
            record.close(result)
            record.meta = {"bots": list(self.bots), "seed": seed}
            line = record.dump_line()
        return Outcome(decisions, result.scores, result.winners, result.reason, line)

    def seed_of(self, number: int) -> int:
        """The seed of a game; `preau.play(..., seed=...)` plays it again."""
        return Random(f"{self.seed}/{number}").getrandbits(53)

    def name_of(self, number: int) -> str:
        """Its number, seed and players."""
        return f"game {number} (seed {self.seed_of(number)}, {', '.join(self.bots)})"


class Outcome(NamedTuple):
    """How one game went."""

    decisions: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    line: str = ""
    """The record as a line of JSON, if records are kept."""


def play_series(series: Series, games: int, workers: int = 1) -> Generator[Outcome, None, None]:
    """Play the games and give their outcomes in order."""
    return play_in_order(series, range(games), workers if workers > 1 else 0)


def _at_a_table(game: Game, series: Series, bots: Sequence[Bot], seed: int) -> tuple[int, Result, Record]:
    match = Match.new(game, series.seats, dict(series.options), seed)
    decisions = BotMatch(match, dict(enumerate(bots)), seed).play()
    return decisions, match.result(), match.record


def _quickly(game: Game, series: Series, bots: Sequence[Bot], seed: int) -> tuple[int, Result, Record]:
    """The same game as at a table, for bots that look at nothing: no views, no events, and a record only if wanted."""
    nature = Random(seed)
    seated = [SeatedBot(bot, seat, seed) for seat, bot in enumerate(bots)]
    state = game.start(series.seats, series.options, seed=nature.getrandbits(62))
    record = Record.begin(state)
    recording = series.records
    decisions = 0
    while actors := state.to_act:
        actor = actors[0]
        if actor == NATURE:
            action = state.draw(nature)
        else:
            action = seated[actor].decide(game, None, state.legal(actor))
            decisions += 1
        state.advance(actor, action)
        if recording:
            record.add(actor, action.text)
    return decisions, state.result(), record


def seat_bots(start: State, seats: int, names: Sequence[str], flag: str) -> tuple[str, ...]:
    """One bot for each of so many seats: one name for all of them, or one each. Those are refused that are not known,
    or not made for what is played.
    """
    if len(names) not in (1, seats):
        raise SetupError(
            f"{len(names)} bots for {seats} seats", field=flag, hint="Name one bot for all seats, or one for each."
        )
    for name in dict.fromkeys(names):
        bot = make_bot(name)
        try:
            bot.check(start.game, start.seats, start.options)
        finally:
            bot.close()
    return tuple(names) * (seats if len(names) == 1 else 1)


def can_play(game: Game, name: str) -> bool:
    """Whether this bot knows what to do in this game."""
    match = Match.new(game, seed=1)
    seat = match.to_act[0]
    table = BotMatch(match, {seat: make_bot(name)}, 1)
    try:
        table.choose(seat)
    except PreauError:
        return False
    finally:
        table.close()
    return True
