"""Questions to a worker that thinks (`think_worker`), and its answers: tagged messages, sent as JSON.

A question is encoded once, by the process that asks, and decoded by its tag in the worker: another process of the
server or another worker of a browser.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ..core.state import Json
from ..review.shapes import Piece
from ..review.strength import USUAL


class BotQuestion(msgspec.Struct, tag="bot", frozen=True, kw_only=True):
    """Which action a bot of a level chooses for a seat. It holds what the seat sees and may do, and nothing else."""

    table: str
    level: str
    game: str
    seat: int
    view: Json | None
    """What the seat sees; None for a bot that does not want it."""
    legal: list[tuple[int, str]]
    """The actions that the seat may take: their numbers and texts."""
    history: list[Json] = []
    """Every event that the seat has seen, for a bot that wants it."""
    seed: int | None = None
    """Where the bot's chance comes from; None until the host that asks has set it."""


class HintQuestion(msgspec.Struct, tag="hint", frozen=True):
    """A hint (`preau.review.hint`) for the seat whose view this is."""

    view: Json
    rank: int


class ReviewQuestion(msgspec.Struct, tag="review", frozen=True):
    """What there is to say of one piece of a recorded game."""

    record: str
    piece: Piece
    strength: str = USUAL


class AssemblyQuestion(msgspec.Struct, tag="assembly", frozen=True):
    """The whole review of a recorded game, from what was found in all its pieces."""

    record: str
    found: list[Any]
    strength: str = USUAL


Question = BotQuestion | HintQuestion | ReviewQuestion | AssemblyQuestion


class BotAnswer(msgspec.Struct, tag="bot", frozen=True):
    """The text of the action that a bot chooses."""

    action: str


class HintAnswer(msgspec.Struct, tag="hint", frozen=True):
    """A hint, as JSON data."""

    hint: Json


class ReviewAnswer(msgspec.Struct, tag="review", frozen=True):
    """What was found in a piece, or the whole review, as JSON data."""

    found: Any


class FailedAnswer(msgspec.Struct, tag="failed", frozen=True):
    """What went wrong with a question."""

    error: str


Answer = BotAnswer | HintAnswer | ReviewAnswer | FailedAnswer

_questions = msgspec.json.Decoder(Question)
_answers = msgspec.json.Decoder(Answer)


def encode(message: Question | Answer) -> bytes:
    """Return a question or an answer as JSON.

    >>> encode(FailedAnswer("it broke"))
    b'{"type":"failed","error":"it broke"}'
    """
    return msgspec.json.encode(message)


def decode_question(data: bytes | str) -> Question:
    """Return the question that `encode` wrote.

    >>> decode_question('{"type":"hint","view":{},"rank":0}')
    HintQuestion(view={}, rank=0)
    """
    found: Question = _questions.decode(data)
    return found


def decode_answer(data: bytes | str) -> Answer:
    """Return the answer that `encode` wrote."""
    found: Answer = _answers.decode(data)
    return found
