"""The engine contract: what a game, a position, an action, an event and a record are.

Standard library only. Nothing here knows any particular game, server, bot or page.
"""

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
from .game import Game, Sampler
from .match import Match
from .observation import Layout, Observation, Piece
from .options import Option
from .record import Entry, Record, read_records
from .registry import find_game, game_ids, register
from .state import NATURE, REFEREE, Action, Event, Result, State
from .texts import LANGUAGES, Texts

__all__ = [
    "LANGUAGES",
    "NATURE",
    "REFEREE",
    "Action",
    "ActionError",
    "DataError",
    "Entry",
    "Event",
    "Game",
    "IllegalAction",
    "Layout",
    "MalformedAction",
    "Match",
    "NotYourTurn",
    "Observation",
    "Option",
    "Piece",
    "PositionError",
    "PreauError",
    "Record",
    "RecordError",
    "Result",
    "Sampler",
    "SetupError",
    "State",
    "Texts",
    "UnknownGame",
    "ViewError",
    "find_game",
    "game_ids",
    "read_records",
    "register",
]
