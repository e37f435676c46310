"""Tables: making, joining, leaving, bots sitting in, other devices, rematches."""

from __future__ import annotations

import asyncio
import random

import pytest

from preau.bots import play
from preau.core.state import NATURE
from preau.table.replay import replay_of
from tests.server.players import ME, OPEN, Api, Player, bot, run
from tests.server.processes import Server
from tests.server.tables_over_http import wait_for_record


def test_games_rules_and_texts_are_there(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            games = {game["id"]: game for game in await api.ok("GET", "/games")}
            assert games["recess"]["seats"] == [3, 4, 5]
            assert {"random", "greedy"} <= set(games["recess"]["bots"])
            for option in games["recess"]["options"]:
                assert option["about"]["fr"]
                assert option["about"]["en"]
            rules = await api.ok("GET", "/games/recess/rules/fr")
            assert "R38" in rules["rules"]
            texts = await api.ok("GET", "/games/recess/texts/en")
            assert any(key.startswith("prompt.") for key in texts["messages"])
            assert (await api.call("GET", "/games/recess/rules/de")).status_code == 404
            assert (await api.call("GET", "/games/ludo/rules/en")).status_code == 400

    run(story())


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"game": "ludo", "seats": [ME]}, "game"),
        ({"game": "recess", "seats": [ME, ME]}, "seats"),
        ({"game": "recess", "seats": [ME, ME, bot("genius")]}, "bot"),
        ({"game": "recess", "seats": [ME, ME, bot("my_bot")]}, "bot"),
        ({"game": "recess", "seats": [ME, ME, ME], "options": {"turns": 0}}, "option turns"),
        ({"game": "recess", "seats": [ME, ME, ME], "options": {"moons": 1}}, "options"),
        ({"game": "recess", "seats": [ME, ME, OPEN], "start": True}, "start"),
        ({"game": "recess", "seats": [ME, ME, ME], "timer": {"kind": "days", "amount": 400}}, "timer.amount"),
    ],
)
def test_a_wrong_wish_is_refused_in_words(server, wish, field):
    async def story() -> None:
        async with Api(server.url) as api:
            answer = await api.call("POST", "/tables", wish)
            assert answer.status_code == 400
            problem = answer.json()
            assert problem["field"] == field
            assert problem["message"].endswith(".")

    run(story())


def test_who_begins_is_drawn_unless_it_is_asked_for(server):
    async def story() -> None:
        async with Api(server.url) as api:
            began = set()
            for _ in range(40):
                made = await api.ok("POST", "/tables", {"game": "recess", "seats": [ME, ME, ME], "start": True})
                began.add(made["table"]["options"]["first"])
            assert began == {0, 1, 2}

    run(story())


async def watched_game(server: Server, api: Api, game: str, seats: int, rng: random.Random) -> set[tuple[int, ...]]:
    """Whoever was asked together, all through a game; at every step the table's address says the same."""
    made = await api.create(game, [ME] * seats, visibility="listed")
    table = made["table"]["id"]
    assert (await api.ok("GET", f"/tables/{table}"))["to_act"] == []
    await api.ok("POST", f"/tables/{table}/start", token=made["token"])
    assert "to_act" not in next(one for one in await api.ok("GET", "/tables") if one["id"] == table)
    asked = set()
    async with Player(server.url, table) as watcher:
        players = [Player(server.url, table, made["token"], seat) for seat in range(seats)]
        for player in players:
            await player.open()
        while watcher.result is None:
            asked.add(tuple(watcher.to_act))
            assert (await api.ok("GET", f"/tables/{table}"))["to_act"] == watcher.to_act
            actor = rng.choice(watcher.to_act)
            await players[actor].act(rng.choice(players[actor].legal))
            for one in (watcher, *players):
                while one.number < players[actor].number:
                    await one.next()
    over = await api.ok("GET", f"/tables/{table}")
    assert (over["status"], over["to_act"]) == ("over", [])
    return asked


@pytest.mark.parametrize(("game", "seats"), [("recess", 3), ("bagarre", 3), ("cour", 3)])
def test_a_table_tells_who_is_to_act_as_spectators_see_it(server, game, seats):
    async def story() -> None:
        rng = random.Random(3)
        async with Api(server.url) as api:
            for _ in range(6):  # in one game of La grande bagarre in fifty nobody fights: nobody is asked with others
                asked = await watched_game(server, api, game, seats, rng)
                assert {(seat,) for seat in range(seats)} <= asked
                if any(len(seats) > 1 for seats in asked):
                    assert game != "recess"
                    return
                if game == "recess":
                    return
        raise AssertionError("nobody is ever asked with others")

    run(story())


def test_names_are_cleaned(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [{"kind": "me", "name": " Z\u202eoé\n "}, OPEN, OPEN])
            assert made["table"]["seats"][0]["name"] == "Zoé"

    run(story())


