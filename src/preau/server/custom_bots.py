"""Bots that whoever runs a server brings along: networks from files, each as a level of its game under a name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from ..bots import BOTS
from ..bots.net import NetBot, is_net, load
from ..core.errors import SetupError
from ..core.registry import find_game
from ..table.table import Table

MOST = 20
NAME = re.compile(r"[a-z0-9_-]{1,24}")
"""As `wire.Level`."""
TAKEN = {*BOTS, "people", "mixed", "skipped", "missing"}
"""What ships, and what means something else where levels are told."""
WRITE = "Write --bot name=path/to/net.onnx."


class CustomBot(msgspec.Struct, frozen=True):
    """A level that does not ship: what it is called, its file, and the game it plays."""

    name: str
    file: str
    game: str


def read_bots(given: Sequence[str]) -> tuple[CustomBot, ...]:
    """The bots meant by any number of `NAME=FILE`. Whatever is wrong with one is told before anything opens."""
    found: list[CustomBot] = []
    for text in given:
        name, equals, file = (part.strip() for part in text.partition("="))
        if not equals or not is_net(file):
            raise SetupError(f"{text!r} is no bot of your own", field="--bot", hint=WRITE)
        if not NAME.fullmatch(name):
            raise SetupError(
                f"{name!r} is no name for a bot", field="--bot", hint="It takes 1 to 24 letters a-z, digits, - or _."
            )
        if name in TAKEN or any(name == other.name for other in found):
            raise SetupError(f"the name {name} is taken", field="--bot", hint="Give it another one.")
        found.append(_read(name, Path(file)))
    if len(found) > MOST:
        raise SetupError(f"{len(found)} bots are too many", field="--bot", hint=f"It takes {MOST} at most.")
    return tuple(found)


def _read(name: str, file: Path) -> CustomBot:
    try:
        net = load(file)
        net.check_game(find_game(net.game))
    except SetupError as error:
        error.field = "--bot"
        raise
    return CustomBot(name, str(file.resolve()), net.game)


def by_game(own: Iterable[CustomBot]) -> dict[str, list[str]]:
    """What all of them are called, by the games they play."""
    found: dict[str, list[str]] = {}
    for bot in own:
        found.setdefault(bot.game, []).append(bot.name)
    return found


def levels_for(game: str, own: Iterable[CustomBot]) -> list[str]:
    """Return the levels of a game's bots: those that ship, and those of the operator."""
    return [*BOTS, *(bot.name for bot in own if bot.game == game)]


def check_bots(own: Iterable[CustomBot], table: Table) -> None:
    """Refuse a table with a bot of ours that did not learn its house rules."""
    wanted = {seat.level for seat in table.seats if seat.kind == "bot"} | {seat.stand_in for seat in table.seats}
    for bot in own:
        if bot.name in wanted and bot.game == table.game:
            try:
                NetBot(bot.file).check(find_game(table.game), len(table.seats), table.options)
            except SetupError as error:
                raise SetupError(
                    f"{bot.name} did not learn these house rules",
                    field="bot",
                    key="bot_rules",
                    params={"bot": bot.name},
                    hint=error.hint,
                ) from None
