"""Learning by self-play in a page: a linear policy that learns to win by playing all seats of many games at once.

    python examples/self_play.py bagarre --seats 2 --steps 2000

It needs what `preau[rl]` brings, nothing else. Of every game that ends, each seat's decisions become more likely if the
game was worth something to it, and less if not (REINFORCE). At the end it plays against bots that choose at random.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from preau.adapters.vector import Games, LearnerGames

Weights = NDArray[np.float32]
Moment = tuple[NDArray[np.float32], NDArray[np.float32]]
"""What was seen, and how the chances of all actions are to change if it ends well."""


def chances(weights: Weights, seen: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float32]:
    """How likely each action is to be taken; what is illegal never is."""
    logits = np.where(masks, seen @ weights, -np.inf)
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    found: NDArray[np.float32] = (likely / likely.sum(axis=1, keepdims=True)).astype(np.float32)
    return found


def draw(likely: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.int64]:
    """One action a row, each as likely as it says (by the trick with Gumbel's noise)."""
    with np.errstate(divide="ignore"):
        drawn: NDArray[np.int64] = np.argmax(np.log(likely) + rng.gumbel(size=likely.shape), axis=1)
    return drawn


def learn(game: str, seats: int, rows: int, steps: int, seed: int, rate: float = 0.05) -> Weights:
    """Play so many decisions in each of so many games, and learn from every game that ends."""
    rng = np.random.default_rng(seed)
    with Games(game, rows, seats=seats) as games:
        games.reset(seed=seed)
        weights: Weights = np.zeros((games.layout.size, len(games.setting.actions)), dtype=np.float32)
        told: list[list[list[Moment]]] = [[[] for _ in range(seats)] for _ in range(rows)]
        for _ in range(steps):
            seen = games.floats()
            likely = chances(weights, seen, games.masks)
            actions = draw(likely, rng)
            push = -likely
            push[np.arange(rows), actions] += 1
            for row, seat in enumerate(games.turns.tolist()):
                told[row][seat].append((seen[row], push[row]))
            games.step(actions)
            for row in np.flatnonzero(games.terminated).tolist():
                for seat, moments in enumerate(told[row]):
                    if moments:
                        looks, pushes = (np.stack(part) for part in zip(*moments, strict=True))
                        weights += rate / len(moments) * games.rewards[row, seat] * (looks.T @ pushes)
                told[row] = [[] for _ in range(seats)]
    return weights


def wins(game: str, seats: int, weights: Weights, rows: int, steps: int, seed: int) -> tuple[float, int]:
    """The share of games won against bots that choose at random (shared wins are parts of one), of how many."""
    env = LearnerGames(game, rows, seats=seats, bots="random", seat=None)
    rng = np.random.default_rng(seed)
    seen, infos = env.reset(seed=seed)
    worth: list[float] = []
    for _ in range(steps):
        actions = draw(chances(weights, seen, infos["action_mask"].astype(np.bool_)), rng)
        seen, rewards, terminated, _, infos = env.step(actions)
        worth += rewards[terminated].tolist()
    env.close()
    return (float(np.mean(worth)) * (seats - 1) + 1) / seats, len(worth)


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rows", type=int, default=64)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    weights = learn(args.game, args.seats, args.rows, args.steps, args.seed)
    share, games = wins(args.game, args.seats, weights, args.rows, max(200, args.steps // 2), args.seed + 1)
    chance = 1 / args.seats
    print(f"{args.game}, {args.seats} seats: wins {share:.1%} of {games} games against random ({chance:.1%} by chance)")


if __name__ == "__main__":
    main()
