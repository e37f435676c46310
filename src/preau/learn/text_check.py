"""Whether a family of a game's texts is there in both languages, no text more or less."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.errors import PreauError
from ..core.game import Game
from ..core.texts import LANGUAGES


def text_faults(game: Game, family: str, wanted: set[str], params: Mapping[str, Any]) -> list[str]:
    """What of the texts `<family>....` is missing, cannot be said, or is wanted by nobody."""
    found = []
    for language in LANGUAGES:
        texts = game.texts(language)
        for key in sorted(wanted):
            try:
                texts.say(key, params)
            except PreauError as error:
                found.append(f"{language}: {error}")
        spare = {key for key in texts.messages if key.startswith(f"{family}.")} - wanted
        found += [f"{language}: nothing says {key!r}" for key in sorted(spare)]
    return found
