"""A position of Dans la cour d'école: the pile, the hands, what lies in front of everybody, how far the turn has come.

Cards are kinds (see `deck`); hands are counts, flat, seat by seat. The pile is a set of cards in unknown order (`pool`)
above the cards put back, whose order everybody knows (`under`). What several seats are asked at once in secret waits in
`answers` until the last one is in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...core.mypyc_shims import i64
from ...core.state import NATURE, Result, State, rank
from .actions import NO, NONE, Actions, CourAction
from .deck import TOYS, Deck, bit, has
from .memory import Knowing, kind_of
from .row import Rows
from .tally import TRADED, Tally

if TYPE_CHECKING:
    from ...core.game import Game
    from .shapes import Detail, Ending, FriendStars, Options, Phase, Sign, Step, Working

LAID: Final = 3
"""How many cards that are no events a turn turns over (C5)."""
THRESHOLD: Final = 7
"""The hand size that ends the game once every seat has it (C15)."""
LAST_ROUND: Final = 15
MOST_DRAWS: Final = 10
"""After so many equal throws in a row nature names the winner (C9)."""

DEALING: Final = 0
TURNING: Final = 1
POINTING: Final = 2
RACING: Final = 3
LOSING: Final = 4
TAKING: Final = 5
CHALLENGING: Final = 6
THROWING: Final = 7
DECIDING: Final = 8
GLUING: Final = 9
KEEPING: Final = 10
GIVING: Final = 11
TRADING: Final = 12
STEALING: Final = 13
BEFRIENDING: Final = 14
OVER: Final = 15
PHASES: Final[tuple[Phase, ...]] = (
    "deal", "turn", "point", "race", "lose", "take", "challenge", "throw", "decide", "glue", "keep", "give", "trade",
    "steal", "friend", "over",
)  # fmt: skip

TURN_STEP: Final = 0
KEEP_STEP: Final = 1
GIVE_STEP: Final = 2
STEPS: Final[tuple[Step, ...]] = ("turn", "keep", "give")
"""How far the turn has come: where it goes on when the effects of a gain are done."""

NOT_ASKED: Final = -2
WAITING: Final = -1

ONE_SEAT: Final = [(seat,) for seat in range(8)]
SEATS_IN: Final = [tuple([seat for seat in range(8) if mask >> seat & 1]) for mask in range(256)]
"""The seats of a mask."""
NOBODY: Final[tuple[int, ...]] = ()
ONLY_NATURE: Final = (NATURE,)


class Setup:
    """What stays the same through a game: the deck, its actions, the seats and the options."""

    def __init__(self, game: Game, seats: int, options: Options, actions: Actions, rows: Rows) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.actions = actions
        self.deck: Deck = actions.deck
        self.rows = rows
        self.first: int = options["first"]
        self.bag: bool = options["pile"] == "bag"
        self.choose: bool = options["slap_pick"] == "choose"
        self.live: bool = options["reaction"] == "live"
        self.alone: bool = options["reaction"] == "off"
        """Only the drawer points at somebody (C8)."""
        self.agent_min: int = options["agent_min"]
        others = [[other for other in range(seats) if other != seat] for seat in range(seats)]
        nobody = [actions.point[NONE]] if self.live else []
        self.points = [tuple([actions.point[other] for other in others[seat]] + nobody) for seat in range(seats)]
        self.challenges = [tuple([actions.challenge[other] for other in others[seat]]) for seat in range(seats)]
        self.gives = [
            [tuple([actions.give[card][other] for other in others[seat]]) for card in range(self.deck.ordinary)]
            for seat in range(seats)
        ]
        self.throws = tuple(actions.throw)
        self.glue = tuple(actions.glue)
        self.trade = tuple(actions.trade)
        self.refuse = (actions.trade[NO],)
        self.everybody = bit(seats) - 1
        """The mask that holds all seats."""
        self.needed = 2 * seats + 1
        """How many cards that are no events the pile must hold for a round (C7)."""
        self.most_held = float(THRESHOLD * seats)
        self.most_drawn = float(self.deck.ordinary_cards)
        self.most_turns = float(LAST_ROUND * seats)
        """What progress is counted in."""


class Position(State):
    """Everything that makes up a position, and plain facts about it."""

    def __init__(
        self,
        setup: Setup,
        *,
        characters: list[int],
        hands: list[int],
        tally: Tally,
        memory: list[int],
        pool: list[int],
        pool_size: int,
        under: list[int],
        under_stamp: i64,
        pool_stamp: i64,
        open_cards: list[int],
        kings: list[int],
        friends: list[int],
        pot: int,
        pot_waits: bool,
        man: int,
        turn: int,
        active: int,
        phase: int,
        step: int,
        to_keep: int,
        ending: bool,
        event: int,
        answers: list[int],
        draws: int,
        gainer: int,
        victim: int,
        actors: tuple[int, ...],
        choosable: tuple[CourAction, ...],
    ) -> None:
        super().__init__(setup.game, setup.seats, setup.options)
        self.setup = setup
        self.deck = setup.deck
        self.width = setup.deck.in_hand
        self.characters = characters
        """The character of every seat, -1 before it is dealt."""
        self.hands = hands
        """How many cards of each kind every seat holds: seat * width + kind."""
        self.tally = tally
        self.sizes = tally.sizes
        self.memory = memory
        """Every change of a hand so far."""
        self.pool = pool
        """The cards of the pile whose order nobody knows, by kind."""
        self.pool_size = pool_size
        self.under = under
        """The cards below those, from the next one down."""
        self.under_stamp = under_stamp
        self.pool_stamp = pool_stamp
        """Stamps of the two, for who writes them down: 0 since they last changed."""
        self.open_cards = open_cards
        """The cards lying before the active seat."""
        self.kings = kings
        self.friends = friends
        """For every seat the seats its friend cards are turned to, as a bit mask."""
        self.pot = pot
        """The seat with the glue pot in front, or -1."""
        self.pot_waits = pot_waits
        """The pot was gained in this very turn of its owner (C13)."""
        self.man = man
        """The seat with the chestnut man, or -1."""
        self.turn = turn
        self.active = active
        self.phase = phase
        self.step = step
        self.to_keep = to_keep
        """How many cards the active seat is still to keep."""
        self.ending = ending
        """All hands have reached seven: this round is the last (C15)."""
        self.event = event
        """The event card being resolved, or -1."""
        self.answers = answers
        """In secret: the seat pointed at, or the throw; WAITING, or NOT_ASKED."""
        self.draws = draws
        self.gainer = gainer
        """The seat that gains, steals or decides about its gain, or -1."""
        self.victim = victim
        self._actors = actors
        self._choosable = choosable
        """The choices of the one seat that decides about public things, as listed when the position settled."""
        self._knowing: list[Knowing] | None = None
        """What every seat is sure of, where somebody asked; a copy finds it out anew."""

    @property
    def to_act(self) -> tuple[int, ...]:
        """Who owes a decision: a seat, several in a secret choice, nature, or nobody."""
        return self._actors

    def acts(self, actor: int) -> bool:
        """Whether a seat or nature owes a decision."""
        return any(one == actor for one in self._actors)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == OVER

    def key(self) -> tuple[object, ...]:
        """Everything that tells this position from another."""
        setup = self.setup
        return (
            self.deck.identity,
            setup.seats,
            setup.first,
            setup.bag,
            setup.choose,
            setup.live,
            setup.alone,
            setup.agent_min,
            tuple(self.characters),
            tuple(self.hands),
            tuple(self.tally.most),
            tuple(self.memory),
            tuple(self.pool),
            tuple(self.under),
            tuple(self.open_cards),
            tuple(self.kings),
            tuple(self.friends),
            self.pot,
            self.pot_waits,
            self.man,
            self.turn,
            self.active,
            self.phase,
            self.step,
            self.to_keep,
            self.ending,
            self.event,
            tuple(self.answers),
            self.draws,
            self.gainer,
            self.victim,
        )

    def scores(self) -> tuple[int, ...]:
        """The stars of every seat if the game ended now (C16, C17)."""
        rows = self.setup.rows
        stars: list[int] = []
        for seat in range(self.seats):
            total = rows.stars(self.hand(seat), self.characters[seat], self.setup.agent_min)
            total += self.kings[seat] * self.deck.king_stars
            if self.man == seat:
                total += self.deck.chestnut_man_stars
            if self.friends[seat]:
                for other in range(self.seats):
                    if has(self.friends[seat], other):
                        total += max(rows.collections(self.hand(other)))
            stars.append(total)
        return tuple(stars)

    def result(self) -> Result:
        """Most stars wins and ties are shared (C18); the detail shows where every star comes from."""
        scores = self.scores()
        ranking = rank([(-stars,) for stars in scores])
        tie_break = "shared" if self.phase == OVER and len(ranking[0]) > 1 else ""
        detail: Detail = {"rounds": self.round()}
        if self.phase == OVER:
            detail["working"] = [self.working(seat) for seat in range(self.seats)]
        return Result(scores, ranking, self.reason() if self.phase == OVER else "", tie_break, detail)

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The seats from most stars to fewest (C18), without where the stars come from."""
        return rank([(-stars,) for stars in self.scores()])

    def reason(self) -> Ending:
        """Why the game has ended, once it has (C15)."""
        if self.ending:
            return "threshold"
        return "pile" if self.ordinary_cards() < self.setup.needed else "cap"

    def working(self, seat: int) -> Working:
        """Where a seat's stars come from: the row, card by card and join by join, and all that is added to it.

        For seats that have their character.
        """
        rows = self.setup.rows
        hand = self.hand(seat)
        character = self.characters[seat]
        friends: list[FriendStars] = []
        for other in range(self.seats):
            if has(self.friends[seat], other):
                toys = rows.collections(self.hand(other))
                most = max(toys)
                friends.append({"seat": other, "toy": TOYS[toys.index(most)] if most else None, "stars": most})
        return {
            **rows.row_working(hand, character),
            "kings": {"cards": self.kings[seat], "stars": self.kings[seat] * self.deck.king_stars},
            "chestnut_man": self.deck.chestnut_man_stars if self.man == seat else 0,
            "friends": friends,
            "bonus": rows.bonus_working(hand, character, self.setup.agent_min),
            "total": self.scores()[seat],
        }

    def progress(self) -> float:
        """How far the hands have grown towards seven each, or the pile towards its end."""
        if self.phase == OVER:
            return 1.0
        in_hands: i64 = 0
        size: i64
        for size in self.sizes:
            in_hands += size if size < THRESHOLD else THRESHOLD
        setup = self.setup
        most = float(in_hands) / setup.most_held
        drawn = 1.0 - float(self.ordinary_cards()) / setup.most_drawn
        most = drawn if drawn > most else most
        played = float(self.turn - 1) / setup.most_turns
        most = played if played > most else most
        return most if most < 0.99 else 0.99

    def hand(self, seat: int) -> list[int]:
        """The counts of a hand by kind."""
        return self.hands[seat * self.width : (seat + 1) * self.width]

    def knowing(self, seat: int) -> Knowing:
        """What a seat is sure of (C20)."""
        if self._knowing is None:
            self._knowing = [Knowing(self.deck, self.seats, one) for one in range(self.seats)]
        found = self._knowing[seat]
        found.hear(self.memory)
        return found

    def held(self, seat: int, kind: int) -> int:
        """How many cards of a kind a hand holds."""
        return self.hands[seat * self.width + kind]

    def round(self) -> int:
        """The number of the round, from 1; 0 while characters are dealt."""
        return (self.turn + self.seats - 1) // self.seats

    def ordinary_cards(self) -> i64:
        """How many cards of the pile are no events (C7)."""
        cards: i64 = len(self.under) + self.pool_size
        kind: i64
        for kind in range(self.deck.ordinary, self.deck.size):
            cards -= self.pool[kind]
        return cards

    def can_trade(self) -> bool:
        """Whether the gaining seat really has three of the kind it gained to trade, and may (C10, C11)."""
        kind = kind_of(self.memory[-1])
        if self.held(self.gainer, kind) < TRADED:
            return False
        if kind == self.deck.leaf:
            return self.others_hold(self.gainer)
        return kind == self.deck.chestnut and self.man < 0

    def pointers(self) -> list[int]:
        """The seats that pointed at somebody, in seat order."""
        return [seat for seat in range(self.seats) if 0 <= self.answers[seat] < NONE]

    def rival(self) -> int:
        """The seat challenged by the active one, while they throw; else -1."""
        if self.phase in (THROWING, DECIDING):
            for seat in range(self.seats):
                if seat != self.active and self.answers[seat] != NOT_ASKED:
                    return seat
        return -1

    def sign(self) -> Sign:
        """The event card that everybody points at somebody for (C8)."""
        return "spider" if self.event == self.deck.spider else "butterfly"

    def others_hold(self, seat: int) -> bool:
        """Whether any other seat has a card in hand."""
        size: i64
        held: i64 = 0
        for size in self.sizes:
            held += size
        return held > self.sizes[seat]

    def any_hold(self) -> bool:
        """Whether any seat has a card in hand."""
        return any(size > 0 for size in self.sizes)

    def smallest_hand(self) -> int:
        """How many cards the seat with the fewest holds."""
        least: i64 = self.sizes[0]
        size: i64
        for size in self.sizes:
            if size < least:  # noqa: PLR1730, as the compiler likes it
                least = size
        return least

    def waits(self) -> bool:
        """Whether somebody who was asked in secret has not answered yet."""
        return any(answer == WAITING for answer in self.answers)

    def knows_next(self) -> bool:
        """Whether everybody knows the next card of the pile (C4)."""
        return self.pool_size == 0

    def next_dealt(self) -> int:
        """The seat that gets the next character (C3)."""
        for seat in range(self.seats):
            if self.characters[seat] < 0:
                return seat
        return self.seats

    def strangers(self, seat: int) -> list[int]:
        """The seats a friend card of this seat may still be turned to (C12)."""
        taken = self.friends[seat] | bit(seat)
        return [other for other in range(self.seats) if not has(taken, other)]
