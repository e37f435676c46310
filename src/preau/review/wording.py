"""Hints and reviews in words."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from pathlib import Path

from ..core.errors import DataError
from ..core.game import Game
from ..core.intervals import Z95
from ..core.registry import find_game
from ..core.state import Json
from ..core.texts import Texts
from .hint import Hint, Idea
from .shapes import Decision, Review, Turning

TEXTS = Path(__file__).parent / "texts"


def say(hint: Hint, language: str = "en", names: Sequence[str] = ()) -> list[str]:
    """A hint as one or two sentences in the words of its game, to the seat that asked."""
    game = find_game(hint["game"])
    texts = Texts.read(TEXTS, language)
    said = _Saying(game, language, names, hint["seat"], hint["seat"])
    lines = [_capital(said.idea(texts, "idea", hint))]
    other = hint["otherwise"]
    if other is not None and other["reasons"]:
        lines.append(said.idea(texts, "close" if hint["close"] else "otherwise", other))
    return lines


def chance(hint: Idea, language: str = "en") -> str:
    """How likely the action is to win, in a sentence."""
    return Texts.read(TEXTS, language).say("chance", {"percent": round(100 * hint["value"])})


def say_decision(
    review: Review, decision: Decision, language: str = "en", names: Sequence[str] = (), reader: int | None = None
) -> list[str]:
    """What an action has cost, and what would have been better and why; nothing of a decision that was not beyond doubt
    worse than the best. Only the `reader` is spoken to as "you", all others are called by their names.
    """
    if decision["called"] not in ("inaccuracy", "mistake"):
        return []
    texts = Texts.read(TEXTS, language)
    said = _Saying(find_game(review["game"]), language, names, decision["seat"], reader)
    instead: Idea = {
        "action": decision["best"],
        "do": decision["do"],
        "value": decision["chance"],
        "reasons": decision["reasons"],
        "but": decision["but"],
    }
    cost = texts.say(f"cost.{decision['called']}", points(decision["regret"], decision["error"]))
    return [cost, said.idea(texts, "better", instead)]


def say_turning(turning: Turning, language: str = "en", names: Sequence[str] = ()) -> str:
    """What a turning point has changed, in a sentence."""
    params: Json = {
        **points(turning["change"], turning["error"]),
        "actor": turning["actor"],
        "seat": turning["seat"],
        "own": "yes" if turning["actor"] == turning["seat"] else "no",
        "way": "up" if turning["change"] > 0 else "down",
    }
    return Texts.read(TEXTS, language).say(f"turning.{turning['cause']}", params, names)


def points(change: float, error: float) -> Json:
    """A change of a chance in points, and how far off it may be, with 95 % confidence.

    >>> points(-0.123, 0.011)
    {'points': 12, 'error': 3}
    """
    return {"points": round(100 * abs(change)), "error": ceil(100 * Z95 * error)}


class _Saying:
    """The words of one game about what a seat may choose, to one reader."""

    def __init__(self, game: Game, language: str, names: Sequence[str], seat: int, reader: int | None) -> None:
        self._texts = game.texts(language)
        self._names = names
        self._seat = seat
        self._reader = reader

    def idea(self, texts: Texts, key: str, idea: Idea) -> str:
        """What to do, and why."""
        what = self._words(idea["do"]) or idea["action"]
        why = [words for reason in idea["reasons"] if (words := self._words(reason))]
        params: Json = {"do": what.rstrip("."), **dict(zip(("why", "more"), why, strict=False))}
        return texts.say(f"{key}.but" if idea["but"] and len(why) > 1 else f"{key}.{len(why)}", params)

    def _words(self, said: Json | None) -> str:
        """A message of the game's; nothing where it has no word for a card that somebody brought along."""
        try:
            about = {"seat": self._seat, **(said or {})}
            return self._texts.say(said["key"], about, self._names, self._reader) if said else ""
        except DataError:
            return ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
