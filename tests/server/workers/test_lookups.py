"""The desk: what takes long is done beside the tables, in a fair order, once for all who ask, and given up in time."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from preau.core.errors import PreauError, SetupError
from preau.core.registry import find_game
from preau.host.refusals import TooMuch
from preau.server.services import Services
from preau.server.workers import lookups as desk_module
from preau.server.workers.lookups import LookupService, has_data
from preau.table import protocol
from preau.table.replay import replay_of
from tests.server.players import ME, Api, run
from tests.server.running_services import FakeClock, run_with_services
from tests.server.tables_in_process import create_table
from tests.server.worker_answers import desk_answers, scripted_query
from tests.support import PATIENCE

Json = dict[str, Any]
SHORT = 0.05
SECTIONS = json.loads((find_game("recess").folder / "data" / "sections.json").read_text(encoding="utf-8"))
WALL = {**SECTIONS, "sections": {**SECTIONS["sections"], "A": [".S....", "S.....", *["......"] * 4]}}


def at_a_desk(story: Callable[[LookupService], Any], most: int = 0, seconds: float = 600.0) -> None:
    async def whole() -> None:
        desk = LookupService(most, seconds, desk_answers)
        try:
            async with asyncio.timeout(PATIENCE):
                await story(desk)
        finally:
            await desk.close()

    asyncio.run(whole())


@asynccontextmanager
async def busy(desk: LookupService, folder: Path, who: str = "somebody") -> AsyncIterator[None]:
    """While the desk looks at something of somebody's."""
    pipe = folder / f"{len(list(folder.iterdir()))}"
    os.mkfifo(pipe)
    looking = asyncio.create_task(desk.ask(who, scripted_query({"wait_for": str(pipe)})))
    await asyncio.sleep(0)
    yield
    await asyncio.to_thread(pipe.write_text, "go on")
    await looking


def test_the_same_is_looked_at_once():
    async def story(desk: LookupService) -> None:
        answers = await asyncio.gather(
            *(desk.ask(f"who {number}", scripted_query({"file": 1})) for number in range(20))
        )
        answers.append(await desk.ask("later", scripted_query({"file": 1})))
        assert len({*answers}) == 1
        assert (await desk.ask("later", scripted_query({"file": 2}))).split()[1] == b"2"

    at_a_desk(story)


def test_refusals_are_kept_too():
    async def story(desk: LookupService) -> None:
        for _ in range(3):
            with pytest.raises(SetupError, match="my fault") as refused:
                await desk.ask("who", scripted_query({"mood": "fail"}))
            assert refused.value.field == "options"
        assert (await desk.ask("who", scripted_query({}))).split()[1] == b"2"

    at_a_desk(story)


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(desk_module, "MOST_BYTES", 3 * desk_module.A_REFUSAL)

    async def story(desk: LookupService) -> None:
        for file in (1, 2, 1, 3, 1, 2):
            await desk.ask("who", scripted_query({"file": file}))
        assert (await desk.ask("who", scripted_query({"file": 4}))).split()[1] == b"5", (
            "of the three files, the second twice"
        )

    at_a_desk(story)


def test_what_takes_too_long_is_given_up_and_others_are_looked_at():
    async def story(desk: LookupService) -> None:
        before = (await desk.ask("who", scripted_query({}))).split()[0]
        hanging = [asyncio.create_task(desk.ask("who", scripted_query({"mood": "hang"}))) for _ in range(3)]
        waiting = asyncio.create_task(desk.ask("other", scripted_query({"file": 1})))
        for one in hanging:
            with pytest.raises(TooMuch, match="it took more than") as refused:
                await one
            assert (refused.value.key, refused.value.params) == ("work", {"what": "replays", "seconds": 60})
        pid, count, _ = (await waiting).split()
        assert pid != before
        assert count == b"1"

    at_a_desk(story, seconds=SHORT)


def test_what_breaks_the_process_is_given_up():
    async def story(desk: LookupService) -> None:
        with pytest.raises(TooMuch, match="2 processes died of it"):
            await desk.ask("who", scripted_query({"mood": "deadly"}))
        assert await desk.ask("who", scripted_query({}))

    at_a_desk(story)


