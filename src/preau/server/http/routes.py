"""The HTTP interface: everything but the game itself, which goes over the socket.

Who asks is told by a bearer token in a header, never by a cookie or an address: no foreign page can send it, and no
log of addresses can hold it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from secrets import compare_digest
from typing import Annotated, Any, cast

import msgspec
import segno
from litestar import Request, Response, Router, delete, get, post, put
from litestar.datastructures import State
from litestar.params import FromPath, HeaderParameter, JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT, HTTP_304_NOT_MODIFIED

from ..._version import version
from ...core.game import Game
from ...core.registry import find_game
from ...host.body_limits import is_flat, too_deep
from ...host.catalogue import gallery_of, known_language, rules_of, texts_of
from ...host.learning import exercised
from ...host.learning import listed as listed_puzzles
from ...table import protocol
from ...table.messages import seated
from ...table.refusals import Forbidden, Refusal, Unknown
from ..client_address import client_address, is_local
from ..config import Config
from ..services import Services
from ..tables.entry import TableEntry
from .fixed_answers import FIXED, FixedAnswer
from .static_files import FOR_EVER
from .studies import published

PUZZLES_KEPT = "public, max-age=600"
"""How long browsers need not ask again which puzzles there are: they change with the server alone."""


class StrictRequest(Request[Any, Any, State]):
    """A request whose body is read with care: whatever somebody sends is data or a refusal, never a fault of ours."""

    async def json(self) -> Any:
        """The body as data."""
        try:
            found = await super().json()
        except UnicodeDecodeError:
            raise Refusal("the body is not UTF-8", field="body", key="malformed", hint="Send JSON.") from None
        except RecursionError:
            raise too_deep() from None
        if not is_flat(found):
            raise too_deep()
        return found


TableId = Annotated[str, PathParameter(max_length=32, pattern="^[a-z0-9]+$")]
Token = Annotated[str | None, HeaderParameter(name="Authorization", required=False, max_length=100)]


def _services(request: StrictRequest) -> Services:
    services: Services = request.app.state.services
    return services


def _token(authorization: str | None) -> str | None:
    if authorization is None:
        return None
    kind, _, token = authorization.partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise Forbidden("that is no bearer token", field="Authorization", key="token")
    return token.strip()


def _link(request: StrictRequest, path: str) -> str:
    """A public address of this server: the configured one, or the one that was asked."""
    origins = _services(request).config.origins
    base = origins[0].rstrip("/") if origins else f"{request.url.scheme}://{request.url.netloc}"
    return base + path


@lru_cache(maxsize=256)
def _qr(url: str) -> str:
    """A QR code as an SVG picture, black on white on any page."""
    picture = io.BytesIO()
    segno.make(url, error="m").save(picture, kind="svg", scale=4, light="#fff", xmldecl=False)
    return picture.getvalue().decode()


# Games. What is said of them stays the same while the server runs: see `fixed`.


def _said(request: StrictRequest, found: FixedAnswer, headers: Mapping[str, str] | None = None) -> Response[Any]:
    return found.answer(request, compress=_services(request).config.compression, headers=headers)


@get("/games", opt={FIXED: True})
async def games(request: StrictRequest) -> Response[list[protocol.GameInfo]]:
    """The games on offer, with all that is needed to offer them."""
    return _said(request, _offer(_services(request)))


@lru_cache(maxsize=1)
def _offer(services: Services) -> FixedAnswer:
    return FixedAnswer(protocol.encode(services.games))


@get("/games/{name:str}/picture", opt={FIXED: True})
async def picture(request: StrictRequest, name: FromPath[str]) -> Response[bytes]:
    """The picture that a game brings along. Opened by itself it can do nothing, whatever is in it."""
    found = _picture(find_game(name))
    if found is None:
        raise Unknown("this game brings no picture along", field="game")
    headers = {"content-security-policy": "default-src 'none'; sandbox", "cache-control": FOR_EVER}
    return _said(request, found, headers)


@cache
def _picture(game: Game) -> FixedAnswer | None:
    return FixedAnswer(game.picture.read_bytes(), "image/svg+xml") if game.picture is not None else None


@get("/games/{name:str}/rules/{language:str}", opt={FIXED: True})
async def rules(request: StrictRequest, name: FromPath[str], language: FromPath[str]) -> Response[protocol.RuleTexts]:
    """The rules of a game by id."""
    return _said(request, _rules(find_game(name), known_language(language)))


@cache
def _rules(game: Game, language: str) -> FixedAnswer:
    return FixedAnswer(protocol.encode(rules_of(game.id, language)))


@get("/games/{name:str}/texts/{language:str}", opt={FIXED: True})
async def texts(request: StrictRequest, name: FromPath[str], language: FromPath[str]) -> Response[protocol.GameTexts]:
    """All messages of a game: events, prompts, reasons, rules, names of things."""
    return _said(request, _texts(find_game(name), known_language(language)))


@cache
def _texts(game: Game, language: str) -> FixedAnswer:
    return FixedAnswer(protocol.encode(texts_of(game.id, language)))


@get("/games/{name:str}/book", opt={FIXED: True})
async def book(request: StrictRequest, name: FromPath[str]) -> Response[protocol.Book]:
    """The pictures of a game's rule book."""
    services = _services(request)
    return _said(
        request,
        _book(
            await services.lookups.book(services.credentials.maker(client_address(request.scope)), find_game(name).id)
        ),
    )


