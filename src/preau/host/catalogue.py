"""What is on offer: the games as they describe themselves, in the words of the wire."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from ..bots.registry import bots_for
from ..core.game import Game
from ..core.options import Option
from ..core.registry import find_game, leave_out, on_offer
from ..core.texts import LANGUAGES
from ..games import names
from ..learn.puzzles import puzzles
from ..table import protocol
from ..table.chance import reaction
from ..table.refusals import Unknown

_BY_LOT = {"seat": ("random",)}
"""Values that every option of a type takes."""


def catalogue(own: Mapping[str, Sequence[str]] | None = None) -> list[protocol.GameInfo]:
    """All games, in the order they are offered in, with the bots that the host brings along, by game.

    A game of a package that cannot be described or sent is left out; `registry.broken` then names it.
    """
    found = []
    for game in on_offer():
        try:
            info = game_info(game, (own or {}).get(game.id, ()))
            protocol.encode(info)
            found.append(info)
        except (Exception, SystemExit) as error:
            leave_out(game, error)
    return found


def game_info(game: Game, own: Sequence[str] = ()) -> protocol.GameInfo:
    """All that is needed to offer a game."""
    levels = [*bots_for(game.id), *own]
    facts = game.facts
    usual = facts.usual
    return protocol.GameInfo(
        id=game.id,
        titles=protocol.Words(**{language: game.titles[language] for language in LANGUAGES}),
        about=_words(game, "about"),
        seats=list(game.seats),
        rules=game.rules_version,
        usual=protocol.UsualTable(seats=usual.seats, level=usual.level, options=dict(usual.options)),
        chapters=[_chapter(game, name, first) for name, first in facts.chapters],
        options=[_option(game, option) for option in game.options],
        secrets=game.secrets,
        settle_ties=facts.settle_ties,
        picture=_picture(game),
        bots=levels,
        lesson=[exercise.name for exercise in game.lessons],
        puzzles=len(puzzles(game.id)),
        challenge=_challenge(game),
        gallery=game.gallery is not None,
        on_device=game.id in names(),
        reactions={level: list(reaction(level)) for level in levels} if facts.races else {},
    )


def rules_of(name: str, language: str) -> protocol.RuleTexts:
    """The rules of a game by id."""
    messages = texts_of(name, language).messages
    found = {key.removeprefix("rule."): text for key, text in messages.items() if key.startswith("rule.")}
    return protocol.RuleTexts(game=name, language=language, rules=found)  # type: ignore[arg-type]


def texts_of(name: str, language: str) -> protocol.GameTexts:
    """All messages of a game: events, prompts, reasons, rules, names of things."""
    known_language(language)
    messages = find_game(name).texts(language).messages
    return protocol.GameTexts(game=name, language=language, messages=messages)  # type: ignore[arg-type]


def known_language(language: str) -> str:
    """The language, if we speak it."""
    if language not in LANGUAGES:
        raise Unknown("there are no texts in that language", field="language", hint="Try en or fr.")
    return language


def gallery_of(game: Game) -> protocol.Gallery | None:
    """Everything in the box of a game; None if it shows nothing."""
    if game.gallery is None:
        return None
    boxes = [
        protocol.Box(name=box.name, things=[protocol.Thing(**thing._asdict()) for thing in box.things])
        for box in game.gallery.boxes
    ]
    return protocol.Gallery(game=game.id, option=game.gallery.option, boxes=boxes)


def _words(game: Game, key: str) -> protocol.Words | None:
    """A text of the game in both languages, if it has it."""
    texts = {language: game.texts(language) for language in LANGUAGES}
    if not all(key in one for one in texts.values()):
        return None
    return protocol.Words(**{language: one.say(key) for language, one in texts.items()})


def _challenge(game: Game) -> protocol.ChallengePlan | None:
    plan, about = game.challenge, _words(game, "challenge.about")
    if plan is None or about is None:
        return None
    return protocol.ChallengePlan(seat=plan.seat, levels=list(plan.levels), options=dict(plan.options), about=about)


def _chapter(game: Game, name: str, first: str) -> protocol.Chapter:
    plain = protocol.Words(**dict.fromkeys(LANGUAGES, name.capitalize()))
    return protocol.Chapter(name=name, first=first, title=_words(game, f"chapter.{name}") or plain)


def _option(game: Game, option: Option) -> protocol.GameOption:
    key = f"option.{option.name}"
    return protocol.GameOption(
        name=option.name,
        type=option.type,
        default=option.default,
        choices=list(option.choices),
        named=list(option.named),
        low=option.low,
        high=option.high,
        rule=option.rule,
        title=_words(game, key),
        about=_words(game, f"{key}.about") or protocol.Words(en=option.en, fr=option.fr),
        values=_values(game, key, (*option.choices, *option.named, option.default, *_BY_LOT.get(option.type, ()))),
    )


def _values(game: Game, key: str, values: Sequence[Any]) -> dict[str, protocol.Words]:
    """What the values are called that have a name."""
    named = ((str(value), _words(game, f"{key}.{value}")) for value in values)
    return {value: words for value, words in named if words is not None}


def _picture(game: Game) -> str:
    """The address of its picture; it changes with the picture, so browsers may keep what they have."""
    if game.picture is None:
        return ""
    version = hashlib.sha256(game.picture.read_bytes()).hexdigest()[:12]
    return f"/api/games/{game.id}/picture?v={version}"
