"""What is looked up in games, records and puzzles: each answer is written as JSON, or refused in words."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

import msgspec

from ..core.book import Figure
from ..core.errors import SetupError, short
from ..core.game import Game
from ..core.record import Record
from ..core.registry import find_game
from ..learn.book import draw
from ..learn.solving import Wish
from ..review.chunks import PORTION, check_length
from ..review.chunks import plan as in_pieces
from ..review.shapes import FORMAT
from ..review.strength import USUAL
from ..table import fork, protocol
from ..table.replay import replay_of
from .learning import find_puzzle, puzzled

Json = dict[str, Any]


class StartPosition(msgspec.Struct, frozen=True):
    """What a table is played on from: a position as JSON, its options, and through whose eyes what is hidden in it was
    drawn anew.
    """

    position: str
    options: Json
    eyes: int | None


class PlannedReview(msgspec.Struct, frozen=True):
    """A review that can be worked out: its name, the record without what it is not about, and its pieces."""

    id: str
    record: str
    pieces: list[Json]


def check(game: str, seats: int, options: Json) -> bytes:
    """Refuse seats and options with which a game cannot begin, in the game's own words."""
    find_game(game).start(seats, options)
    return b""


def replay(record: str, seat: int | None, first: int, count: int) -> bytes:
    """Steps of a recorded game of our own through one seat's eyes (`wire.Replay`), as JSON."""
    return protocol.encode(replay_of(_record(record), seat, first, count))


def replay_file(record: Json, seat: int | None, first: int, count: int, today: str) -> bytes:
    """The same of a record that somebody brings along; refuses one that cannot be believed."""
    read = _brought(msgspec.json.encode(record))
    fork.check_day(read, today)
    return protocol.encode(replay_of(read, seat, first, count))


def puzzle(game: str, name: str, actions: list[str], wish: Wish) -> bytes:
    """How a puzzle stands (`wire.Practised`), as JSON."""
    return protocol.encode(puzzled(game, name, actions, wish))


def fork_query(wish: protocol.NewTable, origin: protocol.PlayOn, record: str | Json | None) -> Json:
    """What is to be looked up for a table that is played on from somewhere (`position`)."""
    about = {"record": record, "position": origin.position, "puzzle": origin.puzzle}
    return {"game": wish.game, "seats": len(wish.seats), **about, "step": origin.step, "eyes": origin.eyes}


def position(
    game: str,
    seats: int,
    record: str | Json | None,
    position: Json | None,
    puzzle: str | None,
    step: int,
    eyes: int | None,
    seed: int,
    today: str,
) -> bytes:
    """What a table is played on from (`Position`), as JSON. A record as text is one of our own."""
    if record is not None:
        read = _record(record) if isinstance(record, str) else _brought(msgspec.json.encode(record))
        if read.game != game:
            raise SetupError(f"that is a game of {short(read.game)}", field="game", hint="Name the same game.")
        fork.check_day(read, today)
        state = fork.position_after(read, step)
    elif puzzle is not None:
        found = find_puzzle(game, puzzle)
        if eyes not in (None, found.seat):
            hint = f"It is played on from what seat {found.seat} knows."
            raise SetupError("a puzzle is looked at through its own seat's eyes", field="from.eyes", hint=hint)
        state, eyes = found.state(), found.seat
    else:
        state = find_game(game).load(position or {})
    fork.check_open(state, seats)
    state = fork.redrawn(state, eyes, seed)
    return msgspec.json.encode(StartPosition(fork.packed_position(state), dict(state.options), eyes))


def plan(record: str | Json, today: str, strength: str = USUAL, portion: int = PORTION) -> bytes:
    """Return how to review a record (`PlannedReview`), as JSON; refuse a record that cannot be reviewed.

    The review's id follows from the actions and the strength, not from names and times.
    """
    read = Record.loads(record) if isinstance(record, str) else Record.from_json(record)
    fork.check_day(read, today)
    pieces = in_pieces(read, strength, portion)
    read.meta = {}
    read.entries = [entry._replace(time=None) for entry in read.entries]
    text = read.dump_line()
    name = hashlib.sha256(f"{FORMAT} {strength} {text}".encode()).hexdigest()[:32]
    return msgspec.json.encode(PlannedReview(name, text, [dict(one) for one in pieces]))


def book(game: str) -> bytes:
    """The pictures of a game's rule book (`wire.Book`), as JSON: they are played, and rows of stars are counted."""
    found = find_game(game)
    return protocol.encode(protocol.Book(game=game, figures=[_figure(found, one) for one in found.book]))


def _figure(game: Game, figure: Figure) -> protocol.Figure:
    drawn = draw(game, figure)
    return protocol.Figure(
        name=figure.name,
        rules=list(figure.rules),
        seat=figure.seat,
        views=drawn.views,
        events=drawn.events,
        open=list(figure.open),
        refused=list(figure.refused),
        picture=dict(figure.picture),
        result=drawn.result,
    )


@lru_cache(maxsize=4)
def _record(text: str) -> Record:
    """A record that was read; whoever looks at a replay asks for one part of it after the other."""
    return Record.loads(text)


@lru_cache(maxsize=4)
def _brought(text: bytes) -> Record:
    """The same of a record that somebody brings along: it is played through first, so that nothing in it is made up."""
    read = Record.from_json(msgspec.json.decode(text))
    check_length(read)
    read.verify()
    return read