@lru_cache(maxsize=32)
def _book(written: bytes) -> FixedAnswer:
    """The desk has written it already."""
    return FixedAnswer(written)


@get("/games/{name:str}/gallery", opt={FIXED: True})
async def gallery(request: StrictRequest, name: FromPath[str]) -> Response[protocol.Gallery]:
    """Everything in a game's box. It may be kept, if it is asked each time whether it is still the same."""
    found = _gallery(find_game(name))
    if found is None:
        raise Unknown("this game shows no gallery", field="game", hint="GET /api/games says which do.")
    headers = {"cache-control": "no-cache", "etag": found.etag}
    if found.etag in request.headers.get("if-none-match", ""):
        return Response(None, status_code=HTTP_304_NOT_MODIFIED, headers=headers)  # type: ignore[arg-type]
    return _said(request, found, headers)


@cache
def _gallery(game: Game) -> FixedAnswer | None:
    found = gallery_of(game)
    return FixedAnswer(protocol.encode(found)) if found is not None else None


@get("/studies/{language:str}", opt={FIXED: True})
async def studies(request: StrictRequest, language: FromPath[str]) -> Response[list[protocol.StudyInfo]]:
    """The studies that were published: what comes of the rules, by many games between bots."""
    return _said(request, _studies(known_language(language)), {"cache-control": PUZZLES_KEPT})


@cache
def _studies(language: str) -> FixedAnswer:
    return FixedAnswer(protocol.encode(published(language)))


# Learning.


@post("/practice", status_code=HTTP_200_OK)
async def practice(data: JSONBody[protocol.Practice]) -> protocol.Practised:
    """How an exercise of a game's lesson stands after what the learner has done in it."""
    return exercised(data.game, data.exercise, data.actions)


@get("/games/{name:str}/puzzles", opt={FIXED: True})
async def puzzles(request: StrictRequest, name: FromPath[str]) -> Response[list[protocol.PuzzleInfo]]:
    """The puzzles of a game, without their solutions; none, if it has none."""
    return _said(request, _listed(find_game(name)), {"cache-control": PUZZLES_KEPT})


@cache
def _listed(game: Game) -> FixedAnswer:
    return FixedAnswer(protocol.encode(listed_puzzles(game.id)))


@post("/puzzle", status_code=HTTP_200_OK)
async def puzzle(request: StrictRequest, data: JSONBody[protocol.Puzzling]) -> Response[protocol.Practised]:
    """How a puzzle stands after what the solver has done in it; with a hint or the solution, if that is wished for."""
    services = _services(request)
    found = await services.lookups.puzzle(services.credentials.maker(client_address(request.scope)), data)
    return Response(cast("protocol.Practised", msgspec.Raw(found)))  # the desk has written it already


