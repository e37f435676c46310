"""What the commands share: their common flags, and how they read input, write files and complain."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec

import typer

from ..core.errors import DataError, PreauError, SetupError
from ..core.game import Game
from ..core.texts import Texts

if TYPE_CHECKING:
    from rich.console import Console

Params = ParamSpec("Params")


TOO_MUCH = "a number is too long, or lists are nested too deeply"
"""What can be wrong with JSON apart from its form."""


class Language(StrEnum):
    """The languages a player can be spoken to in."""

    EN = "en"
    FR = "fr"


GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's id; `preau games` lists them.")]
Seats = Annotated[int | None, typer.Option("--seats", metavar="N", help="How many seats.")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="Set an option of the game: a number, a word, on or off, or @file.json. Repeatable.",
    ),
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="S", help="Makes chance repeatable.")]
Lang = Annotated[Language | None, typer.Option("--lang", "--language", help="Language. [default: from LC_ALL or LANG]")]
Players = Annotated[
    str, typer.Option("--bots", metavar="A,B,...", help="Who plays, as in the arena; one bot takes all seats.")
]
GivenSeed = Annotated[int, typer.Option("--seed", metavar="S", help="Another seed gives other games.")]
BotFiles = Annotated[
    list[str] | None,
    typer.Option("--bot", metavar="[NAME=]FILE.py:CLASS|FILE.onnx", help="A bot of your own. Repeatable."),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", "-w", metavar="N", min=1, max=256, help="How many processes. [default: one a core]"),
]
Ray = Annotated[
    str, typer.Option("--ray", metavar="ADDRESS", help="Play on this Ray cluster; `local` starts one here.")
]
Resume = Annotated[bool, typer.Option("--resume/--fresh", help="Go on with the games that were kept, or start over.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is already there.")]


# Complaining.


def complain(message: str) -> None:
    """Say on the error stream what went wrong."""
    print(f"preau: {message}", file=sys.stderr, flush=True)


def polite(command: Callable[Params, None]) -> Callable[Params, None]:
    """The command, with refusals turned into one clear line and exit code 2."""

    @wraps(command)
    def run(*args: Params.args, **kwargs: Params.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except PreauError as error:
            complain(_file_of(error, kwargs) + str(error))
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            print(file=sys.stderr)
            complain("stopped")
            raise typer.Exit(130) from None
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            complain(f"{error.filename or 'file'}: {error.strerror or error}")
            raise typer.Exit(2) from None

    return run


def _file_of(error: PreauError, flags: dict[str, Any]) -> str:
    """The file that an option's refused value was read from, for the front of the message."""
    option = error.field.removeprefix("option ").partition(":")[0]
    for values in flags.values():
        for value in values if isinstance(values, list) else ():
            name, _, path = str(value).partition("=@")
            if path and name.strip() == option and path.strip() not in str(error):
                return f"{path.strip()}: "
    return ""


# Speaking.


def language(wanted: Language | None) -> str:
    """The language asked for, or the one of the reader's environment."""
    if wanted is not None:
        return wanted.value
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return "fr" if os.environ[name].lower().startswith("fr") else "en"
    return "en"


def own_texts(lang: str) -> Texts:
    """The command line's own messages."""
    return Texts.read(Path(__file__).parent / "texts", lang)


def sentence(game: Game, lang: str, key: str, params: dict[str, Any], names: Sequence[str] = ()) -> str:
    """A message of the game. One that is missing must not stop a game: its key and facts stand in for it."""
    try:
        return game.texts(lang).say(key, params, names)
    except DataError:
        facts = ", ".join(f"{name} {value}" for name, value in params.items() if name not in ("key", "rule"))
        return f"{key}: {facts}" if facts else key


def console(*, error: bool = False) -> Console:
    """Where to print; Rich takes care of colours, widths and NO_COLOR."""
    from rich.console import Console

    return Console(stderr=error, highlight=False, markup=False, emoji=False)


