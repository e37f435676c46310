"""The shapes of everything that leaves Dans la cour d'école.

The code that makes it is checked against them, and the types of the page are made from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NotRequired, TypedDict

Hidden = Literal["hidden"]
"""There is one, but the reader does not know it."""
Toy = Literal["marble", "brick", "soldier", "monster", "car"]
Sign = Literal["spider", "butterfly"]
EventCard = Literal["spider", "butterfly", "king"]
Card = Literal[
    "marble", "brick", "soldier", "monster", "car",
    "leaf", "chestnut", "friend", "glue", "spider", "butterfly", "king",
]  # fmt: skip
"""What a card is called."""
Kind = str
"""Which card it is: what it is called, and its number where a set gives every toy its own edges (`brick.2`)."""
Hand = dict[Kind, int]
"""How many cards of each kind."""
Character = Literal["agent", "boss", "minx", "architect", "queen", "lucky", "herbalist", "general"]
Throw = Literal["rock", "paper", "scissors"]
Phase = Literal[
    "deal", "turn", "point", "race", "lose", "take", "challenge", "throw", "decide", "glue", "keep", "give", "trade",
    "steal", "friend", "over",
]  # fmt: skip
Step = Literal["turn", "keep", "give"]
Ending = Literal["threshold", "pile", "cap"]
"""Why the game has ended (C15)."""
Choice = int | Throw | Literal["none", "waiting", "hidden"] | None
"""The seat pointed at, or nobody, or the throw (C8, C9); null for a seat that is not asked."""
Op = Literal["gain", "lose", "take", "trade"]
Counted = Literal["marble", "brick", "soldier", "monster", "car", "leaf", "chestnut", "collection"]
"""What a character gives stars for (C17)."""


CardSet = Literal["reconstructed"] | dict[str, Any]
"""The name of a card set that ships, or the contents of a card file."""


class Options(TypedDict):
    """The options in force."""

    first: int
    pile: Literal["queue", "bag"]
    slap_pick: Literal["blind", "choose"]
    reaction: Literal["random", "off", "live"]
    agent_min: int
    cards: CardSet


# The score.


class RowCard(TypedDict):
    """A card of the best row (C16)."""

    card: Kind
    """Its kind, or the character."""
    full: int


class Join(TypedDict):
    """Two neighbours of the best row (C16)."""

    stars: int
    places: str
    """Where their half-stars meet: some of H, M, B."""


class Kings(TypedDict):
    """What the king cards are worth (C9)."""

    cards: int
    stars: int


class FriendStars(TypedDict):
    """What a friend card is worth (C12)."""

    seat: int
    """The seat it is turned to."""
    toy: Toy | None
    """The largest collection there."""
    stars: int


class BonusItem(TypedDict):
    """One thing that a character counts (C17)."""

    card: Counted
    count: int
    stars: int


class Bonus(TypedDict):
    """The bonus of a character (C17)."""

    character: Character
    items: list[BonusItem]
    stars: int


class RowWorking(TypedDict):
    """Where the stars of a row come from (C16)."""

    row: list[RowCard]
    joins: list[Join]
    """One fewer than cards."""
    full: int
    joined: int


class Working(RowWorking):
    """Where all the stars of a seat come from (C16, C17)."""

    kings: Kings
    chestnut_man: int
    friends: list[FriendStars]
    bonus: Bonus
    total: int


class Detail(TypedDict):
    """What is told beside the stars."""

    rounds: int
    working: NotRequired[list[Working]]
    """Of every seat, once the game is over."""


class Result(TypedDict):
    """How the game ended."""

    scores: list[int]
    ranking: list[list[int]]
    reason: Ending
    tie_break: NotRequired[Literal["shared"]]
    detail: Detail


# The view.


class LedgerRow(TypedDict):
    """A change of a hand."""

    op: Op
    seat: int
    """Whose hand grew, or who traded."""
    victim: NotRequired[int]
    """Who was robbed, in a theft."""
    card: Kind | None
    """Null: not known to the reader."""
    hand: NotRequired[Hand]
    """The whole hand of the victim, where the reader saw it."""


class Known(TypedDict):
    """What can be known of a hand."""

    sure: Hand
    unsure: int
    """How many cards more it holds."""


class Asked(TypedDict):
    """What is asked now, or who is waited for: a key of `PROMPTS`, and its parameters."""

    key: str
    seats: NotRequired[list[int]]
    card: NotRequired[Sign]
    cards: NotRequired[list[Card]]
    n: NotRequired[int]
    seat: NotRequired[int]
    rival: NotRequired[int]
    draws: NotRequired[int]
    victim: NotRequired[int]
    winners: NotRequired[list[int]]
    reason: NotRequired[Ending]


class OpenPart(TypedDict):
    """What lies open, and how far the turn has come."""

    game: Literal["cour"]
    rules: str
    seats: int
    options: Options
    turn: int
    """The number of the turn, from 1; 0 while characters are dealt."""
    active: int
    phase: Phase
    step: Step
    """How far the turn has come."""
    to_keep: int
    """How many cards the active seat is still to keep."""
    ending: bool
    """Whether this round is the last (C15)."""
    pool: Hand
    """The cards of the pile whose order nobody knows."""
    under: list[Kind]
    """The cards below those, from the next one down."""
    open: list[Kind]
    """The cards lying before the active seat."""
    kings: list[int]
    friends: list[list[int]]
    """For every seat the seats its friend cards are turned to."""
    pot: int | None
    """The seat with the glue pot in front."""
    pot_waits: bool
    """The pot was gained in this very turn of its owner (C13)."""
    chestnut_man: int | None
    """The seat that has it."""
    event: EventCard | None
    """The event card being resolved."""
    draws: int
    """How many throws in a row were equal (C9)."""
    gainer: int | None
    """The seat that gains, steals or decides about its gain."""
    victim: int | None
    """The seat that loses a card."""


class HiddenPart(TypedDict):
    """What not everybody knows; in a view without what the reader does not know."""

    characters: list[Character | Hidden | None]
    """Null before they are dealt."""
    hands: list[Hand | None]
    """Null: not known to the reader."""
    choices: list[Choice]
    ledger: list[LedgerRow]
    """Every change of a hand so far."""


class Position(OpenPart, HiddenPart):
    """The whole position."""


class Alike(OpenPart):
    """What everybody sees alike."""

    round: int
    """From 1; 0 while characters are dealt."""
    sizes: list[int]
    """How many cards each hand holds."""
    result: NotRequired[Result]
    """Once the game is over."""


class Own(HiddenPart):
    """What only one seat knows so, or a spectator."""

    seat: int | None
    prompt: Asked
    memory: list[Known]
    """What a good memory holds of each hand."""


class View(Alike, Own):
    """What a seat knows, or a spectator."""


# Events.


class OfNobody(TypedDict):
    """Something that names nobody."""


class OfSeat(TypedDict):
    """Something that a seat does, gets or loses."""

    seat: int


class ACharacter(TypedDict):
    """What only its seat knows of a character dealt."""

    character: Character | Hidden


class CharacterDealt(OfSeat, ACharacter):
    """A character is dealt (C3)."""


class TurnBegins(OfSeat):
    """A turn begins (C5)."""

    round: int


class OfCard(OfSeat):
    """A card is turned over, kept or put back (C5, C6)."""

    card: Card
    kind: Kind


class CardGiven(OfCard):
    """A card is given away (C6)."""

    to: int


class SignInVain(TypedDict):
    """A spider or butterfly at a table without cards to take (C8)."""

    card: Sign
    kind: Kind


class ATarget(TypedDict):
    """What only the seat itself knows until all have pointed."""

    target: int | Literal["none", "hidden"]


class SecretPoint(OfSeat, ATarget):
    """A seat has chosen whom to point at (C8)."""


class Point(OfSeat):
    """A seat points at another one for all to see (C8)."""

    target: int


class Theft(OfSeat):
    """A seat is going to steal (C10)."""

    victim: int


class AHand(TypedDict):
    """What only the fastest sees of a hand."""

    hand: Hand | Hidden


class Look(Theft, AHand):
    """The fastest looks at a hand, to choose from it (C8)."""


class ACard(TypedDict):
    """What only thief and victim know of a card stolen."""

    card: Card | Hidden
    kind: Kind
    """Or `hidden`."""


class CardStolen(Theft, ACard):
    """A card changes hands (C8, C10)."""


class Challenge(OfSeat):
    """The seat with the king card names a rival (C9)."""

    rival: int


class AThrow(TypedDict):
    """What only the seat itself knows until both have thrown."""

    throw: Throw | Hidden


class SecretThrow(OfSeat, AThrow):
    """A seat has chosen its throw (C9)."""


class Throws(Challenge):
    """Both throws are shown (C9)."""

    throw: Throw
    answer: Throw
    """What the rival throws."""


class KingWon(OfSeat):
    """King cards go to the winner (C9)."""

    cards: int


class FriendTurned(OfSeat):
    """A friend card is turned to a seat (C12)."""

    to: int


class LastRound(TypedDict):
    """All hands have reached seven: this round is the last (C15)."""

    round: int


class Shown(OfSeat):
    """A seat shows what it has (C16)."""

    character: Character
    hand: Hand


class End(TypedDict):
    """The game is over (C15, C18)."""

    reason: Ending
    stars: list[int]


EVENTS: Final[Mapping[str, Any]] = {
    "character": CharacterDealt,
    "turn": TurnBegins,
    "turned": OfCard,
    "kept": OfCard,
    "given": CardGiven,
    "put_back": OfCard,
    "pot_back": OfSeat,
    "threshold": LastRound,
    "shown": Shown,
    "end": End,
    "nothing": SignInVain,
    "pointed": SecretPoint,
    "points": Point,
    "nobody": OfNobody,
    "fastest": Point,
    "empty_hand": Point,
    "look": Look,
    "challenge": Challenge,
    "threw": SecretThrow,
    "throws": Throws,
    "king": KingWon,
    "pot": OfSeat,
    "no_trade": OfSeat,
    "chestnut_man": OfSeat,
    "trade": OfSeat,
    "steal": Theft,
    "stolen": CardStolen,
    "no_friend": OfSeat,
    "friend": FriendTurned,
    "glue_used": OfSeat,
    "glue_unused": OfSeat,
}
"""By its key, the data of an event as any reader sees it."""


# Prompts.


class PlainPrompt(TypedDict):
    """A question that needs no more words."""

    seats: list[int]
    """Who is asked; empty where nature acts."""


class SignPrompt(PlainPrompt):
    """Whom to point at, and who was fastest (C8)."""

    card: Sign


class TakePrompt(PlainPrompt):
    """Which card to take from a hand (C8)."""

    victim: int


class DuelPrompt(PlainPrompt):
    """Rock, paper or scissors (C9)."""

    seat: int
    rival: int
    draws: int


class OpenCardsPrompt(PlainPrompt):
    """What to do with the cards lying open (C6, C13)."""

    cards: list[Card]
    n: int
    """How many are still to be kept."""


class OverPrompt(TypedDict):
    """Nothing is asked any more."""

    winners: list[int]
    reason: Ending


PROMPTS: Final[Mapping[str, Any]] = {
    "prompt.point": SignPrompt,
    "prompt.take": TakePrompt,
    "prompt.challenge": PlainPrompt,
    "prompt.throw": DuelPrompt,
    "prompt.glue": OpenCardsPrompt,
    "prompt.keep": OpenCardsPrompt,
    "prompt.give": OpenCardsPrompt,
    "prompt.trade": PlainPrompt,
    "prompt.steal": PlainPrompt,
    "prompt.friend": PlainPrompt,
    "prompt.over": OverPrompt,
    "wait.deal": PlainPrompt,
    "wait.turn": PlainPrompt,
    "wait.point": SignPrompt,
    "wait.race": SignPrompt,
    "wait.lose": PlainPrompt,
    "wait.take": TakePrompt,
    "wait.challenge": PlainPrompt,
    "wait.throw": DuelPrompt,
    "wait.decide": DuelPrompt,
    "wait.glue": OpenCardsPrompt,
    "wait.keep": OpenCardsPrompt,
    "wait.give": OpenCardsPrompt,
    "wait.trade": PlainPrompt,
    "wait.steal": PlainPrompt,
    "wait.friend": PlainPrompt,
}
"""By its key, the parameters of a prompt."""


# Reasons.


class Refused(TypedDict):
    """An action that the rules do not allow here."""

    seat: int
    """Who wanted it; -1 for nature."""
    action: str


class OtherChoice(Refused):
    """Something else is asked now."""

    phase: Phase


class WrongCard(Refused):
    """The card it names does not lie there."""

    card: Card


class WrongSeat(Refused):
    """The seat it names will not do."""

    other: int


class NoSeat(WrongSeat):
    """There is no such seat (C3)."""

    seats: int


REASONS: Final[Mapping[str, Any]] = {
    "nature": Refused,
    "other_choice": OtherChoice,
    "no_trade": Refused,
    "not_open": WrongCard,
    "not_in_hand": WrongCard,
    "not_next": WrongCard,
    "dealt": Refused,
    "not_pointing": Refused,
    "must_point": Refused,
    "no_seat": NoSeat,
    "no_rival": WrongSeat,
    "oneself": Refused,
    "friend_twice": WrongSeat,
    "empty_hand": WrongSeat,
}
"""By its key, the parameters of a refusal."""


# Hints. What they tell to do, and why: data for the texts, made by `reasons.py`.


class AdviceAlone(TypedDict):
    """The words alone say it."""


class AdviceCard(TypedDict):
    """A card to keep or to take."""

    card: Card


class AdviceGift(AdviceCard):
    """A card to give, and to whom."""

    to: int


class AdviceThrow(TypedDict):
    """What to show."""

    throw: Throw


class AboutOther(TypedDict):
    """Another seat."""

    other: int


class AboutStars(TypedDict):
    """So many stars."""

    stars: int


class AboutRow(AboutStars):
    """What a card adds to the own row; `part` of it by half-stars that join, or by the own character."""

    by: Literal["full", "joined", "bonus"]
    part: int
    character: Character


class AboutLeaves(TypedDict):
    """So many leaves."""

    n: int


class AboutChestnuts(AboutStars):
    """So many chestnuts, and the stars of the chestnut man."""

    n: int


class AboutHandOf(AboutOther):
    """Another seat and how many cards it has."""

    n: int


class AboutStake(AboutOther, AboutStars):
    """Another seat and the stars it plays for."""


class ProbableOther(AboutOther):
    """Something about another seat that may turn out otherwise."""

    odds: Literal["certain", "likely"]


class Picture(TypedDict):
    """How a figure of the rule book is drawn. What happens in it is drawn as it was played."""

    shows: Literal["turned", "row", "characters", "slap", "throws", "friend", "trade", "hands", "score"]
    row: NotRequired[list[str]]
    """Cards of the seat's hand in the order in which they are laid in a row."""


