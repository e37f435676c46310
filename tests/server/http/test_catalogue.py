"""What is on offer: a package whose game cannot be described keeps no other game from being offered."""

from __future__ import annotations

import msgspec
import pytest

import preau
from preau.core import registry
from preau.core.errors import DataError, UnknownGame
from preau.host import catalogue
from tests.core import auction


def test_a_game_of_a_package_that_cannot_be_described_is_left_out_and_named(monkeypatch):
    games, faults = {"auction": auction.GAME}, dict[str, str]()
    monkeypatch.setattr(registry, "_packages", lambda: (games, faults))
    assert [game.id for game in catalogue.catalogue()] == ["recess", "bagarre", "cour"]
    assert registry.broken() == {"auction": "texts/en.json: it cannot be read: No such file or directory."}
    with pytest.raises(UnknownGame, match=r"the package of 'auction' cannot be used: texts/en\.json"):
        preau.game("auction")


def test_a_game_of_a_package_that_cannot_be_sent_is_left_out_and_named(monkeypatch):
    games, faults = {"auction": auction.GAME}, dict[str, str]()
    info = catalogue.game_info(preau.game("recess"))
    monkeypatch.setattr(registry, "_packages", lambda: (games, faults))
    monkeypatch.setattr(
        catalogue,
        "game_info",
        lambda game, own=(): msgspec.structs.replace(info, id=game.id, rules="\ud83d" if game.id == "auction" else ""),
    )
    assert [game.id for game in catalogue.catalogue()] == ["recess", "bagarre", "cour"]
    assert "UnicodeEncodeError: 'utf-8' codec can't encode character '\\ud83d'" in registry.broken()["auction"]


def test_an_error_of_a_game_that_ships_is_raised(monkeypatch):
    def fail(game: preau.Game, own: object = ()) -> None:
        raise DataError("there is no title", field=game.id)

    monkeypatch.setattr(catalogue, "game_info", fail)
    with pytest.raises(DataError, match="recess: there is no title"):
        catalogue.catalogue()
