"""Bots, and tables they play at. A bot knows only what a player in its seat knows."""

from .base import Bot, BotError, Budget, Seen
from .levels import LEVELS, LevelBot, explain
from .making import BOTS, make_bot
from .outside import OutsideBot
from .simple import GreedyBot, RandomBot
from .table import Table, play

__all__ = [
    "BOTS",
    "LEVELS",
    "Bot",
    "BotError",
    "Budget",
    "GreedyBot",
    "LevelBot",
    "OutsideBot",
    "RandomBot",
    "Seen",
    "Table",
    "explain",
    "make_bot",
    "play",
]
