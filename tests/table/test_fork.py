"""What if: tables that are played on from a position, with nothing around them and behind the server."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import preau
from preau.core.game import Sampler
from preau.core.plain import plain
from preau.core.record import Record
from preau.core.state import NATURE, State
from preau.table import fork
from preau.table.replay import replay_of
from tests.table.driver import BOT, ME, OPEN, Driver, Json, Refused

SHORT: dict[str, Json] = {"recess": {"turns": 3}, "bagarre": {"goal": 1}, "cour": {}}
SECRET = ("bagarre", "cour")


def finished(host: Driver, game: str = "recess") -> tuple[str, Record]:
    """A game that one person has played for all seats: its table and its record."""
    made = host.make(game, [ME] * 3, options=SHORT[game], start=True)
    table = made["table"]["id"]
    over(host, table, made["token"])
    return table, Record.from_json(host.record(table))


def over(host: Driver, table: str, token: str) -> None:
    viewer, rng = host.open(table, token), Random(4)
    while not viewer.now.get("result"):
        if not viewer.legal:
            host.send(viewer, "look", seat=viewer.to_act[0])
        host.act(viewer, rng.choice(viewer.legal))


def views(host: Driver, table: str, token: str) -> list[Json]:
    """What each of three seats sees at a table."""
    viewer = host.open(table, token)
    found = []
    for seat in range(3):
        host.send(viewer, "look", seat=seat)
        found.append(viewer.now["view"])
    return found


def seen(state: State) -> list[Json]:
    return [json.loads(json.dumps(state.view(seat))) for seat in range(3)]


def play_on(host: Driver, game: str, seats: list[Json], **origin: Any) -> Json:
    return host.create({"game": game, "seats": seats, "from": origin, "start": OPEN not in seats})


def refusal(host: Driver, wish: Json) -> Refused:
    with pytest.raises(Refused) as refused:
        host.create(wish)
    assert refused.value.problem["message"]
    return refused.value


def steps(record: Record) -> int:
    return sum(entry.actor != NATURE for entry in record.entries)


def position(host: Driver, table: str, token: str) -> Json:
    """The position a table was played on from, by its record once it is over."""
    over(host, table, token)
    start = host.record(table)["start"]
    assert isinstance(start, dict)
    return start


@pytest.mark.parametrize("game", SHORT)
def test_from_any_step_of_a_finished_game_one_plays_on_with_all_as_it_was(host, game):
    origin, record = finished(host, game)
    middle = steps(record) // 2
    for step in (0, middle, steps(record) - 1):
        made = play_on(host, game, [ME] * 3, table=origin, step=step)
        table = made["table"]
        assert table["origin"] == {"kind": "table", "table": origin, **({"step": step} if step else {})}
        assert table["options"] == record.options
        found = views(host, table["id"], made["token"])
        assert found == seen(fork.position_after(record, step))
        shown = replay_of(record, 0, step, 1).frames[0].view
        assert found[0] == json.loads(json.dumps(shown)), "the replay counts steps the same way"
    start = position(host, table["id"], made["token"])
    assert start == json.loads(json.dumps(fork.position_after(record, step).to_json()))
    again = Record.from_json(host.record(table["id"]))
    again.verify()
    assert again.meta["origin"] == table["origin"]


def test_it_is_a_table_like_any_other_with_friends_bots_undo_and_a_rematch(host):
    origin, _ = finished(host)
    made = play_on(host, "recess", [ME, OPEN, BOT], table=origin, step=2)
    table, token = made["table"]["id"], made["token"]
    assert made["table"]["status"] == "waiting"
    friend = host.join(table, {"name": "Ana"})["token"]
    host.start(table, token)
    viewers = [host.open(table, token), host.open(table, friend)]
    mine = next(viewer for viewer in viewers if viewer.legal)
    before = mine.now["view"]
    host.act(mine)
    host.send(mine, "undo", at=mine.number)
    if mine.all("step")[-1].get("undone") is None:
        host.send(viewers[1 - viewers.index(mine)], "agree", at=mine.number, yes=True)
    assert mine.now["view"] == before
    assert mine.last("step")["undone"] == 0


@pytest.mark.parametrize("game", SECRET)
def test_hands_drawn_anew_agree_with_what_the_seat_knew_and_with_nothing_else(host, game):
    origin, record = finished(host, game)
    true = seen(fork.position_after(record, 2))
    drawn = []
    for _ in range(3):
        made = play_on(host, game, [ME] * 3, table=origin, step=2, eyes=1)
        assert made["table"]["origin"]["eyes"] == 1
        drawn.append(views(host, made["table"]["id"], made["token"]))
        assert drawn[-1][1] == true[1]
    if game == "bagarre":  # in which there are more hands than anybody can count
        assert len({json.dumps(found) for found in [*drawn, true]}) == 4, "each draw is its own, and none is the truth"
    over(host, made["table"]["id"], made["token"])
    again = views(host, host.rematch(made["table"]["id"], made["token"]), made["token"])
    assert again[1] == true[1]
    assert game == "cour" or again not in (true, *drawn), "by then everybody has seen what was drawn"


@pytest.mark.parametrize("game", SECRET)
def test_what_is_drawn_anew_is_made_of_the_seats_view_and_of_nothing_else(game, monkeypatch):
    """Whatever the game's sampler makes of the view is what is played: a planted position comes out as it went in."""
    found = preau.game(game)
    true, planted = found.start(3, seed=1), found.start(3, seed=2)
    for state, seed in ((true, 3), (planted, 4)):
        while state.to_act == (NATURE,):
            state.apply(NATURE, state.draw(Random(seed)))
    shown: list[Json] = []

    class Planted(Sampler):
        def draw(self, rng: Random) -> State:
            return planted

    def sampler(view: Json) -> Sampler:
        shown.append(view)
        return Planted()

    monkeypatch.setattr(found.part("sampler"), "sampler", sampler)
    assert fork.packed_position(fork.redrawn(true, 1, 7)) == fork.packed_position(planted)
    assert shown == [plain(true.view(1))]
    assert fork.redrawn(true, None, 7) is true


