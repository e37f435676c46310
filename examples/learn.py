"""A small network learns a game from nothing by playing all its seats, and is measured in the arena.

    python examples/learn.py bagarre --out runs/bagarre

writes `net.onnx`, a bot for the arena, the terminal and the browser, and `curve.json` and `curve.svg`: how well it
played against other bots while it learned. Any game will do, those of installed packages too. The same command writes
the same network on the same machine; `--minutes` stops earlier, and then it does not. It takes
`pip install 'preau[rl,net,arena]'`, and matplotlib for the picture. docs/train-a-bot.md says how it works.

This is proximal policy optimization (PPO) with nothing but NumPy: many games are played side by side for some steps,
the network says what every position is worth to the seat that is to act, and whatever turned out better than it had
thought becomes likelier. What is illegal is never drawn, and never learned from.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # with more, sums are rounded by how many cores a machine has

import numpy as np
from numpy.typing import NDArray

from preau.adapters.vector import Games
from preau.bots.net import label
from preau.cli.common import read_options
from preau.core import PreauError

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Settings:
    """How it learns."""

    rows: int = 256
    """Games side by side."""
    steps: int = 64
    """Decisions in each of them before the network is changed."""
    width: int = 256
    """Numbers in each of the two hidden layers."""
    rate: float = 1e-3
    """How far the network is changed at first; it goes down to nothing."""
    epochs: int = 2
    parts: int = 32
    """What was played is gone through so often, in so many parts each time."""
    memory: float = 0.95
    """How far what happens later counts for a decision (lambda of GAE): 1 is to the end, 0 to the next decision."""
    clip: float = 0.2
    """How much likelier or less likely an action may become at once."""
    curiosity: float = 0.015
    """How much it is worth to stay undecided (the weight of the entropy)."""
    reward: str = "score"
    """What a game is worth: `win`, `rank` or `score`, which tells more and is measured by how scores vary at first."""


RARE = 0.25
"""No number of an observation counts as varying less than this, or what is seldom there would count too much."""


@dataclass(frozen=True)
class Known:
    """What some games at random tell of a game's numbers."""

    used: Whole
    """The numbers of an observation that ever change: the others are not looked at."""
    units: Floats
    """What each number of a whole observation is multiplied with by `Games.floats`."""
    middle: Floats
    scale: Floats
    """What is taken off each number that is used, and what it is multiplied with then, so that all count alike."""
    column: Whole
    """Where in the last layer each action is. Those that were never legal share a place, the last."""


