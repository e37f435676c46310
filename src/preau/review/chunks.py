"""A review in pieces, for whoever has several processes, or others to serve in between.

`plan` says which pieces there are, `piece` looks at one of them, in any process and in any order, and `assemble` puts
together what was found. All of it is JSON data, and the same record, strength and seed give the same review whoever
does what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..bots.evaluate import judges
from ..bots.evaluate.base import outcome
from ..core.errors import RecordError
from ..core.record import Entry, Record
from ..core.state import NATURE, Json, State
from .assembling import put_together
from .shapes import Looked, Piece, Review
from .step_analysis import eye_for
from .strength import USUAL, Strength, find_strength

MOST_STEPS = 2_000
"""The longest game that is reviewed. Games between people have a few hundred steps."""
PORTION = 4_000
"""So many positions are looked at in a piece, or a single step; that takes about a second."""
MOST_POSITIONS = 4
"""Positions that a game under review keeps: a piece begins where the one before it has ended, or is tried again."""

Note = Callable[[int, int], None]


def review(record: Record | Json, strength: str = USUAL, seed: int = 0, note: Note = lambda done, of: None) -> Review:
    """The review of a finished game; `note` is told how many pieces of how many are done.

    >>> import preau
    >>> game = preau.play("bagarre", bots=["greedy", "random"], options={"goal": 5}, seed=1)
    >>> found = review(game.record, "quick")
    >>> found["chances"][-1], found["standings"][0]["end"]
    ([1.0, 0.0], 1.0)
    """
    game = ReviewedGame(record)
    pieces = plan(game.record, strength)
    found = []
    for number, one in enumerate(pieces):
        note(number, len(pieces))
        found.append(game.analyse(one, strength, seed))
    note(len(pieces), len(pieces))
    return game.assemble(found, strength, seed)


def plan(record: Record | Json, strength: str = USUAL, portion: int = PORTION) -> list[Piece]:
    """The pieces of a review, each about a second's work where the rules are compiled, or what another `portion` takes.
    A record that cannot be reviewed raises a `RecordError`.
    """
    power = find_strength(strength)
    state, entries = _checked(record)
    open_game = judges.judge(state.game.id).open
    pieces: list[Piece] = []
    first, load = 0, 0
    for number, entry in enumerate(entries):
        load += _load(state, entry.actor, power, open_game=open_game)
        if load >= portion or number + 1 == len(entries):
            pieces.append({"first": first, "end": number + 1})
            first, load = number + 1, 0
        state.advance(entry.actor, state.check(entry.actor, entry.text))
    return pieces


def piece(record: Record | Json, which: Piece, strength: str = USUAL, seed: int = 0) -> list[Looked]:
    """Return what there is to say of the steps of one piece."""
    return ReviewedGame(record).analyse(which, strength, seed)


def assemble(record: Record | Json, found: Sequence[Sequence[Looked]], strength: str = USUAL, seed: int = 0) -> Review:
    """Return the whole review, from what was found in all pieces, in any order."""
    return ReviewedGame(record).assemble(found, strength, seed)


class ReviewedGame:
    """A recorded game that is reviewed piece by piece. Its record is read once, and a piece goes on from the position
    where an earlier one has ended.
    """

    def __init__(self, record: Record | Json) -> None:
        self.record = _read(record)
        self._positions: dict[int, State] = {}
        """The positions used last, by the number of actions before them."""

    @classmethod
    def loads(cls, text: str) -> ReviewedGame:
        """Read the record from JSON; raises a `RecordError` if it is none."""
        return cls(Record.loads(text))

    def analyse(self, which: Piece, strength: str = USUAL, seed: int = 0) -> list[Looked]:
        """Return what there is to say of the steps of one piece."""
        state = self._position(which["first"])
        eye = eye_for(state.game.id, find_strength(strength), seed)
        found = []
        for number in range(which["first"], which["end"]):
            entry = self.record.entries[number]
            action = state.check(entry.actor, entry.text)
            found.append(eye.analyse(number, state.copy(), entry.actor, action))
            state.advance(entry.actor, action)
        self._keep(which["end"], state)
        return found

    def assemble(self, found: Sequence[Sequence[Looked]], strength: str = USUAL, seed: int = 0) -> Review:
        """Return the whole review, from what was found in all pieces, in any order."""
        record = self.record
        end = self._position(len(record.entries))
        steps = sorted((one for some in found for one in some), key=lambda one: one["step"])
        if [one["step"] for one in steps] != list(range(len(record.entries))):
            raise RecordError(
                "pieces of the review are missing, or there are too many", field="pieces", hint="Each is wanted once."
            )
        power, open_game = find_strength(strength), judges.judge(record.game).open
        return put_together(record, steps, outcome(end), power, seed, open_game=open_game)

    def _position(self, at: int) -> State:
        """Return a position that the caller may change: the one after so many actions."""
        if at not in self._positions:
            self._keep(at, self.record.replay(at))
        return self._positions[at].copy()

    def _keep(self, at: int, state: State) -> None:
        self._positions.pop(at, None)
        self._positions[at] = state
        if len(self._positions) > MOST_POSITIONS:
            del self._positions[next(iter(self._positions))]


def _read(record: Record | Json) -> Record:
    return record if isinstance(record, Record) else Record.from_json(record)


def _load(state: State, actor: int, power: Strength, *, open_game: bool) -> int:
    """How many positions are looked at for a step, more or less."""
    if open_game:
        return 2 * power.simulations
    if actor == NATURE:
        return 2 * power.playouts
    choice = actor >= 0 and len(state.legal(actor)) > 1
    return power.playouts + (power.simulations + 5 * power.draws if choice else 0)


def _checked(record: Record | Json) -> tuple[State, list[Entry]]:
    """The first position and the steps of a record that can be reviewed."""
    kept = _read(record)
    check_length(kept)
    state = kept.verify()
    if not state.over:
        raise RecordError(
            f"the game is not over after its {len(kept.entries)} actions",
            field="actions",
            hint="Only a finished game can be reviewed.",
            key="record_going",
            params={"n": len(kept.entries)},
        )
    return kept.start_state(), kept.entries


def check_length(record: Record) -> None:
    """Refuse a record that is too long to be looked at."""
    steps = len(record.entries)
    if steps > MOST_STEPS:
        raise RecordError(
            f"the game has {steps} steps",
            field="actions",
            hint=f"Games of up to {MOST_STEPS} steps are looked at.",
            key="record_long",
            params={"n": steps, "most": MOST_STEPS},
        )
