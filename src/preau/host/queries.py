"""Queries about games, records and puzzles. Each is a message; its `answer` is JSON, or a refusal."""

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
from ..review.shapes import FORMAT, Piece
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
    pieces: list[Piece]


class CheckQuery(msgspec.Struct, tag="check", frozen=True):
    """Whether a game can begin with these seats and options; refuses them in the game's own words."""

    game: str
    seats: int
    options: Json

    def answer(self) -> bytes:
        """Return nothing; raises what the game refuses."""
        find_game(self.game).start(self.seats, self.options)
        return b""


class ReplayQuery(msgspec.Struct, tag="replay", frozen=True):
    """Steps of a recorded game of this host from one seat's viewpoint."""

    record: str
    seat: int | None
    first: int
    count: int

    def answer(self) -> bytes:
        """Return a `protocol.Replay` as JSON."""
        return protocol.encode(replay_of(_record(self.record), self.seat, self.first, self.count))


class ReplayFileQuery(msgspec.Struct, tag="replay_file", frozen=True):
    """Steps of a recorded game that a client sent; refuses a record that is not true."""

    record: Json
    seat: int | None
    first: int
    count: int
    today: str

    def answer(self) -> bytes:
        """Return a `protocol.Replay` as JSON."""
        read = _brought(msgspec.json.encode(self.record))
        fork.check_day(read, self.today)
        return protocol.encode(replay_of(read, self.seat, self.first, self.count))


class PuzzleQuery(msgspec.Struct, tag="puzzle", frozen=True):
    """How a puzzle stands after these actions."""

    game: str
    name: str
    actions: list[str]
    wish: Wish

    def answer(self) -> bytes:
        """Return a `protocol.Practised` as JSON."""
        return protocol.encode(puzzled(self.game, self.name, self.actions, self.wish))


class PositionQuery(msgspec.Struct, tag="position", frozen=True, kw_only=True):
    """From which position a table continues: after `step` actions of a record, a given position, or a puzzle.

    A record as text is one of this host. What seat `eyes` cannot see is drawn again with `seed`.
    """

    game: str
    seats: int
    record: str | Json | None = None
    position: Json | None = None
    puzzle: str | None = None
    step: int = 0
    eyes: int | None = None
    seed: int = 0
    today: str = ""

    def answer(self) -> bytes:
        """Return a `StartPosition` as JSON."""
        eyes = self.eyes
        if self.record is not None:
            read = _record(self.record) if isinstance(self.record, str) else _brought(msgspec.json.encode(self.record))
            if read.game != self.game:
                raise SetupError(f"that is a game of {short(read.game)}", field="game", hint="Name the same game.")
            fork.check_day(read, self.today)
            state = fork.position_after(read, self.step)
        elif self.puzzle is not None:
            found = find_puzzle(self.game, self.puzzle)
            if eyes not in (None, found.seat):
                hint = f"It is played on from what seat {found.seat} knows."
                raise SetupError("a puzzle is looked at through its own seat's eyes", field="from.eyes", hint=hint)
            state, eyes = found.state(), found.seat
        else:
            state = find_game(self.game).load(self.position or {})
        fork.check_open(state, self.seats)
        state = fork.redrawn(state, eyes, self.seed)
        return msgspec.json.encode(StartPosition(fork.packed_position(state), dict(state.options), eyes))


class PlanQuery(msgspec.Struct, tag="plan", frozen=True):
    """How to review a record; refuses a record that cannot be reviewed.

    The review's id follows from the actions and the strength, not from names and times.
    """

    record: str | Json
    today: str
    strength: str = USUAL
    portion: int = PORTION

    def answer(self) -> bytes:
        """Return a `PlannedReview` as JSON."""
        read = Record.loads(self.record) if isinstance(self.record, str) else Record.from_json(self.record)
        fork.check_day(read, self.today)
        pieces = in_pieces(read, self.strength, self.portion)
        read.meta = {}
        read.entries = [entry._replace(time=None) for entry in read.entries]
        text = read.dump_line()
        name = hashlib.sha256(f"{FORMAT} {self.strength} {text}".encode()).hexdigest()[:32]
        return msgspec.json.encode(PlannedReview(name, text, pieces))


class BookQuery(msgspec.Struct, tag="book", frozen=True):
    """The pictures of a game's rule book: their positions are played, and rows of stars are counted."""

    game: str

    def answer(self) -> bytes:
        """Return a `protocol.Book` as JSON."""
        found = find_game(self.game)
        return protocol.encode(protocol.Book(game=self.game, figures=[_figure(found, one) for one in found.book]))


Query = CheckQuery | ReplayQuery | ReplayFileQuery | PuzzleQuery | PositionQuery | PlanQuery | BookQuery


def fork_query(wish: protocol.NewTable, origin: protocol.PlayOn, record: str | Json | None) -> PositionQuery:
    """Return the query for a table that continues from `origin`, still without seed and date."""
    return PositionQuery(
        game=wish.game,
        seats=len(wish.seats),
        record=record,
        position=origin.position,
        puzzle=origin.puzzle,
        step=origin.step,
        eyes=origin.eyes,
    )


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
