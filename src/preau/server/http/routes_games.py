"""Routes of the games on offer: what they are called, their pictures, rules, texts and boxes.

These answers stay the same while the server runs, so each is encoded and compressed once (`fixed_answers`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from litestar import Response, get
from litestar.params import FromPath
from litestar.status_codes import HTTP_304_NOT_MODIFIED

from ...core.game import Game
from ...core.registry import find_game
from ...host.catalogue import gallery_of, known_language, rules_of, texts_of
from ...table import protocol
from ...table.refusals import Unknown
from .fixed_answers import FIXED, FixedAnswer
from .requests import StrictRequest, fixed, maker_of, services_of
from .static_files import FOR_EVER


@get("/games", opt={FIXED: True})
async def games(request: StrictRequest) -> Response[list[protocol.GameInfo]]:
    """Return the games on offer, with all that is needed to offer them."""
    catalogue: Callable[[], FixedAnswer] = request.app.state.catalogue
    return fixed(request, catalogue())


@get("/games/{name:str}/picture", opt={FIXED: True})
async def picture(request: StrictRequest, name: FromPath[str]) -> Response[bytes]:
    """Return the picture of a game. It is an SVG file of a stranger: the headers keep its scripts from running."""
    found = _picture(find_game(name))
    if found is None:
        raise Unknown("this game brings no picture along", field="game")
    headers = {"content-security-policy": "default-src 'none'; sandbox", "cache-control": FOR_EVER}
    return fixed(request, found, headers)


@cache
def _picture(game: Game) -> FixedAnswer | None:
    return FixedAnswer(game.picture.read_bytes(), "image/svg+xml") if game.picture is not None else None


@get("/games/{name:str}/rules/{language:str}", opt={FIXED: True})
async def rules(request: StrictRequest, name: FromPath[str], language: FromPath[str]) -> Response[protocol.RuleTexts]:
    """Return the rules of a game by id."""
    return fixed(request, _rules(find_game(name), known_language(language)))


@cache
def _rules(game: Game, language: str) -> FixedAnswer:
    return FixedAnswer(protocol.encode(rules_of(game.id, language)))


@get("/games/{name:str}/texts/{language:str}", opt={FIXED: True})
async def texts(request: StrictRequest, name: FromPath[str], language: FromPath[str]) -> Response[protocol.GameTexts]:
    """Return all messages of a game: events, prompts, reasons, rules, names of things."""
    return fixed(request, _texts(find_game(name), known_language(language)))


@cache
def _texts(game: Game, language: str) -> FixedAnswer:
    return FixedAnswer(protocol.encode(texts_of(game.id, language)))


@get("/games/{name:str}/book", opt={FIXED: True})
async def book(request: StrictRequest, name: FromPath[str]) -> Response[protocol.Book]:
    """Return the pictures of a game's rule book."""
    maker = maker_of(request)
    return fixed(request, _book(await services_of(request).lookups.book(maker, find_game(name).id)))


@lru_cache(maxsize=32)
def _book(encoded: bytes) -> FixedAnswer:
    return FixedAnswer(encoded)


@get("/games/{name:str}/gallery", opt={FIXED: True})
async def gallery(request: StrictRequest, name: FromPath[str]) -> Response[protocol.Gallery]:
    """Return everything in a game's box. Browsers may cache it if they ask each time whether it is still the same."""
    found = _gallery(find_game(name))
    if found is None:
        raise Unknown("this game shows no gallery", field="game", hint="GET /api/games says which do.")
    headers = {"cache-control": "no-cache", "etag": found.etag}
    if found.etag in request.headers.get("if-none-match", ""):
        return Response(None, status_code=HTTP_304_NOT_MODIFIED, headers=headers)  # type: ignore[arg-type]
    return fixed(request, found, headers)


@cache
def _gallery(game: Game) -> FixedAnswer | None:
    found = gallery_of(game)
    return FixedAnswer(protocol.encode(found)) if found is not None else None


ROUTES = [games, picture, rules, texts, book, gallery]
