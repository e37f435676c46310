"""The HTTP interface: everything but the game itself, which goes over the socket.

Who asks is told by a bearer token in a header, never by a cookie or an address: no foreign page can send it, and no
log of addresses can hold it.
"""

from __future__ import annotations

import asyncio
import io
from typing import Annotated, Any

import segno
from litestar import Request, Response, Router, delete, get, post, put
from litestar.datastructures import State
from litestar.params import FromPath, HeaderParameter, JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from ..core.registry import find_game
from ..core.texts import LANGUAGES
from ..table import wire
from ..table.refusals import Forbidden, Unknown
from ..table.replay import replay_of
from ..table.showing import seated
from .about import version
from .hall import Hall
from .page import FOR_EVER
from .refusals import TooMuch
from .security import address, is_loopback
from .shelf import shelf

Asked = Request[Any, Any, State]
TableId = Annotated[str, PathParameter(max_length=32, pattern="^[a-z0-9]+$")]
Token = Annotated[str | None, HeaderParameter(name="Authorization", required=False, max_length=100)]


def _hall(request: Asked) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def _token(authorization: str | None) -> str | None:
    if authorization is None:
        return None
    kind, _, token = authorization.partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise Forbidden("that is no bearer token", field="Authorization", key="token")
    return token.strip()


def _language(language: str) -> str:
    if language not in LANGUAGES:
        raise Unknown("there are no texts in that language", field="language", hint="Try en or fr.")
    return language


def _link(request: Asked, path: str) -> str:
    """A public address of this server: the configured one, or the one that was asked."""
    origins = _hall(request).config.origins
    base = origins[0].rstrip("/") if origins else f"{request.url.scheme}://{request.url.netloc}"
    return base + path


def _qr(url: str) -> str:
    """A QR code as an SVG picture, black on white on any page."""
    picture = io.BytesIO()
    segno.make(url, error="m").save(picture, kind="svg", scale=4, light="#fff", xmldecl=False)
    return picture.getvalue().decode()


# Games.


@get("/games")
async def games() -> list[wire.GameInfo]:
    """The games on offer, with all that is needed to offer them."""
    return shelf()


@get("/games/{name:str}/picture")
async def picture(name: FromPath[str]) -> Response[bytes]:
    """The picture that a game brings along. Opened by itself it can do nothing, whatever is in it."""
    found = find_game(name).picture
    if found is None:
        raise Unknown("this game brings no picture along", field="game")
    headers = {"content-security-policy": "default-src 'none'; sandbox", "cache-control": FOR_EVER}
    return Response(found.read_bytes(), media_type="image/svg+xml", headers=headers)


@get("/games/{name:str}/rules/{language:str}")
async def rules(name: FromPath[str], language: FromPath[str]) -> wire.RuleTexts:
    """The rules of a game by id."""
    messages = find_game(name).texts(_language(language)).messages
    found = {key.removeprefix("rule."): text for key, text in messages.items() if key.startswith("rule.")}
    return wire.RuleTexts(game=name, language=language, rules=found)  # type: ignore[arg-type]


@get("/games/{name:str}/texts/{language:str}")
async def texts(name: FromPath[str], language: FromPath[str]) -> wire.GameTexts:
    """All messages of a game: events, prompts, reasons, rules, names of things."""
    messages = find_game(name).texts(_language(language)).messages
    return wire.GameTexts(game=name, language=language, messages=messages)  # type: ignore[arg-type]


# Tables.


@post("/tables")
async def create(request: Asked, data: JSONBody[wire.NewTable]) -> wire.Seated:
    """Make a table and take one's seats at it."""
    hall = _hall(request)
    if not hall.new_tables.take(address(request.scope)):
        raise TooMuch("too many tables", key="rate", hint="Wait a little.")
    found, token, holder = await hall.seating.create(data)
    return seated(found.table, token, holder)


@get("/tables")
async def listed(request: Asked) -> list[wire.TableInfo]:
    """The tables that want to be found, newest first."""
    return await _hall(request).tables.listed()


@get("/tables/{table:str}")
async def show(request: Asked, table: TableId) -> wire.TableInfo:
    """A table as everybody sees it, with the seats that owe a decision."""
    tables = _hall(request).tables
    return await tables.info(await tables.get(table))


@get("/codes/{code:str}")
async def by_code(request: Asked, code: Annotated[str, PathParameter(max_length=12)]) -> wire.Found:
    """The table with a short code."""
    hall = _hall(request)
    if not hall.guesses.take(address(request.scope)):
        raise TooMuch("too many tries", key="rate", hint="Wait a little.")
    return wire.Found(id=await hall.tables.by_code(code))


@get("/tables/{table:str}/invitation")
async def invitation(request: Asked, table: TableId) -> wire.Invitation:
    """The table's link, also as a QR code, for friends to join or watch."""
    url = _link(request, f"/t/{(await _hall(request).tables.get(table)).id}")
    return wire.Invitation(url=url, qr=_qr(url))


@post("/tables/{table:str}/join")
async def join(
    request: Asked, table: TableId, data: JSONBody[wire.TakeSeat], authorization: Token = None
) -> wire.Seated:
    """Take an open seat. With a token: one more seat for the same person (pass and play)."""
    hall = _hall(request)
    found = await hall.tables.get(table)
    token, holder = await hall.seating.join(found, data, _token(authorization))
    return seated(found.table, token, holder)


