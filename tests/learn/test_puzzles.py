"""Every puzzle is what it claims to be: proven anew, spread over themes and difficulties, said in both languages."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import preau
from preau.core import LANGUAGES, ActionError, DataError
from preau.core.themes import Chance, Count
from preau.learn.generate import make
from preau.learn.grading import judge
from preau.learn.proofs import check
from preau.learn.puzzles import FILE, Collection, Puzzle, find, puzzles, read
from tests.core.auction import GAME as AUCTION
from tests.support import is_sentence, parameters

GAMES = [name for name in preau.game_ids() if preau.game(name).themes]
MOST_BYTES = 200_000
SEAT_NAMES = ["Ann", "Bo", "Cléo", "Dan", "Eve"]
SAMPLE = 2
"""Of the puzzles that take long to prove, as many of each game are proven in `make test`; `make nightly` does all."""


def quick(puzzle: Puzzle) -> bool:
    return not isinstance(puzzle.about(), Chance)


def everything() -> list[Puzzle]:
    return [puzzle for name in GAMES for puzzle in puzzles(name)]


def some_estimated() -> list[Puzzle]:
    """The same few for as long as the files stay the same, and others when they change."""
    chosen = []
    for name in GAMES:
        rows = sorted((one for one in puzzles(name) if not quick(one)), key=lambda one: one.id)
        chosen += rows[:SAMPLE]
    return chosen


def tampered(puzzle: Puzzle, folder: Path) -> list[str]:
    """What is found wrong with a puzzle that was changed, after a way through a file."""
    path = folder / FILE
    path.write_text(Collection(puzzle.game, preau.game(puzzle.game).rules_version, "", (puzzle,)).dump())
    return check(read(path).puzzles[0])


# What there is.


def test_the_games_that_ship_have_puzzles():
    assert {"recess", "bagarre", "cour"} <= set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_there_are_enough_of_each(name):
    rows = puzzles(name)
    assert len(rows) >= 60
    assert len({one.id for one in rows}) == len(rows)
    assert len({json.dumps(one.position, sort_keys=True) for one in rows}) == len(rows)
    themes = Counter(one.theme for one in rows)
    assert len(themes) >= 6
    assert set(themes) == set(preau.game(name).themes)
    difficulties = Counter(one.difficulty for one in rows)
    assert min(difficulties[one] for one in (1, 2, 3)) >= 6


@pytest.mark.parametrize("name", GAMES)
def test_the_file_is_small_and_says_how_it_was_made(name):
    path = preau.game(name).folder / FILE
    assert path.stat().st_size < MOST_BYTES
    collection = read(path)
    assert collection.made_by == f"preau puzzles make {name} --seed 1 --count {len(collection.puzzles)}"
    assert collection.dump() == path.read_text(encoding="utf-8")


def test_a_game_without_themes_has_no_puzzles():
    assert dict(AUCTION.themes) == {}
    assert tuple(AUCTION.tables) == ()


# That it is true.


@pytest.mark.parametrize("name", GAMES)
def test_what_was_searched_or_counted_is_true(name):
    rows = [one for one in puzzles(name) if quick(one)]
    assert rows
    assert {one.id: faults for one in rows if (faults := check(one))} == {}


@pytest.mark.parametrize("puzzle", some_estimated(), ids=lambda one: f"{one.game}-{one.id}")
def test_some_of_what_was_estimated_is_true(puzzle):
    assert check(puzzle) == []


@pytest.mark.nightly
@pytest.mark.parametrize("puzzle", [one for one in everything() if not quick(one)], ids=lambda one: one.id)
def test_all_that_was_estimated_is_true_with_other_luck_too(puzzle):
    assert check(puzzle) == []
    best, *rest = check_again(puzzle)
    assert best in puzzle.best, rest


def check_again(puzzle: Puzzle) -> list[str]:
    """The choices by how often they win, the best first, with a seed that the maker never used."""
    from preau.learn.chances import estimate

    state = puzzle.state()
    found = estimate(
        state.game, state.view(puzzle.seat), puzzle.seat, state.legal(puzzle.seat), f"{puzzle.id} again", 1000
    )
    return [one.action.text for one in found]


@pytest.mark.parametrize("name", GAMES)
def test_a_planted_first_action_is_found(name, tmp_path):
    for puzzle in [one for one in puzzles(name) if quick(one)][::9]:
        wrong = next(one.text for one in puzzle.state().legal(puzzle.seat) if one.text not in puzzle.best)
        assert "solved by" in tampered(puzzle._replace(best=(*puzzle.best, wrong)), tmp_path)[0]
        assert "solved by" in tampered(puzzle._replace(best=(wrong,)), tmp_path)[0]


@pytest.mark.parametrize("name", GAMES)
def test_a_planted_solution_is_found(name, tmp_path):
    for puzzle in [one for one in puzzles(name) if quick(one)][::9]:
        wrong = next(one.text for one in puzzle.state().legal(puzzle.seat) if one.text not in puzzle.best)
        assert tampered(puzzle._replace(line=(wrong,)), tmp_path) == ["its solution leaves it lost"]
        assert "cannot be played" in tampered(puzzle._replace(line=("nonsense",)), tmp_path)[0]


@pytest.mark.parametrize("name", GAMES)
def test_planted_figures_are_found(name, tmp_path):
    for puzzle in [one for one in puzzles(name) if quick(one)][::9]:
        for field in puzzle.proof:
            wrong = dict(puzzle.proof) | {field: "another"}
            assert tampered(puzzle._replace(proof=wrong), tmp_path) == [f"the proof comes to other figures: {field}"]


@pytest.mark.parametrize("name", GAMES)
def test_another_position_or_seat_or_task_is_found(name, tmp_path):
    first, second = puzzles(name)[:2]
    assert tampered(first._replace(position=second.position), tmp_path) == ["its id does not follow from what is asked"]
    assert tampered(first._replace(seat=first.seat + 1), tmp_path)
    assert tampered(first._replace(task={"more": 1}), tmp_path)


def test_a_planted_estimate_is_found(tmp_path):
    for puzzle in some_estimated()[:1]:
        wrong = next(one.text for one in puzzle.state().legal(puzzle.seat) if one.text not in puzzle.best)
        assert "solved by" in tampered(puzzle._replace(best=(wrong,)), tmp_path)[0]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"difficulty": 4}, "difficulty"),
        ({"best": []}, "best"),
        ({"theme": "nothing"}, "theme"),
        ({"seat": "0"}, "seat"),
        ({"more": 1}, "puzzles[0]"),
    ],
)
def test_a_file_that_breaks_its_form_is_refused(change, field, tmp_path):
    puzzle = puzzles(GAMES[0])[0]
    head = {"game": puzzle.game, "rules": preau.game(puzzle.game).rules_version, "made_by": ""}
    path = tmp_path / FILE
    path.write_text(json.dumps({**head, "puzzles": [puzzle.to_json() | change]}))
    with pytest.raises(DataError) as refused:
        read(path)
    assert field in refused.value.field
    path.write_text(json.dumps({**head, "rules": "0", "puzzles": []}))
    with pytest.raises(DataError, match="make the puzzles again"):
        read(path)


# That it is told in both languages.


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_puzzle_is_asked_in_a_sentence(name, language):
    for puzzle in puzzles(name):
        said = puzzle.sentence(language, SEAT_NAMES)
        assert is_sentence(said), said
        assert "{" not in said
        assert puzzle.title(language)


@pytest.mark.parametrize("name", GAMES)
def test_no_text_about_puzzles_is_left_over_and_every_parameter_is_named(name):
    game = preau.game(name)
    told = {key for key in game.texts("en").messages if key.startswith("puzzle.")}
    wanted = {f"puzzle.{theme}{rest}" for theme in game.themes for rest in ("", ".task")}
    wanted |= {f"puzzle.{name}.worth" for name, theme in game.themes.items() if isinstance(theme, Count)}
    assert {key for key in told if not key.endswith(".more")} == wanted
    assert {key.removesuffix(".more") for key in told - wanted} <= wanted
    for puzzle in puzzles(name):
        named = parameters(game.texts("en").messages[f"puzzle.{puzzle.theme}.task"])
        assert named <= {*puzzle.task, "seat"}
        assert {one for one in puzzle.task if one not in ("bully", "owner", "seat")} <= named


# Solving.


@pytest.mark.parametrize("name", GAMES)
def test_the_solution_is_open_until_it_is_reached(name):
    for puzzle in puzzles(name):
        *before, _ = puzzle.line
        assert [judge(puzzle, before[:number]) for number in range(len(before) + 1)] == ["open"] * (len(before) + 1)
        assert judge(puzzle, puzzle.line) == "reached"


@pytest.mark.parametrize("name", GAMES)
def test_exactly_the_right_first_actions_keep_a_puzzle_open(name):
    for puzzle in puzzles(name)[::4]:
        right = [
            one.text for one in puzzle.state().legal(puzzle.seat) if judge(puzzle, [one.text]) in ("open", "reached")
        ]
        assert sorted(right) == sorted(puzzle.best)


def test_what_is_not_legal_is_no_answer():
    puzzle = puzzles(GAMES[0])[0]
    with pytest.raises(ActionError):
        judge(puzzle, ["nonsense"])


def test_a_puzzle_is_found_by_its_id():
    for name in GAMES:
        for puzzle in puzzles(name)[:3]:
            assert find(puzzle.id.upper(), GAMES) == puzzle


# Making.


@pytest.mark.nightly
@pytest.mark.parametrize("name", GAMES)
def test_the_files_are_made_again_from_their_seed(name):
    collection = read(preau.game(name).folder / FILE)
    again = make(preau.game(name), 1, len(collection.puzzles))
    assert again.dump() == collection.dump()
