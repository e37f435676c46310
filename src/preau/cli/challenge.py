"""`preau challenge`: the challenge of the day at the terminal, and whether somebody's result is true.

Without a server what chance does follows from the date alone: whoever wants to can look ahead, and the record says so.
"""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from ..bots import BotMatch
from ..core.game import Game
from ..core.record import Record
from ..core.registry import find_game, on_offer
from ..core.texts import Texts
from ..learn.challenge import TRIES, Day, DayTable, Verdict, by_date, place_of, plan_of, read_day, today, verify
from .common import AsJson, Force, GameName, Lang, console, language, own_texts, polite, print_json, writable
from .play import names_of
from .session import Session

app = typer.Typer(
    help="Play the challenge of the day, and check results.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

OnDay = Annotated[str | None, typer.Option("--day", metavar="YYYY-MM-DD", help="Another day. [default: today, in UTC]")]


@app.command("show")
@polite
def show_challenge(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Only that of this game.")] = None,
    day: OnDay = None,
    lang: Lang = None,
    json: AsJson = False,
) -> None:
    """Say what the challenge of a day is."""
    speech, when = language(lang), _day(day)
    games = [one for one in on_offer() if one.challenge is not None] if game is None else [find_game(game)]
    rows = [_as_data(one, when, speech) for one in games]
    if json:
        print_json(rows)
        return
    texts, out = own_texts(speech), console()
    for one, row in zip(games, rows, strict=True):
        out.print(texts.say("challenge.of", {"title": one.titles[speech], "day": when}), style="bold")
        out.print(row["about"])
        out.print(texts.say("challenge.against", {"bots": _bots(one, texts)}))
        out.print()
    out.print(texts.say("challenge.tries", {"n": TRIES}), style="dim")
    out.print(texts.say("challenge.date"), style="dim")


@app.command("play", no_args_is_help=True)
@polite
def play_challenge(
    game: GameName,
    day: OnDay = None,
    lang: Lang = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Keep the game in this file as it goes.")
    ] = None,
    force: Force = False,
) -> None:
    """Try the challenge of a day in the terminal.

    It is the same for everybody who tries it at a terminal on that day. Nothing is taken back, and there are no hints.
    """
    found = find_game(game)
    plan_of(found)
    writable(record, "--record", force=force)
    ChallengeSession(by_date(found.id, _day(day)), language(lang), record).run()


@app.command("check", no_args_is_help=True)
@polite
def check_challenge(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="The record of a try.")],
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="KEY", help="The key of that day, which the server tells once the day is over."),
    ] = None,
    lang: Lang = None,
    json: AsJson = False,
) -> None:
    """Say what a try came to, if its record is true.

    Every draw of chance and every decision of a bot is worked out anew from the key; for a try without a server, from
    the date. The exit code is 2 if anything is wrong.
    """
    verdict = verify(Record.load(file), key)
    if json:
        print_json(verdict._asdict() | {"day": verdict.day.isoformat()})
        return
    speech = language(lang)
    for line in result_lines(verdict, speech):
        print(line)


def result_lines(verdict: Verdict, lang: str) -> list[str]:
    """What a try came to, in sentences."""
    game, texts = find_game(verdict.game), own_texts(lang)
    said: dict[str, Any] = {
        "title": game.titles[lang],
        "day": verdict.day,
        "points": game.texts(lang).say("points", {"n": verdict.measure}),
        "place": verdict.place,
    }
    lines = [texts.say("challenge.result", said), texts.say(f"challenge.{verdict.kind}")]
    return [*lines, texts.say("challenge.late")] if verdict.late else lines


class ChallengeSession(Session):
    """A try at a challenge: nothing is taken back, and nobody helps."""

    def __init__(self, day: Day, lang: str, record: Path | None) -> None:
        self.day = day
        plan = day.plan
        bots = {seat: level for seat, level in enumerate(plan.levels) if level}
        names = names_of(plan.seats, [plan.seat], bots, None, own_texts(lang))
        super().__init__(day.begin(), [plan.seat], bots, names, lang, record=record)
        self.match.record.meta["challenge"] = day.meta

    def _new_table(self) -> BotMatch:
        return DayTable(self.match, self.day)

    def _greet(self) -> None:
        super()._greet()
        self._say("challenge.of", "bold", title=self.game.titles[self.lang], day=self.day.day)
        self.screen.say(self.game.texts(self.lang).say("challenge.about"))
        self._say("challenge.date", "dim")

    def _hint(self, seat: int) -> None:
        self._say("challenge.alone", "red")

    def _undo(self, seat: int) -> bool:
        self._say("challenge.alone", "red")
        return False

    def _finish(self) -> None:
        super()._finish()
        seat, last = self.people[0], self.match.state
        now = _now()
        verdict = Verdict(
            self.game.id, self.day.day, self.day.kind, last.scores()[seat], place_of(last, seat), now > self.day.day
        )
        for line in result_lines(verdict, self.lang):
            self.screen.say(line)


def _now() -> date:
    return today(time.time() * 1000)


def _day(wanted: str | None) -> date:
    return _now() if wanted is None else read_day(wanted, _now())


def _as_data(game: Game, day: date, lang: str) -> dict[str, Any]:
    plan = plan_of(game)
    state = by_date(game.id, day).start()
    return {
        "game": game.id,
        "day": day.isoformat(),
        "kind": "date",
        "about": game.texts(lang).say("challenge.about"),
        "seat": plan.seat,
        "bots": list(plan.bots),
        "options": dict(state.options),
    }


def _bots(game: Game, texts: Texts) -> str:
    return ", ".join(texts.say(f"bot.{level}") if f"bot.{level}" in texts else level for level in plan_of(game).bots)
