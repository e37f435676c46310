"""The process that a bot from a file lives in, spoken to in lines of JSON.

It is started as `python -m preau.bots.file_bot_process FILE CLASS` (`file_bot.py`). It says hello or what is wrong with
the file, then answers questions until its input ends.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, TextIO

from ..core.state import Action, Json
from .base import Bot, Seen


def main(path: str, name: str) -> None:
    """Load the bot, then play."""
    out = _keep_stdout_clean()
    try:
        bot = load(Path(path), name)
    except _Wrong as error:
        _say(out, {"error": str(error), "hint": error.hint})
        return
    _say(out, {"wants_view": bot.wants_view, "wants_events": bot.wants_events})
    history: Sequence[Json] = ()
    for line in sys.stdin:
        question = json.loads(line)
        seen = Seen.from_json(question["seen"], Random(question["seed"]), history)
        history = seen.history
        _say(out, _answer(bot, seen))


class _Wrong(Exception):
    """What is wrong with a bot's file."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def load(path: Path, name: str) -> Bot:
    """The bot made from the class `name` of a file."""
    spec = importlib.util.spec_from_file_location("mybot", path)
    if spec is None or spec.loader is None:
        raise _Wrong(f"{path.name} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise _Wrong(f"{path.name} cannot be loaded: {_told(error, path)}") from None
    found: Any = getattr(module, name, None)
    if found is None:
        classes = [one for one, what in vars(module).items() if isinstance(what, type) and issubclass(what, Bot)]
        listed = ", ".join(one for one in classes if one != "Bot") or "none"
        raise _Wrong(f"{path.name} has no class {name}", f"Its bots: {listed}.")
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise _Wrong(f"{name} in {path.name} is no Bot", "Write class " + name + "(preau.bots.Bot).")
    try:
        return found()
    except BaseException as error:
        raise _Wrong(
            f"{name} cannot be made: {_told(error, path)}", "It must be possible to make one without arguments."
        ) from None


def _answer(bot: Bot, seen: Seen) -> Json:
    try:
        chosen = bot.choose(seen)
    except Exception as error:
        return {"error": f"{type(bot).__name__} broke down: {_told(error, None)}"}
    if not isinstance(chosen, Action):
        return {"error": f"{type(bot).__name__} returned no action", "hint": "A bot returns one of seen.legal."}
    return {"action": chosen.text}


def _told(error: BaseException, path: Path | None) -> str:
    """An error in a few words, with the line of the bot's file it came from."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if path is None or frame.filename == str(path)
    ]
    if isinstance(error, SyntaxError):
        lines.append(error.lineno)
    where = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {error}{where}"


def _keep_stdout_clean() -> TextIO:
    """Answers go out on a pipe of their own; what the bot prints goes to the error output."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return out


def _say(out: TextIO, data: Json) -> None:
    """Answer; if nobody is there to hear it any more, end without a word."""
    try:
        out.write(json.dumps(data) + "\n")
        out.flush()
    except OSError:
        os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
