"""The figures of a rule book, played: what they show, and whether what they claim is so."""

from __future__ import annotations

from typing import NamedTuple

from ..core.book import INTRO, WORDS, Figure
from ..core.errors import ActionError, PreauError
from ..core.game import Game
from ..core.lessons import happens
from ..core.shapes import faults
from ..core.state import Json
from .text_check import text_faults


class Drawn(NamedTuple):
    """What there is to draw: the views of the moments that are shown, everything that happens on the way as the seat
    sees it, and how the game ended if it did.
    """

    views: list[Json]
    events: list[Json]
    result: Json | None


def draw(game: Game, figure: Figure) -> Drawn:
    """Play a figure from its position on; raises a `PreauError` where it does not fit the rules."""
    state = game.load(figure.position)
    views, events = [state.view(figure.seat)], []
    for actor, text in figure.way:
        done = state.apply(actor, state.check(actor, text))
        events += [event.seen_by(figure.seat) for event in done]
        views.append(state.view(figure.seat))
    return Drawn([views[at] for at in figure.at], events, state.result().to_json() if state.over else None)


def book_faults(game: Game) -> list[str]:
    """What is wrong with the figures of a game, a sentence each; nothing of a game without any."""
    found = [f"{figure.name}: {fault}" for figure in game.book for fault in figure_faults(game, figure)]
    wanted = {f"book.{figure.name}.{word}" for figure in game.book for word in WORDS}
    wanted |= {INTRO} if game.book else set()
    return found + text_faults(game, "book", wanted, {})


def figure_faults(game: Game, figure: Figure) -> list[str]:
    """What a figure says that is not so."""
    found = [f"there is no rule {rule}" for rule in figure.rules if f"rule.{rule}" not in game.texts("en")]
    shape = getattr(game.part("shapes"), "Picture", None)
    found += [] if shape is None else faults(figure.picture, shape, "picture")
    try:
        start = game.load(figure.position)
        events = draw(game, figure).events
        found += [f"{thing} does not happen" for thing in figure.happens if not happens(thing, "", events)]
        for action in figure.open:
            start.check(figure.seat, action)
    except PreauError as error:
        return [*found, str(error)]
    for action, rule in figure.refused.items():
        try:
            start.check(figure.seat, action)
        except ActionError as error:
            found += [] if error.rule == rule else [f"{action!r} is refused by {error.rule}, not {rule}: {error}"]
        else:
            found.append(f"{action!r} is legal")
    return found