class Net:
    """Two hidden layers, then a number for every action and one for what the position is worth."""

    def __init__(self, known: Known, width: int, rng: np.random.Generator) -> None:
        self.known = known
        sizes = [len(known.used), width, width, int(known.column.max()) + 2]
        gains = [1.4, 1.4, 0.01]  # at first all actions are about alike
        self.weights: list[Floats] = [
            (rng.standard_normal((rows, columns)) * gain / np.sqrt(rows)).astype(np.float32)
            for rows, columns, gain in zip(sizes, sizes[1:], gains, strict=False)
        ]
        self.biases: list[Floats] = [np.zeros(size, dtype=np.float32) for size in sizes[1:]]
        self._means = [np.zeros_like(one) for one in (*self.weights, *self.biases)]
        self._squares = [np.zeros_like(one) for one in (*self.weights, *self.biases)]
        self._changes = 0

    def look(self, seen: NDArray[np.uint8]) -> list[Floats]:
        """What every layer makes of the numbers it looks at, the input first; the last has actions and worth."""
        layers: list[Floats] = [(seen - self.known.middle) * self.known.scale]
        for weight, bias in zip(self.weights, self.biases, strict=True):
            below = layers[-1] if len(layers) == 1 else np.maximum(layers[-1], 0)
            layers.append(below @ weight + bias)
        return layers

    def change(self, layers: list[Floats], wrong: Floats, rate: float) -> None:
        """Change all weights a little, where `wrong` says by how much the last layer should be less (Adam)."""
        slopes: list[Floats] = []
        shifts: list[Floats] = []
        for number in reversed(range(len(self.weights))):
            below = np.maximum(layers[number], 0) if number else layers[0]
            slopes.insert(0, below.T @ wrong)
            shifts.insert(0, wrong.sum(axis=0))
            if number:
                wrong = (wrong @ self.weights[number].T) * (layers[number] > 0)
        both = [*slopes, *shifts]
        length = np.sqrt(sum(float(np.square(one).sum()) for one in both))
        shorter = np.float32(min(1.0, 0.5 / (length + 1e-9)))
        self._changes += 1
        step = np.float32(rate * np.sqrt(1 - 0.999**self._changes) / (1 - 0.9**self._changes))
        for number, own in enumerate((*self.weights, *self.biases)):
            slope, mean, square = both[number] * shorter, self._means[number], self._squares[number]
            np.add(mean, np.float32(0.1) * (slope - mean), out=mean)
            np.add(square, np.float32(0.001) * (slope * slope - square), out=square)
            np.subtract(own, step * mean / (np.sqrt(square) + np.float32(1e-5)), out=own)

    def save(self, path: Path, about: dict[str, str]) -> None:
        """Write it as ONNX, for whole observations as `Games.floats` gives them; what it never looks at weighs 0."""
        import onnx
        from onnx import TensorProto, helper, numpy_helper

        known = self.known
        whole = np.zeros((len(known.units), self.weights[0].shape[1]), dtype=np.float32)
        whole[known.used] = self.weights[0] * (known.scale / known.units[known.used])[:, None]
        start = (self.biases[0] - (known.middle * known.scale) @ self.weights[0]).astype(np.float32)
        data = {"w1": whole, "w2": self.weights[1], "w3": self.weights[2][:, known.column]}
        data |= {"b1": start, "b2": self.biases[1], "b3": self.biases[2][known.column]}
        nodes = [
            helper.make_node("Gemm", ["observation", "w1", "b1"], ["first"]),
            helper.make_node("Relu", ["first"], ["first_on"]),
            helper.make_node("Gemm", ["first_on", "w2", "b2"], ["second"]),
            helper.make_node("Relu", ["second"], ["second_on"]),
            helper.make_node("Gemm", ["second_on", "w3", "b3"], ["actions"]),
        ]
        ends = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", size])
            for name, size in (("observation", len(whole)), ("actions", len(data["b3"])))
        ]
        tensors = [numpy_helper.from_array(np.ascontiguousarray(one), name) for name, one in data.items()]
        graph = helper.make_graph(nodes, "policy", ends[:1], ends[1:], tensors)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        helper.set_model_props(model, about)
        onnx.checker.check_model(model)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(path.name + ".part")
        draft.write_bytes(model.SerializeToString())
        draft.replace(path)


class Legal:
    """The legal actions of many rows, one after another: there are few of them among all that have a number."""

    def __init__(self, masks: Flags) -> None:
        self.row, self.action = np.divmod(np.flatnonzero(masks), masks.shape[1])
        self.count = np.bincount(self.row, minlength=len(masks))
        self.first = np.concatenate([[0], np.cumsum(self.count)[:-1]])
        """Where each row begins."""

    def chances(self, out: Floats, column: Whole) -> tuple[Floats, Floats]:
        """How likely each is, and the logarithm of that; `column` says where in the last layer an action is."""
        likes = out[self.row, column[self.action]]
        likes -= np.maximum.reduceat(likes, self.first)[self.row]
        parts: Floats = np.exp(likes)
        sums: Floats = np.add.reduceat(parts, self.first)
        parts /= sums[self.row]
        return parts, likes - np.log(sums)[self.row]

    def draw(self, likely: Floats, rng: np.random.Generator) -> Whole:
        """The place of one action for each row, each as likely as it says."""
        sums = np.cumsum(likely, dtype=np.float64)
        last = self.first + self.count - 1
        before = sums[self.first] - likely[self.first]
        drawn = before + rng.random(len(self.first)) * (sums[last] - before)
        found: Whole = np.clip(np.searchsorted(sums, drawn, side="right"), self.first, last)
        return found


