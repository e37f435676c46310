"""Every action, its text form and its number: `play walk`; nature's are `deal 2 walk` and `turn deux`."""

from __future__ import annotations

from typing import Final

from preau.core import Action, ActionTable, MalformedAction

from .deck import CARDS, WORDS

PLAY: Final = 0
DEAL: Final = 1
TURN: Final = 2

SEATS: Final = 5
"""The most children there can be (S1)."""


class SoleilAction(Action):
    """A card that is played, a card that is dealt to a seat, or the word on which the caller turns round."""

    def __init__(self, number: int, text: str, kind: int, *, card: int = -1, seat: int = -1, word: int = -1) -> None:
        super().__init__(number, text)
        self.kind = kind
        self.card = card
        self.seat = seat
        self.word = word


class Actions(ActionTable):
    """All actions: `play` by card, `deal` by seat and card, `turn` by word."""

    def __init__(self) -> None:
        super().__init__()
        self.play = [self._new(f"play {name}", PLAY, card=card) for card, name in enumerate(CARDS)]
        self.deal = [
            [self._new(f"deal {seat} {name}", DEAL, seat=seat, card=card) for card, name in enumerate(CARDS)]
            for seat in range(SEATS)
        ]
        self.turn = [self._new(f"turn {name}", TURN, word=word) for word, name in enumerate(WORDS)]

    def _new(self, text: str, kind: int, *, card: int = -1, seat: int = -1, word: int = -1) -> SoleilAction:
        action = SoleilAction(len(self.all), text, kind, card=card, seat=seat, word=word)
        self.add(action)
        return action

    def malformed(self, text: str, words: list[str]) -> MalformedAction:
        """The error for a text that is no action."""
        return MalformedAction(
            f"{text!r} is no action of this game",
            rule="S3",
            field="action",
            key="malformed",
            params={"text": text},
            hint=f"Say play and a card: {', '.join(CARDS)}.",
        )


ACTIONS: Final = Actions()
