"""The shape of everything that leaves Recess!: views, prompts, events, options, the score's detail, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NotRequired, TypedDict

ChildName = Literal["b1", "b2", "g1", "g2"]
"""A child within its seat. With its seat before it, `2g1`, it is the name of a piece; a nun's is `nun 0`."""
PhaseName = Literal["choose", "move", "tell", "shove", "nun", "over"]
StepState = Literal["done", "now", "lost", "past", "ahead"]
"""Of a movement that is `past`, the position does not tell whether a child made it."""
Loss = Literal["detention", "stay", "unused"]
Cost = Literal["none", "detention", "stay", "both"]
Risk = Literal["none", "detention"]
Landing = Literal["tattle", "shove", "safe", "catch", "kiss", "break", "fight"]
EndReason = Literal["kiss", "clock"]
Thing = Literal["S", "M", "T", "W", "B", "C"]
"""Equipment by its letter (R2)."""


class Options(TypedDict):
    """The options in force."""

    layout: str
    """`standard`, or such as `B1 A0 D2 C3` (R2)."""
    sections: str | dict[str, Any]
    """`standard`, or the contents of a section file (R2)."""
    first: int
    turns: int
    equal_turns: bool
    exits: Literal["three", "corner"]
    shove: Literal[8, 4]
    nun_may_stay: bool


class Detail(TypedDict):
    """What the result says besides coins and ranks."""

    kisser: NotRequired[int]
    """The seat whose children kissed (R33)."""


# Prompts. Without their key they are the parameters of a sentence, with it they stand in a view.


class Asked(TypedDict):
    """Who is asked; under a duty that is all there is to say (R32)."""

    seat: int


class Loot(TypedDict):
    """Whose coin is taken: 1, or 0 where there is none left."""

    owner: int
    coins: int


class AskedChoice(Asked, Loot):
    """Stay or leave (R10): what staying takes, costs and risks."""

    child: ChildName
    cell: str
    movement: int
    """The movement that staying costs, 0 where none is left to lose."""
    risk: Risk


class AskedNun(Asked):
    """Which nun moves where (R31)."""

    cost: Cost
    """Why movements were lost, asked for the first time after that."""
    lost: int
    """How many they were."""


class AskedMovement(AskedNun):
    """Which child walks that many steps (R8)."""

    movement: int


class AskedTale(Asked):
    """What a child that landed on a nun tells (R29)."""

    child: ChildName


class AskedShove(Asked):
    """Where the piece at hand goes (R28)."""

    piece: ChildName | Literal["nun"]
    owner: int
    """The seat of the child, -1 for a nun."""


class AskedNothing(TypedDict):
    """The game is over (R35)."""

    winners: list[int]
    winner: int
    """The only winner, -1 where several share the win."""
    reason: EndReason


class ChoosePrompt(AskedChoice):
    """At the beginning of a turn."""

    key: Literal["prompt.choose", "wait.choose"]


class MovePrompt(AskedMovement):
    """At a movement."""

    key: Literal["prompt.move", "wait.move"]


class TellPrompt(AskedTale):
    """After landing on a nun."""

    key: Literal["prompt.tell", "wait.tell"]


class ShovePrompt(AskedShove):
    """While pieces make room."""

    key: Literal["prompt.shove", "wait.shove"]


class NunPrompt(AskedNun):
    """At the end of a turn."""

    key: Literal["prompt.nun", "wait.nun"]


class DutyPrompt(Asked):
    """At the end of a turn, with a duty (R32)."""

    key: Literal["prompt.duty", "wait.duty"]


class OverPrompt(AskedNothing):
    """At the end of the game."""

    key: Literal["prompt.over"]


Prompt = ChoosePrompt | MovePrompt | TellPrompt | ShovePrompt | NunPrompt | DutyPrompt | OverPrompt

