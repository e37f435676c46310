"""The shape of everything that leaves La grande bagarre: views, positions, events, prompts, refusals, scores.

Cards are named by kind: `F6` a friend, `T07` a toy, a special move by its id. Where a reader may not know which card,
hand or answer it is, there stands `hidden`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NotRequired, TypedDict

Phase = Literal[
    "deal",
    "draw",
    "fill",
    "turn",
    "convert",
    "action",
    "attack",
    "answer",
    "maman",
    "give",
    "take",
    "seat",
    "bet",
    "reply",
    "lay",
    "lay_more",
    "lay_maybe",
    "excess",
    "over",
]
"""How far a turn has come. In the first three nature acts."""

Special = Literal[
    "maman",
    "marie_edwige",
    "surveillant",
    "mamie",
    "echange",
    "partie_de_billes",
    "championne",
    "maitresse",
    "cloche",
]
"""The special moves that the rules know."""

Reason = Literal["goal", "turns"]
"""How a game ends: a seat has the marbles, or the last turn is over (B14)."""

Answer = Literal["no", "yes"]
"""To the Maman question (B18)."""


# The position and what is seen of it.


class Options(TypedDict):
    """The options in force."""

    goal: int
    first: int
    cards: Literal["reconstructed", "leaflet"] | dict[str, Any]
    """A set that ships, or the contents of a card file."""
    may_forfeit: bool


class OwnPlayer(TypedDict):
    """A seat that is known in full: one's own in a view, every seat in a position."""

    marbles: int
    front: list[str]
    """The toys in front of it."""
    hand: list[str]
    placed: str | None
    """The friend it has face down, or `forfeit`."""
    answer: Answer | None
    """What it has answered to the Maman question at hand."""


class OtherPlayer(TypedDict):
    """A seat as the table sees it."""

    marbles: int
    front: list[str]
    cards: int
    """The size of its hand."""
    placed: bool
    """Whether it has a card face down."""
    answer: bool
    """Whether it has answered the Maman question at hand."""


class Prompt(TypedDict):
    """What is asked, or who is waited for; which parameters go with which key is in `PROMPTS`."""

    key: str
    seats: NotRequired[list[int]]
    card: NotRequired[str]
    owner: NotRequired[int]
    limit: NotRequired[int]
    special: NotRequired[Special]
    general: NotRequired[list[str]]
    maman: NotRequired[bool]
    winners: NotRequired[list[int]]
    winner: NotRequired[int | None]
    reason: NotRequired[Reason]
    goal: NotRequired[int]


class OpenPart(TypedDict):
    """What everybody sees of the middle of the table, and how far the turn has come."""

    game: Literal["bagarre"]
    rules: str
    seats: int
    options: Options
    turn: int
    active: int
    phase: Phase
    to_act: list[int]
    drawer: int | None
    """The seat that nature deals a card to."""
    filled: int
    """How many seats have been brought back to five cards at the end of the turn (B12)."""
    discard: dict[str, int]
    ban: int | None
    """The seat before whose next turn no fight may start."""
    special: Special | None
    """The special move being played."""
    given: str | None
    """The toy offered in a swap."""
    limit: int
    """What the second toy laid with Mamie may be worth."""
    toy: str | None
    """The toy being fought for or taken."""
    owner: int | None
    """Its owner, or the seat challenged to a game of marbles."""
    round: int
    """The round of the fight, from 1; 0 outside fights."""
    turned: list[tuple[int, str]]
    """The cards turned in this fight, with their seats."""


class Position(OpenPart):
    """The whole position, secrets included."""

    players: list[OwnPlayer]
    pile: dict[str, int]
    memory: str
    """What went on with the hands, as `memory.py` writes it."""


class Alike(OpenPart):
    """What everybody sees alike."""

    pile: int
    """How many cards are left in it."""


class Own(TypedDict):
    """What only one seat knows so, or a spectator."""

    seat: int | None
    players: list[OwnPlayer | OtherPlayer]
    unseen: dict[str, int]
    """The cards that lie in the pile, in other hands or face down before others, all together."""
    memory: str
    """What went on with the hands as far as the seat saw it, as `memory.py` writes it."""
    prompt: Prompt


class View(Alike, Own):
    """What a seat knows, or a spectator."""


class Detail(TypedDict):
    """More about the score than the marbles."""

    front: list[int]
    """The value of the toys in front of each seat, which breaks ties (B14)."""
    turns: int


# Events.


class Doing(TypedDict):
    """A seat does something, or something happens to it."""

    seat: int


class CardDoing(TypedDict):
    """A seat does something with a card."""

    seat: int
    card: str


class SpecialDoing(TypedDict):
    """A seat plays a special move."""

    seat: int
    card: Special


class ToyDoing(TypedDict):
    """A seat does something about a toy that is its owner's."""

    seat: int
    card: str
    owner: int


class OtherDoing(TypedDict):
    """A seat does something about another one."""

    seat: int
    owner: int


class SeatsDoing(TypedDict):
    """Several seats do something."""

    seats: list[int]


class Turn(TypedDict):
    """A turn begins."""

    seat: int
    turn: int