# The challenge of the day.

Day = Annotated[str, PathParameter(max_length=10)]


@get("/challenges")
async def challenges(request: StrictRequest) -> protocol.Challenges:
    """Which day it is for challenges, and which games have one."""
    return _services(request).tables.daily_challenges.about()


@get("/challenges/{name:str}/{day:str}")
async def challenge(request: StrictRequest, name: FromPath[str], day: Day) -> protocol.Challenge:
    """The challenge of a game on a day that has come; with its key once the day is over."""
    return _services(request).tables.daily_challenges.show(name, day)


@post("/challenges/{name:str}/{day:str}")
async def try_challenge(
    request: StrictRequest, name: FromPath[str], day: Day, data: JSONBody[protocol.TryChallenge]
) -> protocol.Seated:
    """Sit down to try the challenge of a day: a table with its bots, begun at once."""
    wish = _services(request).tables.daily_challenges.wish(name, day, data.name)
    return await _make(request, wish, day)


# Tables.


@post("/tables")
async def create(request: StrictRequest, data: JSONBody[protocol.NewTable]) -> protocol.Seated:
    """Make a table and take one's seats at it."""
    return await _make(request, data)


async def _make(request: StrictRequest, wish: protocol.NewTable, challenge: str = "") -> protocol.Seated:
    services = _services(request)
    services.new_tables.spend(client_address(request.scope))
    found, token, holder = await services.seats.create(
        wish, services.credentials.maker(client_address(request.scope)), challenge
    )
    found.came(holder, client_address(request.scope))
    return seated(found.table, token, holder)


@get("/tables")
async def listed(request: StrictRequest) -> list[protocol.TableInfo]:
    """The tables that want to be found, newest first."""
    return await _services(request).tables.listed()


@get("/tables/{table:str}")
async def show(request: StrictRequest, table: TableId) -> protocol.TableInfo:
    """A table as everybody sees it, with the seats that owe a decision."""
    tables = _services(request).tables
    return await tables.info(await tables.get(table))


@get("/codes/{code:str}")
async def by_code(request: StrictRequest, code: Annotated[str, PathParameter(max_length=12)]) -> protocol.Found:
    """The table with a short code."""
    with _guess(request):
        return protocol.Found(id=await _services(request).tables.by_code(code))


@contextmanager
def _guess(request: StrictRequest) -> Iterator[None]:
    """Count a try of a code, if it is wrong (`Unknown`): a class may type forty right ones at once."""
    guesses, where = _services(request).guesses, client_address(request.scope)
    guesses.spend(where)
    wrong = False
    try:
        yield
    except Unknown:
        wrong = True
        raise
    finally:
        if not wrong:
            guesses.give_back(where)


@get("/tables/{table:str}/invitation")
async def invitation(request: StrictRequest, table: TableId) -> protocol.Invitation:
    """The table's link, also as a QR code, for friends to join or watch."""
    url = _link(request, f"/t/{(await _services(request).tables.get(table)).id}")
    return protocol.Invitation(url=url, qr=_qr(url))


@post("/tables/{table:str}/join")
async def join(
    request: StrictRequest, table: TableId, data: JSONBody[protocol.TakeSeat], authorization: Token = None
) -> protocol.Seated:
    """Take an open seat. With a token: one more seat for the same person (pass and play)."""
    services = _services(request)
    found = await services.tables.get(table)
    token, holder = await services.seats.join(found, data, _token(authorization), client_address(request.scope))
    return seated(found.table, token, holder)


@post("/tables/{table:str}/leave", status_code=HTTP_204_NO_CONTENT)
async def leave(request: StrictRequest, table: TableId, authorization: Token = None) -> None:
    """Give up one's seats; the token ends."""
    services = _services(request)
    found = await services.tables.get(table)
    await services.seats.leave(found, await services.credentials.must_hold(found, _token(authorization)))


