"""Routes that make, list, show and find tables."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody, PathParameter

from ...table import protocol
from .requests import StrictRequest, TableId, counted_guess, make_table, public_link, qr_code, services_of


@post("/tables")
async def create(request: StrictRequest, data: JSONBody[protocol.NewTable]) -> protocol.Seated:
    """Make a table and take the seats at it that the client asks for."""
    return await make_table(request, data)


@get("/tables")
async def listed(request: StrictRequest) -> list[protocol.TableInfo]:
    """Return the listed tables, newest first."""
    return await services_of(request).tables.listed()


@get("/tables/{table:str}")
async def show(request: StrictRequest, table: TableId) -> protocol.TableInfo:
    """Return the public view of a table, with the seats that owe a decision."""
    tables = services_of(request).tables
    return await tables.info(await tables.get(table))


@get("/codes/{code:str}")
async def by_code(request: StrictRequest, code: Annotated[str, PathParameter(max_length=12)]) -> protocol.Found:
    """Return the id of the table with a join code."""
    with counted_guess(request):
        return protocol.Found(id=await services_of(request).tables.by_code(code))


@get("/tables/{table:str}/invitation")
async def invitation(request: StrictRequest, table: TableId) -> protocol.Invitation:
    """Return the table's link, also as a QR code, for friends to join or watch."""
    url = public_link(request, f"/t/{(await services_of(request).tables.get(table)).id}")
    return protocol.Invitation(url=url, qr=qr_code(url))


ROUTES = [create, listed, show, by_code, invitation]
