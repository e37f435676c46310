"""Nothing that is sent to anybody depends on what they may not know.

Two tables differ only in what one seat cannot see. Everything that seat's line carries must be the same to the byte.
"""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from preau.core.registry import find_game
from preau.core.state import NATURE
from preau.server.services import Services
from preau.table import protocol
from preau.table.messages import refused
from tests.server.fake_viewers import FakeViewer
from tests.server.running_services import FakeClock, run_with_services
from tests.server.tables_in_process import create_table


def plain(data: bytes, table: str) -> str:
    """A message without what differs between any two tables: ids, codes and times."""
    message = json.loads(data)

    def scrub(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: scrub(one)
                for key, one in value.items()
                if key not in ("time", "now", "created", "ends", "code", "n")
            }
        if isinstance(value, list):
            return [scrub(one) for one in value]
        return "TABLE" if value == table else value

    return json.dumps(scrub(message), sort_keys=True)


@pytest.mark.parametrize(("game", "seats"), [("bagarre", 3), ("cour", 3)])
def test_traffic_is_the_same_when_only_hidden_cards_differ(tmp_path, game, seats):
    """A table stands somewhere in a game; beside it stands another, in a world that looks the same to one seat."""

    async def story(services: Services, clock: FakeClock) -> None:
        compared = 0
        for seed in range(4):
            rng = random.Random(seed)
            twin = Twin(game, seats, observer=seed % seats, rng=rng)
            compared += await twin.run(services)
        assert compared > 20

    run_with_services(tmp_path, story)


class Twin:
    """Two tables in step: the true one, and one where hidden things are as another world has them."""

    def __init__(self, game: str, seats: int, observer: int, rng: random.Random) -> None:
        self.game, self.seats, self.observer, self.rng = game, seats, observer, rng

    async def run(self, services) -> int:
        """Stand the tables side by side at some point of a game and send both observers everything."""
        one = await create_table(services, self.game, self.seats)
        for _ in range(self.rng.randrange(4, 30)):
            if one.live.state.over:
                return 0
            seat = one.live.state.to_act[0]
            await services.moves.act(one, seat, self.rng.choice(one.live.state.legal(seat)).text)
        if one.live.state.over:
            return 0
        other = await create_table(services, self.game, self.seats)
        compared = 0
        sampler = find_game(self.game).sampler(one.live.state.view(self.observer))
        for _ in range(6):
            world = sampler.draw(self.rng)
            if world.to_act == (NATURE,):
                continue
            compared += await self.compare(services, one, other, world)
        return compared

    async def compare(self, services, one, other, world) -> int:
        """Everything the observer's line can be made to carry, at the true position and in the other world."""
        other.live.state = world
        for name in ("head", "time", "asked", "since", "free", "tail"):
            setattr(other.live, name, getattr(one.live, name))
        other.live.ids = dict(one.live.ids)
        lines = []
        for table in (one, other):
            viewer = FakeViewer(table.table.host, self.observer)
            await services.broadcaster.send_hello(table, viewer)
            for text in ("sing", "pass", "draw", "keep marble", "point 0", "lay T07", "throw rock", "maman yes"):
                wish = protocol.Act(id="w", at=table.live.head, action=text, seat=self.observer)
                try:
                    table.live.state.check(self.observer, text)
                except Exception as error:
                    viewer.push(protocol.encode(refused(error, wish, table.live)))  # type: ignore[arg-type]
                else:
                    viewer.push(b'{"type":"legal"}')
            table.audience.leave(viewer)
            lines.append([plain(data, table.id) for data in viewer.got])
        assert lines[0] == lines[1]
        return len(lines[0])


@pytest.mark.parametrize("game", ["bagarre", "cour"])
def test_secret_answers_look_alike_until_all_are_in(tmp_path, game):
    """Whatever a seat answers in secret, the others' lines carry the same bytes."""

    async def story(services: Services, clock: FakeClock) -> None:
        compared = 0
        for seed in range(30):
            rng = random.Random(seed)
            table = await create_table(services, game, 3)
            while not table.live.state.over:
                to_act = table.live.state.to_act
                legal = table.live.state.legal(to_act[0])
                if len(to_act) > 1 and len(legal) > 1:
                    actor = to_act[0]
                    told = []
                    for action in legal:
                        state = table.live.state.copy()
                        events = state.apply(actor, action)
                        others = [seat for seat in range(3) if seat != actor] + [None]
                        told.append(
                            [
                                protocol.encode(
                                    [
                                        [event.seen_by(seat) for event in events],
                                        state.view(seat),
                                        state.prompt(seat),
                                        list(state.to_act),
                                    ]
                                )
                                for seat in others
                            ]
                        )
                    assert all(one == told[0] for one in told)
                    compared += len(told)
                    if compared > 12:
                        return
                seat = to_act[0]
                await services.moves.act(table, seat, rng.choice(table.live.state.legal(seat)).text)
        assert compared

    run_with_services(tmp_path, story)


def test_without_or_with_a_wrong_token_one_sees_what_a_spectator_sees(server):
    from tests.server.players import ME, Api, Player, run

    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("bagarre", [ME, ME], start=True)
            other = await api.create("bagarre", [ME, ME], start=True)
            table = made["table"]["id"]
            async with Player(server.url, table) as watcher:
                assert watcher.hello["seat"] is None
                assert watcher.hello["seats"] == []
                assert watcher.hello["legal"] == []
                assert watcher.view["seat"] is None
                for seat in (0, 1):
                    await watcher.send({"type": "act", "id": f"x{seat}", "at": 0, "action": "draw", "seat": seat})
                    assert (await watcher.until("refused"))["key"] == "not_yours"
                    await watcher.send({"type": "look", "seat": seat})
                    assert (await watcher.until("refused"))["key"] == "not_yours"
            thief = Player(server.url, table, other["token"])
            try:
                await thief.open()
            except Exception:
                assert thief.traffic[-1] == {"type": "bye", "reason": "token", "again": False}
            else:
                raise AssertionError("another table's token opened a seat")
            asked = await asyncio.gather(
                *(
                    api.call("GET", f"/tables/{table}/{what}", token=other["token"])
                    for what in ("record", "replay", "replay?seat=0")
                )
            )
            assert [answer.status_code for answer in asked] == [409, 409, 409]

    run(story())
