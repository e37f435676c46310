"""Every message there is, typed. `docs/protocol.md` explains them; the page's types are made from them.

Messages are JSON objects; on the socket the field `type` says which one it is. Unknown fields are refused from clients,
and clients must ignore unknown fields from a server that is newer than they are.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

PROTOCOL = 1

NAME, TEXT = 24, 300
"""Characters that are kept of a name and of a line of chat."""

Name = Annotated[str, Meta(max_length=4 * NAME)]
Seat = Annotated[int, Meta(ge=0, le=15)]
Level = Annotated[str, Meta(min_length=1, max_length=24, pattern="^[a-z0-9_-]+$")]
ActId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[A-Za-z0-9_-]+$")]
Token = Annotated[str, Meta(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Code = Annotated[str, Meta(min_length=4, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Number = Annotated[int, Meta(ge=0, le=10_000_000)]
StepNumber = Annotated[int, Meta(ge=0, le=100_000)]
PlaceName = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[A-Za-z0-9][A-Za-z0-9 ._:-]*$")]
LinkName = Annotated[str, Meta(min_length=4, max_length=32, pattern="^[a-z0-9]+$")]
TableName = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9]+$")]
Endpoint = Annotated[str, Meta(min_length=10, max_length=1_024)]
Language = Literal["en", "fr"]
Status = Literal["waiting", "playing", "over"]
Visibility = Literal["link", "listed"]
ActionText = Annotated[str, Meta(min_length=1, max_length=80)]
Json = dict[str, Any]
Value = bool | int | str

Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "oops", "sorry", "hurry", "thinking", "one_moment", "again", "bye"
]


class Message(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of what clients send."""


class Answer(msgspec.Struct, omit_defaults=True, kw_only=True):
    """Base of what the server sends."""


# Tables, over HTTP.


class Timer(Message):
    """How long a seat may take. `turn`: seconds of sand a turn; `days`: days a move; `off`: for ever."""

    kind: Literal["off", "turn", "days"] = "off"
    amount: Annotated[int, Meta(ge=1, le=86_400)] = 60


class SeatWish(Message):
    """What a seat is to be: mine (one per person on this device), a bot of a level, or open to whoever comes."""

    kind: Literal["me", "bot", "open"] = "open"
    level: Level = "greedy"
    name: Name = ""


class PlayOn(Message):
    """Where a new table begins, if not at the beginning: after a `step` of a finished game (of a `table`, or of a
    `record` that is handed in), at a `position` that is handed in, or at a `puzzle` of the game. Exactly one of these.

    Steps are those of the replay: 0 is the start, after what chance did there. With `eyes`, all that this seat does not
    know is drawn anew; without, it is as it was. A puzzle is always played on from what its own seat knows.
    """

    table: TableName | None = None
    record: Json | None = None
    position: Json | None = None
    puzzle: Annotated[str, Meta(min_length=1, max_length=24)] | None = None
    step: StepNumber = 0
    eyes: Seat | None = None


class NewTable(Message):
    """POST /api/tables."""

    game: Annotated[str, Meta(min_length=1, max_length=24)]
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=16)]
    options: Json = {}
    visibility: Visibility = "link"
    timer: Timer = msgspec.field(default_factory=Timer)
    start: bool = False
    """Start at once; all seats must be mine or bots'."""
    origin: PlayOn | None = msgspec.field(default=None, name="from")
    """Play on from somewhere; seats and options are those of the position, and options are left out."""
    newcomers: bool = True
    """Whether somebody new may take a seat that was left, if all people agree."""
    hints: bool = True
    """Whether a person who plays with bots alone may ask for hints."""


class TakeSeat(Message):
    """POST /api/tables/{id}/join. With a token, the seat is taken by the same person as before (pass and play); with
    the token of somebody who left, that person comes back.
    """

    name: Name = ""
    seat: Seat | None = None


class SetSeat(Message):
    """PUT /api/tables/{id}/seats/{seat}: before the start, by the host; after it, to ask a bot in or out, and for a
    seat that was left to agree (`open`) or not (`bot`) that somebody takes it.
    """

    kind: Literal["bot", "open", "back"]
    level: Level = "greedy"


class Swap(Message):
    """POST /api/tables/{id}/swap: exchange two seats before the start; the host only."""

    one: Seat
    other: Seat


class Redeem(Message):
    """POST /api/move: use a one-time link; the old device's token ends."""

    code: Code


