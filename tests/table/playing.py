"""Play at a table of any host."""

from __future__ import annotations

from typing import Any

from tests.table.driver import ME, OPEN, Driver, Viewer


def seat_three_players(host: Driver, game: str = "recess", **more: Any) -> tuple[str, list[Viewer], list[str]]:
    """Start a game of three players, each with a viewer. Return the table, the viewers and the tokens."""
    made = host.make(game, [ME, OPEN, OPEN], **more)
    table, tokens = made["table"]["id"], [made["token"]]
    tokens += [host.join(table, {"name": "x"})["token"] for _ in range(2)]
    host.start(table, tokens[0])
    return table, [host.open(table, token) for token in tokens], tokens


def play_to_end(host: Driver, viewers: list[Viewer], most: int = 2_000) -> None:
    """Play the first legal action of each seat until the game is over."""
    for _ in range(most):
        if viewers[0].now.get("result"):
            return
        host.act(viewers[viewers[0].to_act[0]])
    raise AssertionError("the game does not end")


def play_turn(host: Driver, viewer: Viewer, seat: int) -> None:
    """Play the first legal action until another seat is to act."""
    while viewer.to_act == [seat]:
        host.act(viewer)


def refusal_key(host: Driver, viewer: Viewer, type: str, **message: Any) -> str:
    """Send a message that must be refused. Return the key of the refusal."""
    known = len(viewer.all("refused"))
    host.send(viewer, type, **message)
    assert len(viewer.all("refused")) == known + 1
    return str(viewer.last("refused")["key"])
