"""Games that come as a file: looked at again, reviewed and played on from, once nothing in them is made up."""

from __future__ import annotations

import random
from typing import Any

import pytest

import preau
from preau.core.record import Record
from preau.review.chunks import MOST_STEPS
from tests.server.players import ME, Api, Player, bot, run
from tests.server.tables_over_http import continue_game, play_game, short_record

Json = dict[str, Any]


def altered(**fields: Any) -> Json:
    return {**short_record().to_json(), **fields}


def cut(*, result: bool) -> Json:
    """A game that breaks off; with its result, somebody has taken its end away."""
    record = short_record()
    end = record.result
    record.cut(3)
    return {**record.to_json(), "result": end} if result else record.to_json()


def going() -> Json:
    """A game that is not over yet, as a file may well have it."""
    record = preau.play("bagarre", bots=["random"] * 3, seed=2).record
    record.cut(40)
    return record.to_json()


@pytest.mark.parametrize("game", ["bagarre", "recess"])
def test_a_file_is_shown_as_its_table_is_through_any_eyes(default_server, game):
    async def story() -> None:
        async with Api(default_server.url) as api:
            table = await play_game(api, game)
            record = await api.ok("GET", f"/tables/{table}/record")
            for seat in (None, 0, 2):
                eyes = "" if seat is None else f"&seat={seat}"
                own = await api.ok("GET", f"/tables/{table}/replay?first=10&count=50{eyes}")
                wish = {"record": record, "first": 10, "count": 50, "seat": seat}
                assert await api.ok("POST", "/replay", wish) == own
            first = await api.ok("POST", "/replay", {"record": {**record, "meta": {"names": ["x"] * 9}}})
            assert (len(first["frames"]), first["total"]) == (20, own["total"])
            assert first["turns"]

    run(story())


def test_a_game_that_breaks_off_is_shown_and_played_on_as_far_as_it_goes_and_never_reviewed(server):
    async def story() -> None:
        async with Api(server.url) as api:
            record = going()
            steps = sum(actor >= 0 for actor, _ in record["actions"])
            shown = await api.ok("POST", "/replay", {"record": record, "first": steps, "count": 5})
            assert shown["total"] == steps + 1
            assert [frame["number"] for frame in shown["frames"]] == [steps]
            refused = await api.call("POST", "/reviews", {"record": record})
            assert (refused.status_code, refused.json()["key"]) == (400, "record_going")
            made = await continue_game(api, "bagarre", [ME, bot(), bot()], record=record, step=steps)
            async with Player(api.base, made["table"]["id"], made["token"]) as player:
                await player.play_on(random.Random(1))

    run(story())


def test_a_position_is_a_game_of_which_nothing_is_played_yet(server):
    async def story() -> None:
        async with Api(server.url) as api:
            position = Record.from_json(going()).replay().to_json()
            head = {name: position[name] for name in ("game", "rules", "seats", "options")}
            record = {"format": "preau-record/1", **head, "start": position, "actions": []}
            shown = await api.ok("POST", "/replay", {"record": record, "seat": 1})
            assert (shown["total"], shown["frames"][0]["view"]["turn"]) == (1, position["turn"])
            over = short_record().replay().to_json()
            head = {name: over[name] for name in head}
            wrong = {**record, **head, "start": over}
            refused = await api.call("POST", "/replay", {"record": wrong})
            assert refused.json()["key"] == "record_no_result"

    run(story())


REFUSED: list[tuple[str, Json, str]] = [
    ("record_format", {}, "format"),
    ("record_format", altered(format="preau-record/9"), "format"),
    ("record_format", altered(format=["x" * 500]), "format"),
    ("record_form", altered(seats="three"), "seats"),
    ("record_form", altered(actions=[[0]]), "actions"),
    ("record_form", altered(colour="red"), "colour"),
    ("record_game", altered(game="chess" * 100), "game"),
    ("record_rules", altered(rules="0" * 500), "rules"),
    ("record_start", altered(seats=9), "seats"),
    ("record_start", altered(options={"turns": "many"}), "turns"),
    ("record_form", altered(actions=[[0, "sing" * 300]], check=None), "actions"),
    ("record_action", altered(actions=[[0, "sing"]], check=None), "actions"),
    ("record_altered", altered(actions=[[0, "pass"], *short_record().to_json()["actions"][1:]]), "check"),
    ("record_cut", altered(actions=short_record().to_json()["actions"][:-2]), "check"),
    ("record_cut", cut(result=True), "result"),
    ("record_result", altered(result={"scores": [9, 9, 9], "ranking": [[0, 1, 2]], "reason": "end"}), "result"),
    ("record_no_result", {k: v for k, v in short_record().to_json().items() if k != "result"}, "result"),
    ("record_long", altered(actions=[[0, "pass"]] * (MOST_STEPS + 1)), "actions"),
]


def test_what_cannot_be_believed_is_refused_with_a_sentence_wherever_it_is_brought(server):
    """Shown, reviewed and played on from: nothing of it, by any of the three ways."""

    async def story() -> None:
        async with Api(server.url) as api:
            for key, contents, field in REFUSED:
                brought = {"record": {name: value for name, value in contents.items() if value is not None}}
                table = {"game": "recess", "seats": [ME] * 3, "from": brought}
                for path, wish in (("/replay", brought), ("/reviews", brought), ("/tables", table)):
                    answer = await api.call("POST", path, wish)
                    said = answer.json()
                    assert (answer.status_code, said["key"]) == (400, key), (path, said)
                    assert field in said["field"], said
                    assert len(said["message"]) < 500, "it stays short, whatever was in the file"

    run(story())


def test_what_is_asked_of_a_file_is_bounded(server):
    async def story() -> None:
        async with Api(server.url) as api:
            record = short_record().to_json()
            for wrong in ({"count": 51}, {"count": 0}, {"first": -1}, {"seat": 16}, {"record": "x"}, {"more": 1}):
                assert (await api.call("POST", "/replay", {"record": record, **wrong})).status_code == 400, wrong
            assert (await api.call("POST", "/replay", {"record": record, "seat": 3})).status_code == 404
            large = {**record, "meta": {"x": "x" * 70_000}}
            answer = await api.call("POST", "/replay", {"record": large})
            assert (answer.status_code, answer.json()["key"]) == (413, "size")
            past = await api.ok("POST", "/replay", {"record": record, "first": 1_000})
            assert past["frames"] == []

    run(story())


def test_the_challenge_of_a_day_that_is_not_over_stays_closed(server):
    async def story() -> None:
        async with Api(server.url) as api:
            today = (await api.ok("GET", "/challenges"))["today"]
            record = altered(meta={"challenge": {"day": today, "kind": "server"}})
            for path in ("/replay", "/reviews"):
                answer = await api.call("POST", path, {"record": record})
                assert (answer.status_code, answer.json()["key"]) == (409, "challenge_open")
            over = altered(meta={"challenge": {"day": "2020-01-01", "kind": "server"}})
            assert (await api.ok("POST", "/replay", {"record": over}))["total"] > 1

    run(story())