class CallMe(Message):
    """POST /api/tables/{id}/calls: have a browser called when it is one's turn; what its push subscription says."""

    endpoint: Endpoint
    p256dh: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{87}=?$")]
    auth: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}(==)?$")]
    language: Language


class EndCalls(Message):
    """POST /api/tables/{id}/calls/end: do not call that browser any more."""

    endpoint: Endpoint


class WriteMe(Message):
    """POST /api/tables/{id}/mail: be written to when it is one's turn, once whoever reads that mailbox has agreed."""

    address: Annotated[str, Meta(min_length=3, max_length=254)]
    language: Language


class MailCode(Message):
    """POST /api/mail: agree, with what the link in the mail says."""

    code: Code


class SeatInfo(Answer):
    """One seat as everybody sees it. `stand_in` is the level of a bot that plays while the person is away. A seat that
    was left in a game under way is `open`, with the `name` of whoever left and the `level` of the bot that plays on;
    `agreed` are those who agree that it is taken again.
    """

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str = ""
    level: str = ""
    stand_in: str = ""
    host: bool = False
    agreed: list[int] = []


class Origin(Answer):
    """Where the game of a table was played on from: after a `step` of the `table` or the record of a finished game, at
    a position or a `puzzle`. With `eyes`, what this seat did not know was drawn anew.
    """

    kind: Literal["table", "record", "position", "puzzle"]
    table: str = ""
    puzzle: str = ""
    step: int = 0
    eyes: int | None = None


class PlayedInfo(Answer):
    """A game of the evening that is over, seat by seat: who sat there (`levels` are those of bots), who won."""

    table: str
    names: list[str]
    levels: list[str]
    scores: list[int]
    winners: list[int]
    """The seats that shared the first place, or the one that won it by arm wrestling (`wrestled`)."""
    wrestled: bool = False


class Scorer(Answer):
    """What somebody has won in an evening: a person or a bot of a `level`. Whoever is not `here`, at this table, any
    more is known by their name alone. `seat` is where they sat last.
    """

    name: str
    level: str
    here: bool
    seat: int = 0
    played: int = 0
    won: int = 0
    shared: int = 0
    """First places shared with others."""


class Series(Answer):
    """The games of an evening: those of a table and of the tables it is the rematch of, the oldest first, and who has
    won what, the best first. `forgotten` games before these do not count any more.
    """

    games: list[PlayedInfo]
    score: list[Scorer]
    forgotten: int = 0


class TableInfo(Answer):
    """A table as everybody sees it."""

    id: str
    code: str
    game: str
    rules: str
    options: Json
    seats: list[SeatInfo]
    visibility: Visibility
    timer: Timer
    status: Status
    created: int
    rematch: str = ""
    newcomers: bool = True
    """Whether somebody new may take a seat that was left, if all people agree."""
    hints: bool = True
    """Whether a person who plays with bots alone may ask for hints."""
    hinted: int = 0
    """How often somebody did: with any, it is a practice game."""
    challenge: str = ""
    """The day whose challenge is played here, as 2026-11-17. Nothing is taken back there, and there are no hints."""
    origin: Origin | None = None
    """Where this game was played on from, if it did not begin at the beginning."""
    series: Series | None = None
    """At a rematch: the games before this one. They are left out where tables are listed."""
    to_act: list[int] | None = None
    """The seats that owe a decision, as every spectator sees it; told only when one table is asked for over HTTP."""


class Seated(Answer):
    """The answer to creating, joining and moving: the token is told this once."""

    table: TableInfo
    token: str
    seats: list[int]
    host: bool


class Moving(Answer):
    """A one-time link for another device, with `code` behind the `#`, where no log sees it; `qr` is an SVG picture."""

    code: str
    url: str
    expires: int
    qr: str


class Invitation(Answer):
    """GET /api/tables/{id}/invitation: the table's link; `qr` is an SVG picture of it."""

    url: str
    qr: str


class Found(Answer):
    """GET /api/codes/{code}."""

    id: str


class Calling(Answer):
    """GET /api/calls: how this server can tell people that it is their turn. Without a `key` it calls no browsers."""

    key: str = ""
    mail: bool = False


class Mail(Answer):
    """GET /api/tables/{id}/mail: whether one is written to; `asked` until whoever reads the mailbox has agreed."""

    state: Literal["off", "asked", "on"]


class Words(Answer):
    """The same in both languages."""

    en: str
    fr: str


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