class Learner:
    """Games that are played side by side, and the network that learns from them."""

    def __init__(
        self, game: str, seats: int | None, options: Mapping[str, Any], seed: int, settings: Settings | None = None
    ) -> None:
        self.game = game
        self.settings = how = settings or Settings()
        self.rng = np.random.default_rng(seed)
        self.env = env = Games(game, how.rows, seats=seats, options=options, reward=how.reward)
        self.seats = env.setting.seats
        self.about = label(game, seats, options)
        env.reset(seed=seed)
        known, self.unit = self._warm_up()
        self.net = Net(known, how.width, self.rng)
        self.games = 0
        """How many games it has learned from."""
        shape = how.steps, how.rows
        self._seen = np.zeros((*shape, len(known.used)), dtype=np.uint8)
        self._masks = np.zeros((*shape, len(known.column)), dtype=np.bool_)
        self._turns = np.zeros(shape, dtype=np.int64)
        self._asked = np.zeros(shape, dtype=np.bool_)
        self._actions = np.zeros(shape, dtype=np.int64)
        self._logs = np.zeros(shape, dtype=np.float32)
        self._worths = np.zeros(shape, dtype=np.float32)
        self._ended = np.zeros(shape, dtype=np.bool_)
        self._rewards = np.zeros((*shape, self.seats), dtype=np.float32)

    def _warm_up(self, steps: int = 1000) -> tuple[Known, float]:
        """Play at random, to see what numbers and actions there are, and how scores vary."""
        env, worth = self.env, []
        size, count = env.observations.shape[1], steps * len(env)
        low, high = env.observations.min(axis=0), env.observations.max(axis=0)
        sums, squares = np.zeros(size), np.zeros(size)
        legal_once = np.zeros(env.masks.shape[1], dtype=np.bool_)
        for _ in range(steps):
            legal = Legal(env.masks)
            legal_once[legal.action] = True
            env.step(legal.action[legal.first + (self.rng.random(len(env)) * legal.count).astype(np.int64)])
            seen = env.observations
            np.minimum(low, seen.min(axis=0), out=low)
            np.maximum(high, seen.max(axis=0), out=high)
            sums += seen.sum(axis=0)
            squares += np.square(seen, dtype=np.float64).sum(axis=0)
            worth += env.rewards[env.terminated].ravel().tolist()
        used: Whole = np.flatnonzero(low != high)
        middle = sums[used] / count
        varies = np.sqrt(np.maximum(squares[used] / count - middle**2, RARE**2))
        column = np.where(legal_once, np.cumsum(legal_once) - 1, legal_once.sum())
        known = Known(used, env.scale, middle.astype(np.float32), (1 / varies).astype(np.float32), column)
        spread = float(np.std(worth)) if worth else 0.0
        return known, spread if self.settings.reward == "score" and spread else 1.0

    def play(self) -> None:
        """Some decisions in every game, by the chances that the network gives; it is asked where there is a choice."""
        env, known = self.env, self.net.known
        for step in range(self.settings.steps):
            every = Legal(env.masks)
            asked = np.flatnonzero(every.count > 1)
            np.take(env.observations, known.used, axis=1, out=self._seen[step])
            self._masks[step] = env.masks
            self._turns[step] = env.turns
            self._asked[step] = every.count > 1
            self._actions[step] = every.action[every.first]
            if len(asked):
                out = self.net.look(self._seen[step, asked])[-1]
                legal = Legal(env.masks[asked])
                likely, logs = legal.chances(out, known.column)
                drawn = legal.draw(likely, self.rng)
                self._actions[step, asked] = legal.action[drawn]
                self._logs[step, asked] = logs[drawn]
                self._worths[step, asked] = out[:, -1]
            env.step(self._actions[step])
            self._ended[step] = env.terminated
            self._rewards[step] = env.rewards / np.float32(self.unit)
        self.games += int(self._ended.sum())

    def learn(self, rate: float) -> None:
        """Make likelier what turned out better than thought, and think better of it (and the other way round)."""
        how = self.settings
        gains, told = advantages(self._turns, self._asked, self._worths, self._ended, self._rewards, how.memory)
        places = np.flatnonzero(told.ravel())
        seen, masks = self._seen.reshape(told.size, -1), self._masks.reshape(told.size, -1)
        actions, logs, gain = self._actions.ravel(), self._logs.ravel(), gains.ravel()
        goal = gain + self._worths.ravel()
        gain = (gain - gain[places].mean()) / (gain[places].std() + np.float32(1e-6))
        for _ in range(how.epochs):
            self.rng.shuffle(places)
            for part in np.array_split(places, how.parts):
                if not len(part):
                    continue
                layers = self.net.look(seen[part])
                wrong = self._wrong(layers[-1], Legal(masks[part]), actions[part], logs[part], gain[part], goal[part])
                self.net.change(layers, wrong, rate)

    def _wrong(self, out: Floats, legal: Legal, actions: Whole, logs: Floats, gain: Floats, goal: Floats) -> Floats:
        """By how much each number of the last layer should be less, for each row."""
        how = self.settings
        column = self.net.known.column
        likely, now = legal.chances(out, column)
        done = np.flatnonzero(legal.action == actions[legal.row])
        ratio = np.exp(now[done] - logs)
        far = np.where(gain > 0, ratio > 1 + how.clip, ratio < 1 - how.clip)  # it has changed enough already
        push = np.where(far, np.float32(0), gain * ratio)
        open_minded = -np.add.reduceat(likely * now, legal.first)
        slope = likely * (push[legal.row] + np.float32(how.curiosity) * (now + open_minded[legal.row]))
        slope[done] -= push
        wrong = np.zeros_like(out)
        np.add.at(wrong, (legal.row, column[legal.action]), slope)  # several actions can share a column
        wrong[:, -1] = np.float32(0.5) * (out[:, -1] - goal)
        wrong /= np.float32(len(out))
        return wrong

    def close(self) -> None:
        """Let the games go."""
        self.env.close()


