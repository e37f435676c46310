"""The commands put together."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from .arena import arena
from .backup import backup, restore
from .bench import bench
from .challenge import app as challenge
from .check import check
from .common import polite
from .dataset import dataset
from .doctor import doctor
from .games import games
from .lab import lab
from .perft import perft
from .picture import picture
from .play import play
from .puzzles import app as puzzles
from .replay import replay
from .review import review_record
from .serve import serve
from .simulate import simulate

app = typer.Typer(
    name="preau",
    help="School-yard games to play, learn and study: rules, bots and tools on one Python core.",
    epilog="Start with: preau games",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command(no_args_is_help=True)(polite(play))
app.command()(polite(games))
app.command(no_args_is_help=True)(polite(simulate))
app.command(no_args_is_help=True)(polite(arena))
app.command(no_args_is_help=True)(polite(dataset))
app.command(no_args_is_help=True)(polite(lab))
app.command(no_args_is_help=True)(polite(replay))
app.command("review", no_args_is_help=True)(polite(review_record))
app.command(no_args_is_help=True)(polite(picture))
app.command()(polite(serve))
app.command(no_args_is_help=True)(polite(backup))
app.command(no_args_is_help=True)(polite(restore))
app.command(no_args_is_help=True)(polite(check))
app.command(no_args_is_help=True)(polite(perft))
app.add_typer(puzzles, name="puzzles")
app.add_typer(challenge, name="challenge")
app.command(context_settings={"ignore_unknown_options": True})(polite(bench))
app.command()(polite(doctor))


def _version(wanted: bool) -> None:
    if wanted:
        package = import_module(__name__.partition(".")[0])
        typer.echo(f"preau {package.__version__}" + (" (compiled rules)" if package.compiled else ""))
        raise typer.Exit


@app.callback()
def _front(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """School-yard games to play, learn and study."""
