"""Who takes part: bots by name, or from a file of one's own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from typing import NamedTuple

from ..bots import Bot, make_bot
from ..bots.net import is_net
from ..core.errors import SetupError
from ..core.state import State

FILES = "Write path/to/mybot.py:MyBot or path/to/net.onnx."


class Entrant(NamedTuple):
    """A bot under the name it has in the tables.

    `spec` is what `make_bot` makes it from. A bot from a file carries the file with it, so that it can play on other
    machines and so that results of an older file are not taken for results of this one.
    """

    name: str
    spec: str
    source: bytes = b""

    @property
    def digest(self) -> str:
        """What tells this file of a bot from another; empty for bots that ship."""
        return sha256(self.source).hexdigest()[:16] if self.source else ""

    def make(self) -> Bot:
        """A new bot of this kind."""
        return make_bot(self._with_file() if self.source else self.spec)

    def check(self, start: State) -> None:
        """Refuse a game or house rules that it was not made for."""
        bot = self.make()
        try:
            bot.check(start.game, start.seats, start.options)
        finally:
            bot.close()

    def _with_file(self) -> str:
        """The spec, with a file that holds exactly what we know: the original, or a copy on this machine."""
        path, cls = _parts(self.spec)
        if _content(path) == self.source:
            return self.spec
        copy = Path(gettempdir()) / f"preau-bot-{self.digest}" / path.name
        if _content(copy) != self.source:
            copy.parent.mkdir(exist_ok=True)
            draft = copy.with_name(f"{copy.name}.{os.getpid()}.part")
            draft.write_bytes(self.source)
            draft.replace(copy)
        return f"{copy}:{cls}" if cls else str(copy)


def enter(bots: str = "", files: Sequence[str] = ()) -> list[Entrant]:
    """The entrants meant by `--bots a,b*2` and any number of `--bot [NAME=]FILE`, one a seat; a file is
    `path/to/mybot.py:MyBot` or `path/to/net.onnx`.

    A bot from a file that `bots` does not name is put in front of the others.

    >>> [entrant.name for entrant in enter("greedy,random*2")]
    ['greedy', 'random', 'random']
    """
    own = [_from_file(text) for text in files]
    known = {entrant.name: entrant for entrant in _distinct(own)}
    named = [_known(name, known) for name in _words(bots)]
    waiting = [entrant for entrant in own if entrant not in named]
    if not waiting and not named:
        raise SetupError("nobody plays", field="--bots", hint="Name bots: --bots greedy,random.")
    return _distinct([*waiting, *named])


def _words(bots: str) -> Iterable[str]:
    """The names in a list like `a,b*2`, each as often as it is meant."""
    for word in bots.split(",") if bots.strip() else ():
        name, star, times = (part.strip() for part in word.partition("*"))
        if not name or (star and not (times.isdecimal() and 1 <= int(times) <= 99)):
            raise SetupError(
                f"{word.strip()!r} is no bot", field="--bots", hint="Write a bot's name, or name*2 for two of it."
            )
        yield from [name] * int(times or 1)


def _known(name: str, own: dict[str, Entrant]) -> Entrant:
    if name in own:
        return own[name]
    if ".py:" in name.lower() or is_net(name):
        return _from_file(name)
    word = name.lower()
    _try(word, "--bots")
    return Entrant(word, word)


def _from_file(text: str) -> Entrant:
    name, equals, spec = text.partition("=")
    if not equals:
        name, spec = "", text
    path, cls = _parts(spec.strip())
    if not (is_net(path.name) or (cls and path.suffix.lower() == ".py")):
        raise SetupError(f"{text!r} is no bot's file", field="--bot", hint=FILES)
    if re.search(r"[\s#*,]", name.strip()):
        raise SetupError(f"{name!r} is no name for a bot", field="--bot", hint="It takes no spaces, #, * or commas.")
    source = _content(path)
    if source is None:
        raise SetupError(f"{path} cannot be read", field="--bot", hint=FILES)
    _try(spec.strip(), "--bot")
    return Entrant(name.strip() or cls or path.stem, spec.strip(), source)


def _try(spec: str, field: str) -> None:
    """Refuse a bot that does not exist or cannot be loaded, before anything is played."""
    try:
        make_bot(spec).close()
    except SetupError as error:
        error.field = field
        raise


def _distinct(entrants: list[Entrant]) -> list[Entrant]:
    """The entrants, unless different ones have the same name."""
    seen: dict[str, Entrant] = {}
    for entrant in entrants:
        if seen.setdefault(entrant.name, entrant) != entrant:
            raise SetupError(
                f"two bots are called {entrant.name}",
                field="--bot",
                hint="Give one another name: --bot second=path/to/mybot.py:MyBot.",
            )
    return entrants


def _parts(spec: str) -> tuple[Path, str]:
    """The file of a bot, and the class in it; a network has none."""
    if is_net(spec):
        return Path(spec), ""
    path, _, cls = spec.rpartition(":")
    return Path(path), cls.strip()


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