class Draw(TypedDict):
    """A card comes from the pile into a hand."""

    seat: int
    card: str
    """Hidden from the others."""


class Reshuffle(TypedDict):
    """The discard becomes the pile."""

    cards: int


class Gain(TypedDict):
    """A toy becomes marbles."""

    seat: int
    card: str
    marbles: int
    total: int
    """The marbles of the seat from now on."""


class Down(TypedDict):
    """A friend is put face down."""

    seat: int
    card: str
    """Hidden from the others; `forfeit` if there is none, which looks the same to them."""


class Answered(TypedDict):
    """A seat has decided about Maman."""

    seat: int
    answer: Answer | Literal["hidden"]
    """Hidden from the others."""


class Swap(TypedDict):
    """A toy of one's own is swapped for another seat's."""

    seat: int
    given: str
    card: str
    owner: int


class BetWon(TypedDict):
    """A game of marbles is won by `seat` against `owner`."""

    seat: int
    owner: int
    marbles: int
    """0 where the loser has none."""


class Bell(TypedDict):
    """All hands pass to the left."""

    seat: int
    """Whoever rings it."""
    hand: list[str] | Literal["hidden"]
    """The reader's hand from now on; hidden from spectators."""


class End(TypedDict):
    """The game is over."""

    reason: Reason
    marbles: list[int]


EVENTS: Final[Mapping[str, Any]] = {
    "turn": Turn,
    "draw": Draw,
    "reshuffle": Reshuffle,
    "convert": Gain,
    "done": Doing,
    "lay": CardDoing,
    "discard": CardDoing,
    "fight": ToyDoing,
    "general_fight": ToyDoing,
    "down": Down,
    "no_friend": Doing,
    "answer": Answered,
    "maman": ToyDoing,
    "take_back": SeatsDoing,
    "show": CardDoing,
    "forfeit": Doing,
    "tie": SeatsDoing,
    "win_toy": ToyDoing,
    "keep_toy": ToyDoing,
    "special": SpecialDoing,
    "marie_edwige": Gain,
    "surveillant": ToyDoing,
    "swap": Swap,
    "claim": ToyDoing,
    "championne": ToyDoing,
    "challenge": OtherDoing,
    "bet_won": BetWon,
    "bet_tie": OtherDoing,
    "bell": Bell,
    "lay_nothing": Doing,
    "ban": Doing,
    "ban_over": Doing,
    "end": End,
}
"""The data of each event, as any eyes see it."""


# Prompts.


class Asked(TypedDict):
    """The seats that are asked, or that get a card."""

    seats: list[int]


class ActionAsked(TypedDict):
    """The seat that chooses what to do in its turn."""

    seats: list[int]
    general: list[str]
    """The toys in front of others for which a fight would be a general one (B17, B22)."""
    maman: bool
    """Whether there is a Maman in the set at all."""


class ToyAsked(TypedDict):
    """The seats that are asked in a fight, or by the champion, for the toy of its owner."""

    seats: list[int]
    card: str
    owner: int


class BetAsked(TypedDict):
    """The seat that is asked in a game of marbles, and the seat challenged."""

    seats: list[int]
    owner: int


class LayAsked(TypedDict):
    """The seat that may lay a second toy with Mamie, and what that may be worth."""

    seats: list[int]
    limit: int


class SpecialAsked(TypedDict):
    """The seat that is asked, and the special move it plays."""

    seats: list[int]
    special: Special


class Over(TypedDict):
    """The game is over."""

    winners: list[int]
    winner: int | None
    """The seat that won, if it is only one."""
    reason: Reason
    goal: int


PROMPTS: Final[Mapping[str, Any]] = {
    "wait.deal": Asked,
    "wait.draw": Asked,
    "wait.fill": Asked,
    "prompt.turn": Asked,
    "wait.turn": Asked,
    "prompt.convert": Asked,
    "wait.convert": Asked,
    "prompt.action": ActionAsked,
    "wait.action": ActionAsked,
    "prompt.attack": ToyAsked,
    "wait.attack": ToyAsked,
    "prompt.answer": ToyAsked,
    "wait.answer": ToyAsked,
    "prompt.maman": ToyAsked,
    "prompt.maman_own": ToyAsked,
    "prompt.maman_none": ToyAsked,
    "wait.maman": ToyAsked,
    "prompt.give": SpecialAsked,
    "wait.give": SpecialAsked,
    "prompt.take": SpecialAsked,
    "wait.take": SpecialAsked,
    "prompt.seat": Asked,
    "wait.seat": Asked,
    "prompt.bet": BetAsked,
    "wait.bet": BetAsked,
    "prompt.reply": BetAsked,
    "wait.reply": BetAsked,
    "prompt.lay": Asked,
    "wait.lay": Asked,
    "prompt.lay_more": LayAsked,
    "wait.lay_more": LayAsked,
    "prompt.lay_maybe": Asked,
    "wait.lay_maybe": Asked,
    "prompt.excess": Asked,
    "wait.excess": Asked,
    "prompt.over": Over,
}
"""The parameters of each prompt."""


# Refusals.


