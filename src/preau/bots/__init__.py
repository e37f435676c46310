"""Bots, and tables they play at. A bot knows only what a player in its seat knows."""

from .base import Bot, Seen
from .simple import GreedyBot, RandomBot
from .table import BOTS, Table, make_bot, play

__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot", "Seen", "Table", "make_bot", "play"]