@put("/tables/{table:str}/seats/{seat:int}")
async def set_seat(
    request: StrictRequest,
    table: TableId,
    seat: Annotated[int, PathParameter(ge=0, le=15)],
    data: JSONBody[protocol.SetSeat],
    authorization: Token = None,
) -> protocol.TableInfo:
    """Give a seat to a bot, open it, or take it back from a bot."""
    services = _services(request)
    found = await services.tables.get(table)
    await services.seats.set_seat(found, seat, data, await services.credentials.must_hold(found, _token(authorization)))
    return found.table.info()


@post("/tables/{table:str}/swap", status_code=HTTP_200_OK)
async def swap(
    request: StrictRequest, table: TableId, data: JSONBody[protocol.Swap], authorization: Token = None
) -> protocol.TableInfo:
    """Exchange two seats before the start; the host only."""
    services = _services(request)
    found = await services.tables.get(table)
    await services.credentials.must_host(found, _token(authorization))
    await services.seats.swap(found, data)
    return found.table.info()


@post("/tables/{table:str}/start", status_code=HTTP_200_OK)
async def start(request: StrictRequest, table: TableId, authorization: Token = None) -> protocol.TableInfo:
    """Begin the game; the host only."""
    services = _services(request)
    found = await services.tables.get(table)
    await services.credentials.must_host(found, _token(authorization))
    await services.seats.start(found)
    return found.table.info()


@post("/tables/{table:str}/rematch", status_code=HTTP_200_OK)
async def rematch(request: StrictRequest, table: TableId, authorization: Token = None) -> protocol.Found:
    """The same once more; everybody's token works at the new table."""
    services = _services(request)
    found = await services.tables.get(table)
    await services.credentials.must_hold(found, _token(authorization))
    if not found.table.rematch:
        services.new_tables.spend(client_address(request.scope))
    return protocol.Found(
        id=await services.seats.rematch(found, services.credentials.maker(client_address(request.scope)))
    )


@post("/tables/{table:str}/move", status_code=HTTP_200_OK)
async def make_link(request: StrictRequest, table: TableId, authorization: Token = None) -> protocol.Moving:
    """A one-time link, also as a QR code, that moves one's seats to another device."""
    services = _services(request)
    found = await services.tables.get(table)
    code, expires = await services.credentials.make_link(
        found, await services.credentials.must_hold(found, _token(authorization))
    )
    url = _link(request, f"/move#{code}")
    return protocol.Moving(code=code, url=url, expires=expires, qr=_qr(url))


@post("/move", status_code=HTTP_200_OK)
async def use_link(request: StrictRequest, data: JSONBody[protocol.Redeem]) -> protocol.Seated:
    """Use a one-time link: a new token for the same seats; the old device's ends."""
    with _guess(request):
        found, token, holder = await _services(request).credentials.use_link(data.code)
    return seated(found.table, token, holder)


@delete("/tables/{table:str}/token", status_code=HTTP_204_NO_CONTENT)
async def revoke(request: StrictRequest, table: TableId, authorization: Token = None) -> None:
    """End one's token; the same as leaving."""
    services = _services(request)
    found = await services.tables.get(table)
    await services.seats.leave(found, await services.credentials.must_hold(found, _token(authorization)))


# Being called when it is one's turn.


@get("/calls")
async def calling(request: StrictRequest) -> protocol.Calling:
    """How this server can tell people that it is their turn."""
    return _services(request).notifications.about()


@post("/tables/{table:str}/calls", status_code=HTTP_204_NO_CONTENT)
async def call_me(
    request: StrictRequest, table: TableId, data: JSONBody[protocol.CallMe], authorization: Token = None
) -> None:
    """Have a browser called when it is one's turn; the same again renews it."""
    services = _services(request)
    found, holder = await _may_call(request, table, authorization)
    await services.notifications.ask(found, holder, data, services.credentials.maker(client_address(request.scope)))


