"""A table in memory: its rows, its seats, and whatever this process knows of its game."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from . import wire
from .live import Live
from .rooms import Room

Json = dict[str, Any]

DAY_MS = 86_400_000


class Table:
    """A table in memory."""

    def __init__(self, row: Json, seats: list[Json]) -> None:
        self.id: str = row["id"]
        self.row = row
        self.seats = seats
        self.live: Live | None = None
        self.room = Room()
        self.lock = asyncio.Lock()
        self.used = time.monotonic()
        self.deserted: dict[int, float] = {}
        """Seats that owe a decision and are not connected, since when."""
        self.playing_bots: asyncio.Task[None] | None = None

    @property
    def status(self) -> wire.Status:
        """Waiting, playing or over."""
        found: wire.Status = self.row["status"]
        return found

    @property
    def options(self) -> Json:
        """The options in force."""
        options: Json = json.loads(self.row["options"])
        return options

    @property
    def holders(self) -> dict[int, str]:
        """Who holds which seat."""
        return {seat["seat"]: seat["holder"] for seat in self.seats if seat["holder"]}

    def seats_of(self, holder: str | None) -> list[int]:
        """The seats of one holder."""
        return [seat["seat"] for seat in self.seats if seat["holder"] == holder] if holder else []

    def is_host(self, holder: str | None) -> bool:
        """Whether this holder made the table."""
        return holder is not None and self.row["host"] == holder

    def bot_of(self, seat: int, stand_in: str) -> str | None:
        """The level of the bot that plays a seat now, or None if a person does."""
        row = self.seats[seat]
        if row["kind"] == "bot":
            return str(row["level"])
        if row["stand_in"]:
            return str(row["stand_in"])
        return stand_in if row["kind"] == "open" else None

    def people(self) -> list[int]:
        """The seats people play themselves."""
        return [seat["seat"] for seat in self.seats if seat["kind"] == "person" and not seat["stand_in"]]

    def info(self) -> wire.TableInfo:
        """The table as everybody sees it."""
        row = self.row
        return wire.TableInfo(
            id=self.id,
            code=row["code"],
            game=row["game"],
            rules=row["rules"],
            options=self.options,
            seats=[
                wire.SeatInfo(
                    seat=seat["seat"],
                    kind=seat["kind"],
                    name=seat["name"],
                    level=seat["level"],
                    stand_in=seat["stand_in"] or "",
                )
                for seat in self.seats
            ],
            visibility=row["visibility"],
            timer=timer_of(row),
            status=row["status"],
            created=row["created"],
            rematch=row["rematch"] or "",
        )


def timer_of(row: Json) -> wire.Timer:
    """The timer as it was asked for."""
    unit = {"off": 1, "turn": 1000, "days": DAY_MS}[row["timer"]]
    return wire.Timer(kind=row["timer"], amount=max(1, row["timer_ms"] // unit))