@post("/tables/{table:str}/leave", status_code=HTTP_204_NO_CONTENT)
async def leave(request: Asked, table: TableId, authorization: Token = None) -> None:
    """Give up one's seats; the token ends."""
    hall = _hall(request)
    found = await hall.tables.get(table)
    await hall.seating.leave(found, await hall.people.must_hold(found, _token(authorization)))


@put("/tables/{table:str}/seats/{seat:int}")
async def set_seat(
    request: Asked,
    table: TableId,
    seat: Annotated[int, PathParameter(ge=0, le=15)],
    data: JSONBody[wire.SetSeat],
    authorization: Token = None,
) -> wire.TableInfo:
    """Give a seat to a bot, open it, or take it back from a bot."""
    hall = _hall(request)
    found = await hall.tables.get(table)
    await hall.seating.set_seat(found, seat, data, await hall.people.must_hold(found, _token(authorization)))
    return found.table.info()


@post("/tables/{table:str}/swap", status_code=HTTP_200_OK)
async def swap(
    request: Asked, table: TableId, data: JSONBody[wire.Swap], authorization: Token = None
) -> wire.TableInfo:
    """Exchange two seats before the start; the host only."""
    hall = _hall(request)
    found = await hall.tables.get(table)
    await hall.people.must_host(found, _token(authorization))
    await hall.seating.swap(found, data)
    return found.table.info()


@post("/tables/{table:str}/start", status_code=HTTP_200_OK)
async def start(request: Asked, table: TableId, authorization: Token = None) -> wire.TableInfo:
    """Begin the game; the host only."""
    hall = _hall(request)
    found = await hall.tables.get(table)
    await hall.people.must_host(found, _token(authorization))
    await hall.seating.start(found)
    return found.table.info()


@post("/tables/{table:str}/rematch", status_code=HTTP_200_OK)
async def rematch(request: Asked, table: TableId, authorization: Token = None) -> wire.Found:
    """The same once more; everybody's token works at the new table."""
    hall = _hall(request)
    found = await hall.tables.get(table)
    await hall.people.must_hold(found, _token(authorization))
    return wire.Found(id=await hall.seating.rematch(found))


@post("/tables/{table:str}/move", status_code=HTTP_200_OK)
async def make_link(request: Asked, table: TableId, authorization: Token = None) -> wire.Moving:
    """A one-time link, also as a QR code, that moves one's seats to another device."""
    hall = _hall(request)
    found = await hall.tables.get(table)
    code, expires = await hall.people.make_link(found, await hall.people.must_hold(found, _token(authorization)))
    url = _link(request, f"/move#{code}")
    return wire.Moving(code=code, url=url, expires=expires, qr=_qr(url))


@post("/move", status_code=HTTP_200_OK)
async def use_link(request: Asked, data: JSONBody[wire.Redeem]) -> wire.Seated:
    """Use a one-time link: a new token for the same seats; the old device's ends."""
    hall = _hall(request)
    if not hall.guesses.take(address(request.scope)):
        raise TooMuch("too many tries", key="rate", hint="Wait a little.")
    found, token, holder = await hall.people.use_link(data.code)
    return seated(found.table, token, holder)


@delete("/tables/{table:str}/token", status_code=HTTP_204_NO_CONTENT)
async def revoke(request: Asked, table: TableId, authorization: Token = None) -> None:
    """End one's token; the same as leaving."""
    hall = _hall(request)
    found = await hall.tables.get(table)
    await hall.seating.leave(found, await hall.people.must_hold(found, _token(authorization)))


# Afterwards.


@get("/tables/{table:str}/record")
async def record(request: Asked, table: TableId) -> Response[str]:
    """The record of a finished game, as `preau check` reads it."""
    tables = _hall(request).tables
    found = await tables.record(await tables.get(table))
    return Response(found.dumps(), media_type="application/json")


@get("/tables/{table:str}/replay")
async def replay(
    request: Asked,
    table: TableId,
    seat: Annotated[int | None, QueryParameter(ge=0, le=15)] = None,
    first: Annotated[int, QueryParameter(ge=0, le=100_000)] = 0,
    count: Annotated[int, QueryParameter(ge=1, le=50)] = 20,
) -> wire.Replay:
    """Steps of a finished game through one seat's eyes, or a spectator's."""
    tables = _hall(request).tables
    record = await tables.record(await tables.get(table))
    return await asyncio.to_thread(replay_of, record, seat, first, count)


# The server itself.


@get("/health")
async def health(request: Asked) -> Response[wire.Health]:
    """Whether this process can do its work: 200, or 503 when the database is away."""
    hall = _hall(request)
    database = await hall.database_answers()
    found = wire.Health(
        status="ok" if database and hall.bus.up is not False else "degraded",
        version=version(),
        database=database,
        redis=hall.bus.up,
        tables=len(hall.tables.loaded),
        sockets=len(hall.sockets.open),
    )
    return Response(found, status_code=200 if database else 503)


@get("/metrics", include_in_schema=False)
async def metrics(request: Asked) -> Response[bytes]:
    """For Prometheus; by default for this machine only."""
    hall = _hall(request)
    allowed = hall.config.metrics == "all" or (hall.config.metrics == "loopback" and is_loopback(request.scope))
    if not allowed:
        raise Unknown("there is nothing here")
    return Response(hall.metrics.page(), media_type="text/plain; version=0.0.4")


api = Router(
    "/api",
    route_handlers=[
        games,
        picture,
        rules,
        texts,
        create,
        listed,
        show,
        by_code,
        invitation,
        join,
        leave,
        set_seat,
        swap,
        start,
        rematch,
        make_link,
        use_link,
        revoke,
        record,
        replay,
        health,
    ],
)
