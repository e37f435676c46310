"""A table as a value: its seats, its game and options, its timer. Whatever changes it makes a new one (`seating`)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from . import protocol, series

Json = dict[str, Any]

DAY_MS = 86_400_000
UNIT_MS: dict[str, int] = {"off": 0, "turn": 1_000, "days": DAY_MS}
"""What the amount of a timer counts."""


class TablePolicy(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for all tables of a house."""

    stand_in: str = "normal"
    """The bot that sits in for somebody who is away, and plays seats that were left: the middle level, which neither
    throws the game away nor plays much better than most people would."""
    quick: str = "greedy"
    """The bot that decides for another bot that has no time to think: one that does not search."""
    lag_ms: int = 1_000
    """Milliseconds that every clock allows for the connection."""
    speed_ms: int = 8_000
    """Milliseconds in which a player must answer in a race."""
    away_ms: int = 30_000
    """Milliseconds for which a disconnected player lets the others wait before these may let a bot play for them."""


class Seat(msgspec.Struct, frozen=True):
    """One seat. `holder` is whose it is, `stand_in` the level of a bot that plays while that person is away. A seat
    left in a game under way is open, keeps the name of whoever left, and `level` is that of the bot that plays on.
    """

    kind: Literal["person", "bot", "open"]
    name: str = ""
    level: str = ""
    holder: str | None = None
    stand_in: str | None = None
    agreed: int = 0
    """Who agrees that this seat, left in a game under way, is taken again: a bit for each seat."""
    former: str = ""
    """What whoever left this seat can prove to be: they may come back while nobody has taken it."""

    def agreeing(self) -> list[int]:
        """The seats of those who agree that this one is taken again."""
        return [number for number in range(self.agreed.bit_length()) if self.agreed >> number & 1]


class TieBreak(msgspec.Struct, frozen=True, kw_only=True):
    """The arm wrestling of those who share the first place (see `contest`), which the record knows nothing of."""

    seats: tuple[int, ...]
    """Who shares it."""
    phase: Literal["asked", "pulling", "over", "declined"] = "asked"
    yes: tuple[int, ...] = ()
    """Who wants to."""
    no: int | None = None
    """Who does not: then the tie stays."""
    round: int = 0
    starts: int = 0
    """When this round begins, by the server's clock."""
    bots: dict[int, str] = {}
    """The seats for which a bot pulls, with its level."""
    taps: dict[int, int] = {}
    """How often each of them taps in this round, as drawn when it was put."""
    counts: dict[int, int] = {}
    """How often each seat has tapped in the last round, as far as that is known."""
    winner: int | None = None
    """Nobody, if it is over: they were equal in every round."""
    interrupted: bool = False
    """A round was lost with the process that measured it: it is asked anew."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """One table. Times are milliseconds since the epoch; a holder is whoever has a token for seats of it."""

    id: str
    code: str
    game: str
    rules: str
    wish: Json
    """The options that were asked for; what is random in them is drawn at the start."""
    options: Json
    """The options in force."""
    visibility: protocol.Visibility
    timer: Literal["off", "turn", "days"]
    timer_ms: int
    status: protocol.Status
    host: str
    created: int
    started: int | None = None
    over: int | None = None
    rematch: str | None = None
    maker: str = ""
    """Whose address it was made from, as a key that tells only whether two are the same."""
    newcomers: bool = True
    """Whether somebody new may take a seat that was left, if all people agree."""
    contest: TieBreak | None = None
    """None until somebody has answered whether to wrestle."""
    hints: bool = True
    """Whether a person who plays with bots alone may ask for hints."""
    hinted: int = 0
    """How often somebody did."""
    challenge: str = ""
    """The day whose challenge is played here, as 2026-11-17; nothing at any other table."""
    start: str = ""
    """The position that the game is played on from, as JSON; nothing at a table that begins at the beginning."""
    origin: protocol.Origin | None = None
    """Where that position is from."""
    series: series.Series | None = None
    """The games before this one, at a rematch."""
    seats: tuple[Seat, ...]

    @property
    def holders(self) -> dict[int, str]:
        """Who holds which seat."""
        return {number: seat.holder for number, seat in enumerate(self.seats) if seat.holder}

    def seats_of(self, holder: str | None) -> list[int]:
        """The seats of one holder."""
        return [number for number, seat in enumerate(self.seats) if seat.holder == holder] if holder else []

    def is_host(self, holder: str | None) -> bool:
        """Whether this holder is the host."""
        return holder is not None and self.host == holder

    def people(self) -> list[int]:
        """The seats people play themselves."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "person" and not seat.stand_in]

    def bot_of(self, seat: int, policy: TablePolicy) -> str | None:
        """The level of the bot that plays a seat now, or None if a person does."""
        one = self.seats[seat]
        if one.kind == "bot":
            return one.level
        if one.stand_in:
            return one.stand_in
        return (one.level or policy.stand_in) if one.kind == "open" else None

    def bots_among(self, seats: tuple[int, ...], policy: TablePolicy) -> dict[int, str]:
        """Of the seats that owe a decision, those a bot plays, with its level."""
        return {seat: level for seat in seats if seat >= 0 and (level := self.bot_of(seat, policy)) is not None}

    def bots_due(self, to_act: tuple[int, ...], policy: TablePolicy) -> dict[int, str]:
        """Of the seats that owe a decision, the bots that are to decide now. In a challenge people answer first, so
        that what happens depends on nobody's clock.
        """
        if self.challenge and any(seat >= 0 and self.bot_of(seat, policy) is None for seat in to_act):
            return {}
        return self.bots_among(to_act, policy)

    def info(self) -> protocol.TableInfo:
        """The table as everybody sees it."""
        unit = UNIT_MS[self.timer] or 1
        return protocol.TableInfo(
            id=self.id,
            code=self.code,
            game=self.game,
            rules=self.rules,
            options=self.options,
            seats=[
                protocol.SeatInfo(
                    seat=number,
                    kind=seat.kind,
                    name=seat.name,
                    level=seat.level,
                    stand_in=seat.stand_in or "",
                    host=self.is_host(seat.holder),
                    agreed=seat.agreeing(),
                )
                for number, seat in enumerate(self.seats)
            ],
            visibility=self.visibility,
            timer=protocol.Timer(kind=self.timer, amount=max(1, self.timer_ms // unit)),
            status=self.status,
            created=self.created,
            rematch=self.rematch or "",
            newcomers=self.newcomers,
            hints=self.hints,
            hinted=self.hinted,
            challenge=self.challenge,
            origin=self.origin,
            series=series.told(self.series, self.holders),
        )
