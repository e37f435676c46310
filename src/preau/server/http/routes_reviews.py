"""Routes of finished games: records, replays, reviews, and links of shared replays."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK

from ...table import protocol
from .requests import StrictRequest, TableId, encoded, maker_of, public_link, qr_code, services_of


@get("/tables/{table:str}/record")
async def record(request: StrictRequest, table: TableId) -> Response[str]:
    """Return the record of a finished game, as `preau check` reads it."""
    tables = services_of(request).tables
    return Response(await tables.record_text(await tables.get(table)), media_type="application/json")


@get("/tables/{table:str}/replay")
async def replay(
    request: StrictRequest,
    table: TableId,
    seat: Annotated[int | None, QueryParameter(ge=0, le=15)] = None,
    first: Annotated[int, QueryParameter(ge=0, le=100_000)] = 0,
    count: Annotated[int, QueryParameter(ge=1, le=50)] = 20,
) -> Response[protocol.Replay]:
    """Return steps of a finished game from the viewpoint of a seat, or of a spectator."""
    services = services_of(request)
    text = await services.tables.record_text(await services.tables.get(table))
    found = await services.lookups.replay(maker_of(request), text, seat, first, count)
    return encoded(protocol.Replay, found)


@post("/replay", status_code=HTTP_200_OK)
async def record_replay(request: StrictRequest, data: JSONBody[protocol.AskReplay]) -> Response[protocol.Replay]:
    """Return steps of a recorded game that the client sends."""
    services = services_of(request)
    today = services.daily_challenges.today()
    return encoded(protocol.Replay, await services.lookups.replay_file(maker_of(request), data, today))


@post("/tables/{table:str}/review", status_code=HTTP_200_OK)
async def ask_review(request: StrictRequest, table: TableId) -> protocol.ReviewInfo:
    """Order a review of a finished game; later requests get the same review."""
    services = services_of(request)
    return await services.reviews.ask_at_table(await services.tables.get(table), maker_of(request))


@get("/tables/{table:str}/review")
async def review(request: StrictRequest, table: TableId) -> protocol.ReviewInfo:
    """Return the progress or the result of the review of a game."""
    services = services_of(request)
    return await services.reviews.at_table(await services.tables.get(table))


@post("/reviews", status_code=HTTP_200_OK)
async def ask_record_review(request: StrictRequest, data: JSONBody[protocol.AskReview]) -> protocol.ReviewInfo:
    """Order a review of a record that the client sends."""
    return await services_of(request).reviews.ask(data.record, maker_of(request))


@get("/reviews/{name:str}")
async def record_review(
    request: StrictRequest, name: Annotated[str, PathParameter(max_length=32, pattern="^[0-9a-f]+$")]
) -> protocol.ReviewInfo:
    """Return the progress or the result of a review."""
    return await services_of(request).reviews.show(name)


@post("/tables/{table:str}/together", status_code=HTTP_200_OK)
async def together(request: StrictRequest, table: TableId) -> protocol.TogetherLink:
    """Make a link to a shared replay of a finished game."""
    services = services_of(request)
    found = await services.tables.get(table)
    name, key = await services.shared_replays.make(found)
    url = public_link(request, f"/replay/{found.id}/with/{name}")
    return protocol.TogetherLink(id=name, key=key, url=url, qr=qr_code(url))


ROUTES = [record, replay, record_replay, ask_review, review, ask_record_review, record_review, together]
