"""What the routes share: the request class, types of parameters, and helpers that read a request or write an answer."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Annotated, Any, TypeVar, cast

import msgspec
import segno
from litestar import Request, Response
from litestar.datastructures import State
from litestar.params import HeaderParameter, PathParameter

from ...host.body_limits import is_flat, too_deep
from ...table.messages import seated
from ...table.protocol import NewTable, Seated
from ...table.refusals import Forbidden, Refusal, Unknown
from ..client_address import client_address
from ..services import Services
from .fixed_answers import FixedAnswer

T = TypeVar("T")

TableId = Annotated[str, PathParameter(max_length=32, pattern="^[a-z0-9]+$")]
Token = Annotated[str | None, HeaderParameter(name="Authorization", required=False, max_length=100)]


class StrictRequest(Request[Any, Any, State]):
    """A request that refuses a body which is not UTF-8 or nested too deeply, whatever the client sends."""

    async def json(self) -> Any:
        """Return the body as data."""
        try:
            found = await super().json()
        except UnicodeDecodeError:
            raise Refusal("the body is not UTF-8", field="body", key="malformed", hint="Send JSON.") from None
        except RecursionError:
            raise too_deep() from None
        if not is_flat(found):
            raise too_deep()
        return found


def services_of(request: StrictRequest) -> Services:
    """Return the services of this process."""
    services: Services = request.app.state.services
    return services


def address_of(request: StrictRequest) -> str:
    """Return the address of the client."""
    return client_address(request.scope)


def maker_of(request: StrictRequest) -> str:
    """Return the name under which the quotas of the client are counted."""
    return services_of(request).credentials.maker(address_of(request))


def token_of(authorization: str | None) -> str | None:
    """Return the token of an `Authorization` header; raise `Forbidden` if it is no bearer token."""
    if authorization is None:
        return None
    kind, _, token = authorization.partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise Forbidden("that is no bearer token", field="Authorization", key="token")
    return token.strip()


@contextmanager
def counted_guess(request: StrictRequest) -> Iterator[None]:
    """Count the use of a code against the rate limit of guesses if the code is wrong (`Unknown`).

    Right codes do not count: forty pupils of a class may type theirs at once, from one address.
    """
    guesses, where = services_of(request).guesses, address_of(request)
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


async def make_table(request: StrictRequest, wish: NewTable, challenge: str = "") -> Seated:
    """Make a table and seat the client, within the rate limit of new tables."""
    services = services_of(request)
    services.new_tables.spend(address_of(request))
    found, token, holder = await services.creation.create(wish, maker_of(request), challenge)
    found.came(holder, address_of(request))
    return seated(found.table, token, holder)


def public_link(request: StrictRequest, path: str) -> str:
    """Return a public address of this server: of the first configured origin, else of the host that was asked."""
    origins = services_of(request).config.origins
    base = origins[0].rstrip("/") if origins else f"{request.url.scheme}://{request.url.netloc}"
    return base + path


@lru_cache(maxsize=256)
def qr_code(url: str) -> str:
    """Return a QR code as an SVG picture, black on white on any page."""
    picture = io.BytesIO()
    segno.make(url, error="m").save(picture, kind="svg", scale=4, light="#fff", xmldecl=False)
    return picture.getvalue().decode()


def fixed(request: StrictRequest, found: FixedAnswer, headers: Mapping[str, str] | None = None) -> Response[Any]:
    """Answer a request with what stays the same while the server runs."""
    return found.answer(request, compress=services_of(request).config.compression, headers=headers)


def encoded(kind: type[T], json: bytes) -> Response[T]:
    """Answer with JSON that a worker process has encoded; `kind` is the type it was encoded from."""
    return Response(cast("T", msgspec.Raw(json)))
