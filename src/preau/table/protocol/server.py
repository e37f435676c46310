"""Messages to clients, on the WebSocket."""

from __future__ import annotations

from typing import Literal

from .client import Mark
from .common import Answer, Json
from .moments import Moment, Step, Told
from .tables import Series, TableInfo


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