PROMPTS: Final[Mapping[str, Any]] = {
    "prompt.choose": AskedChoice,
    "prompt.move": AskedMovement,
    "prompt.tell": AskedTale,
    "prompt.shove": AskedShove,
    "prompt.nun": AskedNun,
    "prompt.duty": Asked,
    "prompt.over": AskedNothing,
    "wait.choose": AskedChoice,
    "wait.move": AskedMovement,
    "wait.tell": AskedTale,
    "wait.shove": AskedShove,
    "wait.nun": AskedNun,
    "wait.duty": Asked,
}
"""The parameters of each prompt."""


# What would come of an action.


class MeansPlain(TypedDict):
    """Passing (R9), leaving (R10), breaking up (R26), a cell that a nun sees (R18)."""

    key: Literal["means.pass", "means.leave", "means.break", "means.watched"]


class MeansStay(Loot):
    """Staying takes a coin and costs a movement (R10, R11)."""

    key: Literal["means.stay"]
    movement: int
    risk: Risk


class MeansFight(Loot):
    """A fight takes a coin (R18)."""

    key: Literal["means.fight"]


class MeansKiss(TypedDict):
    """A kiss ends the game (R33): the coins of all, and who wins."""

    key: Literal["means.kiss"]
    coins: list[int]
    winners: list[int]


class MeansCaught(TypedDict):
    """A nun on a fight sends its attacker to detention (R30)."""

    key: Literal["means.caught"]
    attacker: ChildName
    bully: int


class MeansSight(TypedDict):
    """A nun sees fights from there (R24)."""

    key: Literal["means.sight"]
    fights: list[str]


Means = MeansPlain | MeansStay | MeansFight | MeansKiss | MeansCaught | MeansSight


# Positions and views.


class Fight(TypedDict):
    """Two children on one cell (R22)."""

    cell: str
    attacker: str
    victim: str


_Hand = TypedDict("_Hand", {"from": NotRequired[str]})


class Step(_Hand):
    """What was done in this turn. Lists of children are left out where they are empty."""

    phase: PhaseName
    movement: int
    """The movement at hand, 0 at the nun step."""
    undecided: NotRequired[list[ChildName]]
    staying: NotRequired[list[ChildName]]
    leaving: NotRequired[list[ChildName]]
    moved: NotRequired[list[ChildName]]
    freed: NotRequired[list[ChildName]]
    watched: NotRequired[list[ChildName]]
    """Attackers whose fight a nun saw when the turn began (R32)."""
    serving: NotRequired[list[ChildName]]
    """In detention since before this turn (R34)."""
    hand: NotRequired[str]
    """The piece being shoved; it comes `from` a cell."""
    waiting: NotRequired[str]
    """The attacker that is shoved after its victim (R26)."""
    teller: NotRequired[ChildName]


class End(TypedDict):
    """How the game ended: without a kisser by the clock."""

    kisser: NotRequired[int]


class Written(TypedDict):
    """A position as JSON."""

    game: Literal["recess"]
    rules: str
    seats: int
    options: Options
    turn: int
    active: int
    coins: list[int]
    children: dict[str, str]
    """Where each child is: a cell, or `boys` or `girls` for an entrance."""
    nuns: list[str]
    fights: list[Fight]
    detention: list[str]
    step: NotRequired[Step]
    """Absent while nothing was decided in this turn, and after the end."""
    end: NotRequired[End]


class Exits(TypedDict):
    """The cells that each entrance opens on (R4)."""

    boys: list[str]
    girls: list[str]


class Alike(Written):
    """What all see: the whole position, and what the rules make of it."""

    yard: str
    """144 letters in board order, `.` for open ground (R2)."""
    safety: list[str]
    """The cells of both safety squares (R3)."""
    exits: Exits
    seen: list[str]
    """The cells that a nun sees (R24)."""
    steps: list[StepState]
    """The turn at a glance: the movements 3, 2, 1 and the nun."""
    losses: dict[str, Loss]
    """What each lost movement was lost to."""


