"""Requests and answers about finished games: replays, reviews, links of shared replays."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from .common import Answer, Json, Message, Seat, StepNumber


class Frame(Answer):
    """One step of a replay through one seat's eyes."""

    number: int
    actor: int
    action: str
    time: int
    events: list[Json]
    view: Json


class Turn(Answer):
    """A place in a finished game to jump to: the step with which a turn begins and the event that says so. A game
    without turns has a place for every step, with who took it and no event.
    """

    number: int
    seat: int
    event: Json = {}


class Replay(Answer):
    """Part of a finished game; `total` steps in all. The part that begins with step 0 names the `turns` of all."""

    seat: int | None
    total: int
    frames: list[Frame]
    turns: list[Turn] = []


class AskReplay(Message):
    """POST /api/replay: part of a recorded game that is handed in, as GET /api/tables/{id}/replay has it of a table's.
    A record that breaks off is shown as far as it goes.
    """

    record: Json
    seat: Seat | None = None
    first: StepNumber = 0
    count: Annotated[int, Meta(ge=1, le=50)] = 20


class AskReview(Message):
    """POST /api/reviews: have a recorded game reviewed."""

    record: Json


class ReviewInfo(Answer):
    """How a review stands: `done` pieces `of` all, and how many reviews (`place`) come before it. One that `failed` can
    be asked for again. Once it is done, `review` is what it says (`preau-review/1`).
    """

    id: str
    status: Literal["waiting", "working", "done", "failed"]
    of: int
    done: int = 0
    place: int = 0
    review: Json | None = None


class TogetherLink(Answer):
    """POST /api/tables/{id}/together: a link under which a finished game is looked at together. Whoever has the link
    follows; whoever has the `key`, which is told this once, leads. `qr` is an SVG picture of the link.
    """

    id: str
    key: str
    url: str
    qr: str
