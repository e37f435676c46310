"""The gallery over HTTP: it is told once, and may be kept as long as it is the same."""

from __future__ import annotations

import pytest

import preau


@pytest.mark.parametrize("game", preau.game_ids())
def test_everything_in_the_box_is_told(default_server, game):
    offered = next(one for one in default_server.ask("GET", "/api/games").json() if one["id"] == game)
    assert offered["gallery"]
    told = default_server.ask("GET", f"/api/games/{game}/gallery").json()
    gallery = preau.game(game).gallery
    assert gallery is not None
    assert [box["name"] for box in told["boxes"]] == [box.name for box in gallery.boxes]
    for box, found in zip(gallery.boxes, told["boxes"], strict=True):
        assert [(thing.name, thing.copies) for thing in box.things] == [
            (thing["name"], thing["copies"]) for thing in found["things"]
        ]


def test_who_has_it_already_is_not_told_again(server):
    first = server.ask("GET", "/api/games/cour/gallery")
    assert first.headers["cache-control"] == "no-cache"
    again = server.ask("GET", "/api/games/cour/gallery", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    other = server.ask("GET", "/api/games/cour/gallery", headers={"if-none-match": '"old"'})
    assert other.json() == first.json()


def test_there_is_none_of_a_game_that_is_not_there(server):
    assert server.ask("GET", "/api/games/chess/gallery").status_code == 400
