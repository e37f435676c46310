"""Reviews at a server: asked for by many, worked out once, in pieces that are not lost, behind everybody else."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from functools import cache
from typing import Any

import pytest
import sqlalchemy as sa

import preau
from preau.bots.base import BotError
from preau.host.questions import AssemblyQuestion, ReviewQuestion
from preau.review.chunks import review
from preau.server.background.review_jobs import TRIES, PendingReview, in_turn
from preau.server.config import Limits
from preau.server.services import Services
from preau.server.storage import schema
from preau.server.storage.engine import make_engine
from preau.table.refusals import Unknown
from tests.server.players import ME, Api, bot, run
from tests.server.processes import Server, wait_for
from tests.server.running_services import DAY, FakeClock, run_with_services
from tests.server.tables_in_process import create_bagarre_table, play_to_end
from tests.server.tables_over_http import play_short_game, short_record, wait_for_review
from tests.support import PATIENCE

Json = dict[str, Any]


def long() -> Json:
    """A game of many pieces: there is time to do something while they are worked out."""
    return preau.play("recess", bots=["random"] * 3, options={"turns": 8}, seed=1).record.to_json()


def expected(record: Json) -> Any:
    """What a review has to say."""
    return _expected(json.dumps(record))


@cache
def _expected(record: str) -> Any:
    return json.loads(json.dumps(review(json.loads(record))))


def test_anybody_may_have_a_finished_game_reviewed_and_the_next_reader_waits_for_nothing(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            table = await play_short_game(api)
            path = f"/tables/{table}/review"
            assert (await api.call("GET", path)).json()["key"] == "no_review"
            asked = await api.ok("POST", path)
            assert asked["of"] >= 1
            found = await wait_for_review(api, path)
            record = await api.ok("GET", f"/tables/{table}/record")
            assert found["review"] == expected(record)
            assert found["done"] == found["of"]
            assert (await api.ok("POST", path)) == found
            assert (await api.ok("GET", f"/reviews/{found['id']}")) == found
            again = await api.ok("POST", "/reviews", {"record": record})
            assert again == found, "the same game, whoever brings it"

    run(story())


def test_a_record_that_is_handed_in_is_reviewed_by_what_is_in_it(server):
    async def story() -> None:
        async with Api(server.url) as api:
            record = short_record(7).to_json()
            asked = await api.ok("POST", "/reviews", {"record": {**record, "meta": {"names": ["A", "B", "C"]}}})
            found = await wait_for_review(api, f"/reviews/{asked['id']}")
            assert found["review"] == expected(record)
            assert (await api.ok("POST", "/reviews", {"record": record}))["id"] == asked["id"]
            other = await api.ok("POST", "/reviews", {"record": short_record(8).to_json()})
            assert other["id"] != asked["id"]

    run(story())


def test_what_cannot_be_reviewed_is_refused_with_a_sentence(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("bagarre", [ME, bot()], start=True)
            waiting = await api.create("bagarre", [ME, {"kind": "open"}])
            for table, key in ((made, "not_over"), (waiting, "not_begun")):
                answer = await api.call("POST", f"/tables/{table['table']['id']}/review")
                assert (answer.status_code, answer.json()["key"]) == (409, key)
            record = short_record().to_json()
            broken = short_record()
            broken.cut(2)
            for wrong, field in (
                (broken.to_json(), "actions"),
                ({**record, "rules": "0"}, "rules"),
                ({**record, "game": "chess"}, "game"),
                ({**record, "result": {}}, "result"),
                ({**record, "actions": [[0, "sing"]], "check": ""}, None),
                ({}, "format"),
            ):
                answer = await api.call("POST", "/reviews", {"record": wrong})
                assert answer.status_code in (400, 404, 409), answer.text
                assert answer.json()["message"]
                assert field is None or answer.json()["field"] == field, answer.text
            assert (await api.call("GET", "/reviews/0123456789abcdef")).status_code == 404
            assert (await api.call("GET", "/reviews/..%2f")).status_code in (400, 404)
            assert (await api.call("POST", "/tables/nosuchtable/review")).status_code == 404

    run(story())


def count_pieces(monkeypatch: pytest.MonkeyPatch, services: Services) -> Counter[str]:
    """How often each thing is worked out."""
    asked: Counter[str] = Counter()
    ask = services.workers.review

    async def counted(name: str, question: ReviewQuestion | AssemblyQuestion, seconds: float) -> Any:
        asked[str(question.piece if isinstance(question, ReviewQuestion) else "whole")] += 1
        return await ask(name, question, seconds)

    monkeypatch.setattr(services.workers, "review", counted)
    return asked


async def until_done(services: Services, name: str) -> Any:
    async with asyncio.timeout(PATIENCE):
        while (found := await services.reviews.show(name)).status in ("waiting", "working"):
            await asyncio.sleep(0.01)
    return found


def test_asked_for_by_a_thousand_at_once_it_is_worked_out_once(tmp_path, monkeypatch):
    async def story(services: Services, clock: FakeClock) -> None:
        asked = count_pieces(monkeypatch, services)
        record = short_record().to_json()
        infos = await asyncio.gather(*(services.reviews.ask(record, f"address {n % 7}") for n in range(1_000)))
        assert len({info.id for info in infos}) == 1
        found = await until_done(services, infos[0].id)
        assert found.status == "done"
        assert set(asked.values()) == {1}
        assert len(asked) == found.of + 1

    run_with_services(tmp_path, story, review_steps_back=0)


def test_a_piece_that_fails_is_tried_again_and_then_given_up_until_somebody_asks_again(tmp_path, monkeypatch):
    async def story(services: Services, clock: FakeClock) -> None:
        ask = services.workers.review
        fails = 0

        async def fail(name: str, question: ReviewQuestion | AssemblyQuestion, seconds: float) -> Any:
            nonlocal fails
            fails += 1
            if fails not in (TRIES, TRIES + 1):  # one piece at its last try, and none after that
                raise BotError("it broke down")
            return await ask(name, question, seconds)

        monkeypatch.setattr(services.workers, "review", fail)
        record = preau.play("recess", bots=["random"] * 3, options={"turns": 2}, seed=1).record.to_json()
        asked = await services.reviews.ask(record, "here")
        assert asked.of > 2
        found = await until_done(services, asked.id)
        assert (found.status, fails) == ("failed", TRIES + 1 + TRIES)
        monkeypatch.setattr(services.workers, "review", ask)
        again = await services.reviews.ask(record, "there")
        assert again.done == 2, "what was found stays"
        assert (await until_done(services, asked.id)).status == "done"

    run_with_services(tmp_path, story, review_steps_back=0)


def test_turns_go_round_and_so_many_may_wait(tmp_path, monkeypatch):
    names = [("a1", "a"), ("a2", "a"), ("b1", "b"), ("a3", "a"), ("c1", "c"), ("b2", "b")]
    waiting = [PendingReview(name, maker, 0) for name, maker in names]
    assert [one.id for one in in_turn(waiting)] == ["a1", "b1", "c1", "a2", "b2", "a3"]

    async def story(services: Services, clock: FakeClock) -> None:
        await services.reviews.close()  # nothing is worked on
        for seed in range(2):
            clock.ms += 1
            assert (await services.reviews.ask(short_record(seed).to_json(), "here")).place == seed
        clock.ms += 1
        with pytest.raises(ValueError, match="wait") as refused:
            await services.reviews.ask(short_record(2).to_json(), "here")
        assert refused.value.key == "reviews_waiting"  # type: ignore[attr-defined]
        assert (await services.reviews.ask(short_record(3).to_json(), "there")).place == 1, (
            "before the second of another"
        )
        assert (await services.reviews.ask(short_record(0).to_json(), "there")).place == 0, "it waits already"
        with pytest.raises(ValueError, match="wait") as refused:
            await services.reviews.ask(short_record(4).to_json(), "elsewhere")
        assert refused.value.key == "reviews_full"  # type: ignore[attr-defined]

    run_with_services(tmp_path, story, limits=Limits(reviews_per_address=2, reviews_waiting=3))


def test_reviews_go_with_their_tables_and_those_of_files_after_some_weeks(tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        await services.reviews.close()  # nothing is worked on
        keeper = services.retention
        table = await create_bagarre_table(services, start=True)
        with pytest.raises(ValueError, match="not over"):
            await services.reviews.ask_at_table(table, "here")
        await play_to_end(services, table)
        own = await services.reviews.ask_at_table(table, "here")
        file = await services.reviews.ask(short_record().to_json(), "here")
        clock.ms += 31 * DAY
        await keeper.tidy()
        with pytest.raises(Unknown):
            await services.reviews.show(file.id)
        assert (await services.reviews.at_table(table)).id == own.id
        clock.ms += 340 * DAY
        assert await keeper.tidy() == 1
        with pytest.raises(Unknown):
            await services.reviews.show(own.id)

    run_with_services(tmp_path, story)


def pieces(database: str) -> tuple[int, int]:
    """How many pieces are kept, and how many reviews are done."""
    engine = make_engine(sa.engine.make_url(database))
    try:
        with engine.connect() as connection:
            some = sa.select(sa.func.count()).select_from(schema.review_pieces)
            whole = sa.select(sa.func.count()).select_from(schema.reviews).where(schema.reviews.c.status == "done")
            return connection.execute(some).scalar_one(), connection.execute(whole).scalar_one()
    finally:
        engine.dispose()


def test_a_kill_in_the_middle_loses_a_piece_at_most(tmp_path):
    database = f"sqlite:///{tmp_path}/preau.db"
    own = Server(database)
    record = long()

    async def story() -> None:
        async with Api(own.url) as api:
            asked = await api.ok("POST", "/reviews", {"record": record})
            await asyncio.to_thread(wait_for, lambda: pieces(database)[0])
            own.kill()
            kept, whole = pieces(database)
            assert kept >= 1
            assert not whole
            own.start()
            own.wait()
            assert (await api.ok("GET", f"/reviews/{asked['id']}"))["done"] >= kept
            assert (await wait_for_review(api, f"/reviews/{asked['id']}"))["review"] == expected(record)
            assert pieces(database) == (0, 1)

    try:
        run(story())
    finally:
        own.stop()


def test_two_processes_work_one_review_out_once_and_one_goes_on_where_the_other_died(postgres, redis):
    database = postgres.new_database()
    both = [Server(database, redis.url) for _ in range(2)]
    record = long()

    async def story() -> None:
        async with Api(both[0].url) as here, Api(both[1].url) as there:
            asked = await asyncio.gather(*(api.ok("POST", "/reviews", {"record": record}) for api in (here, there) * 4))
            assert len({one["id"] for one in asked}) == 1
            await asyncio.to_thread(wait_for, lambda: pieces(database)[0])
            both[0].kill()
            path = f"/reviews/{asked[0]['id']}"
            assert (await wait_for_review(there, path))["review"] == expected(record)

    try:
        run(story())
    finally:
        for one in both:
            one.stop()