@post("/tables/{table:str}/calls/end", status_code=HTTP_204_NO_CONTENT)
async def end_calls(
    request: StrictRequest, table: TableId, data: JSONBody[protocol.EndCalls], authorization: Token = None
) -> None:
    """Do not have it called any more."""
    services = _services(request)
    holder = await services.credentials.must_hold(await services.tables.get(table), _token(authorization))
    await services.notifications.end(holder, data.endpoint)


@get("/tables/{table:str}/mail")
async def mail(request: StrictRequest, table: TableId, authorization: Token = None) -> protocol.Mail:
    """Whether one is written to when it is one's turn."""
    services = _services(request)
    return await services.notifications.mail(
        await services.credentials.must_hold(await services.tables.get(table), _token(authorization))
    )


@post("/tables/{table:str}/mail", status_code=HTTP_204_NO_CONTENT)
async def write_me(
    request: StrictRequest, table: TableId, data: JSONBody[protocol.WriteMe], authorization: Token = None
) -> None:
    """Be written to when it is one's turn, once whoever reads that mailbox has agreed."""
    services = _services(request)
    found, holder = await _may_call(request, table, authorization)
    await services.notifications.ask_mail(
        found, holder, data, services.credentials.maker(client_address(request.scope))
    )


@post("/tables/{table:str}/mail/end", status_code=HTTP_204_NO_CONTENT)
async def end_mail(request: StrictRequest, table: TableId, authorization: Token = None) -> None:
    """Be written to no more."""
    services = _services(request)
    await services.notifications.end_mail(
        await services.credentials.must_hold(await services.tables.get(table), _token(authorization))
    )


@post("/mail", status_code=HTTP_200_OK)
async def agree_to_mail(request: StrictRequest, data: JSONBody[protocol.MailCode]) -> protocol.Found:
    """Agree to be written to, with the code of the first mail; the table it is about."""
    services = _services(request)
    with _guess(request):
        return protocol.Found(id=await services.notifications.confirm(data.code))


@post("/mail/{code:str}/end", status_code=HTTP_204_NO_CONTENT)
async def end_mail_by_code(request: StrictRequest, code: Annotated[str, PathParameter(max_length=64)]) -> None:
    """No more mails, with the code of any of them; mail programs do this at one click (RFC 8058)."""
    with _guess(request):
        await _services(request).notifications.end_code(code)


async def _may_call(request: StrictRequest, table: str, authorization: str | None) -> tuple[TableEntry, str]:
    """The table and the person who asks to be called there, unless that is asked too often."""
    services = _services(request)
    found = await services.tables.get(table)
    holder = await services.credentials.must_hold(found, _token(authorization))
    services.new_calls.spend(client_address(request.scope), holder)
    return found, holder


# Afterwards.


@get("/tables/{table:str}/record")
async def record(request: StrictRequest, table: TableId) -> Response[str]:
    """The record of a finished game, as `preau check` reads it."""
    tables = _services(request).tables
    return Response(await tables.record_text(await tables.get(table)), media_type="application/json")


@get("/tables/{table:str}/replay")
async def replay(
    request: StrictRequest,
    table: TableId,
    seat: Annotated[int | None, QueryParameter(ge=0, le=15)] = None,
    first: Annotated[int, QueryParameter(ge=0, le=100_000)] = 0,
    count: Annotated[int, QueryParameter(ge=1, le=50)] = 20,
) -> Response[protocol.Replay]:
    """Steps of a finished game through one seat's eyes, or a spectator's."""
    services = _services(request)
    record = await services.tables.record_text(await services.tables.get(table))
    found = await services.lookups.replay(
        services.credentials.maker(client_address(request.scope)), record, seat, first, count
    )
    return Response(cast("protocol.Replay", msgspec.Raw(found)))  # the desk has written it already


