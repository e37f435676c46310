"""The challenge of each day at this server: its key comes from a secret of the house, the same for all processes.

Nothing that is sent before a day is over tells the key, or what chance will do: a table of a challenge tells what
happens there, as any other, and the key is published on the next day (`preau.learn.challenge`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import count

from ...core.errors import SetupError
from ...core.registry import find_game, on_offer
from ...learn.challenge import FIRST, Day, by_secret, plan_of, read_day, today
from ...table import chance, protocol
from ...table.live_game import Draw
from ...table.refusals import Unknown
from ...table.table import Table


class DailyChallenges:
    """The challenges of this house."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._secret = b""

    def open(self, secret: bytes) -> None:
        """Take in the secret that all days follow from."""
        self._secret = secret

    # What everybody may know.

    def about(self) -> protocol.Challenges:
        """Which day it is."""
        now = self._now()
        day = today(now)
        begins = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
        return protocol.Challenges(
            today=day.isoformat(),
            first=FIRST.isoformat(),
            next=round(begins.timestamp() * 1000),
            now=now,
            games=[game.id for game in on_offer() if game.challenge is not None],
        )

    def show(self, game: str, day: str) -> protocol.Challenge:
        """The challenge of a day, with its key once the day is over."""
        found, now = self.find(game, day), today(self._now())
        key = found.key.hex() if found.day < now else ""
        return protocol.Challenge(game=game, day=day, today=now.isoformat(), kind=found.kind, key=key)

    def today(self) -> str:
        """The day whose challenges are being tried, as they are named."""
        return today(self._now()).isoformat()

    def find(self, game: str, day: str) -> Day:
        """The challenge of a day that has come; refuses others."""
        name = find_game(game).id
        try:
            plan_of(find_game(name))
            return by_secret(name, read_day(day, today(self._now())), self._secret)
        except SetupError as error:
            key = "no_challenge" if error.field == "game" else "challenge_day"
            raise Unknown(error.message, field=error.field, key=key, hint=error.hint) from error

    def wish(self, game: str, day: str, name: str) -> protocol.NewTable:
        """The table of a challenge as somebody would wish it."""
        plan = self.find(game, day).plan
        own = protocol.SeatWish(kind="me", name=name)
        seats = [protocol.SeatWish(kind="bot", level=level) if level else own for level in plan.levels]
        options = dict(plan.options)
        return protocol.NewTable(game=game, seats=seats, options=options, start=True, newcomers=False, hints=False)

    # What happens at tables.

    def of(self, table: Table) -> Day | None:
        """The challenge that is played at a table, if one is."""
        if not table.challenge:
            return None
        return by_secret(table.game, date.fromisoformat(table.challenge), self._secret)

    def start_seed(self, table: Table) -> int | None:
        """What is drawn from what is random in the options, if that is not by lot."""
        day = self.of(table)
        return day.seed("start") if day is not None else None

    def bot_seed(self, table: Table, number: int) -> int | None:
        """The seed of a bot that decides after so many actions, if its chance follows a day."""
        day = self.of(table)
        return day.bot_seed(number) if day is not None else None

    def draw(self, table: Table, drawn: int) -> Draw:
        """How chance is drawn for the next step at a table where it did something so many times."""
        day = self.of(table)
        if day is None:
            return chance.draw
        numbers = count(drawn)
        return lambda state, delays: state.draw(day.chance(next(numbers)))
