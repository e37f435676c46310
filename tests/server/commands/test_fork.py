"""Tables that are played on from somewhere, at a real server: puzzles, challenges, other processes, a restart."""

from __future__ import annotations

import random
from typing import Any

import pytest

import preau
from preau.core.record import Record
from preau.learn.puzzles import puzzles
from tests.server.players import ME, Api, Player, bot, run, wait_until_over
from tests.server.processes import Server
from tests.server.tables_over_http import continue_game, play_game, wait_for_record

Json = dict[str, Any]


def test_bots_play_on_from_a_step_to_the_end_also_after_a_kill(tmp_path):
    own = Server(f"sqlite:///{tmp_path}/preau.db")

    async def story() -> None:
        async with Api(own.url) as api:
            origin = await play_game(api, "cour")
            made = await continue_game(api, "cour", [ME, bot("greedy"), bot()], table=origin, step=9, eyes=0)
            table = made["table"]["id"]
            async with Player(api.base, table, made["token"]) as player:
                while player.to_act != [0]:  # nothing changes while all wait for this seat
                    await player.next()
                seen = player.number, player.view
                own.kill()
            own.start()
            own.wait()
            async with Player(api.base, table, made["token"]) as player:
                assert (player.number, player.view) == seen
                await player.play_on(random.Random(5))
            record = await wait_for_record(api, table)
            assert record.start is not None
            assert record.meta["origin"] == {"kind": "table", "table": origin, "step": 9, "eyes": 0}
            again = Record.from_json(await api.ok("GET", f"/tables/{origin}/record"))
            assert again.start is None, "what is played on from stays as it was"
            replay = await api.ok("GET", f"/tables/{table}/replay?seat=0&first=0&count=1")
            assert replay["frames"][0]["view"]["seats"] == 3

    try:
        run(story())
    finally:
        own.stop()


@pytest.mark.parametrize("game", preau.game_ids())
def test_a_finished_table_is_played_on_from_a_step_to_another_end(default_server, game):
    async def story() -> None:
        async with Api(default_server.url) as api:
            # Short enough for the default rate of messages, however fast the machine plays it.
            origin = await play_game(api, game, options={"goal": 6} if game == "bagarre" else {})
            before = await api.ok("GET", f"/tables/{origin}/record")
            step = len(before["actions"]) // 5
            made = await continue_game(api, game, [ME, bot(), bot()], table=origin, step=step, eyes=0)
            table = made["table"]["id"]
            async with Player(api.base, table, made["token"]) as player:
                await player.play_on(random.Random(3))
            record = await wait_for_record(api, table)
            assert record.start is not None
            assert record.meta["origin"] == {"kind": "table", "table": origin, "step": step, "eyes": 0}
            assert await api.ok("GET", f"/tables/{origin}/record") == before

    run(story())


@pytest.mark.parametrize("game", preau.game_ids())
def test_a_puzzle_is_played_on_from_what_its_seat_knows(default_server, game):
    puzzle = puzzles(game)[0]
    true = puzzle.state()

    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await continue_game(api, game, [ME] * true.seats, puzzle=puzzle.id)
            assert made["table"]["origin"] == {"kind": "puzzle", "puzzle": puzzle.id, "eyes": puzzle.seat}
            async with Player(api.base, made["table"]["id"], made["token"], seat=puzzle.seat) as player:
                if player.number == 0:  # else chance had something to do first
                    assert player.view == preau.game(game).load(puzzle.position).view(puzzle.seat)
            for origin, field in (
                ({"puzzle": "nothing1"}, "id"),
                ({"puzzle": puzzle.id, "eyes": (puzzle.seat + 1) % true.seats}, "from.eyes"),
                ({"puzzle": puzzle.id, "step": 1}, "from.step"),
            ):
                wish = {"game": game, "seats": [ME] * true.seats, "from": origin}
                answer = await api.call("POST", "/tables", wish)
                assert answer.status_code in (400, 404)
                assert answer.json()["field"] == field

    run(story())


def test_nobody_practises_the_challenge_of_a_day_that_is_not_over(tmp_path):
    clock = tmp_path / "clock"
    clock.write_text("0")
    own = Server(f"sqlite:///{tmp_path}/preau.db", clock=clock)

    async def story() -> None:
        async with Api(own.url) as api:
            day = (await api.ok("GET", "/challenges"))["today"]
            made = await api.ok("POST", f"/challenges/cour/{day}", {"name": "Zoé"})
            table, seats = made["table"]["id"], len(made["table"]["seats"])
            async with Player(api.base, table, made["token"]) as player:
                await player.play_on(random.Random(1))
            record = await api.ok("GET", f"/tables/{table}/record")
            wish: Json = {"game": "cour", "seats": [ME] * seats}
            for origin in ({"table": table, "step": 2}, {"record": record, "step": 2}):
                answer = await api.call("POST", "/tables", {**wish, "from": origin})
                assert (answer.status_code, answer.json()["key"]) == (409, "challenge_open")
            own.stop()
            clock.write_text("86400000")
            own.start()
            own.wait()
            later = await api.ok("POST", "/tables", {**wish, "from": {"table": table, "step": 2}})
            assert "challenge" not in later["table"], "what is played on is no try"

    try:
        run(story())
    finally:
        own.stop()


def test_any_process_plays_on_from_a_game_of_the_other(pair):
    async def story() -> None:
        async with Api(pair[0].url) as here, Api(pair[1].url) as there:
            origin = await play_game(here, "bagarre")
            await wait_until_over(there, origin)
            made = await continue_game(there, "bagarre", [ME, bot(), bot()], table=origin, step=3)
            async with Player(here.base, made["table"]["id"], made["token"]) as player:
                await player.play_on(random.Random(4))
            record = await wait_for_record(there, made["table"]["id"])
            assert record.meta["origin"]["table"] == origin

    run(story())


def test_tables_that_are_played_on_count_like_any_others(tmp_path):
    from tests.server.in_process_server import InProcessServer, run_with_server

    async def story(server: InProcessServer) -> None:
        first = preau.game("recess").start(3).to_json()
        wish = {"game": "recess", "seats": [{"kind": "me"}] * 3, "from": {"position": first}}
        answers = [await server.call("POST", "/tables", wish) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]

    run_with_server(tmp_path, story, limits={"tables_per_minute": 1e-9, "tables_burst": 2})
