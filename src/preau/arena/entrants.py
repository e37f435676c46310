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
from ..core.errors import SetupError


class Entrant(NamedTuple):
    """A bot under the name it has in the tables.

    `spec` is what `make_bot` makes it from. A bot from a file carries the file's text with it, so that it can play on
    other machines and so that results of an older text are not taken for results of this one.
    """

    name: str
    spec: str
    source: str = ""

    @property
    def digest(self) -> str:
        """What tells this text of a bot's file from another; empty for bots that ship."""
        return sha256(self.source.encode()).hexdigest()[:16] if self.source else ""

    def make(self) -> Bot:
        """A new bot of this kind."""
        return make_bot(self._with_file() if self.source else self.spec)

    def _with_file(self) -> str:
        """The spec, with a file that holds exactly the text we know: the original, or a copy on this machine."""
        path, _, cls = self.spec.rpartition(":")
        original = Path(path)
        if _text(original) == self.source:
            return self.spec
        copy = Path(gettempdir()) / f"preau-bot-{self.digest}" / original.name
        if _text(copy) != self.source:
            copy.parent.mkdir(exist_ok=True)
            draft = copy.with_name(f"{copy.name}.{os.getpid()}.part")
            draft.write_bytes(self.source.encode())
            draft.replace(copy)
        return f"{copy}:{cls}"


def enter(bots: str = "", files: Sequence[str] = ()) -> list[Entrant]:
    """The entrants meant by `--bots a,b*2` and any number of `--bot [NAME=]path/to/mybot.py:MyBot`, one a seat.

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
    if ".py:" in name.lower():
        return _from_file(name)
    word = name.lower()
    _try(word, "--bots")
    return Entrant(word, word)


def _from_file(text: str) -> Entrant:
    name, equals, spec = text.partition("=")
    if not equals:
        name, spec = "", text
    path, _, cls = spec.strip().rpartition(":")
    if not path.lower().endswith(".py"):
        raise SetupError(f"{text!r} is no bot's file", field="--bot", hint="Write path/to/mybot.py:MyBot.")
    if re.search(r"[\s#*,]", name.strip()):
        raise SetupError(f"{name!r} is no name for a bot", field="--bot", hint="It takes no spaces, #, * or commas.")
    source = _text(Path(path))
    if source is None:
        raise SetupError(f"{path} cannot be read", field="--bot", hint="Write path/to/mybot.py:MyBot.")
    _try(spec.strip(), "--bot")
    return Entrant(name.strip() or cls.strip(), spec.strip(), source)


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


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None
