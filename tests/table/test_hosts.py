"""What whoever hosts tables answers besides the game: a browser's own house and the server say the same."""

from __future__ import annotations

import pytest

import preau
from preau.core import registry
from preau.core.record import Record
from preau.learn.puzzles import puzzles
from tests.table import sprint
from tests.table.driver import BOT, ME, Driver, Json, Refused
from tests.table.playing import play_to_end, refusal_key


def refusal(host: Driver, method: str, path: str, body: Json | None = None, token: str | None = None) -> Json:
    with pytest.raises(Refused) as said:
        host.call(method, path, body, token)
    return said.value.problem


def over(host: Driver, **more: object) -> tuple[str, str]:
    """A finished game of one person and bots, of at least three steps: the table and the token."""
    made = host.make("recess", [ME, BOT, BOT], options={"turns": 3}, start=True, **more)
    viewer = host.open(made["table"]["id"], made["token"])
    while not viewer.now.get("result"):
        host.act(viewer)
    return made["table"]["id"], made["token"]


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour"])
def test_what_is_on_offer(host, game):
    registry.unregister(sprint.GAME.id)  # it has no words
    offered = next(one for one in host.call("GET", "/games") if one["id"] == game)
    assert offered["puzzles"] == len(host.call("GET", f"/games/{game}/puzzles"))
    assert host.call("GET", f"/games/{game}/texts/fr")["messages"] == preau.game(game).texts("fr").messages
    assert host.call("GET", f"/games/{game}/rules/en")["rules"]
    assert host.call("GET", f"/games/{game}/book")["figures"]
    assert host.call("GET", f"/games/{game}/gallery")["boxes"]
    assert refusal(host, "GET", f"/games/{game}/texts/de")["field"] == "language"


def test_what_is_not_there(host):
    assert refusal(host, "GET", "/games/chess/book")["error"] == "UnknownGame"
    assert refusal(host, "GET", "/nothing")["error"] == "NotFound"
    assert refusal(host, "GET", "/tables/nowhere")["key"] == "no_table"
    assert refusal(host, "POST", "/practice", {"game": "recess", "exercise": "x"})["field"] == "exercise"
    assert refusal(host, "POST", "/puzzle", {"game": "recess", "id": "x"})["key"] == "no_puzzle"
    assert host.open("nowhere").last("bye")["reason"] == "unknown"


def test_what_is_too_large_or_too_deep_or_no_message(host):
    assert refusal(host, "POST", "/tables", {"game": "x" * 70_000, "seats": [ME]})["key"] == "size"
    deep: Json = {}
    for _ in range(40):
        deep = {"x": deep}
    wish = {"game": "recess", "seats": [ME] * 3}
    assert refusal(host, "POST", "/tables", {**wish, "options": deep})["key"] == "malformed"
    for wrong in ({"game": "recess"}, {**wish, "sing": 1}, {**wish, "seats": [{"kind": "king"}] * 3}):
        assert refusal(host, "POST", "/tables", wrong)["error"] == "Validation"
    made = host.make("recess", [ME, BOT, BOT], start=True)
    viewer = host.open(made["table"]["id"], made["token"])
    assert refusal_key(host, viewer, "sing") == "malformed"
    assert refusal_key(host, viewer, "act", action=3) == "malformed"


def test_a_wrong_token_opens_nothing(host):
    made = host.make("recess", [ME, BOT, BOT], start=True)
    table, wrong = made["table"]["id"], "x" * 32
    for method, path, body in (
        ("POST", "start", None),
        ("POST", "leave", None),
        ("POST", "rematch", None),
        ("PUT", "seats/0", {"kind": "bot"}),
    ):
        assert refusal(host, method, f"/tables/{table}/{path}", body, wrong)["key"] == "token"
    assert host.open(table, wrong).last("bye")["reason"] == "token"
    assert not host.open(table).now["legal"], "without one, one watches"


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour"])
def test_a_lesson_is_done(host, game):
    exercise = preau.game(game).lessons[0]
    wish = {"game": game, "exercise": exercise.name}
    found = host.call("POST", "/practice", wish)
    done: list[str] = []
    while found["verdict"] == "going":
        done.append(found["show"])
        found = host.call("POST", "/practice", {**wish, "actions": done})
    assert found["verdict"] == "done"
    assert refusal(host, "POST", "/practice", {**wish, "actions": ["sing"]})["error"] == "MalformedAction"


