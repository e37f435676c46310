"""Who stands how well in Dans la cour d'école: the stars so far, and what cards still promise."""

from __future__ import annotations

from typing import Final

from ...core.state import NATURE, Action, State
from ...games.cour.actions import CHALLENGE, FRIEND, GIVE, GLUE, KEEP, POINT, STEAL, TAKE, THROW, TRADE, YES, CourAction
from ...games.cour.deck import BITS, CHARACTERS
from ...games.cour.position import GLUING, KEEPING, OVER
from ...games.cour.rules import CourState
from .base import HIDDEN, Judge, shares

NAMES: Final = (
    "card",
    "leaf",
    "second_leaf",
    "chestnut",
    "second_chestnut",
    "pot",
    "friend",
    *(f"as_{character}" for character in CHARACTERS),
    "spread_end",
    "spread_start",
    "bold",
    "spite",
)
"""What each weight is for, in stars: any card in hand beyond its stars now, the first two leaves and chestnuts on the
way to a trade, the glue pot, a friend card beyond what it shows now, what each character has yet to gain at the start;
how many stars make a win e times as likely at the end and at the start; and for the policy how strictly it prefers what
looks better, and how little it likes to give."""

BOLD: Final = 17
SPITE: Final = 18
_HERBALIST: Final = CHARACTERS.index("herbalist")
_AGENT: Final = CHARACTERS.index("agent")


class CourJudge(Judge):
    """Judges positions of Dans la cour d'école."""

    def values(self, state: State) -> list[float]:
        """Chances to win by stars so far and what they promise."""
        assert isinstance(state, CourState)
        if state.phase == OVER:
            return won(state.scores())
        weights = self.weights
        stars = state.scores()
        left = 1.0 - state.progress()
        worth: list[float] = []
        for seat in range(state.seats):
            one = float(stars[seat]) + self._promise(state, seat)
            if state.characters[seat] >= 0:
                one += left * weights[7 + state.characters[seat]]
            worth.append(one)
        return shares(worth, weights[15] + weights[16] * left)

    def final(self, state: State) -> list[float]:
        """Half who won and half by how many stars, for a star more or less is often luck."""
        assert isinstance(state, CourState)
        stars: list[float] = []
        for one in state.scores():
            stars.append(float(one))
        values = shares(stars, self.weights[15])
        wins = won(state.scores())
        for seat in range(state.seats):
            values[seat] = 0.5 * values[seat] + 0.5 * wins[seat]
        return values

    def _promise(self, state: CourState, seat: int) -> float:
        """What cannot be counted yet."""
        weights = self.weights
        deck = state.deck
        start = seat * state.width
        leaves = state.hands[start + deck.leaf]
        chestnuts = state.hands[start + deck.chestnut]
        worth = weights[0] * float(state.sizes[seat])
        if leaves and state.characters[seat] != _HERBALIST:
            worth += weights[1] if leaves == 1 else weights[2]
        if chestnuts and state.man < 0:
            worth += weights[3] if chestnuts == 1 else weights[4]
        if state.pot == seat:
            worth += weights[5]
        friends = state.friends[seat]
        while friends:
            worth += weights[6] * float(friends & 1)
            friends >>= 1
        return worth

    def quiet(self, state: State) -> bool:
        """Once three cards lie there and nothing else is under way."""
        assert isinstance(state, CourState)
        return state.phase in (KEEPING, GLUING)

    def label(self, state: State, actor: int, action: Action) -> int:
        """What nature turns is drawn, not branched on; throws and targets are secret until all are in."""
        assert isinstance(action, CourAction)
        if actor == NATURE or action.kind in (THROW, POINT):
            return HIDDEN
        return action.number

    def policy(self, state: State, seat: int, legal: tuple[Action, ...]) -> list[float]:
        """Rules of thumb, as logarithms."""
        assert isinstance(state, CourState)
        bold = self.weights[BOLD]
        first = legal[0]
        assert isinstance(first, CourAction)
        kind = first.kind
        logs: list[float] = []
        if kind == THROW:
            return [0.0] * len(legal)
        for action in legal:
            assert isinstance(action, CourAction)
            logs.append(bold * self._liking(state, seat, action, kind))
        return logs

    def _liking(self, state: CourState, seat: int, action: CourAction, kind: int) -> float:
        if kind in (KEEP, TAKE):
            return self._gain(state, seat, action.card)
        if kind == GIVE:
            return -self.weights[SPITE] * self._gain(state, action.seat, action.card)
        if kind in (POINT, STEAL):
            return 0.2 * float(state.sizes[action.seat]) if action.seat < state.seats else -9.0
        if kind == CHALLENGE:
            return float(state.kings[action.seat] > 0)
        if kind == FRIEND:
            return float(max(state.setup.rows.collections(state.hand(action.seat))))
        if kind == TRADE:
            return 2.0 if (action.card == YES) != (state.characters[seat] == _HERBALIST) else 0.0
        if kind == GLUE:
            return 2.0 if action.card == YES else 0.0
        return 0.0

    def _gain(self, state: CourState, seat: int, card: int) -> float:
        """What a card would add for a seat, at a glance: its stars, what the character gives, and one join."""
        weights = self.weights
        deck = state.deck
        if card == deck.friend:
            return weights[6] + 3.0
        if card == deck.glue:
            return weights[5]
        character = state.characters[seat]
        start = seat * state.width
        held = state.hands[start + card]
        added = float(deck.looks[card].full)
        if character >= 0:
            added += float(deck.worth[character][card])
            if card < deck.toys and character == _AGENT and held == 0:
                added += 2.0
        if card < deck.toys:
            look = deck.looks[card]
            added += float(BITS[look.left & look.right])
        elif card == deck.leaf and character != _HERBALIST:
            added += weights[1] if held == 0 else weights[2]
        elif card == deck.chestnut and state.man < 0:
            added += weights[3] if held == 0 else weights[4] if held == 1 else float(deck.chestnut_man_stars)
        return added


def won(stars: tuple[int, ...]) -> list[float]:
    """C18: most stars win, and ties share."""
    most = max(stars)
    values: list[float] = []
    winners = 0
    for one in stars:
        winners += 1 if one == most else 0
    for one in stars:
        values.append(1.0 / float(winners) if one == most else 0.0)
    return values


JUDGE: Final = CourJudge
