"""Routes for learning a game: published studies, exercises of lessons, puzzles, daily challenges."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody, PathParameter
from litestar.status_codes import HTTP_200_OK

from ...core.game import Game
from ...core.registry import find_game
from ...host.catalogue import known_language
from ...host.learning import exercised
from ...host.learning import listed as listed_puzzles
from ...table import protocol
from .fixed_answers import FIXED, FixedAnswer
from .requests import StrictRequest, encoded, fixed, make_table, maker_of, services_of
from .studies import published

FOR_TEN_MINUTES = "public, max-age=600"
"""How browsers cache the puzzles and studies, which change only when the server restarts."""

Day = Annotated[str, PathParameter(max_length=10)]


@get("/studies/{language:str}", opt={FIXED: True})
async def studies(request: StrictRequest, language: FromPath[str]) -> Response[list[protocol.StudyInfo]]:
    """Return the published studies: how the rules work out in many games between bots."""
    return fixed(request, _studies(known_language(language)), {"cache-control": FOR_TEN_MINUTES})


@cache
def _studies(language: str) -> FixedAnswer:
    return FixedAnswer(protocol.encode(published(language)))


@post("/practice", status_code=HTTP_200_OK)
async def practice(data: JSONBody[protocol.Practice]) -> protocol.Practised:
    """Return how an exercise of a game's lesson stands after the actions of the learner."""
    return exercised(data.game, data.exercise, data.actions)


@get("/games/{name:str}/puzzles", opt={FIXED: True})
async def puzzles(request: StrictRequest, name: FromPath[str]) -> Response[list[protocol.PuzzleInfo]]:
    """Return the puzzles of a game without their solutions; none, if it has none."""
    return fixed(request, _puzzles(find_game(name)), {"cache-control": FOR_TEN_MINUTES})


@cache
def _puzzles(game: Game) -> FixedAnswer:
    return FixedAnswer(protocol.encode(listed_puzzles(game.id)))


@post("/puzzle", status_code=HTTP_200_OK)
async def puzzle(request: StrictRequest, data: JSONBody[protocol.Puzzling]) -> Response[protocol.Practised]:
    """Return how a puzzle stands after the actions of the solver; with a hint or the solution if the body asks so."""
    return encoded(protocol.Practised, await services_of(request).lookups.puzzle(maker_of(request), data))


@get("/challenges")
async def challenges(request: StrictRequest) -> protocol.Challenges:
    """Return which day it is for challenges, and which games have one."""
    return services_of(request).daily_challenges.about()


@get("/challenges/{name:str}/{day:str}")
async def challenge(request: StrictRequest, name: FromPath[str], day: Day) -> protocol.Challenge:
    """Return the challenge of a game on a day that has begun; with its key once the day is over."""
    return services_of(request).daily_challenges.show(name, day)


@post("/challenges/{name:str}/{day:str}")
async def try_challenge(
    request: StrictRequest, name: FromPath[str], day: Day, data: JSONBody[protocol.TryChallenge]
) -> protocol.Seated:
    """Make a table with bots for the challenge of a day, and start it at once."""
    wish = services_of(request).daily_challenges.wish(name, day, data.name)
    return await make_table(request, wish, day)


ROUTES = [studies, practice, puzzles, puzzle, challenges, challenge, try_challenge]
