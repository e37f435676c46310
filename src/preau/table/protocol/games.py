"""Answers about the games on offer: rules, texts, rule books, boxes."""

from __future__ import annotations

from typing import Literal

from .common import Answer, Json, Language, Value, Words


class UsualTable(Answer):
    """The table that needs no questions: how many seats, how well the bots play, which options."""

    seats: int
    level: str
    options: Json


class Chapter(Answer):
    """A chapter of a game's rule book and the rule it begins with; it goes on to the next chapter's first."""

    name: str
    first: str
    title: Words


class ChallengePlan(Answer):
    """The table at which the challenge of the day of a game is played. `levels` are those of the bots by seat, with
    nothing for one's own `seat`. What counts is one's own score.
    """

    seat: int
    levels: list[str]
    options: Json
    about: Words


class GameOption(Answer):
    """An option of a game: what it is called, what it does, which values it takes and what those are called.

    `choices` are all values of a choice; `low` and `high` bound a number; `named` are the values with a name among
    those of an option that takes more than names. `values` says what a value is called, by its text form.
    """

    name: str
    type: Literal["switch", "choice", "number", "seat", "data", "text"]
    default: Value
    choices: list[Value]
    named: list[str]
    low: int | None
    high: int | None
    rule: str
    title: Words | None
    """Null: the game has no words for it."""
    about: Words
    values: dict[str, Words]


class GameInfo(Answer):
    """A game on offer, with all that is needed to offer it. They come in the order in which they are offered."""

    id: str
    titles: Words
    about: Words | None
    """What it is about, in a sentence."""
    seats: list[int]
    rules: str
    usual: UsualTable
    chapters: list[Chapter]
    options: list[GameOption]
    secrets: bool
    """Seats know things that others do not."""
    settle_ties: str
    """The rule by which those who share the first place may arm wrestle for it, or nothing."""
    picture: str
    """The address of the picture that it brings along, or nothing."""
    bots: list[str]
    lesson: list[str]
    """The names of the exercises of its lesson, in order; a game without a lesson has none."""
    reactions: dict[str, list[int]]
    """Where seats have to be quick: from and to how many milliseconds each of these bots takes. Else it is empty."""
    puzzles: int = 0
    """How many puzzles it has."""
    challenge: ChallengePlan | None = None
    """Its challenge of the day; a game without has none."""
    gallery: bool = False
    """It shows what is in its box."""
    on_device: bool = False
    """The page can play it without a server: the game ships with Préau, so the page's own Python has it."""


class RuleTexts(Answer):
    """The rules of a game by id, in one language."""

    game: str
    language: Language
    rules: dict[str, str]


class GameTexts(Answer):
    """All messages of a game in one language."""

    game: str
    language: Language
    messages: dict[str, str]


class Figure(Answer, kw_only=True):
    """A picture of a game's rule book: positions as `seat` sees them, and everything that happens between and after
    them. `open` are actions that may be done in the first of them, `refused` some that may not. How it is drawn,
    `picture`, is the game's own. Its words are `book.<name>.title`, `.text` and `.alt` in the game's texts.
    """

    name: str
    rules: list[str]
    """The rules that it belongs to, the one that it explains best first."""
    seat: int
    views: list[Json]
    events: list[Json]
    open: list[str]
    refused: list[str]
    picture: Json
    result: Json | None = None


class Book(Answer):
    """GET /api/games/{game}/book: the pictures of a rule book in order; a game without has none."""

    game: str
    figures: list[Figure]


class Thing(Answer):
    """One kind of card or piece in a game's box. What it is called and what it does are texts of the game: `title` and
    `about` are their keys, `params` what is told in them. `sources` says of each datum where it comes from; where it
    says nothing, all is on the sheet. `each`: so many `copies` are there for each player.
    """

    name: str
    kind: str
    copies: int
    rule: str
    title: str
    about: str
    params: Json = {}
    sources: dict[str, str] = {}
    each: bool = False


class Box(Answer):
    """All things of one set."""

    name: str
    things: list[Thing]


class Gallery(Answer):
    """GET /api/games/{game}/gallery: everything in its box, or boxes, the usual one first; `option` is the one whose
    values they are named by, if there are several.
    """

    game: str
    boxes: list[Box]
    option: str = ""
