"""Routes about the seats of a table: join, leave, set seats, start, rematch, move the seats to another device."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, post, put
from litestar.params import JSONBody, PathParameter
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from ...table import protocol
from ...table.messages import seated
from .requests import (
    StrictRequest,
    TableId,
    Token,
    address_of,
    counted_guess,
    maker_of,
    public_link,
    qr_code,
    services_of,
    token_of,
)


@post("/tables/{table:str}/join")
async def join(
    request: StrictRequest, table: TableId, data: JSONBody[protocol.TakeSeat], authorization: Token = None
) -> protocol.Seated:
    """Take an open seat. With a token: one more seat for the same person (pass and play)."""
    services = services_of(request)
    found = await services.tables.get(table)
    token, holder = await services.seats.join(found, data, token_of(authorization), address_of(request))
    return seated(found.table, token, holder)


@post("/tables/{table:str}/leave", status_code=HTTP_204_NO_CONTENT)
async def leave(request: StrictRequest, table: TableId, authorization: Token = None) -> None:
    """Give up the seats of a token; the token ends."""
    services = services_of(request)
    found = await services.tables.get(table)
    await services.seats.leave(found, await services.credentials.must_hold(found, token_of(authorization)))


@put("/tables/{table:str}/seats/{seat:int}")
async def set_seat(
    request: StrictRequest,
    table: TableId,
    seat: Annotated[int, PathParameter(ge=0, le=15)],
    data: JSONBody[protocol.SetSeat],
    authorization: Token = None,
) -> protocol.TableInfo:
    """Give a seat to a bot, open it, or take it back from a bot."""
    services = services_of(request)
    found = await services.tables.get(table)
    holder = await services.credentials.must_hold(found, token_of(authorization))
    await services.seats.set_seat(found, seat, data, holder)
    return found.table.info()


@post("/tables/{table:str}/swap", status_code=HTTP_200_OK)
async def swap(
    request: StrictRequest, table: TableId, data: JSONBody[protocol.Swap], authorization: Token = None
) -> protocol.TableInfo:
    """Exchange two seats before the start; the host only."""
    services = services_of(request)
    found = await services.tables.get(table)
    await services.credentials.must_host(found, token_of(authorization))
    await services.seats.swap(found, data)
    return found.table.info()


@post("/tables/{table:str}/start", status_code=HTTP_200_OK)
async def start(request: StrictRequest, table: TableId, authorization: Token = None) -> protocol.TableInfo:
    """Begin the game; the host only."""
    services = services_of(request)
    found = await services.tables.get(table)
    await services.credentials.must_host(found, token_of(authorization))
    await services.game_start.start(found)
    return found.table.info()


@post("/tables/{table:str}/rematch", status_code=HTTP_200_OK)
async def rematch(request: StrictRequest, table: TableId, authorization: Token = None) -> protocol.Found:
    """Make the same table once more; the tokens of all players work at the new table."""
    services = services_of(request)
    found = await services.tables.get(table)
    await services.credentials.must_hold(found, token_of(authorization))
    if not found.table.rematch:
        services.new_tables.spend(address_of(request))
    return protocol.Found(id=await services.creation.rematch(found, maker_of(request)))


@post("/tables/{table:str}/move", status_code=HTTP_200_OK)
async def make_link(request: StrictRequest, table: TableId, authorization: Token = None) -> protocol.Moving:
    """Make a one-time link, also as a QR code, that moves the seats of a token to another device."""
    services = services_of(request)
    found = await services.tables.get(table)
    holder = await services.credentials.must_hold(found, token_of(authorization))
    code, expires = await services.credentials.make_link(found, holder)
    url = public_link(request, f"/move#{code}")
    return protocol.Moving(code=code, url=url, expires=expires, qr=qr_code(url))


@post("/move", status_code=HTTP_200_OK)
async def use_link(request: StrictRequest, data: JSONBody[protocol.Redeem]) -> protocol.Seated:
    """Use a one-time link: a new token for the same seats; the old device's token ends."""
    with counted_guess(request):
        found, token, holder = await services_of(request).credentials.use_link(data.code)
    return seated(found.table, token, holder)


@delete("/tables/{table:str}/token", status_code=HTTP_204_NO_CONTENT)
async def revoke(request: StrictRequest, table: TableId, authorization: Token = None) -> None:
    """End a token; the same as leaving."""
    services = services_of(request)
    found = await services.tables.get(table)
    await services.seats.leave(found, await services.credentials.must_hold(found, token_of(authorization)))


ROUTES = [join, leave, set_seat, swap, start, rematch, make_link, use_link, revoke]
