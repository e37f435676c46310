"""Tables of three players that tie, and the arm wrestling that follows."""

from __future__ import annotations

from typing import Any

from tests.table.driver import Driver, Json, Viewer
from tests.table.playing import play_to_end, seat_three_players

TWO_TIED = (
    *("g2 j11", "g1 l10", "b1 a1", "nun 1 i9"),
    *("g2 j11", "g1 k11", "b2 a2", "nun 0 b1"),
    *("b1 b3", "g2 l10", "b2 a1", "nun 0 a1"),
)
"""The actions of three turns, after which seats 1 and 2 tie for the first place."""
ONE_TURN = {"turns": 1}
"""Options for a game in which nothing happens: all players keep the coins they began with."""


def create_tied_table(host: Driver, **more: Any) -> tuple[str, list[Viewer], list[str]]:
    """Play a game of three players that ends in a tie. Return the table, the viewers and the tokens."""
    table, viewers, tokens = seat_three_players(host, options={**ONE_TURN, **more.pop("options", {})}, **more)
    play_to_end(host, viewers)
    return table, viewers, tokens


def wrestling_state(viewer: Viewer) -> Json:
    """Return the state of the arm wrestling in the newest message that has one."""
    told = [one["contest"] for one in viewer.messages if one.get("contest")]
    return dict(told[-1])


def pull(host: Driver, viewer: Viewer, number: int, count: int, **more: Any) -> None:
    """Report the taps of a player in a round."""
    known = len(viewer.all("refused"))
    host.send(viewer, "pull", round=number, count=count, **more)
    assert len(viewer.all("refused")) == known


def agree_to_wrestle(host: Driver, viewers: list[Viewer]) -> None:
    """Let all players agree to wrestle, which starts the pulling."""
    for viewer in viewers:
        host.send(viewer, "wrestle", yes=True)
    assert wrestling_state(viewers[0])["phase"] == "pulling"


def pull_counts(viewer: Viewer) -> list[int]:
    """Return the taps counted for each player who wrestles."""
    return [puller["count"] for puller in wrestling_state(viewer)["pullers"]]
