"""The engine contract: what a game, a position, an action, an event and a record are.

Standard library only. Nothing here knows any particular game, server, bot or page.
"""

from .actions import ActionTable
from .book import Figure
from .errors import (
    ActionError,
    DataError,
    IllegalAction,
    MalformedAction,
    NotYourTurn,
    PositionError,
    PreauError,
    RecordError,
    SetupError,
    UnknownGame,
    ViewError,
)
from .facts import Facts, Usual
from .game import Game, OpenSampler, Sampler
from .lessons import Exercise
from .match import Match
from .observation import Layout, Observation, Piece
from .options import Option
from .record import Entry, Record, read_records
from .registry import broken, find_game, game_ids, on_offer, register
from .slate import Slate
from .state import HIDDEN, NATURE, REFEREE, Action, Event, Result, State
from .texts import LANGUAGES, Texts

__all__ = [
    "HIDDEN",
    "LANGUAGES",
    "NATURE",
    "REFEREE",
    "Action",
    "ActionError",
    "ActionTable",
    "DataError",
    "Entry",
    "Event",
    "Exercise",
    "Facts",
    "Figure",
    "Game",
    "IllegalAction",
    "Layout",
    "MalformedAction",
    "Match",
    "NotYourTurn",
    "Observation",
    "OpenSampler",
    "Option",
    "Piece",
    "PositionError",
    "PreauError",
    "Record",
    "RecordError",
    "Result",
    "Sampler",
    "SetupError",
    "Slate",
    "State",
    "Texts",
    "UnknownGame",
    "Usual",
    "ViewError",
    "broken",
    "find_game",
    "game_ids",
    "on_offer",
    "read_records",
    "register",
]
