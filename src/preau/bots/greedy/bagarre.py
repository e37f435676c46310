"""La grande bagarre by rules of thumb: gather toys, convert them before they are stolen, fight at good odds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import cast

from ...core.state import Action, Json
from ...games.bagarre.actions import CONVERT, DISCARD, FIGHT, LAY, PLACE, YES, BagarreAction
from ...games.bagarre.data import deck as deck_of
from ...games.bagarre.deck import (
    CHAMPIONNE,
    CLOCHE,
    ECHANGE,
    FRIENDS,
    MAITRESSE,
    MAMIE,
    MARIE_EDWIGE,
    PARTIE_DE_BILLES,
    SURVEILLANT,
)

ENOUGH = 4
"""Toys worth this much in front of oneself are converted."""
FRIEND_COST = 0.08
"""What a friend spent in a fight costs, for each point of its number."""
HARM = 0.35
"""What it is worth to take a marble's worth of toys from somebody else."""
MOVE_WORTH = 1.3
"""What a special move in hand is worth."""
MAMAN_WORTH = 1.6
MAMAN_FROM = 2
"""Maman is called for toys worth this much."""


class Eyes:
    """What the seat sees, with a price on everything."""

    def __init__(self, seat: int, view: Json) -> None:
        self.seat = seat
        self.view = view
        self.deck = deck_of(view["options"]["cards"])
        self.me = view["players"][seat]
        self.hand = [self.deck.numbers[name.lower()] for name in self.me["hand"]]
        self.toys = [kind for kind in self.hand if self.deck.is_toy(kind)]
        self.front = [self.deck.numbers[name.lower()] for name in self.me["front"]]
        self.goal = int(view["options"]["goal"])
        self.friends_unseen = [view["unseen"].get(f"F{number}", 0) for number in range(1, FRIENDS + 1)]

    def value(self, toy: int) -> float:
        """The marbles a toy is worth."""
        return float(self.deck.value[toy])

    def worth(self, seat: int) -> float:
        """The value of the toys in front of a seat."""
        return sum(self.value(self.deck.numbers[name.lower()]) for name in self.view["players"][seat]["front"])

    def owner(self, toy: int) -> int:
        """The seat that has the toy in front of it."""
        name = self.deck.names[toy]
        return next(seat for seat, player in enumerate(self.view["players"]) if name in player["front"])

    def others_best(self) -> float:
        """The best toy in front of the other seats."""
        toys = [self.deck.numbers[name.lower()] for other in self.others() for name in other["front"]]
        return max((self.value(toy) for toy in toys), default=0.0)

    def others(self) -> list[Json]:
        """The other players."""
        return [player for seat, player in enumerate(self.view["players"]) if seat != self.seat]

    def best_toy(self) -> float:
        """The best toy in hand."""
        return max((self.value(toy) for toy in self.toys), default=0.0)

    def urgency(self, seat: int) -> float:
        """How much a toy of this seat matters: more if it is about to win."""
        marbles: int = self.view["players"][seat]["marbles"]
        return 1.0 + HARM + (1.0 if marbles + self.worth(seat) >= self.goal else 0.0)

    def beats(self, friend: int) -> float:
        """How likely a friend is higher than one that somebody picks: people show their better ones."""
        total = sum(self.friends_unseen)
        if not total:
            return 1.0
        lower = sum(self.friends_unseen[:friend]) + self.friends_unseen[friend] / 2
        return float((lower / total) ** 1.6)

    def keeps(self, card: int) -> float:
        """What a card in hand is worth."""
        if card < FRIENDS:
            return 0.1 + 0.1 * card
        if self.deck.is_toy(card):
            return 0.5 + self.value(card)
        return MAMAN_WORTH if card == self.deck.maman else MOVE_WORTH


def choose(seat: int, view: Json, legal: Sequence[Action], rng: Random) -> Action:
    """The action that looks best; one of the best at random."""
    if len(legal) == 1:
        return legal[0]
    eyes = Eyes(seat, view)
    judge = _JUDGES[view["phase"]]
    best: list[Action] = []
    highest = float("-inf")
    for action in legal:
        worth = judge(eyes, cast(BagarreAction, action))
        if worth > highest:
            highest, best = worth, [action]
        elif worth == highest:
            best.append(action)
    return best[int(rng.random() * len(best))]


def _turn(eyes: Eyes, action: BagarreAction) -> float:
    """Convert what is worth it, dearest toy first; then go on to the last one."""
    if action.kind != CONVERT:
        return 0.0
    worth = eyes.worth(eyes.seat)
    if eyes.view["phase"] == "turn" and worth < ENOUGH and eyes.me["marbles"] + worth < eyes.goal:
        return -1.0
    return eyes.value(action.card)