class Own(TypedDict):
    """What is for one seat: what it is asked, and what would come of its answer."""

    seat: int | None
    prompt: Prompt
    landings: dict[str, Landing]
    """For the seat that is asked: what comes of an action besides standing on a free cell."""
    means: dict[str, Means]
    """For the seat that is asked: what would come of an action, where that is worth a sentence."""
    sights: dict[str, str]
    """For the seat that is asked for a nun: the cells that she would see from each cell she can go to (R24)."""


class View(Alike, Own):
    """What a seat sees: the whole position, what is asked, and what the rules make of it."""


# Events.

_From = TypedDict("_From", {"from": str})


class SeatEvent(TypedDict):
    """Something that needs no more words; every event names the active seat."""

    seat: int


class TurnEvent(SeatEvent):
    """R7: the clock moves on."""

    turn: int
    of: int


class MovementEvent(SeatEvent):
    """R12: a movement is lost or skipped."""

    movement: int


class ChoiceEvent(SeatEvent):
    """R10: an attacker stays or is going to leave."""

    child: ChildName
    cell: str


class CoinEvent(SeatEvent):
    """R10, R18: the active seat takes a coin, or none where there is none."""

    owner: int
    coins: int


class WalkEvent(SeatEvent, _From):
    """R14: a child walks."""

    child: ChildName
    to: str
    movement: int
    path: list[str]
    """The cells it walks over, ending with `to`: some way there, through as few pieces as possible."""


class LetGoEvent(SeatEvent):
    """R23: the attacker walks away, the victim stands up."""

    victim: ChildName
    owner: int
    cell: str


class FightEvent(SeatEvent):
    """R18: a child of the active seat pins the victim down."""

    child: ChildName
    victim: ChildName
    owner: int
    cell: str


class KissEvent(SeatEvent):
    """R33: a couple meets unseen."""

    child: ChildName
    partner: ChildName
    cell: str
    paid: list[int]
    """What each seat pays."""


class BreakUpEvent(SeatEvent):
    """R26: a child lands on a fight."""

    child: ChildName
    victim: ChildName
    owner: int
    attacker: ChildName
    bully: int
    """The seat of the attacker."""
    cell: str


class ShoveEvent(SeatEvent, _From):
    """R28: a child makes room."""

    owner: int
    child: ChildName
    to: str


class ShoveNunEvent(SeatEvent, _From):
    """R28: a nun makes room."""

    nun: int
    to: str


class ShareEvent(SeatEvent):
    """R17: a child shares a safety cell with a nun and tells nothing."""

    cell: str


class TattleEvent(SeatEvent, _From):
    """R29: a child tells a nun, on the cell `from`, about the fight on `cell`."""

    child: ChildName
    nun: int
    cell: str


class DetentionEvent(SeatEvent):
    """R30: a nun on a fight sends the attacker to detention."""

    nun: int
    attacker: ChildName
    bully: int
    """The seat of the attacker."""
    victim: ChildName
    owner: int
    cell: str


class NunEvent(SeatEvent, _From):
    """R31, R32: a nun moves."""

    nun: int
    to: str


class ReleaseEvent(SeatEvent):
    """R34: detention is served."""

    children: list[ChildName]


class EndEvent(SeatEvent):
    """R33, R35: the game is over."""

    reason: EndReason
    coins: list[int]


EVENTS: Final[Mapping[str, Any]] = {
    "turn": TurnEvent,
    "pass": SeatEvent,
    "lost": MovementEvent,
    "skip": MovementEvent,
    "stay": ChoiceEvent,
    "leave": ChoiceEvent,
    "coin": CoinEvent,
    "walk": WalkEvent,
    "let_go": LetGoEvent,
    "fight": FightEvent,
    "kiss": KissEvent,
    "break_up": BreakUpEvent,
    "shove": ShoveEvent,
    "shove_nun": ShoveNunEvent,
    "share": ShareEvent,
    "tattle": TattleEvent,
    "detention": DetentionEvent,
    "nun": NunEvent,
    "nun_stays": SeatEvent,
    "release": ReleaseEvent,
    "timeout": SeatEvent,
    "end": EndEvent,
}
"""The data of each event. There are no secrets: all eyes see the same."""


