"""The score of an evening: what rematches carry along of who won what."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from preau.core.state import Result
from preau.table import protocol, series
from preau.table.seating import rematch
from preau.table.table import Seat, Table, TieBreak
from tests.table.driver import ME, OPEN, Driver, Json, Viewer


def over(*seats: Seat, **more: Any) -> Table:
    return Table(
        id="t0",
        code="t0",
        game="recess",
        rules="1",
        wish={},
        options={},
        visibility="link",
        timer="off",
        timer_ms=0,
        status="over",
        host="a0",
        created=0,
        over=1,
        seats=seats,
        **more,
    )


def ended(*scores: int) -> Result:
    best = max(scores)
    order = [
        tuple(seat for seat, score in enumerate(scores) if score == one) for one in sorted({*scores}, reverse=True)
    ]
    assert order[0] == tuple(seat for seat, score in enumerate(scores) if score == best)
    return Result(scores, tuple(order), "turns")


def again(table: Table, result: Result | None) -> Table:
    """The rematch of a table, over too."""
    number = int(table.id[1:]) + 1
    made = rematch(
        table, result, id=f"t{number}", code="", now=number, new_holder=iter(f"{number}-{n}" for n in range(9)).__next__
    )
    return replace(made.new, status="over", over=number)


def person(name: str, holder: str) -> Seat:
    return Seat("person", name=name, holder=holder)


def lines(told: protocol.Series | None) -> list[tuple[str, int, int, int, bool]]:
    assert told is not None
    return [(one.name or one.level, one.played, one.won, one.shared, one.here) for one in told.score]


def test_wins_and_shared_first_places_are_counted_for_each():
    table = over(person("Zoé", "a0"), person("Malo", "a1"), Seat("bot", level="easy"), Seat("bot", level="easy"))
    assert series.told(table.series, table.holders) is None
    for scores in ((3, 1, 1, 0), (2, 2, 0, 0), (0, 1, 0, 4)):
        table = again(table, ended(*scores))
    told = table.info().series
    assert told is not None
    assert [game.table for game in told.games] == ["t0", "t1", "t2"]
    assert [game.winners for game in told.games] == [[0], [0, 1], [3]]
    assert lines(told) == [
        ("Zoé", 3, 1, 1, True),
        ("easy", 3, 1, 0, False),
        ("Malo", 3, 0, 1, True),
        ("easy", 3, 0, 0, False),
    ]


def test_people_are_known_by_their_seats_and_whoever_is_gone_by_their_name():
    table = over(person("Zoé", "a0"), person("Zoé", "a1"), person("", "a2"))
    table = again(table, ended(2, 1, 0))
    first, second, third = table.seats
    table = replace(table, seats=(second, first, third))  # they have changed places
    table = again(table, ended(0, 5, 1))
    assert lines(table.info().series) == [("Zoé", 2, 2, 0, True), ("Zoé", 2, 0, 0, True), ("", 2, 0, 0, True)]
    seats = (Seat("open", name="Zoé", level="normal"), *table.seats[1:])  # the second of them has left in the game
    table = again(replace(table, seats=seats), ended(7, 0, 0))
    table = replace(table, seats=(person("Zoé", "new"), *table.seats[1:]))
    table = again(table, ended(9, 0, 0))
    assert lines(table.info().series) == [
        ("Zoé", 4, 2, 0, True),
        ("Zoé", 1, 1, 0, True),
        ("Zoé", 3, 1, 0, False),
        ("", 4, 0, 0, True),
    ]


def test_several_at_one_device_are_several():
    table = over(person("Zoé", "a0"), person("Malo", "a0"), person("", "a0"), person("", "a0"))
    table = again(again(table, ended(0, 1, 0, 0)), ended(0, 0, 0, 1))
    assert lines(table.info().series) == [
        ("Malo", 2, 1, 0, True),
        ("", 2, 1, 0, True),
        ("Zoé", 2, 0, 0, True),
        ("", 2, 0, 0, True),
    ]


def test_whoever_has_wrestled_for_the_first_place_has_won_it():
    contest = TieBreak(seats=(0, 1), phase="over", winner=1)
    table = again(over(person("Zoé", "a0"), person("Malo", "a1"), contest=contest), ended(3, 3))
    told = table.info().series
    assert lines(told) == [("Malo", 1, 1, 0, True), ("Zoé", 1, 0, 0, True)]
    assert told is not None
    assert told.games[0].wrestled
    assert lines(again(table, None).info().series) == lines(told), "what nobody can tell any more does not count"


def test_an_evening_has_an_end():
    table = over(person("Zoé", "a0"), person("Malo", "a1"))
    for _ in range(series.MOST + 5):
        table = again(table, ended(1, 0))
    told = table.info().series
    assert told is not None
    assert (len(told.games), told.forgotten) == (series.MOST, 5)
    assert lines(told)[0] == ("Zoé", series.MOST, series.MOST, 0, True)


# At tables, whoever hosts them.


def play(host: Driver, viewers: list[Viewer]) -> Json:
    while not viewers[0].now.get("result"):
        host.act(viewers[viewers[0].to_act[0]])
    return viewers[0].now


def test_a_table_tells_the_evening_with_its_lobby_and_its_result(host):
    made = host.make("recess", [ME, OPEN, OPEN], options={"turns": 3})
    table, tokens = made["table"]["id"], [made["token"]]
    tokens += [host.join(table, {"name": name})["token"] for name in ("Ana", "Malo")]
    host.start(table, tokens[0])
    first = play(host, [host.open(table, token) for token in tokens])
    assert "series" not in first, "one game is no evening"
    again = host.rematch(table, tokens[0])
    before = host.info(again)["series"]
    assert [game["table"] for game in before["games"]] == [table]
    assert before["games"][0]["scores"] == first["result"]["scores"]
    assert [one["played"] for one in before["score"]] == [1, 1, 1]
    viewers = [host.open(again, token) for token in tokens]
    last = play(host, viewers)
    assert [game["table"] for game in last["series"]["games"]] == [table, again]
    assert {one["name"]: one["played"] for one in last["series"]["score"]} == {"": 2, "Ana": 2, "Malo": 2}
    assert host.open(again).now["series"] == last["series"]
    assert host.info(table).get("series") is None
    host.leave(again, tokens[1])
    once_more = host.rematch(again, tokens[0])
    score = {one["name"]: one for one in host.info(once_more)["series"]["score"]}
    assert (score["Ana"].get("played"), score["Ana"]["here"]) == (2, False)
    assert (score["Malo"].get("played"), score["Malo"]["here"]) == (2, True)
