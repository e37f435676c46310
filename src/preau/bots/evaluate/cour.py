"""Who stands how well in Dans la cour d'école, and how a game goes on by the rules of thumb of `greedy`."""

from __future__ import annotations

from _random import Random as Generator
from random import Random
from typing import Final, cast

from ...core.mypyc_shims import i64
from ...core.state import NATURE, Action, State, fall_counted
from ...games.cour.actions import CHALLENGE, FRIEND, GIVE, GLUE, KEEP, NONE, POINT, STEAL, TAKE, TRADE, YES, CourAction
from ...games.cour.deck import CHARACTERS
from ...games.cour.position import OVER, POINTING, THROWING, TURNING, Setup
from ...games.cour.row import Rows
from ...games.cour.rules import CourState
from ..greedy.cour import CHESTNUT, CLOCK, LEAF, POT, THIRD_LEAF
from ..greedy.cour import FRIEND as FRIENDSHIP
from .base import Player, outcome, shares

NAMES: Final = ("spread",)
"""How many stars more make a win e times as likely."""

GIVEN: Final = 0.15
"""How much less a rule of thumb for giving says about who wins than one for keeping."""
MOST_REMEMBERED: Final = 100_000
"""How many hands are remembered before all are forgotten."""
ANYBODY: Final = -1
"""In the place of a character: any is as likely as another."""
NARROW: Final = 8
"""With so many kinds of cards in hands or fewer, a hand can be told from all others by a number of one machine word."""
MOST_ALIKE: Final = 137
"""More than there are cards of a kind. It is odd, so that the numbers of hands differ in their last digits, by which a
dictionary finds them: with a power of two those would be those of the last kinds alone.
"""
_HERBALIST: Final = CHARACTERS.index("herbalist")
NEAR: Final = 4096
"""Places for hands that were looked at last: few enough to stay in the processor's own memory."""


class Near:
    """A hand that was looked at last, of all that share a place: its number, and what one more card adds."""

    def __init__(self) -> None:
        self.code: i64 = -1
        self.added: list[float] = []


class Numbers:
    """The random numbers that follow from a seed: drawn when they are first wanted, and kept to be gone through again,
    for to seed a generator costs as much as a good part of a game, and a new one twice that.
    """

    def __init__(self) -> None:
        self.seed = 0
        self.rng = Generator(0)  # what `Random` is made of: with a whole number, it is seeded alike, in half the time
        self.drawn: list[float] = []
        self.at: i64 = 0

    def follow(self, seed: int) -> None:
        """From now on those of another seed."""
        self.seed = seed
        self.drawn.clear()
        self.at = 0

    def random(self) -> float:
        """The next one, as a `Random` gives it."""
        at = self.at
        self.at = at + 1
        if at == len(self.drawn):
            if at == 0:
                self.rng.seed(self.seed)
            self.drawn.append(self.rng.random())
        return self.drawn[at]


class Luck:
    """What chance brings in all games that are played out with the same luck."""

    def __init__(self) -> None:
        self.number = -1
        self.pile = Numbers()
        self.race = Numbers()
        self.taste = Numbers()

    def begin(self, number: int) -> None:
        """Another game begins, with this luck."""
        if number != self.number:
            self.number = number
            self.pile.follow(number)
            self.race.follow(number + 1)
            self.taste.follow(number + 2)
        self.pile.at = 0
        self.race.at = 0
        self.taste.at = 0


