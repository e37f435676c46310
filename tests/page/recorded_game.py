"""A short recorded game, and a table at which it was played."""

from __future__ import annotations

import json
from typing import Any

from websockets.sync.client import connect

import preau
from tests.page.playing import make
from tests.support import PATIENCE

NAMES = ("Zoé", "Malo", "Ines")
RECORD = preau.play("recess", bots=["greedy", "random", "random"], options={"turns": 2, "first": 0}, seed=1).record
"""A short game without chance, in which the review finds two certain mistakes."""


def play_recorded_game(home: str, record: Any = RECORD) -> str:
    """Play a recorded game without chance at a pass-and-play table of the server `home`. Return the table's id."""
    seats = [{"kind": "me", "name": name} for name in NAMES[: record.seats]]
    made = make(home, record.game, seats=seats, options=dict(record.options))
    table: str = made["table"]["id"]
    line = f"{home.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with connect(line, max_size=None, open_timeout=PATIENCE, ping_interval=None) as socket:
        socket.send(json.dumps({"type": "join", "token": made["token"]}))
        number = json.loads(socket.recv(PATIENCE))["number"]
        for entry in record.entries:
            act = {"type": "act", "id": f"n{number}", "at": number, "action": entry.text, "seat": entry.actor}
            socket.send(json.dumps(act))
            while (message := json.loads(socket.recv(PATIENCE)))["type"] != "step":
                assert message["type"] != "refused", message
            number = message["number"]
    return table
