"""Who stands how well in La grande bagarre: marbles, toys that will become marbles, and what the hand can do."""

from __future__ import annotations

from math import pow
from typing import Final

from ...core.state import NATURE, Action, State
from ...games.bagarre.actions import (
    CONVERT,
    DISCARD,
    FIGHT,
    GIVE,
    LAY,
    NO,
    PLACE,
    SEAT,
    SPECIAL,
    TAKE,
    YES,
    BagarreAction,
)
from ...games.bagarre.deck import (
    CHAMPIONNE,
    ECHANGE,
    FRIENDS,
    MAITRESSE,
    MAMIE,
    MARIE_EDWIGE,
    PARTIE_DE_BILLES,
    SURVEILLANT,
)
from ...games.bagarre.position import ACTION, CONVERTING, MAMIE_TOTAL, OVER, TURN
from ...games.bagarre.rules import BagarreState
from .base import UNSEEN, Judge, outcome, shares

NAMES: Final = (
    "front",
    "front_own_turn",
    "best_toy",
    "other_toys",
    "friend",
    "best_friend",
    "maman",
    "special",
    "in_reach",
    "next",
    "spread_end",
    "spread_start",
    "bold",
)
"""What each weight is for, in marbles: the value of toys in front (before the seat's own turn, and in it) and in hand,
friends by their number, the best of them, Maman, another special move, having enough in front to win, and the next
turn; how many marbles make a win e times as likely at the end and at the start; how strictly the policy prefers what
looks better."""
BOLD: Final = 12
ENOUGH: Final = 4
"""Toys worth this much in front of oneself are converted."""


class BagarreJudge(Judge):
    """Judges positions of La grande bagarre."""

    def values(self, state: State) -> list[float]:
        """Chances to win by marbles and what is about to become marbles."""
        assert isinstance(state, BagarreState)
        if state.phase == OVER:
            return outcome(state)
        weights = self.weights
        goal = state.setup.goal
        worth: list[float] = []
        most = 0
        starting = state.phase in (TURN, CONVERTING)
        for seat in range(state.seats):
            marbles = state.marbles[seat]
            most = max(most, marbles)
            front = state.worth(seat)
            own_turn = starting and seat == state.active
            total = float(marbles) + (weights[1] if own_turn else weights[0]) * float(min(front, goal - marbles))
            if marbles + front >= goal:
                total += weights[8]
            wait = (seat - state.active + state.seats - (0 if starting else 1)) % state.seats
            total -= weights[9] * float(wait)
            worth.append(total + self._hand(state, seat))
        left = 1.0 - float(most) / float(goal)
        return shares(worth, weights[10] + weights[11] * left)

    def _hand(self, state: BagarreState, seat: int) -> float:
        weights = self.weights
        deck = state.deck
        worth = 0.0
        best_toy = 0
        best_friend = -1
        toys = 0
        for card in state.hands[seat]:
            if card < FRIENDS:
                worth += weights[4] * float(card) / 7.0
                best_friend = card
            elif card < deck.first_special:
                toys += deck.value[card]
                best_toy = max(best_toy, deck.value[card])
            elif card == deck.maman:
                worth += weights[6]
            else:
                worth += weights[7]
        worth += weights[2] * float(best_toy) + weights[3] * float(toys - best_toy)
        return worth + weights[5] * float(best_friend + 1) / 8.0

    def quiet(self, state: State) -> bool:
        """Between turns, and when an action is to be chosen."""
        assert isinstance(state, BagarreState)
        return state.phase in (TURN, ACTION)

    def label(self, state: State, actor: int, action: Action) -> int:
        """Draws, placed friends and Maman answers are secret; all else is seen."""
        assert isinstance(action, BagarreAction)
        kind = action.kind
        if actor == NATURE or kind in (PLACE, YES, NO):
            return UNSEEN
        return action.number

    def policy(self, state: State, seat: int, legal: tuple[Action, ...]) -> list[float]:
        """Rules of thumb: what each action is worth in marbles, times how strictly that is preferred."""
        assert isinstance(state, BagarreState)
        bold = self.weights[BOLD]
        hand = Hand(state, seat)
        logs: list[float] = []
        for action in legal:
            assert isinstance(action, BagarreAction)
            logs.append(bold * _liking(state, seat, action, hand))
        return logs