class CourJudge(Player):
    """Judges positions of Dans la cour d'école."""

    def __init__(self, weights: list[float]) -> None:
        super().__init__(weights)
        self._rows: Rows | None = None
        self._agent_min = 0
        self._known: dict[int, list[float]] = {}
        """By character and hand: what one more card of each kind adds, with these rows and this smallest collection."""
        self._near: list[Near] = []
        """The last of them."""
        self._alike: dict[tuple[float, ...], list[float]] = {}
        """The same lists by what they say: many hands share one, and fewer are sooner at hand."""
        self._luck = Luck()
        """Of the last game that was played out: others follow with the same."""

    def values(self, state: State) -> list[float]:
        """Chances to win by the stars so far."""
        assert isinstance(state, CourState)
        if state.phase == OVER:
            return outcome(state)
        return self.final(state)

    def final(self, state: State) -> list[float]:
        """By how many stars a seat is ahead rather than who won, for a star more or less is often luck."""
        stars: list[float] = []
        for one in state.scores():
            stars.append(float(one))
        return shares(stars, self.weights[0])

    def matters(self, state: State) -> bool:
        """Whom to point at and what to throw changes next to nothing."""
        assert isinstance(state, CourState)
        return state.phase not in (POINTING, THROWING)

    def policy(self, state: State, seat: int, legal: tuple[Action, ...]) -> list[float]:
        """What `greedy` thinks of each action, in stars."""
        assert isinstance(state, CourState)
        likings: list[float] = []
        looked = _not_looked_at(state)
        for action in legal:
            assert isinstance(action, CourAction)
            likings.append(self._liking(state, seat, action, looked))
        return likings

    def play_out(self, state: State, luck: int) -> None:
        """Everybody plays like `greedy` to the end. The same luck means the same pile, and the same seats fastest."""
        assert isinstance(state, CourState)
        chance = self._luck
        chance.begin(luck)
        race = cast("Random", chance.race)  # all that nature asks of a generator is the next number
        while state.phase != OVER:
            seat = state.to_act[0]
            if seat != NATURE:
                state.advance(seat, self._favourite(state, seat, chance.taste))
            elif state.phase == TURNING:
                state.advance(NATURE, _turned(state, chance.pile.random()))
            else:
                state.advance(NATURE, state.draw(race))

    def _favourite(self, state: CourState, seat: int, taste: Numbers) -> Action:
        """The action liked best, one of them at random if there are several."""
        legal = state.legal(seat)
        chosen = legal[0]
        if len(legal) == 1:
            return chosen
        if state.phase == THROWING:
            return legal[int(taste.random() * float(len(legal)))]
        best = -1e9
        alike = 1.0
        looked = _not_looked_at(state)
        for action in legal:
            assert isinstance(action, CourAction)
            liking = self._liking(state, seat, action, looked)
            if liking > best:
                best = liking
                chosen = action
                alike = 1.0
            elif liking == best:
                alike += 1.0
                if taste.random() * alike < 1.0:
                    chosen = action
        return chosen

    def _liking(self, state: CourState, seat: int, action: CourAction, looked: list[list[float] | None]) -> float:
        kind = action.kind
        if kind in (KEEP, TAKE):
            return self._gain(state, seat, action.card, looked)
        if kind == GIVE:
            size = float(state.sizes[action.seat])
            return -GIVEN * (self._gain_of(state, action.seat, action.card, looked) + CLOCK * size)
        if kind in (POINT, STEAL):
            return -1.0 if action.seat == NONE else self._loot(state, seat, action.seat, looked)
        if kind == CHALLENGE:
            return 1.0 if state.kings[action.seat] > 0 else 0.0
        if kind == FRIEND:
            return self._collection(state, action.seat)
        if kind == TRADE:
            return 1.0 if (action.card == YES) != (state.characters[seat] == _HERBALIST) else 0.0
        if kind == GLUE:
            return 1.0 if action.card == YES else 0.0
        return 0.0

    def _gain(self, state: CourState, seat: int, card: int, looked: list[list[float] | None]) -> float:
        """What a card would add for the seat that decides."""
        deck = state.deck
        if card == deck.friend:
            most = -FRIENDSHIP
            for other in state.strangers(seat):
                most = max(most, self._collection(state, other))
            return FRIENDSHIP + most
        if card == deck.glue:
            return POT
        return self._added(state, seat, state.characters[seat], looked)[card]

    def _gain_of(self, state: CourState, seat: int, card: int, looked: list[list[float] | None]) -> float:
        """What a card would add for another seat, whose character is not known."""
        deck = state.deck
        if card == deck.friend:
            return FRIENDSHIP + 1.0
        if card == deck.glue:
            return POT
        return self._added(state, seat, ANYBODY, looked)[card]

    def _loot(self, state: CourState, seat: int, victim: int, looked: list[list[float] | None]) -> float:
        """What a blind card out of a hand is worth on average."""
        size = state.sizes[victim]
        if not size:
            return -1.0
        added = self._added(state, seat, state.characters[seat], looked)
        width: i64 = state.width
        start = victim * width
        held = state.hands
        total = 0.0
        for kind in range(width):
            count: i64 = held[start + kind]
            if count:
                total += float(count) * added[kind]
        return total / float(size)

    def _collection(self, state: CourState, seat: int) -> float:
        deck = state.deck
        if not deck.by_group:
            return float(max(state.setup.rows.collections(state.hand(seat))))
        start = seat * state.width
        held = state.hands
        most: i64 = 0
        for place in range(start, start + deck.toys):
            count: i64 = held[place]
            if count > most:  # noqa: PLR1730, as the compiler likes it
                most = count
        return float(most)

    def _added(self, state: CourState, seat: int, character: int, looked: list[list[float] | None]) -> list[float]:
        """What one more card of each kind would add to a hand, for a character or on average for all."""
        found = looked[seat]
        if found is not None:
            return found
        setup = state.setup
        if setup.rows is not self._rows or setup.agent_min != self._agent_min:
            self._rows = setup.rows
            self._agent_min = setup.agent_min
            self._forget()
        if state.width > NARROW:
            found = self._remembered(state, seat, character, _wide_code(state, seat, character))
        else:
            code = _code(state, seat, character)
            near = self._near[code & (NEAR - 1)]
            if near.code != code:
                near.added = self._remembered(state, seat, character, code)
                near.code = code
            found = near.added
        looked[seat] = found
        return found

    def _remembered(self, state: CourState, seat: int, character: int, code: int) -> list[float]:
        """The same, of a hand that was not among the last."""
        found = self._known.get(code)
        if found is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._forget()
            found = _added(state.setup, state.hand(seat), character, state.man < 0)
            found = self._alike.setdefault(tuple(found), found)
            self._known[code] = found
        return found

    def _forget(self) -> None:
        self._known.clear()
        self._alike.clear()
        self._near = [Near() for _ in range(NEAR)]