# Refusals. What `why.py` says about an action comes with the seat that tried it and its text.


class Refused(TypedDict):
    """Who tried what; -2 is the referee."""

    seat: int
    action: str


class AboutMovement(TypedDict):
    """A movement that cannot be skipped (R12)."""

    movement: int


class AboutPhase(TypedDict):
    """What is asked now (R8)."""

    phase: PhaseName


class AboutCell(TypedDict):
    """A fight of one's own (R10, R13)."""

    cell: str


class AboutWalk(TypedDict):
    """A child that cannot walk there (R12 to R21)."""

    child: ChildName
    cell: str
    movement: int


class AboutThing(AboutWalk):
    """A child that cannot walk onto equipment (R14)."""

    thing: Thing


class AboutNun(TypedDict):
    """A nun and a cell (R29 to R32)."""

    nun: int
    cell: str


class AboutShove(_From):
    """A piece that cannot be shoved there (R28)."""

    cell: str


class RefusedMovement(Refused, AboutMovement):
    """The movement cannot be skipped."""


class RefusedPhase(Refused, AboutPhase):
    """Something else is asked."""


class RefusedCell(Refused, AboutCell):
    """Another fight is asked about, or none."""


class RefusedWalk(Refused, AboutWalk):
    """The child cannot walk there."""


class RefusedThing(Refused, AboutThing):
    """Equipment stands there."""


class RefusedNun(Refused, AboutNun):
    """The nun is not there, or cannot go there."""


class RefusedShove(Refused, AboutShove):
    """The piece cannot be shoved there."""


class RefusedRoom(Refused):
    """R28: somebody could not be shoved. It was a child that wanted to go there, or a nun."""

    cell: str
    child: NotRequired[ChildName]
    movement: NotRequired[int]
    nun: NotRequired[int]


class RefusedDuty(Refused):
    """R32: another move of a nun, or none at all."""

    nun: NotRequired[int]
    cell: NotRequired[str]


REASONS: Final[Mapping[str, Any]] = {
    "timeout": Refused,
    "referee": Refused,
    "pass_late": Refused,
    "pass_seen": Refused,
    "skip": RefusedMovement,
    "skip_leaver": Refused,
    "nun_stays": Refused,
    "other_step": RefusedPhase,
    "choose_order": RefusedCell,
    "no_attack": RefusedCell,
    "no_leave": RefusedCell,
    "pinned": RefusedWalk,
    "detained": RefusedWalk,
    "staying": RefusedWalk,
    "freed": RefusedWalk,
    "moved": RefusedWalk,
    "leavers_first": RefusedWalk,
    "equipment": RefusedThing,
    "distance": RefusedWalk,
    "back": RefusedWalk,
    "no_room": RefusedRoom,
    "tell_no_room": RefusedRoom,
    "no_fight": RefusedWalk,
    "kiss_seen": RefusedWalk,
    "own_child": RefusedWalk,
    "fight_seen": RefusedWalk,
    "three_attackers": RefusedWalk,
    "duty": RefusedDuty,
    "nun_line": RefusedNun,
    "shove_where": RefusedShove,
    "shove_fight": RefusedShove,
    "shove_longer": RefusedShove,
    "share": Refused,
    "other_nun": RefusedNun,
    "no_fight_there": RefusedNun,
}
"""The parameters of each refusal."""


# Hints. What they tell to do, and why: data for the texts, made by `reasons.py`.


class Nothing(TypedDict):
    """The words alone say it."""


class OfCell(TypedDict):
    """A fight by its cell."""

    cell: str


