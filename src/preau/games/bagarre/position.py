"""A position of La grande bagarre: all cards and marbles, whose turn it is, and how far the turn has come.

Cards are numbers of kinds (see `deck.py`). Hands and the toys in front of a seat are sorted lists of kinds, pile and
discard are counts by kind. Sets of seats are bit masks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from ...core.mypyc_shims import i64
from ...core.state import NATURE, Action, Result, State, rank
from .actions import Actions
from .deck import CLOCHE, ECHANGE, FRIENDS, MAITRESSE, MAMIE, MARIE_EDWIGE, PARTIE_DE_BILLES
from .memory import Note, memory_key

if TYPE_CHECKING:
    from ...core.game import Game
    from .shapes import Detail, Phase, Reason

HAND: Final = 5
"""Cards in hand at the end of every turn (B6, B12)."""
MOST_TURNS: Final = 400
MAMIE_TOTAL: Final = 3
"""What two toys laid with Mamie may be worth together."""

NOTHING: Final = -1
FORFEIT: Final = -2
"""What a seat has face down, if it is no card: nothing, or the secret that it forfeits (B16)."""

NOT_ASKED: Final = 0
SAID_NO: Final = 1
SAID_YES: Final = 2

DEALING: Final = 0
DRAWING: Final = 1
FILLING: Final = 2
TURN: Final = 3
CONVERTING: Final = 4
ACTION: Final = 5
ATTACK: Final = 6
ANSWER: Final = 7
WINDOW: Final = 8
GIVING: Final = 9
TAKING: Final = 10
SEATING: Final = 11
BETTING: Final = 12
REPLYING: Final = 13
LAYING: Final = 14
LAYING_MORE: Final = 15
OPTIONAL: Final = 16
EXCESS: Final = 17
OVER: Final = 18
PHASES: Final[tuple[Phase, ...]] = (
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
)
"""The phases by name. In the first three nature acts."""

SEATS_IN: Final = [tuple([seat for seat in range(6) if mask >> seat & 1]) for mask in range(64)]
"""The seats of a mask."""
_NATURE: Final = (NATURE,)


def mask_of(seat: i64) -> i64:
    """The mask with one seat in it."""
    return 1 << seat


def has(mask: i64, seat: i64) -> bool:
    """Whether a seat is in a mask."""
    return mask >> seat & 1 != 0


def without(mask: i64, seat: i64) -> i64:
    """A mask with one seat taken out."""
    return mask & ~(1 << seat)


class Setup:
    """What stays the same through a game: the seats, the options and the cards."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, Any], actions: Actions) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.actions = actions
        self.deck = actions.deck
        self.goal: int = options["goal"]
        self.first: int = options["first"]
        self.may_forfeit: bool = options["may_forfeit"]