def test_a_rematch_is_played_on_from_the_same_position(host):
    origin, record = finished(host)
    made = play_on(host, "recess", [ME] * 3, table=origin, step=3)
    start = position(host, made["table"]["id"], made["token"])
    again = host.rematch(made["table"]["id"], made["token"])
    assert host.info(again)["origin"] == made["table"]["origin"]
    assert position(host, again, made["token"]) == start
    assert start == json.loads(json.dumps(fork.position_after(record, 3).to_json()))


def test_records_and_positions_that_are_handed_in_are_played_on_from(host):
    _, record = finished(host)
    for origin in (
        {"record": record.to_json(), "step": 4},
        {"position": fork.position_after(record, 4).to_json()},
    ):
        made = play_on(host, "recess", [ME] * 3, **origin)
        assert made["table"]["origin"] == {"kind": next(iter(origin)), **({"step": 4} if "step" in origin else {})}
        start = position(host, made["table"]["id"], made["token"])
        assert start == json.loads(json.dumps(fork.position_after(record, 4).to_json()))


def test_of_a_game_under_way_nobody_plays_on(host):
    made = host.make("bagarre", [ME, ME], start=True)
    wish = {"game": "bagarre", "seats": [ME, ME], "from": {"table": made["table"]["id"]}}
    assert refusal(host, wish).key == "not_over"
    assert refusal(host, {**wish, "from": {"table": made["table"]["id"], "eyes": 1}}).key == "not_over"
    waiting = host.make("bagarre", [ME, OPEN])
    assert refusal(host, {**wish, "from": {"table": waiting["table"]["id"]}}).key in ("not_begun", "not_over")


def test_what_cannot_be_played_on_from_is_refused_with_a_sentence(host):
    origin, record = finished(host)
    last = steps(record)
    first = fork.position_after(record, 0).to_json()
    usual: Json = {"game": "recess", "seats": [ME] * 3}
    for more, field, key in (
        ({"from": {"table": origin, "step": last}}, "from.step", "over_there"),
        ({"from": {"table": origin, "step": last + 1}}, "from.step", "no_step"),
        ({"from": {"table": origin, "eyes": 3}}, "from.eyes", ""),
        ({"from": {}}, "from", ""),
        ({"from": {"table": origin, "position": first}}, "from", ""),
        ({"from": {"position": first, "step": 1}}, "from.step", ""),
        ({"from": {"table": origin}, "seats": [ME] * 4}, "seats", ""),
        ({"from": {"table": origin}, "options": {"turns": 9}}, "options", ""),
        ({"from": {"position": {**first, "turn": "one"}}}, None, ""),
        ({"from": {"position": {}}}, None, ""),
        ({"from": {"record": {"format": "preau-record/1"}}}, None, "record_form"),
        ({"from": {"record": {**record.to_json(), "rules": "0"}}}, "rules", "record_rules"),
    ):
        found = refusal(host, {**usual, **more})
        assert found.key == key, more
        assert field is None or found.problem["field"] == field, (more, found.problem)
