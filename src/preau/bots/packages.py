"""What installed packages bring for the games in them: a judge (`preau.judges`) and a greedy player (`preau.greedy`).

The entry point is called as the game is. One that cannot be used is named when it is wanted; all else works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.errors import SetupError
from ..core.installed import installed, package_of, reason_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def brought(group: str, game: str) -> EntryPoint | None:
    """What a package says it brings for a game, if one does."""
    return next((entry for entry in installed(group).entries if entry.name == game), None)


def load(entry: EntryPoint) -> Any:
    """The module or object that an entry point names."""
    try:
        return entry.load()
    except (Exception, SystemExit) as error:  # whatever a package does wrong
        raise unusable(entry, reason_of(error, package_of(entry))) from error


def unusable(entry: EntryPoint, why: str) -> SetupError:
    """The refusal of what a package brings."""
    return SetupError(
        f"what a package brings for {entry.name} cannot be used: {why}",
        field=f"{entry.group} {entry.value}",
        hint="Mend or remove the package, or choose a bot that does without it.",
    )