def advantages(
    turns: Whole, asked: Flags, worths: Floats, ended: Flags, rewards: Floats, memory: float
) -> tuple[Floats, Flags]:
    """How much better each decision turned out than it was thought to be, for the seat that took it, and which of them
    that is known of: what the last decision of a seat led to is not, if its game goes on. Arrays go by step and row.

    What a decision led to is what the seat's next one is thought to be worth, or the game, if it ended before. Where
    nobody was `asked`, as there was but one thing to do, is no decision.
    """
    gains = np.zeros_like(worths)
    told = np.zeros(turns.shape, dtype=np.bool_)
    rows = np.arange(turns.shape[1])
    next_worth, next_gain = (np.zeros(rewards.shape[1:], dtype=np.float32) for _ in range(2))
    known = np.zeros(rewards.shape[1:], dtype=np.bool_)
    for step in reversed(range(len(turns))):
        over = ended[step]
        next_worth[over], next_gain[over], known[over] = rewards[step, over], 0, True
        seat = turns[step]
        told[step] = known[rows, seat] & asked[step]
        better = next_worth[rows, seat] - worths[step] + np.float32(memory) * next_gain[rows, seat]
        gains[step] = np.where(told[step], better, 0)
        here = np.flatnonzero(asked[step])
        which = here, seat[here]
        next_worth[which], next_gain[which], known[which] = worths[step, here], gains[step, here], True
    return gains, told


def train(
    learner: Learner,
    games: int,
    watch: Callable[[Learner, float], None] = lambda learner, done: None,
    seconds: float = 0,
) -> None:
    """Learn from so many games; `watch` is told after each round, and how much of it is done, from 0 to 1."""
    begun = time.monotonic()
    done = 0.0
    while done < 1:
        learner.play()
        learner.learn(learner.settings.rate * (1 - done))
        spent = (time.monotonic() - begun) / seconds if seconds else 0.0
        done = min(1.0, max(learner.games / games, spent))
        watch(learner, done)


def measure(
    net: Path, learner: Learner, options: Mapping[str, Any], against: str, games: int, deals: int
) -> dict[str, Any]:
    """How one such network does at a table of others, by the arena: 1 is a fair share of the wins, with intervals."""
    from preau.arena import enter, make_plan, run
    from preau.arena.engine import cores

    plan = make_plan(learner.game, enter(against, [f"net={net}"]), seats=learner.seats, options=options, seed=deals)
    rows = run(plan, games, workers=cores()).summary["bots"]
    row = next(one for one in rows if one["bot"] == "net")
    found = {"games": learner.games, "against": against, "played": row["games"], "deals": deals}
    return found | {name: row[name] for name in ("ratio", "ratio_low", "ratio_high")}


