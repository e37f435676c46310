"""A tiny game for testing races: in each round everybody is asked to be quick, and the fastest who ran gets a point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from preau.core import (
    NATURE,
    Action,
    Game,
    IllegalAction,
    MalformedAction,
    OpenSampler,
    Option,
    Result,
    Sampler,
    State,
)
from preau.core.options import read_options, read_seats
from preau.core.state import Json, rank

RUN, STAY, NOBODY, *WINS = (
    Action(number, text) for number, text in enumerate(["run", "stay", "win none", *(f"win {n}" for n in range(4))])
)
ACTIONS = [RUN, STAY, NOBODY, *WINS]
BY_TEXT = {action.text: action for action in ACTIONS}


class SprintState(State):
    def __init__(self, options: Mapping[str, Any], seats: int) -> None:
        super().__init__(GAME, seats, options)
        self.ran: list[bool | None] = [None] * seats
        self.points = [0] * seats
        self.left: int = options["rounds"]

    @property
    def to_act(self) -> tuple[int, ...]:
        if not self.left:
            return ()
        return tuple(seat for seat in range(self.seats) if self.ran[seat] is None) or (NATURE,)

    def legal(self, seat: int) -> tuple[Action, ...]:
        if seat not in self.to_act:
            return ()
        return (RUN, STAY) if seat != NATURE else tuple(WINS[one] for one in self._runners()) or (NOBODY,)

    def _runners(self) -> list[int]:
        return [seat for seat in range(self.seats) if self.ran[seat]]

    def racers(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.to_act if seat != NATURE)

    def fastest(self, delays: Mapping[int, int], rng: Random) -> Action | None:
        measured = [seat for seat in self._runners() if seat in delays]
        if self.to_act != (NATURE,) or not measured:
            return None
        best = min(delays[seat] for seat in measured)
        return WINS[rng.choice([seat for seat in measured if delays[seat] == best])]

    def action(self, text: str) -> Action:
        if text not in BY_TEXT:
            raise MalformedAction(f"{text!r} is no action of the sprint", rule="S1", hint="Say run.")
        return BY_TEXT[text]

    def advance(self, actor: int, action: Action) -> None:
        if actor != NATURE:
            self.ran[actor] = action is RUN
            self.say("ran", "S1", {"seat": actor})
            return
        if action is not NOBODY:
            self.points[WINS.index(action)] += 1
        self.say("won", "S2", {"who": action.text})
        self.ran = [None] * self.seats
        self.left -= 1

    def why_not(self, actor: int, action: Action) -> IllegalAction:
        return IllegalAction("only nature says who wins", rule="S2")

    def zombie(self, seat: int) -> Action:
        return STAY

    def copy(self) -> SprintState:
        twin = SprintState(self.options, self.seats)
        twin.ran, twin.points, twin.left = self.ran.copy(), self.points.copy(), self.left
        return twin

    def key(self) -> tuple[object, ...]:
        return (self.seats, tuple(self.ran), tuple(self.points), self.left)

    def to_json(self) -> Json:
        rounds = self.options["rounds"]
        return {
            "rounds": rounds,
            "seats": self.seats,
            "ran": list(self.ran),
            "points": list(self.points),
            "left": self.left,
        }

    def view(self, seat: int | None) -> Json:
        return {"seat": seat, **self.to_json()}

    def prompt(self, seat: int | None) -> Json:
        return {"key": "prompt.run" if seat in self.to_act else "wait.run"}

    def scores(self) -> tuple[int, ...]:
        return tuple(self.points)

    def result(self) -> Result:
        return Result(self.scores(), rank([(-points,) for points in self.points]), "done" if self.over else "")

    def progress(self) -> float:
        return 1 - self.left / int(self.options["rounds"])


class Sprint(Game):
    id = "sprint"
    titles: Mapping[str, str] = {"en": "Sprint", "fr": "Sprint"}
    seats: Sequence[int] = (2, 3, 4)
    rules_version = "1"
    secrets = False
    options: Sequence[Option] = (Option("rounds", 3, en="How many.", fr="Combien.", low=1, high=9),)
    folder = Path(__file__).parent

    def start(
        self, seats: int | None = None, options: Mapping[str, Any] | None = None, *, seed: int | None = None
    ) -> State:
        number = read_seats(2 if seats is None else seats, self.seats, "Sprint", "S0")
        return SprintState(read_options(self.options, options, "Sprint"), number)

    def load(self, data: Mapping[str, Any]) -> State:
        state = SprintState({"rounds": data["rounds"]}, data["seats"])
        state.ran, state.points, state.left = list(data["ran"]), list(data["points"]), data["left"]
        return state

    def sampler(self, view: Json) -> Sampler:
        return OpenSampler(self.load(view))

    def actions(self, options: Mapping[str, Any] | None = None) -> Sequence[Action]:
        return ACTIONS


GAME = Sprint()