def _turned(state: CourState, point: float) -> Action:
    """The card of the pile that a random number falls on, as `draw` has it."""
    turns = state.setup.actions.turn
    if state.knows_next():
        return turns[state.under[0]]
    return turns[fall_counted(state.pool, 0, state.deck.size, state.pool_size, point)]


def _not_looked_at(state: CourState) -> list[list[float] | None]:
    """A place for each hand that a decision may look at: what cards add to one's own for one's character, and to those
    of others for anybody.
    """
    return [None] * state.seats


def _code(state: CourState, seat: i64, character: i64) -> i64:
    """A number for a hand and a character, and whether the chestnut man is still to be had."""
    code = _before_hand(state, character)
    width: i64 = state.width
    start = seat * width
    held = state.hands
    for kind in range(width):
        count: i64 = held[start + kind]
        code = code * MOST_ALIKE + count
    return code


def _wide_code(state: CourState, seat: int, character: int) -> int:
    """The same where there are many kinds of cards."""
    code = int(_before_hand(state, character))
    for count in state.hand(seat):
        code = code * MOST_ALIKE + count
    return code


def _before_hand(state: CourState, character: i64) -> i64:
    """What of that number is not about the hand."""
    return character + 1 if state.man >= 0 else character + 2 + len(CHARACTERS)


def _added(setup: Setup, hand: list[int], character: int, man_left: bool) -> list[float]:
    """The stars each kind of card adds, and what it promises."""
    deck = setup.deck
    found = _stars(setup, hand, character)
    if character not in (ANYBODY, _HERBALIST):
        found[deck.leaf] += THIRD_LEAF if hand[deck.leaf] == 2 else LEAF
    if man_left and character != _HERBALIST:
        if hand[deck.chestnut] == 2:
            found[deck.chestnut] += float(deck.chestnut_man_stars)
        elif character != ANYBODY:
            found[deck.chestnut] += CHESTNUT
    return found


def _stars(setup: Setup, hand: list[int], character: int) -> list[float]:
    """The stars each kind of card adds; for anybody with the bonus of an average character, but for the agent's."""
    if character != ANYBODY:
        return [float(stars) for stars in setup.rows.more_stars(hand, character, setup.agent_min)]
    deck = setup.deck
    joins = setup.rows.more_joins(hand, 0)
    found: list[float] = []
    for kind in range(deck.in_hand):
        bonus = 0
        for worth in deck.worth:
            bonus += worth[kind]
        found.append(float(deck.looks[kind].full + joins[kind]) + float(bonus) / float(len(deck.worth)))
    return found


JUDGE: Final = CourJudge
