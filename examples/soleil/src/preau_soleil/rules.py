"""The rules, in the order of their ids."""

from __future__ import annotations

from preau.core import Action

from .actions import DEAL, PLAY, SoleilAction
from .deck import CARDS
from .position import CHOOSING, DEALING, NONE, OVER, TURNING, Setup
from .telling import Telling


class SoleilState(Telling):
    """One, two, three, sun!: the position and all that can happen to it."""

    # What the contract asks for.

    def action(self, text: str) -> Action:
        """The action with this text form."""
        return self.setup.actions.parse(text)

    def advance(self, actor: int, action: Action) -> None:
        """Carry out a legal action."""
        assert isinstance(action, SoleilAction)
        if action.kind == PLAY:
            self._choose(actor, action.card)
        elif action.kind == DEAL:
            self._deal(action.seat, action.card)
        else:
            self._turn_round(action.word)

    def zombie(self, seat: int) -> Action:
        """An absent child takes the slowest card."""
        return self.legal(seat)[0]

    def copy(self) -> SoleilState:
        """An independent copy."""
        return SoleilState(
            self.setup,
            phase=self.phase,
            round=self.round,
            places=self.places.copy(),
            caught=self.caught.copy(),
            hands=[hand.copy() for hand in self.hands],
            chosen=self.chosen.copy(),
            played=self.played.copy(),
            word=self.word,
        )

    # The rules.

    def _deal(self, seat: int, card: int) -> None:
        """S2, S7: a card from the pile; once everybody holds three, a round begins."""
        self.hands[seat][card] += 1
        if self.next_to_draw() == NONE:
            self.round += 1
            self.phase = CHOOSING
            self.tell_turn()

    def _choose(self, seat: int, card: int) -> None:
        """S3: everybody lays a card face down; once all have, the caller counts."""
        self.hands[seat][card] -= 1
        self.chosen[seat] = card
        self.tell_chosen(seat, card)
        if NONE not in self.chosen:
            self.phase = TURNING

    def _turn_round(self, word: int) -> None:
        """S4: the caller turns round on a word. S5, S6: the quickest may be seen, all others get ahead."""
        self.tell_word(word)
        quickest = max(self.chosen)
        for seat, steps in enumerate(self.chosen):
            if steps == quickest and steps > word:
                self._send_back(seat, steps)
            else:
                self._walk(seat, steps)
        self.word = word
        self._end_the_round()

    def _send_back(self, seat: int, steps: int) -> None:
        """S5: seen while still moving."""
        self.places[seat] = self.back_from(self.places[seat])
        self.caught[seat] += 1
        self.tell_caught(seat, steps, self.places[seat])

    def _walk(self, seat: int, steps: int) -> None:
        """S6: as many steps as the card says, up to the wall."""
        self.places[seat] = min(self.setup.wall, self.places[seat] + steps)
        self.tell_walk(seat, steps, self.places[seat])

    def _end_the_round(self) -> None:
        """S7: the cards go back to the pile, and everybody draws one. S8: the wall or the bell ends the game."""
        self.played, self.chosen = self.chosen, [NONE] * self.seats
        self.phase = DEALING
        if touching := self.at_the_wall():
            self.phase = OVER
            self.tell_wall(touching)
        elif self.round == self.setup.rounds:
            self.phase = OVER
            self.tell_bell()


def fresh(setup: Setup) -> SoleilState:
    """S1, S2: everybody on the line, nobody with a card; nature deals."""
    return SoleilState(
        setup,
        phase=DEALING,
        round=0,
        places=[0] * setup.seats,
        caught=[0] * setup.seats,
        hands=[[0] * len(CARDS) for _ in range(setup.seats)],
        chosen=[NONE] * setup.seats,
        played=[NONE] * setup.seats,
        word=NONE,
    )