class OfOwner(TypedDict):
    """Whose coin it is."""

    owner: int


class OfBully(TypedDict):
    """Whose attacker it is."""

    bully: int


class OfMovement(TypedDict):
    """A movement of 3, 2 or 1."""

    movement: int


class OfNun(TypedDict):
    """A nun by her number."""

    nun: int


class NunGoes(OfNun):
    """A nun and where she goes."""

    to: str


class NunHears(OfNun):
    """A nun and the fight she is told of."""

    cell: str


class OwnChild(TypedDict):
    """A child of the asking seat's."""

    seat: int
    child: ChildName


class ChildWalks(OwnChild):
    """Where it walks."""

    to: str


class ChildAt(OwnChild):
    """Where it ends a fight."""

    cell: str


class ChildKisses(ChildAt):
    """Whom it kisses there."""

    partner: ChildName


class OfVictim(TypedDict):
    """Somebody who is or was held down, or could be."""

    victim: ChildName
    owner: int


class ChildPins(ChildAt, OfVictim):
    """Whom it pins down there."""


class ChildReaches(OwnChild, OfVictim):
    """Whom it can pin down."""


class ChildShoved(TypedDict):
    """A child that makes room."""

    child: ChildName
    owner: int
    to: str


class OfAttacker(OfBully):
    """An attacker, or somebody who could become one."""

    attacker: ChildName


class OfPartner(TypedDict):
    """Somebody to kiss."""

    partner: ChildName


class KissWins(TypedDict):
    """How a game ends by the kiss: the coins of the asking seat, and who wins."""

    coins: int
    winners: list[int]
    winner: int
    """The only winner, -1 where several share the win."""


class BullyAt(OfBully):
    """Somebody's fight by its cell."""

    cell: str


class Picture(TypedDict):
    """How a figure of the rule book is drawn. What happens in it is drawn as it was played."""

    crop: list[str]
    """What is in it: cells, the entrances `boys` and `girls`, or `score` instead of the yard."""
    sight: NotRequired[bool]
    """Whether the cells that nuns see are marked."""
    eyes: NotRequired[list[str]]
    """Cells that bear a sign of whether a nun sees them."""


HINTS: Final[Mapping[str, Any]] = {
    "do.walk": ChildWalks,
    "do.pin": ChildPins,
    "do.kiss": ChildKisses,
    "do.break_up": ChildAt,
    "do.to_nun": ChildWalks,
    "do.tattle": NunHears,
    "do.nun": NunGoes,
    "do.shove": ChildShoved,
    "do.shove_nun": NunGoes,
    "do.stay": OfCell,
    "do.leave": OfCell,
    "do.skip": OfMovement,
    "do.pass": Nothing,
    "do.share": Nothing,
    "do.nun_stays": Nothing,
    "because.coin": OfOwner,
    "because.no_coin": OfOwner,
    "because.unseen": Nothing,
    "because.again": Nothing,
    "because.kiss": KissWins,
    "because.caught": OfAttacker,
    "because.freed": OfVictim,
    "because.spoils": OfBully,
    "because.let_go": OfVictim,
    "because.escapes": Nothing,
    "because.costs": OfMovement,
    "because.watched_fight": Nothing,
    "because.safe": Nothing,
    "because.watched": OfNun,
    "because.in_reach": OfAttacker,
    "because.out_of_reach": Nothing,
    "because.near_kiss": OfPartner,
    "because.aims": OfVictim,
    "because.prey": ChildReaches,
    "because.sees": BullyAt,
    "because.sees_mine": OfCell,
    "because.hidden": Nothing,
    "because.guards": OwnChild,
    "because.parts": OfOwner,
    "because.clears": ChildReaches,
    "because.then_kiss": ChildKisses,
    "because.then_pin": ChildPins,
    "because.then_caught": OfAttacker,
    "because.then_detained": OfAttacker,
}
"""The parameters of what hints say."""
