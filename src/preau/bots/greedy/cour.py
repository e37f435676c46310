"""Dans la cour d'école by rules of thumb: keep what adds most stars now, give away what helps others least."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from ...core.state import Action, Json
from ...games.cour.actions import NONE, YES, CourAction
from ...games.cour.deck import CHARACTERS, Deck
from ...games.cour.game import GAME
from ...games.cour.memory import hand_of
from ...games.cour.row import Rows

FRIEND = 2.0
"""What a friend card brings beyond the collection that can be seen now."""
POT = 2.5
LEAF = 0.4
"""A leaf on the way to a trade, and the third one, which is a theft."""
THIRD_LEAF = 1.5
CHESTNUT = 0.6
CLOCK = 0.05
"""How much rather a card goes to a small hand: the game ends when all have seven."""
UNKNOWN = 2.0
"""What a card nobody has seen is taken to be worth."""


class Eyes:
    """What the seat sees, as the tables of the rules read it."""

    def __init__(self, seat: int, view: Json) -> None:
        setup = GAME.setup(view["seats"], view["options"])
        self.view = view
        self.seat = seat
        self.deck: Deck = setup.deck
        self.rows: Rows = setup.rows
        self.agent_min = setup.agent_min
        self.hand = hand_of(self.deck, view["hands"][seat])
        self.character = CHARACTERS.index(view["characters"][seat])
        self.herbalist = self.deck.worth[self.character][self.deck.leaf] > 0
        self.now = self.rows.stars(self.hand, self.character, self.agent_min)

    def sure(self, seat: int) -> list[int]:
        """The cards known to be in a hand."""
        return hand_of(self.deck, self.view["memory"][seat]["sure"])

    def gain(self, card: int) -> float:
        """What a card would add for this seat."""
        deck = self.deck
        if card == deck.friend:
            return FRIEND + max((self.collection(other) for other in self.strangers()), default=-FRIEND)
        if card == deck.glue:
            return POT
        self.hand[card] += 1
        added = float(self.rows.stars(self.hand, self.character, self.agent_min) - self.now)
        self.hand[card] -= 1
        if card == deck.leaf and not self.herbalist:
            added += THIRD_LEAF if self.hand[card] == 2 else LEAF
        if card == deck.chestnut and not self.herbalist and self.view["chestnut_man"] is None:
            added += deck.chestnut_man_stars if self.hand[card] == 2 else CHESTNUT
        return added

    def gain_of(self, seat: int, card: int) -> float:
        """What a card would add for another seat, as far as can be seen: any character is as likely as another."""
        deck = self.deck
        if card == deck.friend:
            return FRIEND + 1.0
        if card == deck.glue:
            return POT
        hand = self.sure(seat)
        before = self.rows.full(hand, 0) + self.rows.joins(hand, 0)
        hand[card] += 1
        added = float(self.rows.full(hand, 0) + self.rows.joins(hand, 0) - before)
        added += sum(worth[card] for worth in deck.worth) / len(deck.worth)
        if card == deck.chestnut and hand[card] == 3 and self.view["chestnut_man"] is None:
            added += deck.chestnut_man_stars
        return added

    def strangers(self) -> list[int]:
        """The seats this one is no friend of yet."""
        friends = self.view["friends"][self.seat]
        return [other for other in range(self.view["seats"]) if other != self.seat and other not in friends]

    def collection(self, seat: int) -> float:
        """The largest toy collection of a seat that can be seen."""
        return float(max(self.rows.collections(self.sure(seat))))

    def loot(self, seat: int) -> float:
        """What a blind card out of a hand is worth on average."""
        size: int = self.view["sizes"][seat]
        if seat == self.seat or not size:
            return -1.0
        known = self.sure(seat)
        total = sum(count * self.gain(card) for card, count in enumerate(known) if count)
        return (total + UNKNOWN * (size - sum(known))) / size


def choose(seat: int, view: Json, legal: Sequence[Action], rng: Random) -> Action:
    """The action that looks best at once; one of the best at random."""
    phase = view["phase"]
    if len(legal) == 1 or phase == "throw":
        return legal[int(rng.random() * len(legal))]
    eyes = Eyes(seat, view)
    judge: Callable[[CourAction], float] = {
        "keep": lambda action: eyes.gain(action.card),
        "take": lambda action: eyes.gain(action.card),
        "give": lambda action: -eyes.gain_of(action.seat, action.card) - CLOCK * view["sizes"][action.seat],
        "point": lambda action: -1.0 if action.seat == NONE else eyes.loot(action.seat),
        "steal": lambda action: eyes.loot(action.seat),
        "challenge": lambda action: float(view["kings"][action.seat] > 0),
        "friend": lambda action: eyes.collection(action.seat),
        "glue": lambda action: float(action.card == YES),
        "trade": lambda action: float((action.card == YES) != eyes.herbalist),
    }[phase]
    best: list[Action] = []
    highest = float("-inf")
    for action in legal:
        assert isinstance(action, CourAction)
        worth = judge(action)
        if worth > highest:
            highest, best = worth, [action]
        elif worth == highest:
            best.append(action)
    return best[int(rng.random() * len(best))]
