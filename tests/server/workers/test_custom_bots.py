"""Networks that whoever runs a server brings along: offered by name, played like any bot, and missed in words."""

from __future__ import annotations

import pytest

from preau.core.errors import SetupError
from preau.host.catalogue import catalogue
from preau.server.custom_bots import MOST, CustomBot, by_game, read_bots
from preau.server.services import Services
from preau.table import protocol
from tests.nets import write_net
from tests.server.bot_tables import (
    play_until_bot_answers,
    seats_with_bots,
    substitutes_in_log,
    substitutes_in_steps,
    wait_for_bots,
)
from tests.server.running_services import FakeClock, read_metric, run_with_services
from tests.server.tables_in_process import read_log


@pytest.fixture(scope="module")
def net(tmp_path_factory) -> CustomBot:
    """A network for Recess!, as `--bot yard=FILE` brings it."""
    file = write_net(tmp_path_factory.mktemp("own") / "yard.onnx", "recess")
    [bot] = read_bots([f"yard={file}"])
    return bot


def test_it_is_offered_in_its_game_behind_those_that_ship(net):
    games = {game.id: game for game in catalogue(by_game([net]))}
    assert net.game == "recess"
    assert games["recess"].bots == [*next(one for one in catalogue() if one.id == "recess").bots, "yard"]
    assert "yard" not in games["cour"].bots
    assert all(set(game.reactions) in (set(), set(game.bots)) for game in games.values())
    [cour] = [game for game in catalogue(by_game([CustomBot("mine", net.file, "cour")])) if game.id == "cour"]
    assert cour.reactions["mine"] == cour.reactions["normal"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{file}", "is no bot of your own"),
        ("yard=mybot.py:Mine", "is no bot of your own"),
        ("Yard={file}", "is no name"),
        ("={file}", "is no name"),
        ("a b={file}", "is no name"),
        ("hard={file}", "the name hard is taken"),
        ("mixed={file}", "the name mixed is taken"),
        ("yard=nowhere.onnx", "there is no file nowhere.onnx"),
    ],
)
def test_what_cannot_be_offered_is_refused_before_the_server_opens(text, words, net):
    with pytest.raises(SetupError, match=words) as refusal:
        read_bots([text.format(file=net.file)])
    assert refusal.value.field == "--bot"
    assert refusal.value.hint


def test_names_are_given_once_and_not_without_end(net):
    with pytest.raises(SetupError, match="the name yard is taken"):
        read_bots([f"yard={net.file}", f"yard={net.file}"])
    with pytest.raises(SetupError, match="too many"):
        read_bots([f"yard{number}={net.file}" for number in range(MOST + 1)])


def test_it_plays_at_a_table(net, tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        table, watcher = await play_until_bot_answers(services, "yard")
        assert set(substitutes_in_steps(watcher, 1)) == {""}
        assert {row.kind for row in await read_log(services, table) if row.actor == 1} == {"bot"}
        assert read_metric(services, "preau_bot_failures_total") == 0

    run_with_services(tmp_path, story, bots=(net,))


def test_where_it_is_not_nobody_can_ask_for_it(net, tmp_path):
    async def story(services: Services, clock: FakeClock) -> None:
        for game, level in (("cour", "yard"), ("recess", "garden")):
            with pytest.raises(SetupError, match=f"there is no bot '{level}'"):
                await services.creation.create(protocol.NewTable(game=game, seats=seats_with_bots({1: level}, 3)))

    run_with_services(tmp_path, story, bots=(net,))


def test_house_rules_that_it_did_not_learn_are_refused(tmp_path):
    file = write_net(tmp_path / "fight.onnx", "bagarre")

    async def story(services: Services, clock: FakeClock) -> None:
        wish = protocol.NewTable(game="bagarre", seats=seats_with_bots({1: "fight"}, 2), options={"goal": 7})
        with pytest.raises(SetupError) as refusal:
            await services.creation.create(wish)
        assert (refusal.value.key, refusal.value.params) == ("bot_rules", {"bot": "fight"})
        wish = protocol.NewTable(game="bagarre", seats=[protocol.SeatWish(kind="me"), protocol.SeatWish(kind="open")])
        table, _, host = await services.creation.create(wish)
        await services.seats.set_seat(table, 1, protocol.SetSeat(kind="bot", level="fight"), host)
        assert table.table.seats[1].level == "fight"

    run_with_services(tmp_path, story, bots=read_bots([f"fight={file}"]))


def test_after_a_restart_without_it_the_stand_in_plays_and_everybody_is_told(net, tmp_path):
    made = {}

    async def before(services: Services, clock: FakeClock) -> None:
        wish = protocol.NewTable(game="recess", seats=seats_with_bots({1: "yard"}, 3), options={"first": 0}, start=True)
        table, _, _ = await services.creation.create(wish)
        made["id"] = table.id

    async def after(services: Services, clock: FakeClock) -> None:
        table = await services.tables.get(made["id"])
        assert table.table.seats[1].level == "yard", "the table says whom it misses"
        live = await services.tables.live(table)
        while live.state.to_act == (0,):
            await services.moves.act(table, 0, live.state.legal(0)[0].text)
        await wait_for_bots(table)
        assert set(await substitutes_in_log(services, table)) == {"missing"}
        assert {row.kind for row in await read_log(services, table) if row.actor == 1} == {"missing"}
        assert read_metric(services, "preau_bot_failures_total") == 0

    run_with_services(tmp_path, before, bots=(net,))
    run_with_services(tmp_path, after)
    elsewhere = CustomBot("yard", net.file, "cour")
    run_with_services(tmp_path, after_in_another_game(made), bots=(elsewhere,))


def after_in_another_game(made: dict[str, str]):
    """A bot of the same name that plays another game is another bot."""

    async def story(services: Services, clock: FakeClock) -> None:
        table = await services.tables.get(made["id"])
        live = await services.tables.live(table)
        before = live.head
        while live.state.to_act != (1,):
            await services.moves.act(table, live.state.to_act[0], "pass")
        await wait_for_bots(table)
        rows = [row for row in await read_log(services, table) if row.number > before and row.actor == 1]
        assert {row.kind for row in rows} == {"missing"}

    return story