def _action(eyes: Eyes, action: BagarreAction) -> float:
    if action.kind == LAY:
        return eyes.value(action.card)
    if action.kind == DISCARD:
        return -0.1 * eyes.keeps(action.card)
    if action.kind == FIGHT:
        return _fight(eyes, action.card)
    return _special(eyes, eyes.deck.effect[action.card])


def _fight(eyes: Eyes, toy: int) -> float:
    friend = max(card for card in eyes.hand if card < FRIENDS)
    owner = eyes.owner(toy)
    rivals = 1
    if eyes.deck.general[toy]:
        rivals = eyes.view["seats"] - 1
    chance = eyes.beats(friend) ** rivals
    return chance * eyes.value(toy) * eyes.urgency(owner) - FRIEND_COST * (friend + 1)


def _special(eyes: Eyes, effect: int) -> float:
    if effect == MARIE_EDWIGE:
        second = max(eyes.deck.second[toy] for toy in eyes.front)
        return 99.0 if eyes.me["marbles"] + second >= eyes.goal else second - 0.4
    if effect == SURVEILLANT:
        return HARM * eyes.others_best() + eyes.best_toy()
    if effect == MAMIE:
        return _two_toys(eyes)
    if effect == ECHANGE:
        least = min(eyes.value(toy) for toy in eyes.front)
        return (1 + HARM) * (eyes.others_best() - least)
    if effect == PARTIE_DE_BILLES:
        friend = max(card for card in eyes.hand if card < FRIENDS)
        return (1 + HARM) * (2 * eyes.beats(friend) - 1) - FRIEND_COST
    if effect == CHAMPIONNE:
        return (1 + HARM) * 0.9 * eyes.others_best()
    if effect == MAITRESSE:
        return eyes.best_toy() + 0.2 * eyes.worth(eyes.seat)
    assert effect == CLOCHE
    return 2.0 - sum(eyes.keeps(card) for card in eyes.hand) / len(eyes.hand)


def _two_toys(eyes: Eyes) -> float:
    """The most that Mamie lets one lay."""
    values = sorted(eyes.value(toy) for toy in eyes.toys)
    pairs = [one + two for at, one in enumerate(values) for two in values[at + 1 :] if one + two <= 3]
    return max([*pairs, values[-1]])


def _place(eyes: Eyes, action: BagarreAction) -> float:
    """The highest friend, unless a low one wins as well; a toy is never given up."""
    return float(action.card) if action.kind == PLACE else -1.0


def _maman(eyes: Eyes, action: BagarreAction) -> float:
    """The owner calls her for a good toy that is likely to be lost."""
    if action.kind != YES:
        return 0.0
    toy = eyes.deck.numbers[eyes.view["toy"].lower()]
    placed = eyes.me["placed"]
    safe = placed is not None and placed != "forfeit" and eyes.beats(int(placed[1:]) - 1) > 0.6
    return 1.0 if eyes.view["owner"] == eyes.seat and eyes.value(toy) >= MAMAN_FROM and not safe else -1.0


def _give(eyes: Eyes, action: BagarreAction) -> float:
    if eyes.view["special"] == "echange":
        return -eyes.value(action.card)
    return float(eyes.deck.second[action.card])


def _take(eyes: Eyes, action: BagarreAction) -> float:
    return eyes.value(action.card) * eyes.urgency(eyes.owner(action.card))


def _seat(eyes: Eyes, action: BagarreAction) -> float:
    marbles: int = eyes.view["players"][action.seat]["marbles"]
    return float(marbles)


def _lay(eyes: Eyes, action: BagarreAction) -> float:
    """The dearest toy; with Mamie, one that leaves room for a second if two are worth more."""
    if action.kind != LAY:
        return 0.0
    value = eyes.value(action.card)
    if eyes.view["phase"] == "lay" and value < 3:
        rest = [eyes.value(toy) for toy in eyes.toys if toy != action.card]
        value += max((other for other in rest if value + other <= 3), default=0.0)
    return value


def _excess(eyes: Eyes, action: BagarreAction) -> float:
    return -eyes.keeps(action.card)


_JUDGES: dict[str, Callable[[Eyes, BagarreAction], float]] = {
    "turn": _turn,
    "convert": _turn,
    "action": _action,
    "attack": _place,
    "answer": _place,
    "maman": _maman,
    "give": _give,
    "take": _take,
    "seat": _seat,
    "bet": _place,
    "reply": _place,
    "lay": _lay,
    "lay_more": _lay,
    "lay_maybe": _lay,
    "excess": _excess,
}