def print_indented(out: Console, text: str, indent: int, label: str = "", style: str = "") -> None:
    """A paragraph set in by `indent` columns, with a label in front of it."""
    from textwrap import wrap

    from rich.text import Text

    lines = wrap(text, max(20, out.width - indent), break_long_words=False, break_on_hyphens=False)
    for number, line in enumerate(lines or [""]):
        front = Text("" if number else label, style="bold")
        front.pad_right(indent - len(front))
        out.print(Text.assemble(front, (line, style)), soft_wrap=True)


def print_picture(out: Console, text: str) -> None:
    """A diagram, line by line as it is; only a line that is too long is folded."""
    from textwrap import wrap

    for line in text.split("\n"):
        if len(line) > out.width:
            for part in wrap(line, out.width, subsequent_indent=" " * 8, break_on_hyphens=False):
                out.print(part, soft_wrap=True)
        else:
            out.print(line, soft_wrap=True)


def command_line() -> str:
    """The command as it was typed, for files that say how they were made."""
    return shlex.join(["preau", *sys.argv[1:]])


def print_json(data: object) -> None:
    """Data for another program."""
    print(json.dumps(data, ensure_ascii=False, indent=1))


@contextmanager
def progress(total: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal's error stream; nothing elsewhere."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    err = console(error=True)
    if not err.is_terminal:
        yield lambda _: None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, completed=done)


def rule_ids(game: Game) -> list[str]:
    """The ids of the game's rules, in the order of the sheet."""
    return sorted((key[5:] for key in game.texts("en").messages if key.startswith("rule.")), key=_by_number)


def find_rule(game: Game, wanted: str) -> str:
    """The id of a rule as it is written, from what somebody typed."""
    ids = rule_ids(game)
    for one in ids:
        if one.lower() == wanted.strip().lower():
            return one
    raise SetupError(f"{game.id} has no rule {wanted!r}", field="rule", hint=f"Its rules are {ids[0]} to {ids[-1]}.")


def _by_number(text: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.findall(r"\d+|\D+", text)]


# Reading.


def read_json_file(path: Path, field: str) -> Any:
    """The JSON data in a file, or a `DataError` that says what is wrong with the file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}", field=field) from None
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8 text", field=field, hint="It must be a JSON file.") from None
    return parse_json(text, str(path), field)


def parse_json(text: str, what: str, field: str) -> Any:
    """The data in a JSON text, or a `DataError` that says where it goes wrong."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        why = "it is empty" if not text.strip() else f"{error.msg}, line {error.lineno} column {error.colno}"
    except (ValueError, RecursionError):
        why = TOO_MUCH
    raise DataError(f"{what} is no JSON ({why})", field=field)


def read_options(given: Sequence[str] | None, flag: str = "--option") -> dict[str, Any]:
    """The options of a game as typed: `name=value`, `name=@file.json`, or `name=` and JSON data.

    >>> read_options(["turns=20", "layout=B1 A0 D2 C3"])
    {'turns': '20', 'layout': 'B1 A0 D2 C3'}
    """
    values: dict[str, Any] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name:
            raise SetupError(f"{text!r} is no option", field=flag, hint="Write name=value.")
        if name in values:
            raise SetupError(f"{name} is set twice", field=flag, hint="Set it once.")
        if value.startswith("@"):
            values[name] = read_json_file(Path(value[1:]), f"option {name}")
        elif value.startswith(("{", "[")):
            values[name] = parse_json(value, "the value", f"option {name}")
        else:
            values[name] = value
    return values


# Writing.


def writable(path: Path | None, flag: str, *, force: bool = False) -> None:
    """Refuse a file that could not be written later, before anything is played."""
    if path is None:
        return
    folder = path.absolute().parent
    if path.is_dir():
        raise SetupError(f"{path} is a folder", field=flag, hint="Name a file.")
    if not folder.is_dir():
        raise SetupError(f"there is no folder {folder}", field=flag, hint="Make it first.")
    if not os.access(folder, os.W_OK):
        raise SetupError(f"the folder {folder} cannot be written to", field=flag, hint="Name another.")
    if path.exists() and not force:
        raise SetupError(f"{path} is already there", field=flag, hint="Name another file, or add --force.")