class StudyLine(Answer):
    """One figure of a study: what it is, what is said of it for each set of rules and of how these differ, and for a
    share its value with both ends of its interval.
    """

    label: str
    said: list[str]
    gap: str = ""
    shares: list[list[float] | None] = []
    wins: bool = False
    """Whether it is a part of the games that somebody wins, to be held against what would be fair."""
    thing: bool = False
    """Whether it is about something that a seat had, and not about whole games."""


class StudyInfo(Answer):
    """A published study in the reader's language. `rules` names the one or two sets of rules; `fair` is what each seat
    would win if all were alike.
    """

    id: str
    game: str
    title: str
    about: str
    command: str
    games: int
    rules: list[str]
    fair: float
    lines: list[StudyLine]


class Health(Answer):
    """Whether this process can do its work."""

    status: Literal["ok", "degraded"]
    version: str
    database: bool
    redis: bool | None
    tables: int
    sockets: int
    warning: str | None = None
    """Something about how it is set up that should be otherwise."""


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


class Practice(Message):
    """POST /api/practice: an exercise and what the learner has done in it so far. Nothing is kept: to take something
    back is to send less.
    """

    game: Annotated[str, Meta(min_length=1, max_length=24)]
    exercise: Annotated[str, Meta(min_length=1, max_length=40)]
    actions: Annotated[list[ActionText], Meta(max_length=24)] = []


class PuzzleInfo(Answer):
    """A puzzle of a game, without its solution. What it asks is in the game's texts, `puzzle.<theme>.task`, with the
    parameters of the `task` and the `seat`.
    """

    id: str
    theme: str
    difficulty: int
    """1, 2 or 3."""
    seat: int
    task: Json = {}


class Puzzling(Message):
    """POST /api/puzzle: a puzzle and what the solver has done so far, as with `Practice`. With the wish for a `hint` or
    the `solution`, the answer has that, too.
    """

    game: Annotated[str, Meta(min_length=1, max_length=24)]
    id: Annotated[str, Meta(min_length=1, max_length=24)]
    actions: Annotated[list[ActionText], Meta(max_length=24)] = []
    wish: Literal["", "hint", "solution"] = ""


class TryChallenge(Message):
    """POST /api/challenges/{game}/{day}: sit down to try it. Answered by `Seated`."""

    name: Name = ""


class Challenges(Answer):
    """GET /api/challenges: which day it is for challenges, in UTC; the first there was; when the next begins, and what
    time it is now, in milliseconds since the epoch; the games that have one.
    """

    today: str
    first: str
    next: int
    now: int
    games: list[str]


class Challenge(Answer):
    """GET /api/challenges/{game}/{day}. `kind` says what chance follows from: the date and a secret of the `server`, or
    the `date` alone. Once the day is over, `key` is what it all followed from, for whoever wants to check records.
    """

    game: str
    day: str
    today: str
    kind: Literal["server", "date"]
    key: str = ""


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


class Problem(Answer):
    """A refusal: what was wrong, the rule or field, what would be right."""

    error: str
    message: str
    rule: str = ""
    field: str = ""
    hint: str = ""
    key: str = ""
    params: Json = {}


# From the client, on the socket.


class Join(Message, tag="join"):
    """The first message. Without a token: a spectator. `last`: the last number seen, to get only what was missed.
    `opening`: show how the game began, if this person has not decided anything yet.
    """

    token: Token | None = None
    seat: Seat | None = None
    last: Number | None = None
    opening: bool = False


class Act(Message, tag="act"):
    """An action. `at` is the last number the client has seen; `id` makes sending it again harmless."""

    id: ActId
    at: Number
    action: ActionText
    seat: Seat | None = None
    delay: Annotated[int, Meta(ge=0, le=60_000)] | None = None
    """In a race: milliseconds from when the question was shown to the answer, on the client's clock."""


class Undo(Message, tag="undo"):
    """Take back the own last decision, or ask the others to agree to that, if more than it would be undone."""

    at: Number
    seat: Seat | None = None


class Agree(Message, tag="agree"):
    """Yes or no to what is asked (`asks`)."""

    at: Number
    yes: bool
    seat: Seat | None = None


class Wrestle(Message, tag="wrestle"):
    """Yes or no to arm wrestling for the first place that several share (`contest`)."""

    yes: bool
    seat: Seat | None = None


class Pull(Message, tag="pull"):
    """How often a seat has tapped so far in a round of arm wrestling, on the client's own clock. Send it at most five
    times a second, and once at the end.
    """

    round: Annotated[int, Meta(ge=1, le=9)]
    count: Annotated[int, Meta(ge=0, le=10_000)]
    seat: Seat | None = None