class Position(State):
    """Everything that makes up a position, and plain facts about it."""

    def __init__(
        self,
        setup: Setup,
        *,
        hands: list[list[int]],
        front: list[list[int]],
        marbles: list[int],
        pile: list[int],
        pile_size: int,
        discard: list[int],
        discard_stamp: i64,
        turn: int,
        active: int,
        phase: int,
        owing: int,
        drawer: int,
        filled: int,
        ban: int,
        effect: int,
        given: int,
        limit: int,
        toy: int,
        owner: int,
        round: int,
        placed: list[int],
        answers: list[int],
        turned: list[tuple[int, int]],
        memory: Note | None,
        remembers: bool,
    ) -> None:
        # what State.__init__ would set is set here, so that the compiler knows it to be there always: playouts feel it
        self.game = setup.game
        self.seats = setup.seats
        self.options = setup.options
        self.events = None
        self.setup = setup
        self.deck = setup.deck
        self.hands = hands
        self.front = front
        """The toys in front of each seat."""
        self.marbles = marbles
        self.pile = pile
        self.pile_size = pile_size
        self.discard = discard
        self.discard_stamp = discard_stamp
        """A stamp of the discard, for who writes it down: 0 since it last changed."""
        self.turn = turn
        self.active = active
        self.phase = phase
        self.owing = owing
        """The seats that owe a decision."""
        self.drawer = drawer
        """The seat that nature deals a card to, in the phases in which it does."""
        self.filled = filled
        """At the end of a turn: how many seats have been brought back to five cards (B12)."""
        self.ban = ban
        """The seat before whose next turn no fight may start (maitresse), or -1."""
        self.effect = effect
        """The special move being played, or -1."""
        self.given = given
        """The toy given for `echange`, or -1."""
        self.limit = limit
        """What the second toy laid with `mamie` may be worth."""
        self.toy = toy
        """The toy being fought for or taken, or -1."""
        self.owner = owner
        """The seat that owns it, or the seat challenged to `partie_de_billes`, or -1."""
        self.round = round
        """The round of the fight, from 1; 0 outside fights."""
        self.placed = placed
        """What each seat has face down: a friend, NOTHING, or FORFEIT."""
        self.answers = answers
        """The answers to the Maman question given so far."""
        self.turned = turned
        """The cards turned in this fight, with their seats; they are discarded at its end."""
        self.memory = memory
        self.remembers = remembers
        """Whether notes are taken: not where nobody will ask for a view or a sampler."""
        self.listed_for = -1
        self.listed: tuple[Action, ...] = ()
        """The legal actions of the seat that last asked for them in this position, if one did."""

    @property
    def to_act(self) -> tuple[int, ...]:
        """Nature at a draw; else the seats that owe a decision, several of them where cards are placed at once."""
        if self.phase <= FILLING:
            return _NATURE
        return SEATS_IN[self.owing]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == OVER

    def key(self) -> tuple[object, ...]:
        """Everything that tells this position from another, what the seats remember included."""
        return (*self.table_key(), memory_key(self.memory))

    def table_key(self) -> tuple[object, ...]:
        """What tells this position from another to somebody who sees all cards now, but not the past."""
        setup = self.setup
        return (
            self.deck.key,
            self.seats,
            setup.goal,
            setup.first,
            setup.may_forfeit,
            tuple([tuple(hand) for hand in self.hands]),
            tuple([tuple(toys) for toys in self.front]),
            tuple(self.marbles),
            tuple(self.pile),
            tuple(self.discard),
            self.turn,
            self.active,
            self.phase,
            self.owing,
            self.drawer,
            self.filled,
            self.ban,
            self.effect,
            self.given,
            self.limit,
            self.toy,
            self.owner,
            self.round,
            tuple(self.placed),
            tuple(self.answers),
            tuple(self.turned),
        )

    def scores(self) -> tuple[int, ...]:
        """The marbles of every seat."""
        return tuple(self.marbles)

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Marbles decide, then the value of the toys in front (B14)."""
        order: list[tuple[object, ...]] = [(-self.marbles[seat], -self.worth(seat)) for seat in range(self.seats)]
        return rank(order)

    def result(self) -> Result:
        """The ranking, and what decided it."""
        worth = [self.worth(seat) for seat in range(self.seats)]
        ranking = self.ranking()
        best = max(self.marbles)
        tied = [seat for seat in range(self.seats) if self.marbles[seat] == best]
        tie_break = ""
        if len(tied) > 1:
            tie_break = "front" if len(ranking[0]) < len(tied) else "shared"
        detail: Detail = {"front": worth, "turns": self.turn}
        return Result(tuple(self.marbles), ranking, self.reason() if self.over else "", tie_break, detail)

    def reason(self) -> Reason:
        """What a game that is over ended by (B14)."""
        return "goal" if max(self.marbles) >= self.setup.goal else "turns"

    def progress(self) -> float:
        """How near the leader is to the goal, or the table to the last turn."""
        if self.phase == OVER:
            return 1.0
        most: i64 = 0
        marbles: i64
        for marbles in self.marbles:
            if marbles > most:  # noqa: PLR1730, as the compiler likes it
                most = marbles
        near = float(most) / float(self.setup.goal)
        late = float(self.turn - 1) / float(MOST_TURNS) if self.turn else 0.0
        return near if near > late else late

    # What can be seen of the table.

    def worth(self, seat: int) -> int:
        """The value of the toys in front of a seat."""
        total = 0
        for toy in self.front[seat]:
            total += self.deck.value[toy]
        return total

    def has_friend(self, seat: int) -> bool:
        """Whether the seat holds a friend; friends are sorted before all other cards."""
        hand = self.hands[seat]
        return len(hand) > 0 and hand[0] < FRIENDS

    def has_toy(self, seat: int) -> bool:
        """Whether the seat holds a toy."""
        return any(FRIENDS <= card < self.deck.first_special for card in self.hands[seat])

    def cards_shown(self, seat: int) -> int:
        """The size of a hand as the table sees it: a secret forfeit looks like a placed card (B16)."""
        return len(self.hands[seat]) - (1 if self.placed[seat] == FORFEIT else 0)

    def toys_of_others(self, seat: int) -> list[int]:
        """The toys in front of the other seats, sorted."""
        found: list[int] = []
        for other in range(self.seats):
            if other != seat:
                found.extend(self.front[other])
        found.sort()
        return found

    def owner_of(self, toy: int) -> int:
        """The seat that has the toy in front of it, or -1."""
        for seat in range(self.seats):
            if toy in self.front[seat]:
                return seat
        return -1

    def is_general(self) -> bool:
        """Whether the fight at hand is a general one (B17, B22)."""
        return self.seats > 2 and self.toy >= 0 and self.deck.general[self.toy]

    def is_met(self, effect: int, seat: int) -> bool:
        """B23: whether the need of a special move is met, so that the seat may play it."""
        if effect in (MAITRESSE, CLOCHE):
            return True
        if effect == MARIE_EDWIGE:
            return len(self.front[seat]) > 0
        if effect == MAMIE:
            return self.has_toy(seat)
        if effect == PARTIE_DE_BILLES:
            return self.has_friend(seat) and len(self.rich_others(seat)) > 0
        if effect == ECHANGE and not self.front[seat]:
            return False
        return any(other != seat and self.front[other] for other in range(self.seats))

    def rich_others(self, seat: int) -> list[int]:
        """The other seats that have a marble."""
        return [other for other in range(self.seats) if other != seat and self.marbles[other] > 0]
