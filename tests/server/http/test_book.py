"""The pictures of the rule books over HTTP."""

from __future__ import annotations

import pytest

import preau


@pytest.mark.parametrize("game", preau.game_ids())
def test_every_figure_comes_with_what_is_to_be_drawn(default_server, game):
    book = default_server.ask("GET", f"/api/games/{game}/book").json()
    figures = preau.game(game).book
    assert book["game"] == game
    assert [one["name"] for one in book["figures"]] == [figure.name for figure in figures]
    for one, figure in zip(book["figures"], figures, strict=True):
        assert [view["seat"] for view in one["views"]] == [figure.seat] * len(figure.at)
        assert one["rules"] == list(figure.rules)
        assert one["refused"] == list(figure.refused)
        assert bool(one["events"]) is bool(figure.way)


def test_there_is_no_book_of_no_game(server):
    answer = server.ask("GET", "/api/games/chess/book")
    assert answer.status_code == 400
    assert "no game" in answer.text