class AskHint(Message, tag="hint"):
    """Ask for a hint, where everybody else at the table is a bot: the best idea, or with a higher `rank` the next best.
    Answered by `hinted`.
    """

    at: Number
    seat: Seat | None = None
    rank: Annotated[int, Meta(ge=0, le=15)] = 0


class Look(Message, tag="look"):
    """Pass and play: look through the eyes of another of one's own seats, or, without a seat, at what everybody may
    see while the device goes from hand to hand. Answered by `hello`.
    """

    seat: Seat | None = None


class Resync(Message, tag="resync"):
    """Ask for `hello` again."""

    last: Number | None = None


class Say(Message, tag="say"):
    """Chat: a text, or a ready-made phrase."""

    text: Annotated[str, Meta(min_length=1, max_length=TEXT)] | None = None
    phrase: Phrase | None = None


class Ping(Message, tag="ping"):
    """Are you there? Send it 2.5 s after the last answer; without an answer for 9 s, reconnect."""

    n: Number


class Pong(Message, tag="pong"):
    """The answer to the server's ping; the server measures the line with it."""

    n: Number


class Mark(Message):
    """Something shown on the board: an `arrow` from one place to another, or a `ring` round one. Places are called as
    in the game's views and actions; never is there anything else in it.
    """

    kind: Literal["arrow", "ring"]
    at: PlaceName
    to: PlaceName | None = None


class Follow(Message, tag="follow"):
    """Look at a finished game together with others who have the same link (`together`): whatever is shown comes as
    `led`. Without a link: no longer.
    """

    together: LinkName | None = None


class Lead(Message, tag="lead"):
    """Show a step of a finished game to all who follow, through whose eyes (`all`: every hand is open), and with which
    marks; for whoever has the `key` of the link.
    """

    together: LinkName
    key: Token
    step: StepNumber
    eyes: Seat | Literal["all"] | None = None
    marks: Annotated[list[Mark], Meta(max_length=24)] = []
    name: Name = ""
    """What whoever leads is called."""
    review: bool = False
    """They look at a review of the game."""
    playing: bool = False
    """Step follows step by itself."""


ClientMessage = Join | Act | Undo | Agree | Wrestle | Pull | AskHint | Look | Resync | Say | Follow | Lead | Ping | Pong


# From the server, on the socket.


class Step(Answer):
    """What happened in one step, for the log: events as this viewer sees them."""

    number: int
    actor: int
    time: int
    events: list[Json]
    eased: str = ""
    """The bot of this seat had no time or failed: the level that played for it, or `skipped` if none could. `missing`:
    the server does not have that bot, and its stand-in (normal) played for it.
    """
    late: bool = False
    """The time of a person was up: the seat that acts, or the one that the game's own time-out names."""


class Moment(Answer, kw_only=True):
    """How things stood after a step of the opening, as this viewer saw them, and what had happened in it."""

    number: int
    actor: int
    events: list[Json]
    view: Json
    prompt: Json
    to_act: list[int]


class Told(Answer, kw_only=True):
    """An action and what is worth saying about it. `do` and `reasons` are keys of the game's texts with their
    parameters, like events.
    """

    action: str
    do: Json | None = None
    """Null: the game has no words for it."""
    reasons: list[Json] = []
    but: bool = False
    """The last reason speaks against it."""


class Practised(Answer, kw_only=True):
    """How an exercise or a puzzle stands: the `moments` since the learner's last action, or since the beginning if
    there is none, the first of those being how it began. It is `going`, `done`, or `astray`: then `said` is what is to
    be said of it, a word of the game's texts (`lesson.<exercise>.<said>`), or nothing. `show` is the next action of a
    way to do an exercise, as long as the learner is on that way.
    """

    seat: int
    moments: list[Moment]
    legal: list[str]
    verdict: Literal["going", "done", "astray"]
    said: str
    show: str
    result: Json | None = None
    solution: SolutionInfo | None = None
    """Of a puzzle, once it has ended or if something was wished for."""


class FiguresInfo(Answer, kw_only=True):
    """What the proof of a puzzle says. Of a `turn`: `good` of its `many` ways reach the goal. Of a `count` over `many`
    positions, and of a `chance` estimated in `many` games: what the `best` choice is worth, the `next` best, and
    `yours` if it was another one; chances count from 0 to 1.
    """

    kind: Literal["turn", "count", "chance"]
    many: int
    good: int = 0
    best: float = 0.0
    next: float = 0.0
    yours: float | None = None


