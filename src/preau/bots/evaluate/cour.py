"""Who stands how well in Dans la cour d'école, and how a game goes on by the rules of thumb of `greedy`."""

from __future__ import annotations

from random import Random
from typing import Final

from ...core.state import NATURE, Action, State
from ...games.cour.actions import (
    CHALLENGE,
    FRIEND,
    GIVE,
    GLUE,
    KEEP,
    NONE,
    POINT,
    STEAL,
    TAKE,
    TRADE,
    YES,
    CourAction,
)
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
_HERBALIST: Final = CHARACTERS.index("herbalist")


class CourJudge(Player):
    """Judges positions of Dans la cour d'école."""

    def __init__(self, weights: list[float]) -> None:
        super().__init__(weights)
        self._rows: Rows | None = None
        self._agent_min = 0
        self._known: dict[int, list[float]] = {}
        """By character and hand: what one more card of each kind adds, with these rows and this smallest collection."""

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
        for action in legal:
            assert isinstance(action, CourAction)
            likings.append(self._liking(state, seat, action))
        return likings

    def play_out(self, state: State, luck: int) -> None:
        """Everybody plays like `greedy` to the end. The same luck means the same pile, and the same seats fastest."""
        assert isinstance(state, CourState)
        pile = Random(luck)
        race = Random(luck + 1)
        taste = Random(luck + 2)
        while state.phase != OVER:
            seat = state.to_act[0]
            if seat == NATURE:
                state.advance(NATURE, state.draw(pile if state.phase == TURNING else race))
            else:
                state.advance(seat, self._favourite(state, seat, taste))

    def _favourite(self, state: CourState, seat: int, rng: Random) -> Action:
        """The action liked best, one of them at random if there are several."""
        legal = state.legal(seat)
        chosen = legal[0]
        if len(legal) == 1:
            return chosen
        if state.phase == THROWING:
            return legal[int(rng.random() * float(len(legal)))]
        best = -1e9
        alike = 1.0
        for action in legal:
            assert isinstance(action, CourAction)
            liking = self._liking(state, seat, action)
            if liking > best:
                best = liking
                chosen = action
                alike = 1.0
            elif liking == best:
                alike += 1.0
                if rng.random() * alike < 1.0:
                    chosen = action
        return chosen

    def _liking(self, state: CourState, seat: int, action: CourAction) -> float:
        kind = action.kind
        if kind in (KEEP, TAKE):
            return self._gain(state, seat, action.card)
        if kind == GIVE:
            size = float(state.sizes[action.seat])
            return -GIVEN * (self._gain_of(state, action.seat, action.card) + CLOCK * size)
        if kind in (POINT, STEAL):
            return -1.0 if action.seat == NONE else self._loot(state, seat, action.seat)
        if kind == CHALLENGE:
            return 1.0 if state.kings[action.seat] > 0 else 0.0
        if kind == FRIEND:
            return self._collection(state, action.seat)
        if kind == TRADE:
            return 1.0 if (action.card == YES) != (state.characters[seat] == _HERBALIST) else 0.0
        if kind == GLUE:
            return 1.0 if action.card == YES else 0.0
        return 0.0

    def _gain(self, state: CourState, seat: int, card: int) -> float:
        """What a card would add for a seat."""
        deck = state.deck
        if card == deck.friend:
            most = -FRIENDSHIP
            for other in state.strangers(seat):
                most = max(most, self._collection(state, other))
            return FRIENDSHIP + most
        if card == deck.glue:
            return POT
        return self._added(state, seat, state.characters[seat])[card]

    def _gain_of(self, state: CourState, seat: int, card: int) -> float:
        """What a card would add for a seat whose character is not known."""
        deck = state.deck
        if card == deck.friend:
            return FRIENDSHIP + 1.0
        if card == deck.glue:
            return POT
        return self._added(state, seat, ANYBODY)[card]

    def _loot(self, state: CourState, seat: int, victim: int) -> float:
        """What a blind card out of a hand is worth on average."""
        size = state.sizes[victim]
        if not size:
            return -1.0
        added = self._added(state, seat, state.characters[seat])
        start = victim * state.width
        total = 0.0
        for kind in range(state.width):
            total += float(state.hands[start + kind]) * added[kind]
        return total / float(size)

    def _collection(self, state: CourState, seat: int) -> float:
        return float(max(state.setup.rows.collections(state.hand(seat))))

    def _added(self, state: CourState, seat: int, character: int) -> list[float]:
        """What one more card of each kind would add to a hand, for a character or on average for all."""
        setup = state.setup
        others = setup.rows is not self._rows or setup.agent_min != self._agent_min
        if others or len(self._known) >= MOST_REMEMBERED:
            self._rows = setup.rows
            self._agent_min = setup.agent_min
            self._known.clear()
        code = character + 1
        if state.man < 0:
            code += len(CHARACTERS) + 1
        start = seat * state.width
        for kind in range(state.width):
            code = (code << 7) + state.hands[start + kind]
        found = self._known.get(code)
        if found is None:
            found = _added(setup, state.hand(seat), character, state.man < 0)
            self._known[code] = found
        return found


def _added(setup: Setup, hand: list[int], character: int, man_left: bool) -> list[float]:
    """The stars each kind of card adds, and what it promises."""
    deck = setup.deck
    now = _stars(setup, hand, character)
    found: list[float] = []
    for kind in range(deck.in_hand):
        hand[kind] += 1
        found.append(_stars(setup, hand, character) - now)
        hand[kind] -= 1
    if character not in (ANYBODY, _HERBALIST):
        found[deck.leaf] += THIRD_LEAF if hand[deck.leaf] == 2 else LEAF
    if man_left and character != _HERBALIST:
        if hand[deck.chestnut] == 2:
            found[deck.chestnut] += float(deck.chestnut_man_stars)
        elif character != ANYBODY:
            found[deck.chestnut] += CHESTNUT
    return found


def _stars(setup: Setup, hand: list[int], character: int) -> float:
    """The stars of a hand; for anybody with the bonus of an average character, but for the agent's."""
    rows = setup.rows
    if character != ANYBODY:
        return float(rows.stars(hand, character, setup.agent_min))
    deck = setup.deck
    bonus = 0
    for worth in deck.worth:
        for kind in range(deck.in_hand):
            bonus += worth[kind] * hand[kind]
    return float(rows.full(hand, 0) + rows.joins(hand, 0)) + float(bonus) / float(len(deck.worth))


JUDGE: Final = CourJudge
