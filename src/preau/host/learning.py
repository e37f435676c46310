"""Exercises and puzzles in the words of the wire."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.registry import find_game
from ..learn.practice import Moment, Walked, walk
from ..learn.puzzles import Puzzle, puzzles
from ..learn.solving import Idea, Solving, Wish, solve
from ..table import protocol
from ..table.refusals import Unknown


def exercised(game: str, name: str, actions: Sequence[str]) -> protocol.Practised:
    """How an exercise of a game's lesson stands after what the learner has done in it."""
    found = find_game(game)
    exercise = next((one for one in found.lessons if one.name == name), None)
    if exercise is None:
        raise Unknown("there is no such exercise", field="exercise", hint="GET /api/games names them.")
    return practised(exercise.seat, walk(found, exercise, actions))


def listed(game: str) -> list[protocol.PuzzleInfo]:
    """The puzzles of a game, without their solutions."""
    return [
        protocol.PuzzleInfo(id=one.id, theme=one.theme, difficulty=one.difficulty, seat=one.seat, task=dict(one.task))
        for one in puzzles(find_game(game).id)
    ]


def puzzled(game: str, name: str, actions: Sequence[str], wish: Wish) -> protocol.Practised:
    """How a puzzle stands after what the solver has done."""
    puzzle = find_puzzle(game, name)
    found = solve(puzzle, actions, wish)
    answer = practised(puzzle.seat, found.walked)
    if wish or found.walked.verdict != "going":
        answer.solution = _solution(found)
    return answer


def practised(seat: int, walked: Walked) -> protocol.Practised:
    """How an exercise or a puzzle stands."""
    return protocol.Practised(
        seat=seat,
        moments=[_moment(one) for one in walked.moments],
        legal=list(walked.legal),
        verdict=walked.verdict,
        said=walked.said,
        show=walked.show,
        result=walked.result,
    )


def find_puzzle(game: str, name: str) -> Puzzle:
    """The puzzle of a game with this id."""
    found = next((one for one in puzzles(find_game(game).id) if one.id == name), None)
    if found is None:
        hint = f"GET /api/games/{game}/puzzles names them."
        raise Unknown("there is no such puzzle", field="id", key="no_puzzle", hint=hint)
    return found


def _moment(one: Moment) -> protocol.Moment:
    return protocol.Moment(
        number=one.number,
        actor=one.actor,
        events=one.events,
        view=one.view,
        prompt=one.prompt,
        to_act=list(one.to_act),
    )


def _solution(found: Solving) -> protocol.SolutionInfo:
    return protocol.SolutionInfo(
        line=[_told(idea) for idea in found.line],
        point=max(range(len(found.line)), key=lambda at: found.line[at].weight, default=0),
        since=found.since,
        right=found.right,
        against=_told(found.against) if found.against else None,
        figures=protocol.FiguresInfo(**found.figures._asdict()) if found.figures else None,
    )


def _told(idea: Idea) -> protocol.Told:
    return protocol.Told(action=idea.action, do=idea.do, reasons=idea.reasons, but=idea.but)
