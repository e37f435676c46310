"""Bots, and matches they play in. A bot knows only what a player in its seat knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .base import Bot, BotError, Budget, Seen
from .bot_match import BotMatch, play
from .levels import LEVELS, LevelBot, explain
from .registry import BOTS, make_bot
from .seated import SeatedBot
from .simple import GreedyBot, RandomBot

if TYPE_CHECKING:
    from .file_bot import FileBot

__all__ = [
    "BOTS",
    "LEVELS",
    "Bot",
    "BotError",
    "BotMatch",
    "Budget",
    "FileBot",
    "GreedyBot",
    "LevelBot",
    "RandomBot",
    "SeatedBot",
    "Seen",
    "explain",
    "make_bot",
    "play",
]


def __getattr__(name: str) -> Any:
    """What needs threads and processes is loaded when it is wanted: not every place that bots live in has them."""
    if name == "FileBot":
        from .file_bot import FileBot

        return FileBot
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
