"""Two whole tables that differ only in hidden cards: everything a stranger gets from the server is the same.

A game is written down beforehand, and written down again with two hidden cards exchanged. Both are played through the
server, over HTTP and sockets, until the cards are about to show. What a spectator's line carries, what a line with a
wrong token carries, what the line of a seat that holds neither card carries, and every HTTP answer to one who tries
whatever may be tried, must be the same to the byte: contents, order and length. Only the tables' ids and codes, drawn
anew for every table, are replaced, by others of the same length.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import deque
from typing import Any

import httpx
import pytest

from preau.core.registry import find_game
from preau.core.state import NATURE, Action, State, pick
from preau.server.config import Config
from preau.server.http.security import SecurityMiddleware
from preau.server.services import Services
from preau.table import chance
from tests.server.processes import OFF
from tests.server.running_services import FakeClock
from tests.server.server_driver import SocketViewer, guarded_app

Rows = list[tuple[int, str]]
Json = dict[str, Any]

SEATS = 3
STRANGER = "s" * 32


def names(text: str) -> set[str]:
    return set(text.split())


def write_down(game: str, hidden: tuple[str, str], avoid: tuple[str, ...], seed: int) -> tuple[Rows, Rows]:
    """A game until one of two hidden cards is about to show, and the same with the two exchanged.

    Seat 0 is dealt the first card, seat 1 the other. Nobody plays either, nor what is to be avoided.
    """
    never = {*hidden, *avoid}
    rng = random.Random(seed)
    state = find_game(game).start(SEATS, {"first": 0})
    rows: Rows = []
    dealt = 0
    while not state.over:
        if state.to_act == (NATURE,):
            actor, outcomes = NATURE, state.outcomes()
            fixed = [one for one in outcomes if dealt < 2 and names(one[0].text) >= {str(dealt), hidden[dealt]}]
            free = [one for one in outcomes if not names(one[0].text) & set(hidden[dealt:])]
            action = pick(fixed or free or outcomes, rng)
            dealt += bool(fixed)
        else:
            actor = rng.choice(state.to_act)
            quiet = [action for action in state.legal(actor) if not names(action.text) & never]
            if not quiet:
                break
            action = rng.choice(quiet)
        state.apply(actor, action)
        rows.append((actor, action.text))
    assert dealt == 2
    if state.over:  # the end shows everything
        del rows[max(at for at, (actor, _) in enumerate(rows) if actor != NATURE) :]
    return rows, [(actor, exchange(text, *hidden)) for actor, text in rows]


def exchange(text: str, one: str, other: str) -> str:
    swap = {one: other, other: one}
    return " ".join(swap.get(word, word) for word in text.split())


async def enter(app: Any, table: str, **wish: Any) -> SocketViewer:
    line = SocketViewer(app, table, **wish)
    await line.wait_for_answers()
    return line


def try_everything(line: SocketViewer, number: int) -> None:
    """What somebody without a seat may send to learn more than they should."""
    for seat in range(SEATS):
        for action in ("draw", "lay T01", "discard T02", "place F3", "keep marble", "point 1", "throw rock"):
            line.post(type="act", id="x", at=number, action=action, seat=seat)
        line.post(type="undo", at=number, seat=seat)
        line.post(type="agree", at=number, yes=True, seat=seat)
        line.post(type="look", seat=seat)
    line.post(type="act", id="x", at=number, action="draw")
    line.post(type="resync")
    line.post(type="resync", last=number // 2)
    line.post(type="say", text="what do you hold?")


async def knock(client: httpx.AsyncClient, table: str) -> list[str]:
    """Every HTTP request somebody without a seat may try, with no token and with a wrong one."""
    requests: list[tuple[str, str, Json | None]] = [
        ("GET", "", None),
        ("GET", "/record", None),
        ("GET", "/replay", None),
        *(("GET", f"/replay?seat={seat}", None) for seat in range(SEATS)),
        ("POST", "/join", {"name": "x"}),
        ("POST", "/leave", None),
        ("POST", "/start", None),
        ("POST", "/rematch", None),
        ("POST", "/move", None),
        ("POST", "/swap", {"one": 0, "other": 1}),
        *(("PUT", f"/seats/{seat}", {"kind": kind}) for seat in range(SEATS) for kind in ("bot", "back", "open")),
        ("DELETE", "/token", None),
    ]
    got = []
    for headers in ({}, {"Authorization": f"Bearer {STRANGER}"}):
        for method, path, body in requests:
            answer = await client.request(method, f"/api/tables/{table}{path}", json=body, headers=headers)
            got.append(f"{method} {path} {answer.status_code} {sorted(answer.headers.items())} {answer.text}")
    return got


async def play(
    services: Services, app: SecurityMiddleware, game: str, rows: Rows, monkeypatch: Any
) -> dict[str, list[str]]:
    """Play the rows at a table of three people and return what everybody was sent."""
    script = deque(rows)

    def draw(state: State, delays: Any) -> Action:
        if script and script[0][0] != NATURE:
            raise AssertionError("chance has nothing to do here")
        return state.check(NATURE, script.popleft()[1])

    monkeypatch.setattr(chance, "draw", draw)
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", trust_env=False) as client:
        client.headers["accept-encoding"] = "identity"  # ids of the same length may be packed to different ones
        wish = {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}], "options": {"first": 0}}
        made = (await client.post("/api/tables", json=wish)).json()
        table, code = made["table"]["id"], made["table"]["code"]
        tokens = [made["token"]]
        for _ in range(2):
            tokens.append((await client.post(f"/api/tables/{table}/join", json={"name": "x"})).json()["token"])
        lines = {
            "holder": await enter(app, table, token=tokens[0]),
            "neighbour": await enter(app, table, token=tokens[2]),
            "spectator": await enter(app, table),
        }
        thieves = [await enter(app, table, token=STRANGER, seat=seat) for seat in range(SEATS)]
        started = await client.post(f"/api/tables/{table}/start", headers={"Authorization": f"Bearer {tokens[0]}"})
        assert started.status_code == 200
        here = await services.tables.get(table)
        answers = []
        while script:
            actor, text = script.popleft()
            if len(script) % 10 == 0:
                try_everything(lines["spectator"], here.live.head)  # type: ignore[union-attr]
                answers += await knock(client, table)
                thieves.append(await enter(app, table, token=STRANGER, seat=len(thieves) % SEATS))
            for line in lines.values():
                await line.wait_for_answers()
            await services.moves.act(here, actor, text)
        for line in lines.values():
            await line.wait_for_answers()
        late = await enter(app, table)
        found = {name: line.got for name, line in lines.items()}
        found["latecomer"] = late.got
        found["thieves"] = [message for line in thieves for message in line.got]
        found["http"] = answers
        for line in (*lines.values(), late):
            await line.disconnect()
    alike = re.compile(f"{table}|{code}")
    return {name: [alike.sub(lambda hit: "x" * len(hit[0]), message) for message in got] for name, got in found.items()}


HANDED_ROUND = ("cloche", "echange")
"""Cards that bring one seat's cards into another's hand."""


@pytest.mark.parametrize(
    ("game", "hidden", "avoid", "seed"),
    [
        ("bagarre", ("T05", "T20"), (), 1),
        ("bagarre", ("T12", "maman"), HANDED_ROUND, 2),
        ("cour", ("boss", "lucky"), (), 3),
    ],
)
def test_strangers_get_the_same_bytes_whatever_is_hidden(tmp_path, monkeypatch, game, hidden, avoid, seed):
    one, other = write_down(game, hidden, avoid, seed)
    assert one != other

    async def story() -> None:
        # Without limits: both tables are played faster than people do, and how fast is not what is compared.
        config = Config(database=f"sqlite:///{tmp_path}/preau.db", limits=OFF, sweep_ms=3_600_000)
        services = Services(config, FakeClock())
        services.clock = lambda: 0.0  # since when somebody is away is the same at both
        app = guarded_app(services)
        await services.open()
        try:
            first = await play(services, app, game, one, monkeypatch)
            second = await play(services, app, game, other, monkeypatch)
        finally:
            await services.close()
        neighbour = () if game == "bagarre" and not avoid else ("neighbour",)
        for eyes in ("spectator", "latecomer", "thieves", "http", *neighbour):
            assert first[eyes] == second[eyes], eyes
        assert first["holder"] != second["holder"], "the hidden cards do differ"
        steps = [message for message in first["spectator"] if r"\"type\":\"step\"" in message]
        assert len(steps) == sum(actor != NATURE for actor, _ in one)
        assert len(steps) >= 20
        assert len(first["thieves"]) >= 6
        assert not any(" 200 " in answer[:40] for answer in first["http"] if "record" in answer or "replay" in answer)

    asyncio.run(story())