def test_an_address_has_so_many_waiting_and_takes_its_turns(tmp_path: Path):
    async def story(desk: LookupService) -> None:
        async with busy(desk, tmp_path, "greedy"):
            mine = [asyncio.create_task(desk.ask("greedy", scripted_query({"file": number}))) for number in range(2)]
            await asyncio.sleep(0)
            with pytest.raises(TooMuch, match="Too many files, replays and puzzles from this address") as refused:
                await desk.ask("greedy", scripted_query({"file": 2}))
            assert (refused.value.key, refused.value.params["what"]) == ("rate", "replays")
            same = asyncio.create_task(desk.ask("greedy", scripted_query({"file": 1})))
            stranger = asyncio.create_task(desk.ask("stranger", scripted_query({"file": 9})))
            await asyncio.sleep(0)
        order = [int((await one).split()[1]) for one in (stranger, *mine, same)]
        assert order == [2, 3, 4, 4], "the stranger is next, and the same is looked at once"
        assert await desk.ask("greedy", scripted_query({"file": 2})), "there is room again"

    at_a_desk(story, most=3)


def test_who_goes_away_takes_nobodys_answer_along(tmp_path: Path):
    async def story(desk: LookupService) -> None:
        async with busy(desk, tmp_path):
            first, second = (asyncio.create_task(desk.ask("who", scripted_query({"file": 1}))) for _ in range(2))
            await asyncio.sleep(0)
            first.cancel()
            await asyncio.wait({first})
        assert (await second).split()[1] == b"2"

    at_a_desk(story)


# In the server.


def test_only_data_go_to_the_desk():
    assert not has_data({"first": "random", "turns": 3, "sections": "standard"})
    assert has_data({"sections": SECTIONS})
    assert has_data({"first": [0]})


def new(**options: Any) -> protocol.NewTable:
    return protocol.NewTable(game="recess", seats=[protocol.SeatWish(kind="me")] * 3, options={"first": 0, **options})


def test_data_are_not_checked_where_tables_are_played(tmp_path, monkeypatch):
    async def story(services: Services, clock: FakeClock) -> None:
        game = find_game("recess")
        begun = []
        start = type(game).start

        def counted(*about: Any, **more: Any) -> Any:
            begun.append(about)
            return start(*about, **more)

        monkeypatch.setattr(type(game), "start", counted)
        table, _, _ = await services.creation.create(new(sections=SECTIONS), "maker")
        assert not begun
        await services.game_start.start(table)
        assert len(begun) == 1, "to begin the game it is read, once"
        with pytest.raises(SetupError) as here:
            start(game, 3, {"sections": WALL})
        with pytest.raises(SetupError) as there:
            await services.creation.create(new(sections=WALL), "maker")
        assert here.value.to_json() == there.value.to_json(), "in the game's own words"

    run_with_services(tmp_path, story)


def test_a_check_that_hangs_stops_nobody(tmp_path, monkeypatch):
    """Moves are made while somebody's file is looked at for ever."""
    monkeypatch.setattr(desk_module, "serve_lookups", desk_answers)

    async def story(services: Services, clock: FakeClock) -> None:
        begun = tmp_path / "begun"
        hanging = asyncio.create_task(
            services.lookups.ask("who", scripted_query({"mood": "hang", "begun": str(begun)}))
        )
        waiting = asyncio.create_task(services.creation.create(new(sections=SECTIONS), "other"))
        table = await create_table(services, "recess", 3)
        while not begun.exists():
            await asyncio.sleep(0)
        before = table.live.head
        await services.moves.act(table, 0, table.live.state.legal(0)[0].text)
        assert table.live.head > before
        assert not waiting.done()
        for task in (hanging, waiting):
            task.cancel()
        await asyncio.gather(hanging, waiting, return_exceptions=True)

    run_with_services(tmp_path, story)


def test_a_replay_is_what_it_would_be_here(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        table = await create_table(services, "bagarre", 2, options={"goal": 1})
        while not table.live.state.over:
            seat = table.live.state.to_act[0]
            await services.moves.act(table, seat, table.live.state.legal(seat)[0].text)
        record = await services.tables.record(table)
        text = await services.tables.record_text(table)
        assert text == record.dumps()
        assert await services.tables.record_text(table) is text
        for seat, first, count in ((None, 0, 5), (1, 3, 50)):
            there = await services.lookups.replay("who", text, seat, first, count)
            assert there == protocol.encode(replay_of(record, seat, first, count))
        with pytest.raises(PreauError, match="there is no such seat"):
            await services.lookups.replay("who", text, 7, 0, 5)

    run_with_services(tmp_path, story)


def test_over_http(server):
    async def story() -> None:
        async with Api(server.url) as api:
            wish = {"game": "recess", "seats": [ME] * 3, "options": {"sections": WALL, "first": 0}, "start": True}
            refused = await api.call("POST", "/tables", wish)
            assert (refused.status_code, refused.json()["error"]) == (400, "SetupError")
            assert "cannot be reached" in refused.json()["message"]
            wish["options"] = {"sections": SECTIONS, "first": 0, "turns": 1}
            made = await api.ok("POST", "/tables", wish)
            assert made["table"]["options"]["sections"] == SECTIONS

    run(story())
