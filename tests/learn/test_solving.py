"""Solving puzzles: every winning way is accepted, hints go on from wherever one is, and nothing hidden plays a part."""

from __future__ import annotations

from random import Random

import pytest

import preau
from preau.core import LANGUAGES, ActionError
from preau.core.errors import NotYourTurn
from preau.core.themes import Count, Goal
from preau.learn.grading import judge
from preau.learn.puzzles import Puzzle, puzzles
from preau.learn.solving import Idea, solve
from tests.support import is_sentence

GAMES = [name for name in preau.game_ids() if preau.game(name).themes]
NAMES = ["Ann", "Bo", "Cléo", "Dan", "Eve"]
ALIKE = 2
"""Other positions that look the same to the seat."""


def words(puzzle: Puzzle, idea: Idea, language: str) -> list[str]:
    """What an idea says, piece by piece."""
    texts = preau.game(puzzle.game).texts(language)
    said = [idea.do, *idea.reasons] if idea.do else idea.reasons
    return [texts.say(one["key"], {"seat": puzzle.seat, **one}, NAMES, puzzle.seat) for one in said]


@pytest.mark.parametrize("name", GAMES)
def test_every_puzzle_is_solved_by_its_line_and_told_in_both_languages(name):
    for puzzle in puzzles(name):
        found = solve(puzzle, puzzle.line)
        assert (found.walked.verdict, found.walked.legal) == ("done", ())
        assert [idea.action for idea in found.line] == list(puzzle.line)
        assert found.figures is not None
        for idea in found.line:
            assert idea.do is not None, (puzzle.id, idea.action)
            for language in LANGUAGES:
                assert all(text and "{" not in text for text in words(puzzle, idea, language))
        assert any(idea.reasons for idea in found.line) or len(puzzle.best) == 1


@pytest.mark.parametrize("name", GAMES)
def test_it_is_seen_from_its_seat_step_by_step(name):
    for puzzle in puzzles(name)[::3]:
        view = puzzle.state().view(puzzle.seat)
        begun = solve(puzzle, []).walked
        assert [(one.view, one.events) for one in begun.moments] == [(view, [])]
        assert list(begun.legal) == [one.text for one in puzzle.state().legal(puzzle.seat)]
        first = solve(puzzle, puzzle.line[:1]).walked
        assert [one.actor for one in first.moments] == [puzzle.seat]
        assert first.moments[0].number == 2


@pytest.mark.parametrize("name", GAMES)
def test_every_other_right_choice_is_followed_to_its_own_end(name):
    """Whoever begins another way gets hints for that way, and the solution from there."""
    several = [one for one in puzzles(name) if len(one.best) > 1]
    assert several
    for puzzle in several[:6]:
        for first in puzzle.best[:4]:
            taken = [first]
            while (hinted := solve(puzzle, taken, "hint")).walked.verdict == "going":
                assert hinted.since == len(taken)
                assert 1 <= hinted.right <= len(hinted.walked.legal)
                [idea] = hinted.line
                taken.append(idea.action)
            assert hinted.walked.verdict == "done"
            rest = solve(puzzle, [first], "solution")
            way = [idea.action for idea in rest.line]
            assert judge(puzzle, way if rest.walked.verdict == "done" else [first, *way]) == "reached"


@pytest.mark.parametrize("name", GAMES)
def test_a_wrong_choice_leads_astray_and_says_what_it_is_worth(name):
    for puzzle in puzzles(name)[1::3]:
        wrong = [one.text for one in puzzle.state().legal(puzzle.seat) if one.text not in puzzle.best]
        found = solve(puzzle, wrong[:1])
        assert (found.walked.verdict, found.walked.legal, found.line) == ("astray", (), [])
        assert found.walked.moments[-1].actor == puzzle.seat, "what came of it is seen"
        assert found.against is not None
        assert found.against.action == wrong[0]
        for language in LANGUAGES:
            assert all(words(puzzle, found.against, language))
        assert found.figures is not None
        if not isinstance(puzzle.about(), Goal):
            assert found.figures.yours is not None
            assert found.figures.yours < found.figures.best
        way = solve(puzzle, wrong[:1], "solution")
        assert way.since == 0
        assert judge(puzzle, [idea.action for idea in way.line]) == "reached"
        assert solve(puzzle, wrong[:1], "hint").line == [], "what was wrong is to be taken back first"


def test_figures_are_those_of_the_proof():
    for name in GAMES:
        for puzzle in puzzles(name):
            proof, figures = puzzle.proof, solve(puzzle, puzzle.line).figures
            assert figures is not None
            assert (figures.kind, figures.yours) == (proof["kind"], None)
            if figures.kind == "turn":
                assert (figures.many, figures.good) == (proof["ways"], proof["winning"])
            elif figures.kind == "count":
                assert figures.many == proof["cases"]
                assert figures.best > figures.next
            else:
                assert figures.best == proof["chances"][puzzle.best[0]][0]
                assert figures.best - figures.next >= 0.05


@pytest.mark.parametrize("name", [name for name in GAMES if preau.game(name).secrets])
def test_positions_that_look_the_same_give_the_same_answers(name):
    """The true position plays no part: neither in what is shown, nor in verdicts, hints, reasons or figures."""
    game, rng = preau.game(name), Random(7)
    differ = 0
    for puzzle in puzzles(name)[5::4]:
        state = puzzle.state()
        wrong = next(one.text for one in state.legal(puzzle.seat) if one.text not in puzzle.best)
        questions = [([], "hint"), ([], "solution"), (puzzle.line, ""), ([wrong], "")]
        answers = [solve(puzzle, actions, wish) for actions, wish in questions]  # type: ignore[arg-type]
        sampler = game.sampler(state.view(puzzle.seat))
        for _ in range(ALIKE):
            other = sampler.draw(rng).to_json()
            differ += other != dict(puzzle.position)
            twin = puzzle._replace(position=other)
            assert [solve(twin, actions, wish) for actions, wish in questions] == answers  # type: ignore[arg-type]
    assert differ > 15


@pytest.mark.parametrize("name", GAMES)
def test_what_is_not_legal_or_comes_too_late_is_refused(name):
    puzzle = puzzles(name)[0]
    with pytest.raises(ActionError):
        solve(puzzle, ["nonsense"])
    with pytest.raises(NotYourTurn, match="ended"):
        solve(puzzle, [*puzzle.line, puzzle.line[0]])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_choice_is_worth_has_words(language):
    for name in GAMES:
        game = preau.game(name)
        texts = game.texts(language)
        for theme in game.themes.values():
            if isinstance(theme, Count):
                params = {"worth": "2.5", "minus": "-2.5", "percent": "250", "n": 2.5}
                said = texts.say(f"puzzle.{theme.name}.worth", params)
                assert any(number in said for number in ("2.5", "250"))
            if f"puzzle.{theme.name}.more" in texts:
                assert is_sentence(texts.say(f"puzzle.{theme.name}.more"))
