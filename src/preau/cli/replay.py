"""`preau replay`: a record as a position or as a story."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import RecordError
from ..core.record import Record
from ..core.state import State
from .check import read_record, read_texts
from .common import AsJson, Lang, console, language, own_texts, print_indented, print_json, print_picture, sentence
from .showing import actor_name, has_secrets, print_result, sentences


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, .json or .jsonl.")],
    at: Annotated[int | None, typer.Option("--at", metavar="N", min=0, help="The position after N actions.")] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="K", help="As this seat sees it. [default: a spectator]")
    ] = None,
    lang: Lang = None,
    json: AsJson = False,
    game: Annotated[int, typer.Option("--game", metavar="I", min=1, help="Which game of a .jsonl file, from 1.")] = 1,
) -> None:
    """Show a recorded game as a log, or a position of it.

    With --json the position is printed as data: all of it, or with --seat the view of that seat.
    """
    record = read_game(file, game)
    state = record.replay(at)
    if seat is not None and not 0 <= seat < state.seats:
        raise RecordError(
            f"there is no seat {seat}", field="--seat", hint=f"There are the seats 0 to {state.seats - 1}."
        )
    if json:
        print_json(state.to_json() if seat is None else state.view(seat))
        return
    speech = language(lang)
    if at is None:
        _print_log(record, seat, speech)
    else:
        _print_position(record, state, at, seat, speech)


def read_game(file: Path, game: int) -> Record:
    """One of the games in a file, counted from 1."""
    texts = list(read_texts(file))
    if game > len(texts):
        raise RecordError(f"there is no game {game} in {file}", field="--game", hint=f"It holds {len(texts)}, from 1.")
    number, text = texts[game - 1]
    return read_record(text, number)


def names_in(record: Record) -> list[str]:
    """The players' names, if the record has them."""
    names = record.meta.get("names")
    if isinstance(names, list) and len(names) == record.seats and all(isinstance(one, str) for one in names):
        return ["".join(letter for letter in one if letter.isprintable()) for one in names]
    return []


def _print_position(record: Record, state: State, at: int, seat: int | None, lang: str) -> None:
    texts = own_texts(lang)
    out = console()
    out.print(texts.say("replay.at", {"at": at, "of": len(record.entries)}), style="bold")
    print_picture(out, state.diagram(seat))
    prompt = state.prompt(seat)
    out.print(sentence(state.game, lang, prompt["key"], prompt, names_in(record)))


def _print_log(record: Record, seat: int | None, lang: str) -> None:
    """Every action with what it led to; what `seat` did not see is left out."""
    from rich.text import Text

    out = console()
    names = names_in(record)
    state = record.start_state()
    game, texts = state.game, own_texts(lang)
    out.print(texts.say("replay.title", {"title": game.titles[lang], "seats": record.seats}), style="bold")
    hidden = has_secrets(record.replay())
    width = len(str(len(record.entries)))
    for number, entry in enumerate(record.entries, 1):
        happened = state.apply(entry.actor, entry.text)
        head = Text(f"{number:>{width}}  ", style="dim")
        head.append(actor_name(entry.actor, names, texts), style="not dim bold")
        if not hidden or entry.actor == seat:  # the text of an action may hold a secret
            head.append(f"  {game.shown(entry.text)}", style="not dim cyan")
        out.print(head)
        for line in sentences(game, happened, seat, lang, names):
            print_indented(out, line, width + 2)
    out.print()
    print_picture(out, state.diagram(seat))
    if state.over:
        print_result(out, state, seat, names, lang)
    else:
        out.print(texts.say("replay.unfinished", {"count": len(record.entries)}), style="bold")
    if record.hints:
        out.print(texts.say("practice", {"n": record.hints}))
