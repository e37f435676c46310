"""Bots against bots, by the hundred, so that anyone who runs the same command gets the same table.

A `Plan` says what is played and by whom; every game of it depends on the seed of the plan and its own number only.
`run` plays a plan in local processes or on Ray, keeps what was played, and goes on where it was stopped.
"""

from .entrants import Entrant, enter
from .play import BotFailure, Played, play_game
from .runs import Report, run
from .schedule import Plan, Seating, make_plan

__all__ = ["BotFailure", "Entrant", "Plan", "Played", "Report", "Seating", "enter", "make_plan", "play_game", "run"]
