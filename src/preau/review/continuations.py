"""Tales: an action carried out on a position that may be the true one, and what is done after it in the same turn.

The seat that asks goes on as the search expects, and everybody else by the rules of thumb of the game, each from what
its own seat sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from ..bots.simple import has_rules_of_thumb, rules_of_thumb
from ..core.facts import TURN
from ..core.game import Game, Sampler
from ..core.reasons import Step
from ..core.state import NATURE, Action, State

WORLDS = 32
"""How many positions a tale is told on where something is not known."""
LENGTH = 30
"""Steps of a tale, at most."""

Line = Sequence[tuple[int, str]]
"""Who is expected to do what, from the action on that is asked about."""


def tales(game: Game, sampler: Sampler, seat: int, line: Line, seed: int) -> Iterator[Iterator[Step]]:
    """The tales that begin with the first action of a line: one where everything is known, else many. The same seed
    means the same positions, whatever the action. A tale is made up as it is asked for.
    """
    rng = Random(seed)
    for _ in range(WORLDS if game.secrets else 1):
        yield _tell(sampler.draw(rng), seat, line, Random(rng.getrandbits(32)))


def _tell(state: State, seat: int, line: Line, rng: Random) -> Iterator[Step]:
    """One tale: until the turn ends, or nobody knows what comes next."""
    expected = [text for actor, text in line if actor == seat]
    actor = seat
    for _ in range(LENGTH):
        action = _choose(state, actor, expected if actor == seat else [], rng)
        if action is None:
            return
        before = state.copy()
        events = state.apply(actor, action)
        yield Step(before, actor, action, events, state.copy())
        if state.over or any(event.key == TURN for event in events):
            return
        actor = state.to_act[0]


def _choose(state: State, actor: int, expected: list[str], rng: Random) -> Action | None:
    """What somebody does next; None if there is no telling."""
    if actor == NATURE:
        return state.draw(rng)
    legal = state.legal(actor)
    if expected:
        wanted = expected.pop(0)
        found = next((action for action in legal if action.text == wanted), None)
        if found is not None:
            return found
        expected.clear()  # it went another way than the search thought
    if state.game.secrets and has_rules_of_thumb(state.game.id):
        return rules_of_thumb(state.game.id)(actor, state.view(actor), legal, rng)
    return None