def picture(curve: list[dict[str, Any]], title: str, path: Path) -> None:
    """Draw how well it played while it learned. Greys that can be read on light and on dark paper, and no paper."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    ink = "#808080"
    colours: dict[Any, str] = {
        "text.color": ink,
        "axes.labelcolor": ink,
        "axes.edgecolor": ink,
        "xtick.color": ink,
        "ytick.color": ink,
    }
    with mpl.rc_context({**colours, "font.size": 11, "svg.fonttype": "none", "svg.hashsalt": "learn"}):
        figure = Figure(figsize=(7, 3.6), layout="constrained")
        axes = figure.subplots()
        for bot, colour in zip(dict.fromkeys(one["against"] for one in curve), ("#e07a1f", "#3f8fd2"), strict=False):
            row = [one for one in curve if one["against"] == bot]
            x = [one["games"] for one in row]
            axes.plot(x, [one["ratio"] for one in row], "o-", color=colour, label=f"against {bot}")
            low, high = ([one[name] for one in row] for name in ("ratio_low", "ratio_high"))
            axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.axhline(1, color=ink, linestyle="--", linewidth=1)
        axes.set(title=title, xlabel="games it has learned from", ylabel="wins, 1 is a fair share", ylim=(0, None))
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        figure.savefig(path, transparent=True, metadata={"Date": None})


WAY = 1
"""The seed of the deals that a network is measured by on the way; at the end others are dealt."""


def report(learner: Learner, arguments: argparse.Namespace, options: Mapping[str, Any]) -> None:
    """Learn, measure now and then, and write down what came of it."""
    net: Path = arguments.out / "net.onnx"
    curve: list[dict[str, Any]] = []
    begun, cpu = time.monotonic(), time.process_time()

    def look(learner: Learner, done: float) -> None:
        if done < 1 and done * arguments.looks < len(curve):
            return
        learner.net.save(net, learner.about)
        bots = arguments.against.split(",")
        for bot in bots if done == 1 else bots[:1]:
            last = done == 1
            games = arguments.match if last and bot == bots[0] else arguments.match // 4
            found = measure(net, learner, options, bot, games, arguments.deals if last else WAY)
            curve.append(found)
            print(
                f"{learner.games:7} games, {time.monotonic() - begun:5.0f} s: against {bot} "
                f"{found['ratio']:.2f} times its fair share ({found['ratio_low']:.2f} to {found['ratio_high']:.2f})",
                flush=True,
            )

    look(learner, 0)
    train(learner, arguments.games, look, arguments.minutes * 60)
    facts = {"game": learner.game, "seats": learner.seats, "options": dict(options), "seed": arguments.seed}
    facts |= {"settings": asdict(learner.settings), "seconds": round(time.monotonic() - begun)}
    facts |= {"processor_seconds": round(time.process_time() - cpu), "curve": curve}
    (arguments.out / "curve.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    try:
        picture(curve, f"{learner.game}, {learner.seats} seats", arguments.out / "curve.svg")
    except ModuleNotFoundError as missing:
        print(f"no picture: that needs {missing.name} (pip install matplotlib)")
    print(f"the network is in {net}")


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, help="as many as is usual, if not given")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule; repeatable")
    parser.add_argument("--games", type=int, default=100_000, help="how many it learns from")
    parser.add_argument(
        "--minutes", type=float, default=0, help="stop after so many; the network then depends on speed"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reward", choices=["win", "rank", "score"], default=Settings.reward)
    parser.add_argument("--width", type=int, default=Settings.width)
    parser.add_argument("--against", default="greedy,hard", help="who it is measured by; the first one also on the way")
    parser.add_argument(
        "--match", type=int, default=1200, help="games at the end with the first of them; a quarter of that otherwise"
    )
    parser.add_argument("--deals", type=int, default=3, help="a seed for the deals at the end; 1 is for those before")
    parser.add_argument("--looks", type=int, default=5, help="how often it is measured on the way")
    parser.add_argument("--out", type=Path, default=Path("runs"), help="a folder")
    arguments = parser.parse_args()
    try:
        options = read_options(arguments.option)
        settings = Settings(reward=arguments.reward, width=arguments.width)
        learner = Learner(arguments.game, arguments.seats, options, arguments.seed, settings)
        report(learner, arguments, options)
        learner.close()
    except PreauError as error:
        parser.exit(2, f"learn: {error}\n")


if __name__ == "__main__":
    main()