@pytest.mark.parametrize("game", ["recess", "bagarre", "cour"])
def test_a_puzzle_is_solved(host, game):
    puzzle = next(one for one in puzzles(game) if one.difficulty == 1)
    wish = {"game": game, "id": puzzle.id}
    begun = host.call("POST", "/puzzle", {**wish, "wish": "solution"})
    line = [told["action"] for told in begun["solution"]["line"]]
    found = host.call("POST", "/puzzle", {**wish, "actions": line})
    assert (begun["verdict"], found["verdict"]) == ("going", "done")
    assert found["solution"]["line"]


def test_a_hint_is_given_and_noted(host):
    made = host.make("bagarre", [ME, BOT], start=True)
    table = made["table"]["id"]
    viewer = host.open(table, made["token"])
    while viewer.to_act != [0]:
        host.wait(1_000)
    host.send(viewer, "hint", at=viewer.number)
    hint = viewer.last("hinted")
    assert (hint["seat"], hint["at"]) == (0, viewer.number)
    assert hint["idea"]["action"] in viewer.legal
    assert host.info(table)["hinted"] == 1
    assert refusal_key(host, viewer, "hint", at=viewer.number + 1) == "ahead"
    assert refusal_key(host, host.open(table), "hint", at=viewer.number) == "not_yours"
    together = host.make("bagarre", [ME, ME], start=True)
    shared = host.open(together["table"]["id"], together["token"])
    assert refusal_key(host, shared, "hint", at=shared.number) == "hints_alone"


def test_a_finished_game_is_replayed_reviewed_and_played_on_from(host):
    table, token = over(host)
    record = host.record(table)
    Record.from_json(record).verify()
    part = host.call("GET", f"/tables/{table}/replay?seat=0&first=0&count=3")
    assert (part["seat"], len(part["frames"])) == (0, 3)
    assert part["turns"]
    of_file = host.call("POST", "/replay", {"record": record, "seat": 0, "first": 0, "count": 3})
    assert of_file["frames"] == part["frames"]
    assert refusal(host, "GET", f"/tables/{table}/replay?seat=9&first=0&count=3")["field"] == "seat"
    assert refusal(host, "GET", f"/tables/{table}/review")["key"] == "no_review"
    asked = host.call("POST", f"/tables/{table}/review")
    again = host.call("POST", "/reviews", {"record": record})
    assert asked["id"] == again["id"], "the same game is looked at once"
    assert host.call("GET", f"/tables/{table}/review")["id"] == host.call("GET", f"/reviews/{asked['id']}")["id"]
    on = host.create({"game": "recess", "seats": [ME, BOT, BOT], "from": {"table": table, "step": 2}, "start": True})
    assert on["table"]["origin"] == {"kind": "table", "table": table, "step": 2}
    going = host.make("recess", [ME, ME, ME], start=True)["table"]["id"]
    for path in (f"/tables/{going}/record", f"/tables/{going}/replay"):
        assert refusal(host, "GET", path)["key"] == "not_over"
    assert refusal(host, "POST", f"/tables/{going}/review")["key"] == "not_over"
    new = host.rematch(table, token)
    assert host.info(new)["status"] == "playing"
    assert host.info(table)["rematch"] == new


def test_a_game_against_bots_that_think(host):
    """Several at once, of several levels; whoever thinks is asked one after the other."""
    seats = [ME, {"kind": "bot", "level": "easy"}, {"kind": "bot", "level": "hard"}]
    made = host.make("bagarre", seats, options={"goal": 5}, start=True)
    viewer = host.open(made["table"]["id"], made["token"])
    play_to_end(host, [viewer, viewer, viewer])
    Record.from_json(host.record(made["table"]["id"])).verify()
