"""Finding a bot by a word: a name, a name with a budget, or a file with a class or a network in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ..core.errors import SetupError
from ..core.game import Game
from .base import Bot, Budget
from .evaluate.judges import file
from .levels import LEVELS, LevelBot
from .net import NetBot, is_net
from .packages import brought
from .simple import GROUP as GREEDY
from .simple import GreedyBot, RandomBot, has_rules_of_thumb, rules_of_thumb

BOTS: Mapping[str, Callable[[], Bot]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    **{level: partial(LevelBot, level) for level in LEVELS},
}
"""The bots that ship, by name."""


def make_bot(spec: str) -> Bot:
    """A new bot from its name (`hard`), its name and a budget (`hard@200`, `hard@0.5s`) or a file (`my.py:MyBot`,
    `net.onnx`).

    A bot from a file of Python runs in a process of its own and is sent plain data only; a network is only data.

    >>> make_bot("hard@200").budget
    Budget(simulations=200, seconds=0.0)
    """
    word = spec.strip()
    if ".py:" in word.lower():
        from .file_bot import FileBot  # threads and processes, which not every place has

        return FileBot(word)
    if is_net(word):
        return NetBot(word)
    name, at, budget = word.lower().partition("@")
    if name not in BOTS:
        raise SetupError(
            f"there is no bot {spec!r}",
            field="bot",
            hint="There are " + ", ".join(BOTS) + "; a bot of your own is path/to/mybot.py:MyBot or path/to/net.onnx.",
        )
    if not at:
        return BOTS[name]()
    if name not in LEVELS:
        raise SetupError(
            f"{name} does not think, so it takes no budget", field="bot", hint="Levels do: " + ", ".join(LEVELS) + "."
        )
    return LevelBot(name, Budget.read(budget))


def check_package(game: Game) -> None:
    """Read what the package of a game brings for bots, and the levels its files name. Raises a `SetupError`."""
    if brought(GREEDY, game.id) is not None:
        rules_of_thumb(game.id)
    file(game.id)
    named = {"facts.json: usual.level": [game.facts.usual.level]}
    if game.challenge is not None:
        named["challenge.json: bots"] = list(game.challenge.bots)
    for field, levels in named.items():
        for level in levels:
            if level not in BOTS:
                raise SetupError(f"there is no bot {level!r}", field=field, hint="There are " + ", ".join(BOTS) + ".")


def bots_for(game: str) -> list[str]:
    """The names of those that can play a game: all of them, the greedy one only where there are rules of thumb."""
    return [name for name in BOTS if BOTS[name] is not GreedyBot or has_rules_of_thumb(game)]
