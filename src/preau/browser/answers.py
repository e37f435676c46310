"""What the host in the browser answers to each request, in the types of `preau.table.protocol`."""

from __future__ import annotations

import json
import secrets
from typing import Annotated

import msgspec

from ..bots import BOTS, play
from ..core.registry import find_game
from ..core.state import NATURE
from ..host import catalogue, learning, queries
from ..host.identifiers import LOCAL, hash_secret, new_code, new_id, new_token
from ..host.queries import PositionQuery, StartPosition
from ..table import fork, messages, protocol, seating
from ..table.refusals import Unknown
from ..table.table import Json
from .effects import About
from .host import Host, needs_server
from .local_table import LocalTable
from .requests import Request


class AskSteps(msgspec.Struct):
    """The query of a replay's address."""

    seat: protocol.Seat | None = None
    first: protocol.StepNumber = 0
    count: Annotated[int, msgspec.Meta(ge=1, le=50)] = 20


class AskMatch(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /match`: bots by name, one for each seat."""

    game: str
    bots: list[protocol.Level]
    seed: int
    options: Json = {}


# Games and learning.


def games(host: Host, request: Request) -> object:
    """Return the games on offer."""
    return catalogue.catalogue()


def rules_of(host: Host, request: Request) -> object:
    """Return the rules of a game by id."""
    return catalogue.rules_of(request.names["game"], request.names["language"])


def texts(host: Host, request: Request) -> object:
    """Return all messages of a game."""
    return catalogue.texts_of(request.names["game"], request.names["language"])


def book(host: Host, request: Request) -> object:
    """Return the pictures of a game's rule book."""
    return queries.BookQuery(find_game(request.names["game"]).id).answer()


def gallery(host: Host, request: Request) -> object:
    """Return everything in a game's box."""
    found = catalogue.gallery_of(find_game(request.names["game"]))
    if found is None:
        raise Unknown("this game shows no gallery", field="game", hint="GET /api/games says which do.")
    return found


def practice(host: Host, request: Request) -> object:
    """Return how an exercise stands."""
    wish = request.data(protocol.Practice)
    return learning.exercised(wish.game, wish.exercise, wish.actions)


def puzzles(host: Host, request: Request) -> object:
    """Return the puzzles of a game."""
    return learning.listed(find_game(request.names["game"]).id)


def puzzle(host: Host, request: Request) -> object:
    """Return how a puzzle stands."""
    wish = request.data(protocol.Puzzling)
    return queries.PuzzleQuery(wish.game, wish.id, wish.actions, wish.wish).answer()


# Tables and seats.


def create(host: Host, request: Request) -> object:
    """Make a table and take the seats at it that the body asks for."""
    wish = request.data(protocol.NewTable)
    start = _start(host, wish) if wish.origin is not None else None
    token, holder, name = new_token(), new_id(), f"{LOCAL}{new_id()}"
    made = seating.new_table(wish, BOTS, id=name, code=new_code(), host=holder, now=host.now(), start=start)
    table = host.add(About(table=made, people={hash_secret(token): holder}))
    if wish.start:
        table.start()
    return messages.seated(table.table, token, holder)


def _start(host: Host, wish: protocol.NewTable) -> fork.Start:
    """Return what a new table is played on from."""
    origin = fork.check_wish(wish)
    record: str | Json | None = origin.record
    if origin.table is not None:
        record = host.find(origin.table).record().dumps()
    found = _position(host, queries.fork_query(wish, origin, record))
    return fork.Start(found.position, found.options, fork.origin_of(origin, found.eyes))


def _position(host: Host, query: PositionQuery) -> StartPosition:
    query = msgspec.structs.replace(query, seed=secrets.randbits(62), today=host.today())
    return msgspec.json.decode(query.answer(), type=StartPosition)


def show(host: Host, request: Request) -> object:
    """Return the public view of a table."""
    return host.find(request.names["table"]).info()


def join(host: Host, request: Request) -> object:
    """Take an open seat, or come back to a seat that was left."""
    table, wish = host.find(request.names["table"]), request.data(protocol.TakeSeat)
    proof = hash_secret(request.token) if request.token else ""
    before, people = table.table, table.about.people
    left = seating.left_by(before, range(len(before.seats)), proof)
    known = people.get(proof) if left else table.holder_of(request.token)
    token = request.token or new_token()
    holder = known or new_id()
    after = seating.join(before, wish, holder, proof)
    people[hash_secret(token)] = holder
    table.change(after)
    table.tell_arrivals(before, proof)
    return messages.seated(table.table, token, holder)


def leave(host: Host, request: Request) -> object:
    """Give up the seats of a token."""
    table = host.find(request.names["table"])
    holder = seating.must_sit(table.holder_of(request.token))
    before, people = table.table, table.about.people
    proof = next(hash for hash, one in people.items() if one == holder)
    del people[proof]
    host.disconnect(table, holder, "token")
    table.forget_votes(before.seats_of(holder))
    table.change(seating.leave(before, holder, host.rules, proof))
    table.tell_arrivals(before)
    return b""


def set_seat(host: Host, request: Request) -> object:
    """Give a seat to a bot, open it, or take it back from a bot."""
    table, wish = host.find(request.names["table"]), request.data(protocol.SetSeat)
    holder = seating.must_sit(table.holder_of(request.token))
    before = table.table
    after = seating.set_seat(before, request.number("seat"), wish, holder, table.around, host.rules, BOTS)
    gone = seating.removed(before, after)
    if gone is not None:
        table.about.people = {hash: one for hash, one in table.about.people.items() if one != gone}
    table.change(after)
    if gone is not None:
        host.disconnect(table, gone, "removed")
    return table.table.info()


def swap(host: Host, request: Request) -> object:
    """Exchange two seats before the start."""
    table, wish = host.find(request.names["table"]), request.data(protocol.Swap)
    seating.must_host(table.table, table.holder_of(request.token))
    table.change(seating.swap(table.table, wish))
    return table.table.info()


def start(host: Host, request: Request) -> object:
    """Begin the game."""
    table = host.find(request.names["table"])
    seating.must_host(table.table, table.holder_of(request.token))
    table.start()
    return table.table.info()


def rematch(host: Host, request: Request) -> object:
    """Make the same table once more; the tokens of all players work at the new table."""
    table = host.find(request.names["table"])
    seating.must_sit(table.holder_of(request.token))
    seating.check_rematch(table.table)
    if not table.table.rematch:
        again = _again(host, table)
        if not any(seat.kind == "open" for seat in again.table.seats):
            again.start()
    return protocol.Found(id=table.table.rematch or "")


def _again(host: Host, table: LocalTable) -> LocalTable:
    before = table.table
    made = seating.rematch(
        before,
        table.must_be_over().state.result(),
        id=f"{LOCAL}{new_id()}",
        code=new_code(),
        now=host.now(),
        new_holder=new_id,
        start=_once_more(host, table),
    )
    people = {hash: made.renamed[one] for hash, one in table.about.people.items() if one in made.renamed}
    again = host.add(About(table=made.new, people=people))
    table.change(made.old)
    return again


def _once_more(host: Host, table: LocalTable) -> str | None:
    """Return what a rematch is played on from, if it differs: what was drawn at random is drawn again."""
    origin = table.table.origin
    if origin is None or origin.eyes is None:
        return None
    game, seats, position = table.table.game, len(table.table.seats), json.loads(table.table.start)
    return _position(host, PositionQuery(game=game, seats=seats, position=position, eyes=origin.eyes)).position


def away(host: Host, request: Request) -> object:
    """Return the body of `POST /api/tables` with which a server goes on with this game.

    It contains all secrets of the game, so only a player of the table gets it.
    """
    table = host.find(request.names["table"])
    seating.must_sit(table.holder_of(request.token))
    found, record = table.table, table.so_far()
    seats = [
        protocol.SeatWish(kind="bot", level=seat.level)
        if seat.kind == "bot"
        else protocol.SeatWish(kind="me", name=seat.name)
        if seat.holder
        else protocol.SeatWish(kind="open")
        for seat in found.seats
    ]
    step = sum(entry.actor != NATURE for entry in record.entries)
    origin = protocol.PlayOn(record=record.to_json(), step=step)
    return protocol.NewTable(
        game=found.game,
        seats=seats,
        timer=found.info().timer,
        origin=origin,
        newcomers=found.newcomers,
        hints=found.hints,
    )


def forget(host: Host, request: Request) -> object:
    """Delete a table and its game; for a player of it only."""
    table = host.find(request.names["table"])
    seating.must_sit(table.holder_of(request.token))
    host.forget(table.id)
    return b""


def elsewhere(host: Host, request: Request) -> object:
    """Refuse a request that concerns other devices."""
    host.find(request.names["table"])
    raise needs_server()


# Finished games.


def record(host: Host, request: Request) -> object:
    """Return the record of a finished game."""
    return host.find(request.names["table"]).record().dumps().encode()


def replay(host: Host, request: Request) -> object:
    """Return steps of a finished game."""
    record = host.find(request.names["table"]).record().dumps()
    wish = request.query(AskSteps)
    return queries.ReplayQuery(record, wish.seat, wish.first, wish.count).answer()


def replay_file(host: Host, request: Request) -> object:
    """Return steps of a record in the body."""
    wish = request.data(protocol.AskReplay)
    return queries.ReplayFileQuery(wish.record, wish.seat, wish.first, wish.count, host.today()).answer()


def ask_review(host: Host, request: Request) -> object:
    """Order a review of a finished game."""
    table = host.find(request.names["table"])
    review = host.reviews.ask(table.record().dumps(), host.today(), table.id)
    if table.about.review != review.id:
        table.about.review = review.id
        table.keep()
    return review.info()


def review(host: Host, request: Request) -> object:
    """Return the progress or the result of the review of a table's game."""
    return host.reviews.find(host.find(request.names["table"]).about.review).info()


def ask_file_review(host: Host, request: Request) -> object:
    """Order a review of a record in the body."""
    return host.reviews.ask(request.data(protocol.AskReview).record, host.today()).info()


def file_review(host: Host, request: Request) -> object:
    """Return the progress or the result of a review."""
    return host.reviews.find(request.names["review"]).info()


def match(host: Host, request: Request) -> object:
    """Return the record of a match between bots. It follows from the seed, the same wherever this program runs."""
    wish = request.data(AskMatch)
    return play(wish.game, wish.bots, options=wish.options, seed=wish.seed).record.dumps().encode()