@post("/replay", status_code=HTTP_200_OK)
async def record_replay(request: StrictRequest, data: JSONBody[protocol.AskReplay]) -> Response[protocol.Replay]:
    """The same of a recorded game that is handed in."""
    services = _services(request)
    who, today = services.credentials.maker(client_address(request.scope)), services.tables.daily_challenges.today()
    return Response(cast("protocol.Replay", msgspec.Raw(await services.lookups.replay_file(who, data, today))))


@post("/tables/{table:str}/review", status_code=HTTP_200_OK)
async def ask_review(request: StrictRequest, table: TableId) -> protocol.ReviewInfo:
    """Have a finished game reviewed; whoever comes later gets the same."""
    services = _services(request)
    found = await services.tables.get(table)
    return await services.reviews.ask_at_table(found, services.credentials.maker(client_address(request.scope)))


@get("/tables/{table:str}/review")
async def review(request: StrictRequest, table: TableId) -> protocol.ReviewInfo:
    """How the review of a game stands, or what it says."""
    services = _services(request)
    return await services.reviews.at_table(await services.tables.get(table))


@post("/reviews", status_code=HTTP_200_OK)
async def ask_record_review(request: StrictRequest, data: JSONBody[protocol.AskReview]) -> protocol.ReviewInfo:
    """Have a record reviewed that is handed in."""
    services = _services(request)
    return await services.reviews.ask(data.record, services.credentials.maker(client_address(request.scope)))


@get("/reviews/{name:str}")
async def record_review(
    request: StrictRequest, name: Annotated[str, PathParameter(max_length=32, pattern="^[0-9a-f]+$")]
) -> protocol.ReviewInfo:
    """How a review stands, or what it says."""
    return await _services(request).reviews.show(name)


@post("/tables/{table:str}/together", status_code=HTTP_200_OK)
async def together(request: StrictRequest, table: TableId) -> protocol.TogetherLink:
    """A link under which a finished game is looked at together."""
    services = _services(request)
    found = await services.tables.get(table)
    name, key = await services.shared_replays.make(found)
    url = _link(request, f"/replay/{found.id}/with/{name}")
    return protocol.TogetherLink(id=name, key=key, url=url, qr=_qr(url))


# The server itself.


@get("/health")
async def health(request: StrictRequest) -> Response[protocol.Health]:
    """Whether this process can do its work: 200, or 503 when the database is away, stuck or damaged."""
    services = _services(request)
    database = await services.store.works()
    found = protocol.Health(
        status="ok" if database and services.bus.up is not False and services.warning is None else "degraded",
        version=version(),
        database=database,
        redis=services.bus.up,
        tables=len(services.tables.entries),
        sockets=len(services.connections.open),
        warning=services.warning,
    )
    return Response(found, status_code=200 if database else 503)


@get("/metrics", include_in_schema=False)
async def metrics(request: StrictRequest, authorization: Token = None) -> Response[bytes]:
    """For Prometheus."""
    services = _services(request)
    if not _may_measure(services.config, request.scope, authorization):
        raise Unknown("there is nothing here")
    return Response(services.metrics.page(), media_type="text/plain; version=0.0.4")


def _may_measure(config: Config, scope: Any, authorization: str | None) -> bool:
    """Who has the token, if there is one; else this machine, as long as there is no public address.

    With one there is a proxy, and through a proxy that does not say so everybody seems to be this machine.
    """
    if config.metrics_token and config.metrics != "off":
        return compare_digest(f"Bearer {config.metrics_token}".encode(), (authorization or "").encode())
    return config.metrics == "all" or (config.metrics == "loopback" and not config.origins and is_local(scope))


api = Router(
    "/api",
    route_handlers=[
        games,
        picture,
        rules,
        texts,
        book,
        gallery,
        studies,
        practice,
        puzzles,
        puzzle,
        challenges,
        challenge,
        try_challenge,
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
        calling,
        call_me,
        end_calls,
        mail,
        write_me,
        end_mail,
        agree_to_mail,
        end_mail_by_code,
        record,
        replay,
        record_replay,
        ask_review,
        review,
        ask_record_review,
        record_review,
        together,
        health,
    ],
)
