"""Tables and reviews of a real server, made and played through its HTTP interface and WebSockets."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import preau
from preau.core.record import Record
from tests.server.players import ME, OPEN, Api, Json, Player, bot
from tests.server.processes import Server
from tests.support import PATIENCE


async def wait_for_record(api: Api, table: str) -> Record:
    """Wait until a game is over. Return its verified record."""
    for _ in range(600):
        answer = await api.call("GET", f"/tables/{table}/record")
        if answer.status_code == 200:
            record = Record.loads(answer.text)
            record.verify()
            return record
        await asyncio.sleep(0.1)
    raise AssertionError("the game does not end")


async def play_game(api: Api, game: str, **more: Any) -> str:
    """Play a game of two bots and a player who acts at random to the end. Return the id of its table."""
    made = await api.create(game, [ME, bot(), bot()], start=True, **more)
    async with Player(api.base, made["table"]["id"], made["token"]) as player:
        await player.play_on(random.Random(2))
    return str(made["table"]["id"])


async def continue_game(api: Api, game: str, seats: list[Json], **origin: Any) -> Json:
    """Create a table that starts from the position named by `origin`."""
    made: Json = await api.ok("POST", "/tables", {"game": game, "seats": seats, "from": origin, "start": True})
    return made


async def seat_two_players(pair: list[Server], game: str, **more: Any) -> tuple[str, Player, Player]:
    """Start a table of two players, each connected to another one of two server processes."""
    one, other = pair
    async with Api(one.url) as here, Api(other.url) as there:
        made = await here.create(game, [ME, OPEN, *([bot()] if game == "recess" else [])], **more)
        table = made["table"]["id"]
        joined = await there.ok("POST", f"/tables/{table}/join", {"name": "Ana"})
        first, second = Player(one.url, table, made["token"]), Player(other.url, table, joined["token"])
        await first.open()
        await second.open()
        await here.ok("POST", f"/tables/{table}/start", token=made["token"])
        await first.until("hello")
        await second.until("hello")
        return table, first, second


def short_record(seed: int = 1) -> Record:
    """Return the record of a game of one turn, which takes little time to review."""
    return preau.play("recess", bots=["random"] * 3, options={"turns": 1}, seed=seed).record


async def wait_for_review(api: Api, path: str) -> Json:
    """Wait for a review that was asked for, and return it."""
    async with asyncio.timeout(PATIENCE):
        while (found := await api.ok("GET", path))["status"] in ("waiting", "working"):
            assert 0 <= found.get("done", 0) <= found["of"]
            await asyncio.sleep(0.05)
    return dict(found)


async def play_short_game(api: Api) -> str:
    """Play a game of one turn to the end. Return the id of its table."""
    return await play_game(api, "recess", options={"turns": 1})