class SolutionInfo(Answer, kw_only=True):
    """What there is to say about a puzzle. `line` is what was wished for: the next action for a hint, or the rest of a
    solution, which goes on after the first `since` actions; of whatever has solved it, all of it. `right` is how many
    of the legal actions lead to a solution, with a hint. `against` is the action that was not right, with what speaks
    against it.
    """

    line: list[Told] = []
    point: int = 0
    """The place in the line of what matters most."""
    since: int = 0
    right: int = 0
    against: Told | None = None
    figures: FiguresInfo | None = None


class Clock(Answer):
    """A seat's time: when it runs out, in milliseconds since the epoch."""

    seat: int
    ends: int


class ChatLine(Answer):
    """A line of chat. Three phrases are the table's own, about whoever is called `name`: `left`, `came` (to a seat that
    was left) and `back` (to the seat they had left).
    """

    id: int
    seat: int | None
    name: str
    time: int
    text: str = ""
    phrase: str = ""


class Asking(Answer):
    """Somebody asks for steps to be taken back; the people whose seats are `needed` have to agree."""

    at: int
    by: int
    agreed: list[int]
    needed: list[int]


class Puller(Answer):
    """One of those who share the first place."""

    seat: int
    level: str = ""
    """The bot that pulls for this seat, if one does: it always wants to."""
    pace: int = 0
    """How often that bot taps in a second, on average."""
    yes: bool = False
    """Wants to."""
    count: int | None = None
    """Taps in this round so far, or in the last round."""


class Contest(Answer, kw_only=True):
    """Arm wrestling for a first place that several share. It changes nothing in the record and its ranking."""

    phase: Literal["asked", "pulling", "over", "declined"]
    """`asked` until all want to or somebody does not (`declined`); `pulling` while they do; then it is `over`."""
    rule: str
    """The rule that allows it."""
    pullers: list[Puller]
    no: int | None = None
    """Who did not want to."""
    round: int = 0
    rounds: int
    """So many rounds at most: another one when the best are equal."""
    starts: int = 0
    """When this round begins, by the server's clock."""
    lasts: int
    """How long a round is, in milliseconds."""
    winner: int | None = None
    """Who won; nobody if it is over and they were equal in every round."""
    interrupted: bool = False
    """A round was lost, and it is asked anew."""


class Presence(Answer):
    """Which seats are connected, how many watch, and for whom the others wait."""

    here: list[int]
    watching: int
    away: list[Clock] = []
    """The seats that owe a decision and are not connected, and when a bot may be let in for each (`ends`)."""


class HelloMessage(Answer, tag="hello", kw_only=True):
    """Everything this viewer may know. After it, every `step` counts on from `number`."""

    protocol: int
    table: TableInfo
    seat: int | None
    seats: list[int]
    host: bool
    number: int
    view: Json | None
    prompt: Json | None
    legal: list[str]
    to_act: list[int]
    asked: int
    log: list[Step]
    gap: bool
    """True if `log` does not reach back to the number asked for: show it from here."""
    clocks: list[Clock]
    presence: Presence
    chat: list[ChatLine]
    asks: Asking | None
    undo: bool
    now: int
    result: Json | None
    contest: Contest | None
    """Arm wrestling for a shared first place, where the game has that."""
    opening: list[Moment] = []
    """From the beginning until now, if it was asked for and is short."""
    series: Series | None = None
    """With the result of a rematch: the games of the evening, this one among them."""


class StepMessage(Answer, tag="step", kw_only=True):
    """One step: an action (number `first` in the record) and what chance did after it, up to `number`. `view` is all
    that is to be seen now.
    """

    first: int
    number: int
    actor: int
    time: int
    events: list[Json]
    eased: str = ""
    """As in `Step`."""
    late: bool = False
    """As in `Step`."""
    view: Json
    prompt: Json
    legal: list[str] = []
    to_act: list[int]
    asked: int
    clocks: list[Clock] = []
    undo: bool = False
    """This seat may take its last decision back, nobody need agree."""
    undone: int | None = None
    """Steps after this number were taken back; forget their log lines."""
    result: Json | None = None
    contest: Contest | None = None
    """With the result, where a shared first place may be wrestled for."""
    series: Series | None = None
    """As in `HelloMessage`."""
    id: str | None = None
    """The `id` of the viewer's own action: this acknowledges it."""


