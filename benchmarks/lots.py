"""A made-up game in which luck and choice are known exactly, to hold reviews against.

In a turn the weather gives the seat a point or none, then it chooses one of three lots, and chance draws what the lot
is worth. After two turns each, whoever has most wins; equals share. Everybody is taken to choose at random from there
on, which is what a review does in a game that brings no judge along, so every chance follows by adding up."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from preau.core import NATURE, Action, Game, MalformedAction, OpenSampler, Option, Result, Sampler, State, Texts
from preau.core.options import read_options, read_seats
from preau.core.state import Json, rank

TURNS = 2
LOTS = (("sure", ((1, 1.0),)), ("even", ((0, 0.5), (3, 0.5))), ("wild", ((0, 0.8), (5, 0.2))))
CHOICES = tuple(Action(number, f"take {name}") for number, (name, _) in enumerate(LOTS))
GIFTS = tuple(Action(len(CHOICES) + worth, f"give {worth}") for worth in range(6))
BY_TEXT = {action.text: action for action in (*CHOICES, *GIFTS)}
WEATHER, CHOICE, DRAW = range(3)


class LotsState(State):
    """Points, whose turn it is and what comes next in it."""

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        super().__init__(GAME, seats, options)
        self.points = [0] * seats
        self.turn = 0
        self.phase = WEATHER
        self.lot = 0

    @property
    def to_act(self) -> tuple[int, ...]:
        if self.turn == TURNS * self.seats:
            return ()
        return (self.turn % self.seats,) if self.phase == CHOICE else (NATURE,)

    def legal(self, seat: int) -> tuple[Action, ...]:
        if seat not in self.to_act:
            return ()
        return CHOICES if seat != NATURE else tuple(action for action, _ in self.outcomes())

    def outcomes(self) -> list[tuple[Action, float]]:
        chances = ((0, 0.5), (1, 0.5)) if self.phase == WEATHER else LOTS[self.lot][1]
        return [(GIFTS[worth], chance) for worth, chance in chances]

    def action(self, text: str) -> Action:
        if text not in BY_TEXT:
            raise MalformedAction(f"{text!r} is no action of the lots")
        return BY_TEXT[text]

    def advance(self, actor: int, action: Action) -> None:
        if actor == NATURE:
            self.points[self.turn % self.seats] += action.number - len(CHOICES)
        else:
            self.lot = action.number
        self.phase = (self.phase + 1) % 3
        self.turn += self.phase == WEATHER

    def zombie(self, seat: int) -> Action:
        return CHOICES[0]

    def copy(self) -> "LotsState":
        twin = LotsState(self.seats, self.options)
        twin.points, twin.turn, twin.phase, twin.lot = self.points.copy(), self.turn, self.phase, self.lot
        return twin

    def key(self) -> tuple[object, ...]:
        return (self.seats, tuple(self.points), self.turn, self.phase, self.lot if self.phase == DRAW else 0)

    def to_json(self) -> Json:
        return self.view(None)

    def view(self, seat: int | None) -> Json:
        known = {"points": list(self.points), "turn": self.turn, "phase": self.phase, "lot": self.lot}
        return {"game": GAME.id, "seats": self.seats, "options": {}, **known} | ({} if seat is None else {"seat": seat})

    def scores(self) -> tuple[int, ...]:
        return tuple(self.points)

    def result(self) -> Result:
        return Result(self.scores(), rank([(-one,) for one in self.points]), "done" if self.over else "")

    def progress(self) -> float:
        return self.turn / (TURNS * self.seats)


class Lots(Game):
    """The game."""

    id = "lots"
    titles: Mapping[str, str] = {"en": "Lots", "fr": "Lots"}
    seats: Sequence[int] = (2, 3)
    rules_version = "1"
    secrets = False
    options: Sequence[Option] = ()
    folder = Path(__file__).parent

    def start(
        self, seats: int | None = None, options: Mapping[str, Any] | None = None, *, seed: int | None = None
    ) -> State:
        return LotsState(read_seats(seats or 2, self.seats, "Lots", "L1"), read_options(self.options, options, "Lots"))

    def load(self, data: Mapping[str, Any]) -> State:
        state = LotsState(data["seats"], data["options"])
        state.points, state.turn, state.phase = list(data["points"]), data["turn"], data["phase"]
        state.lot = data["lot"]
        return state

    def actions(self, options: Mapping[str, Any] | None = None) -> Sequence[Action]:
        return (*CHOICES, *GIFTS)

    def sampler(self, view: Json) -> Sampler:
        return OpenSampler(self.load(view))

    def texts(self, language: str = "en") -> Texts:
        return Texts(language, {})

    def has_part(self, name: str) -> bool:
        return False


GAME = Lots()


def play(seats: int, seed: int) -> Any:
    """A game in which everybody chooses at random."""
    from preau.core import Match

    rng = Random(seed)
    match = Match.new(GAME, seats, seed=seed)
    while not match.over:
        match.apply(match.to_act[0], rng.choice(CHOICES))
    return match.record


def chances(state: LotsState) -> tuple[float, ...]:
    """How likely every seat is to win, exactly."""
    return _chances(state.seats, tuple(state.points), state.turn, state.phase, state.lot)


@cache
def _chances(seats: int, points: tuple[int, ...], turn: int, phase: int, lot: int) -> tuple[float, ...]:
    state = LotsState(seats, {})
    state.points, state.turn, state.phase, state.lot = list(points), turn, phase, lot
    if state.over:
        winners = state.result().winners
        return tuple((seat in winners) / len(winners) for seat in range(seats))
    actor = state.to_act[0]
    ways = state.outcomes() if actor == NATURE else [(action, 1 / len(CHOICES)) for action in CHOICES]
    total = [0.0] * seats
    for action, chance in ways:
        for seat, one in enumerate(after(state, action)):
            total[seat] += chance * one
    return tuple(total)


def after(state: LotsState, action: Action) -> tuple[float, ...]:
    """How likely every seat is to win once this is done."""
    then = state.copy()
    then.advance(state.to_act[0], action)
    return chances(then)
