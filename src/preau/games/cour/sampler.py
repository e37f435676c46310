"""The sampler: reads a seat's view and draws full positions that agree with it. How, and why exactly, see `worlds`."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from ...core.errors import PositionError, ViewError
from ...core.game import Sampler
from ...core.state import HIDDEN, State
from .actions import NONE
from .deck import CHARACTERS
from .memory import hand_of, public_tally, replay
from .position import OVER, PHASES, TAKING, THROWING
from .rules import fresh
from .views import FIELDS, load, read_answer, read_entry, read_table
from .worlds import Worlds


class CourSampler(Sampler):
    """Positions that agree with everything in one view; see `worlds` for their probabilities."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        try:
            self._worlds = _finished(view) if view["phase"] == PHASES[OVER] else worlds_of(view)
            possible = self._worlds.possible()
            if possible:
                replay(self._worlds.known.deck, view["seats"], self._worlds.draw(Random(0)).memory)
        except PositionError as error:
            raise ViewError(error.message, field=error.field, rule=error.rule, hint=error.hint) from None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            raise ViewError("this is no view of this game", field="view", rule="C20") from None
        if not possible:
            raise ViewError("no game can have looked like this", field="ledger", rule="C20")

    def draw(self, rng: Random) -> State:
        """One position."""
        return self._worlds.draw(rng)


def sampler(view: Mapping[str, Any]) -> Sampler:
    """A source of positions that agree with this view."""
    return CourSampler(view)


def _finished(view: Mapping[str, Any]) -> Worlds:
    """Nothing is hidden any more."""
    state = load({field: view[field] for field in FIELDS if field in view})
    return Worlds(state, state.memory, [None] * (len(state.memory) + 1))


def worlds_of(view: Mapping[str, Any]) -> Worlds:
    """All positions that agree with the view of a game that goes on, as a source to draw from."""
    from .game import GAME

    state = fresh(GAME.setup(view.get("seats"), view.get("options")))
    deck, seats = state.deck, range(state.seats)
    state.phase = PHASES.index(view["phase"])
    for seat, name in enumerate(view["characters"]):
        if name is not None and name != HIDDEN:
            state.characters[seat] = CHARACTERS.index(name)
    read_table(state, view)
    state.pool = [view["pool"].get(name, 0) for name in deck.kinds]
    state.pool_size = sum(state.pool)
    rows = view["ledger"]
    memory = [read_entry(deck, state.seats, row, f"ledger[{number}]") for number, row in enumerate(rows)]
    looks = [hand_of(deck, row["hand"]) if "hand" in row else None for row in rows]
    seen = view["hands"][state.victim] if state.phase == TAKING else None
    looks.append(None if seen is None else hand_of(deck, seen))
    state.tally = public_tally(deck, state.seats, memory)
    state.sizes = state.tally.sizes
    worlds = Worlds(state, memory, looks)
    worlds.unknown = [seat for seat in seats if view["characters"][seat] == HIDDEN]
    worlds.left = [one for one in range(len(CHARACTERS)) if one not in state.characters]
    for seat, answer in enumerate(view["choices"]):
        if answer != HIDDEN:
            state.answers[seat] = read_answer(state, answer, f"choices[{seat}]")
        else:
            worlds.secret.append(seat)
            pointed = [other for other in seats if other != seat] + ([NONE] if state.setup.live else [])
            worlds.answers.append([0, 1, 2] if state.phase == THROWING else pointed)
    state.settle()
    return worlds