class AckMessage(Answer, tag="ack"):
    """The action with this id is in the record, under this number (sent again when it is sent again)."""

    id: str
    number: int


class RefusedMessage(Answer, tag="refused"):
    """An action or request that changed nothing, and why. `id` is empty for messages that have none."""

    id: str = ""
    number: int = 0
    error: str = ""
    message: str = ""
    rule: str = ""
    field: str = ""
    hint: str = ""
    key: str = ""
    params: Json = {}


class IdeaInfo(Told, kw_only=True):
    """An action that a hint speaks of; `value` is the chance to win."""

    value: float


class HintedMessage(Answer, tag="hinted", kw_only=True):
    """The answer to `hint`, made from what the asking seat sees."""

    at: int
    seat: int
    rank: int = 0
    more: bool = False
    """There is another idea after this one."""
    idea: IdeaInfo
    otherwise: IdeaInfo | None = None
    """With the best idea: the next best one, and what speaks against it."""
    close: bool = False
    """That is nearly as good."""


class TableMessage(Answer, tag="table"):
    """The table or its seats have changed."""

    table: TableInfo
    seats: list[int]
    host: bool


class PresenceMessage(Answer, tag="presence"):
    """Who is here has changed."""

    here: list[int]
    watching: int
    away: list[Clock] = []


class ChatMessage(Answer, tag="chat"):
    """A line of chat."""

    line: ChatLine


class AsksMessage(Answer, tag="asks"):
    """A question to the people at the table, or null when it is settled."""

    asks: Asking | None


class ContestMessage(Answer, tag="contest"):
    """How the arm wrestling stands, with the server's clock."""

    contest: Contest
    now: int


class PullsMessage(Answer, tag="pulls"):
    """The taps of a round so far, in the order of `pullers`."""

    round: int
    counts: list[int]


class LedMessage(Answer, tag="led", kw_only=True):
    """What is shown to those who look at a game together: the answer to `follow`, and whenever it changes. `leading`
    says whether whoever made the link is here; if not, it is what they showed last.
    """

    together: str
    step: int
    eyes: int | Literal["all"] | None = None
    marks: list[Mark] = []
    name: str = ""
    review: bool = False
    playing: bool = False
    leading: bool
    looking: int = 0
    """How many look, whoever leads among them."""
    number: int = 0
    """How often something was shown; the same if only `looking` is new."""


class PingMessage(Answer, tag="ping"):
    """Answer with `pong` and the same `n` at once."""

    n: int


class PongMessage(Answer, tag="pong"):
    """The answer to the client's ping, with the server's clock."""

    n: int
    now: int


class ByeMessage(Answer, tag="bye"):
    """The server closes the connection. `again` says whether connecting anew makes sense, and `seconds` after which
    time, where that is known.
    """

    reason: Literal[
        "unknown",
        "token",
        "removed",
        "moved",
        "slow",
        "silent",
        "rate",
        "full",
        "protocol",
        "restart",
        "busy",
        "rules",
    ]
    again: bool
    seconds: int | None = None


ServerMessage = (
    HelloMessage
    | StepMessage
    | AckMessage
    | RefusedMessage
    | HintedMessage
    | TableMessage
    | PresenceMessage
    | ChatMessage
    | AsksMessage
    | ContestMessage
    | PullsMessage
    | LedMessage
    | PingMessage
    | PongMessage
    | ByeMessage
)

APART: Any = msgspec.UNSET
"""In the place of a field that is left out, because each is told another thing there."""

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


def encode(message: object) -> bytes:
    """A message as JSON."""
    return _encoder.encode(message)


def begun(message: object, field: str, value: Json) -> bytes:
    """The beginning of a message that many get, up to where they differ: within the value of a field that it leaves
    out (`APART`), after what that value has in it for all.
    """
    more = b"," if value else b""
    return b"".join((encode(message)[:-1], b',"', field.encode(), b'":', encode(value)[:-1], more))


def finished(begun: bytes, value: Json, fields: Json) -> bytes:
    """One of those messages: the rest of that value, and the message's other fields. Neither is empty."""
    return b"".join((begun, encode(value)[1:], b",", encode(fields)[1:]))


def decode(data: str | bytes) -> ClientMessage:
    """A client's message; raises `msgspec.DecodeError` or `msgspec.ValidationError`."""
    try:
        return _decoder.decode(data)
    except RecursionError:
        raise msgspec.DecodeError("the message is nested too deeply") from None
