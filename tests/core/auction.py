"""A tiny game for testing the contract: secret simultaneous bids, and a coin flip for ties.

Everybody has a purse of 4. Three apples are sold one after another: all bid at once and in secret, the highest bid is
paid and wins the apple, nature decides between equal ones. Most apples win, then the fuller purse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from preau.core import (
    HIDDEN,
    NATURE,
    Action,
    Game,
    IllegalAction,
    Layout,
    MalformedAction,
    Option,
    PositionError,
    Result,
    Sampler,
    Slate,
    State,
)
from preau.core.options import read_options, read_seats
from preau.core.state import Json, rank

PURSE = 4
ACTIONS = [Action(number, f"bid {number}") for number in range(PURSE + 1)]
ACTIONS += [Action(len(ACTIONS) + seat, f"win {seat}") for seat in range(4)]
BY_TEXT = {action.text: action for action in ACTIONS}


class AuctionState(State):
    def __init__(self, options: Mapping[str, Any], seats: int) -> None:
        super().__init__(GAME, seats, options)
        self.purses = [PURSE] * seats
        self.apples = [0] * seats
        self.bids: list[int | None] = [None] * seats
        self.left: int = options["apples"]

    @property
    def to_act(self) -> tuple[int, ...]:
        if not self.left:
            return ()
        waiting = tuple(seat for seat in range(self.seats) if self.bids[seat] is None)
        return waiting or (NATURE,)

    def _best(self) -> list[int]:
        most = max(bid for bid in self.bids if bid is not None)
        return [seat for seat in range(self.seats) if self.bids[seat] == most]

    def legal(self, seat: int) -> tuple[Action, ...]:
        if seat not in self.to_act:
            return ()
        if seat == NATURE:
            return tuple(BY_TEXT[f"win {best}"] for best in self._best())
        return tuple(ACTIONS[: self.purses[seat] + 1])

    def action(self, text: str) -> Action:
        found = BY_TEXT.get(" ".join(text.lower().split()))
        if found is None:
            raise MalformedAction(f"{text!r} is no action of the auction", rule="A1", hint="Say bid 2.")
        return found

    def tells(self, seat: int, action: Action) -> bool:
        return False

    def advance(self, actor: int, action: Action) -> None:
        number = int(action.text.split()[1])
        if actor != NATURE:
            self.bids[actor] = number
            self.say("bid", "A1", {"seat": actor, "bid": HIDDEN}, {actor: {"bid": number}})
            return
        self.say("sold", "A2", {"seat": number, "bids": list(self.bids)})
        self.purses[number] -= self.bids[number] or 0
        self.apples[number] += 1
        self.left -= 1
        self.bids = [None] * self.seats

    def why_not(self, actor: int, action: Action) -> IllegalAction:
        if action.text.startswith("win"):
            return IllegalAction("only nature decides who wins", rule="A2")
        return IllegalAction("the purse does not hold that much", rule="A1")

    def zombie(self, seat: int) -> Action:
        return ACTIONS[0]

    def write(self, seat: int, slate: Slate) -> None:
        for away in range(self.seats):
            slate.put(away, self.scores()[(seat + away) % self.seats])
        slate.share(4, self.progress())

    def copy(self) -> AuctionState:
        twin = AuctionState(self.options, self.seats)
        twin.purses, twin.apples = self.purses.copy(), self.apples.copy()
        twin.bids, twin.left = self.bids.copy(), self.left
        return twin

    def key(self) -> tuple[object, ...]:
        return (*self.options.values(), tuple(self.purses), tuple(self.apples), tuple(self.bids), self.left)

    def to_json(self) -> Json:
        whole = self.view(None)
        whole["bids"] = list(self.bids)
        return whole

    def view(self, seat: int | None) -> Json:
        seen: Json = {
            "game": "auction",
            "seats": self.seats,
            "options": dict(self.options),
            "purses": list(self.purses),
            "apples": list(self.apples),
            "left": self.left,
            "answered": [bid is not None for bid in self.bids],
        }
        if seat is not None:
            seen["seat"], seen["bid"] = seat, self.bids[seat]
        return seen

    def prompt(self, seat: int | None) -> Json:
        asked = seat is not None and seat in self.to_act
        return {"key": "prompt.bid" if asked else "wait.bid", "seats": list(self.to_act)}

    def diagram(self, seat: int | None = None) -> str:
        return f"purses {self.purses} apples {self.apples}"

    def scores(self) -> tuple[int, ...]:
        return tuple(self.apples)

    def result(self) -> Result:
        order: list[tuple[object, ...]] = [
            (-apples, -purse) for apples, purse in zip(self.apples, self.purses, strict=True)
        ]
        return Result(self.scores(), rank(order), "sold out" if self.over else "")

    def progress(self) -> float:
        return 1 - self.left / int(self.options["apples"])


class AuctionSampler(Sampler):
    def __init__(self, view: Json) -> None:
        self.view = view

    def draw(self, rng: Random) -> State:
        state = _load({name: value for name, value in self.view.items() if name not in ("seat", "bid")})
        for seat, answered in enumerate(self.view["answered"]):
            if seat == self.view.get("seat"):
                state.bids[seat] = self.view["bid"]
            elif answered:
                state.bids[seat] = rng.randint(0, state.purses[seat])
        return state


def _load(data: Mapping[str, Any]) -> AuctionState:
    state = AuctionState(dict(data["options"]), data["seats"])
    if sum(data["purses"]) > PURSE * state.seats:
        raise PositionError("there is more money than there ever was", field="purses", rule="A1")
    state.purses, state.apples, state.left = list(data["purses"]), list(data["apples"]), data["left"]
    state.bids = list(data.get("bids", [None] * state.seats))
    return state


class Auction(Game):
    id = "auction"
    titles: Mapping[str, str] = {"en": "Auction", "fr": "Enchères"}
    seats: Sequence[int] = (2, 3, 4)
    rules_version = "1"
    secrets = True
    options: Sequence[Option] = (Option("apples", 3, en="How many apples.", fr="Combien de pommes.", low=1, high=5),)
    folder = Path(__file__).parent

    def start(
        self, seats: int | None = None, options: Mapping[str, Any] | None = None, *, seed: int | None = None
    ) -> State:
        number = read_seats(2 if seats is None else seats, self.seats, "Auction", "A0")
        return AuctionState(read_options(self.options, options, "Auction"), number)

    def load(self, data: Mapping[str, Any]) -> State:
        return _load(data)

    def actions(self, options: Mapping[str, Any] | None = None) -> Sequence[Action]:
        return ACTIONS

    def sampler(self, view: Json) -> Sampler:
        return AuctionSampler(view)

    def layout(self, state: State) -> Layout:
        return Layout([("scores", (4,)), ("clock", (1,), 255)], len(ACTIONS))


GAME = Auction()
