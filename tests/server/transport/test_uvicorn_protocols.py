"""Both ends of a socket: the light one where its libraries are those it was tested with, else the ordinary one."""

from __future__ import annotations

import random
import tomllib

import pytest
from websockets.exceptions import ConnectionClosed

from preau.server.app import make_app
from preau.server.config import Config, Limits
from preau.server.runner import uvicorn_config
from preau.server.transport import uvicorn_protocols
from preau.server.transport.http_protocol import HttpProtocol
from preau.server.transport.websocket_protocol import WebSocketProtocol
from tests.server.players import ME, Api, Player, bot, connect_to_table, run
from tests.server.processes import ROOT, Server


def test_the_light_end_is_used_with_the_versions_it_was_tested_with(monkeypatch):
    assert uvicorn_protocols.untested_libraries() == []
    assert uvicorn_protocols.choose_protocols(100, 1_000) == {"ws": WebSocketProtocol, "http": HttpProtocol}
    monkeypatch.setattr(uvicorn_protocols, "version", lambda name: f"{uvicorn_protocols.TESTED[name]}.99")
    assert uvicorn_protocols.untested_libraries() == []


@pytest.mark.parametrize("name", uvicorn_protocols.TESTED)
def test_with_any_other_version_the_ordinary_end_is_used(monkeypatch, name):
    versions = {**uvicorn_protocols.TESTED, name: uvicorn_protocols.TESTED[name] + "9.1"}
    monkeypatch.setattr(uvicorn_protocols, "version", versions.get)
    assert uvicorn_protocols.untested_libraries() == [f"{name} {versions[name]}"]
    found = uvicorn_protocols.choose_protocols(100, 1_000)
    assert (found["ws"], found["http"], found["limit_concurrency"]) == ("auto", "h11", 100)


def test_the_ordinary_end_has_the_limits_of_the_server(monkeypatch, tmp_path):
    monkeypatch.setattr(uvicorn_protocols, "TESTED", dict.fromkeys(uvicorn_protocols.TESTED, "0.0"))
    config = Config(database=f"sqlite:///{tmp_path}/preau.db", limits=Limits(head_bytes=1_000))
    assert uvicorn_config(config, make_app(config)).h11_max_incomplete_event_size == 1_000


def test_the_package_asks_for_those_versions():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["optional-dependencies"]["web"]
    for name, tested in uvicorn_protocols.TESTED.items():
        first, _, last = tested.rpartition(".")
        assert f"{name}>={tested},<{first}.{int(last) + 1}" in wanted


@pytest.mark.parametrize("compression", [None, "deflate"])
def test_a_game_is_played_over_ordinary_lines(tmp_path, compression):
    server = Server(f"sqlite:///{tmp_path}/preau.db", ordinary=True)

    async def story() -> None:
        async with Api(server.url) as api:
            made = await api.create("recess", [ME, bot(), bot()], options={"turns": 9}, start=True)
            player = Player(server.url, made["table"]["id"], made["token"])
            player.socket = await connect_to_table(server.url, made["table"]["id"], compression=compression)
            await player.send({"type": "join", "token": made["token"]})
            await player.until("hello")
            await player.send({"type": "say", "text": "été"})
            assert (await player.until("chat"))["line"]["text"] == "été"
            await player.play_on(random.Random(1))
            assert player.result is not None
            await player.send({"type": "say", "text": "x" * 10_000})
            with pytest.raises(ConnectionClosed, match="1009"):
                await player.until("never")

    try:
        run(story())
    finally:
        server.stop()
    assert "ordinary lines" in server.logged()
    assert "Traceback" not in server.logged()
