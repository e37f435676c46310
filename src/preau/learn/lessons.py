"""Whether the lesson of a game still fits its rules and its texts: every exercise is played, right and wrong."""

from __future__ import annotations

from ..core.errors import PreauError
from ..core.game import Game
from ..core.lessons import ALWAYS, SEATS, Exercise
from .practice import Walked, walk
from .text_check import text_faults


def lesson_faults(game: Game) -> list[str]:
    """What is wrong with the lesson of a game, a sentence each; nothing of a game without one."""
    found = [fault for exercise in game.lessons for fault in exercise_faults(game, exercise)]
    wanted = {f"lesson.{one.name}.{word}" for one in game.lessons for word in _words(one)}
    return found + text_faults(game, "lesson", wanted, SEATS)


def exercise_faults(game: Game, exercise: Exercise) -> list[str]:
    """What is wrong with an exercise, played along its way and into everything that something is said of."""
    found = []
    for count in range(len(exercise.way) + 1):
        wanted = "done" if count == len(exercise.way) else "going"
        found += _unless(game, exercise, exercise.way[:count], wanted)
    for wrong in exercise.wrong:
        found += _unless(game, exercise, wrong.tries, "astray", wrong.said)
    return found


def _unless(game: Game, exercise: Exercise, actions: tuple[str, ...], verdict: str, said: str = "") -> list[str]:
    """A fault, unless these actions lead there."""
    where = f"{exercise.name}: after {', '.join(actions) or 'nothing'}"
    try:
        walked: Walked = walk(game, exercise, actions)
    except PreauError as error:
        return [f"{where}: {error}"]
    if (walked.verdict, walked.said) != (verdict, said):
        return [f"{where} it is {walked.verdict} {walked.said}".rstrip() + f", not {verdict} {said}".rstrip()]
    if verdict == "going" and not walked.legal:
        return [f"{where} the learner is not asked"]
    return []


def _words(exercise: Exercise) -> set[str]:
    return {*ALWAYS, *(wrong.said for wrong in exercise.wrong)}