def test_joining_filling_swapping_and_starting(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, OPEN, OPEN, OPEN], visibility="listed")
            table, host = made["table"]["id"], made["token"]
            assert table in [one["id"] for one in await api.ok("GET", "/tables")]
            guest = await api.ok("POST", f"/tables/{table}/join", {"name": "Guest", "seat": 2})
            assert guest["seats"] == [2]
            assert (await api.call("POST", f"/tables/{table}/join", {"name": "x", "seat": 2})).status_code == 409
            more = await api.ok("POST", f"/tables/{table}/join", {"name": "Guest's sister"}, guest["token"])
            assert (more["seats"], more["token"]) == ([1, 2], guest["token"])
            assert (await api.call("POST", f"/tables/{table}/start", token=host)).json()["key"] == "open_seat"
            assert (await api.call("POST", f"/tables/{table}/start", token=guest["token"])).status_code == 403
            not_host = await api.call("PUT", f"/tables/{table}/seats/3", {"kind": "bot"}, guest["token"])
            assert not_host.status_code == 403
            await api.ok("PUT", f"/tables/{table}/seats/3", {"kind": "bot", "level": "random"}, host)
            swapped = await api.ok("POST", f"/tables/{table}/swap", {"one": 0, "other": 3}, host)
            assert [seat["kind"] for seat in swapped["seats"]] == ["bot", "person", "person", "person"]
            begun = await api.ok("POST", f"/tables/{table}/start", token=host)
            assert begun["status"] == "playing"
            assert (await api.call("POST", f"/tables/{table}/start", token=host)).status_code == 409
            assert (await api.call("GET", f"/tables/{table}/record")).status_code == 409

    run(story())


def test_leaving_opens_the_seat_and_a_bot_plays_on(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, OPEN, bot()], options={"turns": 9})
            table = made["table"]["id"]
            guest = await api.ok("POST", f"/tables/{table}/join", {"name": "Guest"})
            await api.ok("POST", f"/tables/{table}/start", token=made["token"])
            async with Player(default_server.url, table, made["token"]) as player:
                await api.ok("POST", f"/tables/{table}/leave", token=guest["token"])
                while (await player.until("table"))["table"]["seats"][1]["kind"] != "open":
                    pass
                gone = await api.call("POST", f"/tables/{table}/leave", token=guest["token"])
                assert gone.status_code == 403
                await player.play_on(random.Random(1))
            await wait_for_record(api, table)

    run(story())


def test_somebody_new_takes_a_deserted_seat(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, ME, bot()], start=True)
            table = made["table"]["id"]
            await api.ok("POST", f"/tables/{table}/leave", token=made["token"])
            new = await api.ok("POST", f"/tables/{table}/join", {"name": "New", "seat": 1})
            assert new["seats"] == [1]
            async with Player(default_server.url, table, new["token"]) as player:
                assert player.hello["seat"] == 1

    run(story())


def test_a_deserted_seat_is_played_after_the_grace_period(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/preau.db", grace_ms=400, sweep_ms=100, stand_in="random")

    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, OPEN, bot()], options={"turns": 6})
            table = made["table"]["id"]
            await api.ok("POST", f"/tables/{table}/join", {"name": "Ghost"})
            await api.ok("POST", f"/tables/{table}/start", token=made["token"])
            async with Player(server.url, table, made["token"]) as player:
                await player.play_on(random.Random(2))
                assert player.result is not None

    try:
        run(story())
    finally:
        server.stop()


def test_moving_to_another_device_ends_the_old_token(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, ME, bot()], start=True)
            table = made["table"]["id"]
            async with Player(default_server.url, table, made["token"]) as old:
                link = await api.ok("POST", f"/tables/{table}/move", token=made["token"])
                assert link["url"].endswith("/move#" + link["code"])
                assert link["qr"].startswith("<svg")
                moved = await api.ok("POST", "/move", {"code": link["code"]})
                assert moved["seats"] == [0, 1]
                assert moved["host"] is True
                assert (await old.until("bye"))["reason"] == "moved"
            assert (await api.call("POST", "/move", {"code": link["code"]})).status_code == 404
            assert (await api.call("POST", f"/tables/{table}/move", token=made["token"])).status_code == 403
            async with Player(default_server.url, table, moved["token"]) as new:
                assert new.hello["seats"] == [0, 1]
                assert new.legal

    run(story())


def test_a_rematch_keeps_seats_and_tokens(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], options={"turns": 3}, start=True)
            table, token = made["table"]["id"], made["token"]
            early = await api.call("POST", f"/tables/{table}/rematch", token=token)
            assert early.json()["key"] == "not_over"
            async with Player(default_server.url, table, token) as player:
                await player.play_on(random.Random(3))
                both = await asyncio.gather(
                    *(api.ok("POST", f"/tables/{table}/rematch", token=token) for _ in range(2))
                )
                assert both[0] == both[1]
                while not (message := await player.until("table"))["table"].get("rematch"):
                    pass
                assert message["table"]["rematch"] == both[0]["id"]
            async with Player(default_server.url, both[0]["id"], token) as again:
                assert again.hello["table"]["options"]["turns"] == 3
                assert again.hello["host"] is True
                await again.play_on(random.Random(4))

    run(story())