class Hand:
    """What a hand and the toys in front are worth at a glance."""

    def __init__(self, state: BagarreState, seat: int) -> None:
        deck = state.deck
        self.best_friend = -1
        self.best_toy = 0
        self.pair = 0
        """The most that two toys together are worth, at most what Mamie allows."""
        small: list[int] = []
        for card in state.hands[seat]:
            if card < FRIENDS:
                self.best_friend = card
            elif card < deck.first_special:
                value = deck.value[card]
                self.best_toy = max(self.best_toy, value)
                if value < MAMIE_TOTAL:
                    for other in small:
                        if other + value <= MAMIE_TOTAL:
                            self.pair = max(self.pair, other + value)
                    small.append(value)
        self.front = state.worth(seat)
        self.wins = state.marbles[seat] + self.front >= state.setup.goal


def _liking(state: BagarreState, seat: int, action: BagarreAction, hand: Hand) -> float:
    kind = action.kind
    deck = state.deck
    card = action.card
    if kind == DISCARD:
        return -0.1 * _keeping(state, card)
    if kind == LAY:
        return float(deck.value[card])
    if kind == FIGHT:
        rivals = state.seats - 1 if deck.general[card] else 1
        chance = pow(_beats(hand.best_friend), float(rivals))
        return chance * float(deck.value[card]) * _urgency(state, card) - 0.08 * float(hand.best_friend + 1)
    if kind == SPECIAL:
        return _special(state, seat, deck.effect[card], hand)
    if kind == CONVERT:
        if state.phase == TURN and hand.front < ENOUGH and not hand.wins:
            return float(hand.front) - float(ENOUGH)
        return float(deck.value[card])
    if kind == PLACE:
        return 0.3 * float(card)
    if kind == YES:
        if state.owner != seat or state.toy < 0 or deck.value[state.toy] < 2:
            return -2.0
        return 1.0 if state.placed[seat] < 0 or _beats(state.placed[seat]) < 0.6 else -1.0
    if kind == TAKE:
        return float(deck.value[card]) * _urgency(state, card)
    if kind == GIVE:
        return float(deck.second[card]) if state.effect == MARIE_EDWIGE else -float(deck.value[card])
    if kind == SEAT:
        return 0.2 * float(state.marbles[action.seat])
    return 0.0


def _beats(friend: int) -> float:
    """How likely a friend is higher than one that somebody picks: people show their better ones."""
    if friend < 0:
        return 0.0
    return pow((float(friend) + 0.5) / 8.0, 1.6)


def _urgency(state: BagarreState, toy: int) -> float:
    """How much it matters to get a toy: more if its owner is about to win."""
    owner = state.owner_of(toy)
    return 2.35 if state.marbles[owner] + state.worth(owner) >= state.setup.goal else 1.35


def _others_best(state: BagarreState, seat: int) -> float:
    most = 0
    for toy in state.toys_of_others(seat):
        most = max(most, state.deck.value[toy])
    return float(most)


def _special(state: BagarreState, seat: int, effect: int, hand: Hand) -> float:
    if effect == MARIE_EDWIGE:
        most = 0
        for toy in state.front[seat]:
            most = max(most, state.deck.second[toy])
        return 9.0 if state.marbles[seat] + most >= state.setup.goal else float(most) - 0.4
    if effect == SURVEILLANT:
        return 0.35 * _others_best(state, seat) + float(hand.best_toy)
    if effect == MAMIE:
        return float(max(hand.pair, hand.best_toy))
    if effect == ECHANGE:
        least = 9
        for toy in state.front[seat]:
            least = min(least, state.deck.value[toy])
        return 1.35 * (_others_best(state, seat) - float(least))
    if effect == PARTIE_DE_BILLES:
        return 1.35 * (2.0 * _beats(hand.best_friend) - 1.0) - 0.08
    if effect == CHAMPIONNE:
        return 1.2 * _others_best(state, seat)
    if effect == MAITRESSE:
        return float(hand.best_toy) + 0.2 * float(hand.front)
    kept = 0.0
    for card in state.hands[seat]:
        kept += _keeping(state, card)
    return 2.0 - kept / float(len(state.hands[seat]))


def _keeping(state: BagarreState, card: int) -> float:
    """What a card in hand is worth."""
    if card < FRIENDS:
        return 0.1 + 0.1 * float(card)
    if card < state.deck.first_special:
        return 0.5 + float(state.deck.value[card])
    return 1.6 if card == state.deck.maman else 1.3


JUDGE: Final = BagarreJudge
