"""A tiny game for testing the contract: something hidden by nature, and an answer of all seats at once.

In each of three rounds nature puts a coin under a cup, and seat 0 alone sees which. Then all seats say at once whether
they trust it, once or more often, and the coin is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from preau.core import HIDDEN, NATURE, Action, Game, IllegalAction, Layout, MalformedAction, Result, Sampler, State
from preau.core.slate import Slate
from preau.core.state import Json, rank

ROUNDS = 3
ANSWERS = (Action(0, "trust"), Action(1, "doubt"))


class CupState(State):
    def __init__(self, game: Cup, seats: int) -> None:
        super().__init__(game, seats, {})
        self.cup = game
        self.coin: int | None = None
        self.said: list[list[int]] = [[] for _ in range(seats)]
        self.round = 0

    @property
    def to_act(self) -> tuple[int, ...]:
        if self.round == ROUNDS:
            return ()
        if self.coin is None:
            return (NATURE,)
        return tuple(seat for seat in range(self.seats) if len(self.said[seat]) < self.cup.answers)

    def legal(self, seat: int) -> tuple[Action, ...]:
        if seat not in self.to_act:
            return ()
        return tuple(self.cup.coins) if seat == NATURE else ANSWERS

    def outcomes(self) -> list[tuple[Action, float]]:
        return list(zip(self.cup.coins, self.cup.chances, strict=True)) if self.to_act == (NATURE,) else []

    def action(self, text: str) -> Action:
        for action in self.cup.actions():
            if action.text == " ".join(text.lower().split()):
                return action
        raise MalformedAction(f"{text!r} is no action", rule="P1")

    def tells(self, seat: int, action: Action) -> bool:
        return True

    def advance(self, actor: int, action: Action) -> None:
        if actor == NATURE:
            self.coin = action.number - len(ANSWERS)
            self.say("coin", "P1", {"coin": HIDDEN}, {0: {"coin": self.coin}})
            return
        self.said[actor].append(action.number)
        self.say("said", "P2", {"seat": actor, "said": HIDDEN}, {actor: {"said": action.text}})
        if not self.to_act:
            self.say("shown", "P3", {"coin": self.coin, "said": self.said})
            self.said, self.coin, self.round = [[] for _ in range(self.seats)], None, self.round + 1

    def why_not(self, actor: int, action: Action) -> IllegalAction:
        return IllegalAction("seats answer, and nature puts coins", rule="P1")

    def zombie(self, seat: int) -> Action:
        return ANSWERS[0]

    def write(self, seat: int, slate: Slate) -> None:
        slate.put(0, self.round)

    def copy(self) -> CupState:
        twin = CupState(self.cup, self.seats)
        twin.coin, twin.said, twin.round = self.coin, [said.copy() for said in self.said], self.round
        return twin

    def key(self) -> tuple[object, ...]:
        return (self.coin, tuple(map(tuple, self.said)), self.round)

    def to_json(self) -> Json:
        said = [said.copy() for said in self.said]
        return {"game": "cup", "seats": self.seats, "coin": self.coin, "said": said, "round": self.round}

    def view(self, seat: int | None) -> Json:
        return {
            "seats": self.seats,
            "round": self.round,
            "placed": self.coin is not None,
            "answered": [len(said) for said in self.said],
            "seat": seat,
            "said": None if seat is None else self.said[seat].copy(),
            "coin": self.coin if seat == 0 else None,
        }

    def prompt(self, seat: int | None) -> Json:
        return {"key": "prompt.say", "seats": list(self.to_act)}

    def diagram(self, seat: int | None = None) -> str:
        return f"round {self.round}"

    def scores(self) -> tuple[int, ...]:
        return (self.round,) * self.seats

    def result(self) -> Result:
        return Result(self.scores(), rank([0] * self.seats), "shown" if self.over else "")

    def progress(self) -> float:
        return self.round / ROUNDS


class CupSampler(Sampler):
    def __init__(self, game: Cup, view: Json) -> None:
        self.game, self.view = game, view

    def draw(self, rng: Random) -> State:
        state = CupState(self.game, self.view["seats"])
        state.round = self.view["round"]
        if self.view["placed"]:
            state.coin = self.view["coin"]
            if state.coin is None:
                state.coin = rng.choices(range(len(self.game.coins)), self.game.chances)[0]
        for seat, answered in enumerate(self.view["answered"]):
            own = seat == self.view["seat"]
            state.said[seat] = list(self.view["said"]) if own else [rng.randrange(2) for _ in range(answered)]
        return state


class Cup(Game):
    id = "cup"
    titles: Mapping[str, str] = {"en": "Cup", "fr": "Gobelet"}
    seats: Sequence[int] = (2, 3)
    rules_version = "1"
    secrets = True
    options = ()
    folder = Path(__file__).parent

    def __init__(self, chances: Sequence[float], answers: int = 1) -> None:
        """A coin for each chance; each seat answers so often in a round."""
        self.chances = chances
        self.answers = answers
        self.coins = [Action(len(ANSWERS) + coin, f"coin {coin}") for coin in range(len(chances))]

    def start(
        self, seats: int | None = None, options: Mapping[str, Any] | None = None, *, seed: int | None = None
    ) -> State:
        return CupState(self, seats or 2)

    def load(self, data: Mapping[str, Any]) -> State:
        state = CupState(self, data["seats"])
        state.coin, state.said, state.round = data["coin"], [list(said) for said in data["said"]], data["round"]
        return state

    def actions(self, options: Mapping[str, Any] | None = None) -> Sequence[Action]:
        return [*ANSWERS, *self.coins]

    def sampler(self, view: Json) -> Sampler:
        return CupSampler(self, view)

    def layout(self, state: State) -> Layout:
        return Layout([("round", (1,), ROUNDS)], len(self.actions()))