def test_pass_and_play_on_one_line(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("cour", [ME, ME], start=True)
            rng = random.Random(5)
            async with Player(server.url, made["table"]["id"], made["token"]) as player:
                assert player.hello["seats"] == [0, 1]
                while player.result is None:
                    seat = player.to_act[0]
                    if player.hello["seat"] != seat:
                        await player.send({"type": "look", "seat": seat})
                        await player.until("hello")
                        assert player.hello["view"]["seat"] == seat
                    assert player.legal
                    await player.act(rng.choice(player.legal))
                await player.send({"type": "look", "seat": 7})
                assert (await player.until("refused"))["key"] == "not_yours"

    run(story())


def test_a_replay_through_a_seats_eyes(default_server):
    async def story() -> None:
        async with Api(default_server.url) as api:
            made = await api.create("bagarre", [bot(), bot()], start=True)
            table = made["table"]["id"]
            record = await wait_for_record(api, table)
            replay = await api.ok("GET", f"/tables/{table}/replay?seat=1&first=0&count=5")
            assert [frame["number"] for frame in replay["frames"]] == list(range(5))
            assert replay["frames"][1]["view"]["seat"] == 1
            last = await api.ok("GET", f"/tables/{table}/replay?first={replay['total'] - 1}&count=5")
            assert len(last["frames"]) == 1
            assert last["frames"][0]["view"] == record.replay().view(None)
            assert (await api.call("GET", f"/tables/{table}/replay?seat=9")).status_code == 404

    run(story())


@pytest.mark.parametrize("game", ["recess", "bagarre"])
def test_a_replay_begins_at_the_start(game):
    """Step 0 is the first position, whether or not chance had anything to do there; then a step for each decision."""
    match = play(game, ["random"] * 3, seed=3, options={"turns": 5} if game == "recess" else None)
    state = match.record.start_state()
    decisions = [entry for entry in match.record.entries if entry.actor != NATURE]
    replay = replay_of(match.record, 0, 0, 2)
    assert replay.total == 1 + len(decisions)
    for entry in match.record.entries:
        if entry.actor != NATURE:
            break
        state.apply(entry.actor, entry.text)
    assert replay.frames[0].view == state.view(0)
    assert (replay.frames[0].actor, replay.frames[0].action) == (NATURE, "")
    assert (replay.frames[1].actor, replay.frames[1].action) == (decisions[0].actor, decisions[0].text)
    for first in (0, 3, len(decisions)):
        part = replay_of(match.record, None, first, 4).frames
        assert [frame.number for frame in part] == list(range(first, min(first + 4, replay.total)))
        assert all(frame.view for frame in part)


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour"])
def test_a_replay_names_the_turns(game):
    """Each with the step that begins it, as everybody sees it; told once, with the beginning."""
    match = play(game, ["random"] * 3, seed=3, options={"turns": 5} if game == "recess" else None)
    whole = replay_of(match.record, 1, 0, 10_000)
    begun = [(frame.number, event) for frame in whole.frames for event in frame.events if event["key"] == "turn"]
    assert [(turn.number, turn.event) for turn in whole.turns] == begun
    assert all(turn.seat == turn.event["seat"] for turn in whole.turns)
    assert len(begun) >= 4
    assert replay_of(match.record, 1, 1, 5).turns == []


def test_a_game_without_turns_has_steps_to_jump_to(monkeypatch):
    monkeypatch.setattr("preau.table.replay.TURN", "never")
    match = play("bagarre", ["random"] * 2, seed=3)
    whole = replay_of(match.record, None, 0, 10_000)
    assert [(turn.number, turn.seat, turn.event) for turn in whole.turns] == [
        (frame.number, frame.actor, {}) for frame in whole.frames[1:]
    ]


def test_names_and_lines_of_nothing_visible(server):
    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [{"kind": "me", "name": "\u202e \u200b"}, OPEN, bot()])
            assert "name" not in made["table"]["seats"][0]  # nothing to show: the page finds a name
            table = made["table"]["id"]
            joined = await api.ok("POST", f"/tables/{table}/join", {"name": "\u0007"})
            assert "name" not in joined["table"]["seats"][1]
            async with Player(server.url, table, made["token"]) as player:
                await player.send({"type": "say", "text": "\u200b "})
                assert (await player.until("refused"))["key"] == "malformed"

    run(story())


@pytest.mark.parametrize("level", ["hard@9999999", "./bot.py", "package.module:Bot", "HARD"])
def test_a_level_is_a_word_and_never_a_program(server, level):
    async def story() -> None:
        async with Api(server.url) as api:
            answer = await api.call("POST", "/tables", {"game": "recess", "seats": [ME, ME, bot(level)]})
            assert answer.status_code == 400

    run(story())


def test_every_bot_that_ships_can_take_a_seat(server):
    async def story() -> None:
        async with Api(server.url) as api:
            levels = (await api.ok("GET", "/games"))[0]["bots"]
            for level in levels:
                made = await api.create("bagarre", [ME, bot(level)])
                assert made["table"]["seats"][1]["level"] == level

    run(story())
