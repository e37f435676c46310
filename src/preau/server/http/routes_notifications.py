"""Routes of turn notifications: web push (`/calls`) and email (`/mail`)."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody, PathParameter
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from ...table import protocol
from ..tables.table_entry import TableEntry
from .requests import StrictRequest, TableId, Token, address_of, counted_guess, maker_of, services_of, token_of


@get("/calls")
async def calling(request: StrictRequest) -> protocol.Calling:
    """Return how this server can notify players that it is their turn."""
    return services_of(request).notifications.about()


@post("/tables/{table:str}/calls", status_code=HTTP_204_NO_CONTENT)
async def call_me(
    request: StrictRequest, table: TableId, data: JSONBody[protocol.CallMe], authorization: Token = None
) -> None:
    """Notify a browser when it is the client's turn; asking again renews it."""
    found, holder = await _may_ask(request, table, authorization)
    await services_of(request).notifications.ask(found, holder, data, maker_of(request))


@post("/tables/{table:str}/calls/end", status_code=HTTP_204_NO_CONTENT)
async def end_calls(
    request: StrictRequest, table: TableId, data: JSONBody[protocol.EndCalls], authorization: Token = None
) -> None:
    """Stop notifying a browser."""
    await services_of(request).notifications.end(await _holder(request, table, authorization), data.endpoint)


@get("/tables/{table:str}/mail")
async def mail(request: StrictRequest, table: TableId, authorization: Token = None) -> protocol.Mail:
    """Return whether the client gets emails when it is their turn."""
    return await services_of(request).notifications.mail(await _holder(request, table, authorization))


@post("/tables/{table:str}/mail", status_code=HTTP_204_NO_CONTENT)
async def write_me(
    request: StrictRequest, table: TableId, data: JSONBody[protocol.WriteMe], authorization: Token = None
) -> None:
    """Send an email when it is the client's turn, once the reader of the mailbox has agreed."""
    found, holder = await _may_ask(request, table, authorization)
    await services_of(request).notifications.ask_mail(found, holder, data, maker_of(request))


@post("/tables/{table:str}/mail/end", status_code=HTTP_204_NO_CONTENT)
async def end_mail(request: StrictRequest, table: TableId, authorization: Token = None) -> None:
    """Stop sending emails to the client."""
    await services_of(request).notifications.end_mail(await _holder(request, table, authorization))


@post("/mail", status_code=HTTP_200_OK)
async def agree_to_mail(request: StrictRequest, data: JSONBody[protocol.MailCode]) -> protocol.Found:
    """Agree to emails with the code of the first one; return the table that they are about."""
    with counted_guess(request):
        return protocol.Found(id=await services_of(request).notifications.confirm(data.code))


@post("/mail/{code:str}/end", status_code=HTTP_204_NO_CONTENT)
async def end_mail_by_code(request: StrictRequest, code: Annotated[str, PathParameter(max_length=64)]) -> None:
    """Stop emails with the code of any of them; mail programs do this at one click (RFC 8058)."""
    with counted_guess(request):
        await services_of(request).notifications.end_code(code)


async def _holder(request: StrictRequest, table: str, authorization: str | None) -> str:
    """Return who holds a token at a table."""
    services = services_of(request)
    return await services.credentials.must_hold(await services.tables.get(table), token_of(authorization))


async def _may_ask(request: StrictRequest, table: str, authorization: str | None) -> tuple[TableEntry, str]:
    """Return the table and who asks for notifications there, within the rate limit of such requests."""
    services = services_of(request)
    found = await services.tables.get(table)
    holder = await services.credentials.must_hold(found, token_of(authorization))
    services.new_calls.spend(address_of(request), holder)
    return found, holder


ROUTES = [calling, call_me, end_calls, mail, write_me, end_mail, agree_to_mail, end_mail_by_code]