class Refused(TypedDict):
    """Who wanted to do what."""

    seat: int
    action: str


class StepRefused(Refused):
    """It is another step of the turn."""

    phase: Phase


class CardRefused(Refused):
    """It is about this card."""

    card: str


class OtherRefused(Refused):
    """It is about this other seat."""

    other: int


class CardOtherRefused(CardRefused):
    """It is about this card and that other seat."""

    other: int


class SpecialRefused(CardRefused):
    """What this special move needs is not there."""

    special: Special


class LimitRefused(CardRefused):
    """The second toy may be worth so much."""

    limit: int


REASONS: Final[Mapping[str, Any]] = {
    "referee": Refused,
    "other_step": StepRefused,
    "not_in_front": CardRefused,
    "not_in_hand": CardRefused,
    "banned": CardOtherRefused,
    "own_toy": CardRefused,
    "not_in_play": CardRefused,
    "no_friend": CardRefused,
    "maman_waits": CardRefused,
    "need": SpecialRefused,
    "own_seat": OtherRefused,
    "no_marble": OtherRefused,
    "no_forfeit": Refused,
    "must_lay": Refused,
    "no_maman": Refused,
    "too_valuable": LimitRefused,
    "other_drawer": CardOtherRefused,
    "not_in_pile": CardRefused,
}
"""The parameters of each refusal of an action."""


# Hints. What they tell to do, and why: data for the texts, made by `reasons.py`.


class Nothing(TypedDict):
    """The words alone say it."""


class OfCard(TypedDict):
    """A card."""

    card: str


class OfOwner(TypedDict):
    """Another seat."""

    owner: int


class OfToy(OfCard):
    """A toy and whose it is."""

    owner: int


class OfMarbles(OfCard):
    """A toy and what it brings."""

    marbles: int


class OfGoal(TypedDict):
    """How many marbles win."""

    goal: int


class OfTotal(OfGoal):
    """How far one has come."""

    total: int


class OfValue(TypedDict):
    """What a toy is worth."""

    value: int


class SwapPays(TypedDict):
    """By how much a swap is a good or a bad one."""

    more: int
    better: Literal["yes", "no"]


class OwnerNeeds(OfOwner):
    """How many marbles another seat could have next."""

    goal: int


class OfKept(TypedDict):
    """A card that stays in hand."""

    kept: str


class Probable(TypedDict):
    """Something that may turn out otherwise."""

    odds: Literal["certain", "likely"]


class ProbableCard(Probable):
    """The same about a card."""

    card: str


class ProbableToy(ProbableCard):
    """The same about a toy and whose it is."""

    owner: int


class ProbableValue(ProbableToy):
    """The same, and what it is worth."""

    value: int


class ProbableOwner(Probable):
    """The same about another seat."""

    owner: int


class ProbableSale(ProbableCard):
    """The same about a toy for Marie-Edwige."""

    marbles: int
    total: int


class ProbableSwap(ProbableToy):
    """The same about two toys."""

    given: str


class Picture(TypedDict):
    """How a figure of the rule book is drawn. What happens in it is drawn as it was played."""

    shows: Literal["table", "lay", "exchange", "fight", "cards"]
    cards: NotRequired[list[str]]
    """The cards that are shown, where it is only those."""


HINTS: Final[Mapping[str, Any]] = {
    "do.draw": Nothing,
    "do.done_convert": Nothing,
    "do.done_lay": Nothing,
    "do.forfeit": Nothing,
    "do.maman_no": Nothing,
    "do.maman_yes": Nothing,
    "do.convert": OfMarbles,
    "do.lay": OfCard,
    "do.fight": OfToy,
    "do.special": OfCard,
    "do.discard": OfCard,
    "do.place": OfCard,
    "do.take": OfToy,
    "do.give": OfCard,
    "do.seat": OfOwner,
    "because.wins": OfGoal,
    "because.marbles": OfTotal,
    "because.cashed": Nothing,
    "because.swap": SwapPays,
    "because.removed": OfToy,
    "because.worth": OfValue,
    "because.enough": OfGoal,
    "because.stake": OfValue,
    "because.stops": OwnerNeeds,
    "because.spare": Nothing,
    "because.weakest": Nothing,
    "because.spares": OfKept,
    "because.strongest": Nothing,
    "because.maman": OfToy,
    "because.maman_kept": Nothing,
    "because.no_maman": Nothing,
    "because.friends_kept": Nothing,
    "because.tie": Probable,
    "because.win_toy": ProbableValue,
    "because.lose_toy": ProbableCard,
    "because.others_win": ProbableCard,
    "because.keep_toy": ProbableCard,
    "because.not_won": ProbableToy,
    "because.maman_stops": ProbableToy,
    "because.win_marble": ProbableOwner,
    "because.lose_marble": Probable,
    "because.ban": Nothing,
    "because.bell": Nothing,
    "because.can_lay_two": Probable,
    "because.can_lay": ProbableCard,
    "because.can_sell": ProbableSale,
    "because.can_swap": ProbableSwap,
    "because.can_remove": ProbableToy,
    "because.can_fight": ProbableToy,
}
"""The parameters of what hints say."""