HINTS: Final[Mapping[str, Any]] = {
    "do.keep": AdviceCard,
    "do.take": AdviceCard,
    "do.give": AdviceGift,
    "do.throw": AdviceThrow,
    "do.glue_yes": AdviceAlone,
    "do.glue_no": AdviceAlone,
    "do.trade_yes": AdviceAlone,
    "do.trade_no": AdviceAlone,
    "do.point_none": AdviceAlone,
    "do.point": AboutOther,
    "do.challenge": AboutOther,
    "do.steal": AboutOther,
    "do.friend": AboutOther,
    "because.pot": AdviceAlone,
    "because.friendship": AdviceAlone,
    "because.stars": AboutRow,
    "because.no_stars": AdviceAlone,
    "because.third_leaf": AdviceAlone,
    "because.leaves": AboutLeaves,
    "because.chestnuts": AboutChestnuts,
    "because.man_gone": AdviceAlone,
    "because.useful": AboutOther,
    "because.little": ProbableOther,
    "because.helps": ProbableOther,
    "because.behind": ProbableOther,
    "because.ahead": ProbableOther,
    "because.empty": AboutOther,
    "because.most_cards": AboutHandOf,
    "because.cards": AboutHandOf,
    "because.fewest_cards": AboutOther,
    "because.ahead_robbed": ProbableOther,
    "because.largest": ProbableOther,
    "because.smaller": ProbableOther,
    "because.stakes": AboutStake,
    "because.king": AboutStars,
    "because.luck": AdviceAlone,
    "because.two": AdviceAlone,
    "because.pot_lost": AdviceAlone,
    "because.man": AboutStars,
    "because.theft": AdviceAlone,
    "because.gone": AboutStars,
    "because.worth_keeping": AboutStars,
}
"""The parameters of what hints say."""
