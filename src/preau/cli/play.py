"""`preau play`: a game in the terminal, against bots or around one screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from ..bots.net import is_net
from ..core.errors import SetupError
from ..core.game import Game
from ..core.match import Match
from ..core.record import Record
from ..core.registry import find_game
from ..core.state import State
from ..core.texts import Texts
from .common import (
    Force,
    GameName,
    Lang,
    Options,
    Seats,
    Seed,
    language,
    own_texts,
    read_json_file,
    read_options,
    writable,
)

USUAL_BOT = "greedy"
PLAIN_BOT = "random"


def play(
    game: GameName,
    seats: Seats = None,
    seat: Annotated[int | None, typer.Option("--seat", metavar="K", help="Your seat, from 0. [default: 0]")] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot",
            "-b",
            metavar="NAME",
            help="Who plays the other seats: one name for all, or one each. [default: greedy]",
        ),
    ] = None,
    option: Options = None,
    seed: Seed = None,
    lang: Lang = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Keep the game in this file as it goes.")
    ] = None,
    load: Annotated[
        Path | None, typer.Option("--load", metavar="POSITION.json", help="Start from this position.")
    ] = None,
    hot_seat: Annotated[
        bool,
        typer.Option("--hot-seat", help="People share this screen; bots named with --bot take the last seats."),
    ] = False,
    name: Annotated[
        list[str] | None, typer.Option("--name", metavar="NAME", help="A person's name, in seat order.")
    ] = None,
    force: Force = False,
) -> None:
    """Play a game in the terminal.

    Choose by number or by the text of an action; a part of it shows what begins so. Type ? in the game for the other
    commands. Ctrl-D or q leaves.
    """
    from .session import Session

    found = find_game(game)
    writable(record, "--record", force=force)
    match = _match(found, seats, option, seed, load)
    if match.over:
        raise SetupError("the game is over in this position", field="--load")
    people = _people(match.state.seats, seat, bot, hot_seat)
    bots = _bots(match.state, [one for one in range(match.state.seats) if one not in people], bot)
    speech = language(lang)
    names = names_of(match.state.seats, people, bots, name, own_texts(speech))
    Session(match, people, bots, names, speech, seed=seed, record=record).run()


def _match(game: Game, seats: int | None, option: list[str] | None, seed: int | None, load: Path | None) -> Match:
    if load is None:
        return Match.new(game, seats, read_options(option), seed)
    if seats is not None or option:
        raise SetupError(
            "a position has its own seats and options",
            field="--load",
            hint="Leave out --seats and --option, or change the file.",
        )
    data = read_json_file(load, "--load")
    if not isinstance(data, dict):
        raise SetupError(f"{load} holds no position", field="--load", hint="A position is a JSON object.")
    state = game.load(data)
    return Match(game, state, Random(seed), Record.begin(state, from_position=True))


def _people(seats: int, seat: int | None, bots: list[str] | None, hot_seat: bool) -> tuple[int, ...]:
    if not hot_seat:
        mine = seat or 0
        if not 0 <= mine < seats:
            raise SetupError(
                f"there is no seat {mine} at a table of {seats}",
                field="--seat",
                hint=f"Seats are 0 to {seats - 1}.",
            )
        return (mine,)
    if seat is not None:
        raise SetupError("people take the first seats with --hot-seat", field="--seat", hint="Leave it out.")
    left = seats - len(bots or ())
    if left < 1:
        raise SetupError(f"{len(bots or ())} bots leave no seat for people at a table of {seats}", field="--bot")
    return tuple(range(left))


def _bots(start: State, seats: Sequence[int], wanted: list[str] | None) -> dict[int, str]:
    """A bot's name for each seat; where the usual bot cannot play a game, the plain one does."""
    from .series import can_play, seat_bots

    if not seats:
        return {}
    names = wanted or [USUAL_BOT if can_play(start.game, USUAL_BOT) else PLAIN_BOT]
    return dict(zip(seats, seat_bots(start, len(seats), names, "--bot"), strict=True))


def names_of(
    seats: int, people: Sequence[int], bots: dict[int, str], given: list[str] | None, texts: Texts
) -> list[str]:
    """What everybody at the table is called."""
    own = ["".join(letter for letter in one if letter.isprintable()).strip() for one in given or ()]
    if len(own) > len(people) or not all(own):
        raise SetupError(
            f"{len(own)} names for {len(people)} people" if all(own) else "a name is empty", field="--name"
        )
    names = []
    for seat in range(seats):
        if seat in bots:
            word = bot_name(bots[seat])
            key = f"bot.{word.lower()}"
            names.append(f"{texts.say(key) if key in texts else word[:1].upper() + word[1:]} {seat}")
        else:
            names.append(own.pop(0) if own else texts.say("player", {"seat": seat}))
    return names


def bot_name(spec: str) -> str:
    """What a bot is called that is made from this word.

    >>> bot_name("hard@200"), bot_name("bots/mine.py:Miser"), bot_name("runs/yard.onnx")
    ('hard', 'Miser', 'yard')
    """
    if is_net(spec):
        return Path(spec.strip()).stem
    return spec.partition("@")[0].rpartition(":")[2].strip()
