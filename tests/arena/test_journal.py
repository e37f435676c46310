"""The side file: nothing that was written is lost, nothing that was not is believed."""

from __future__ import annotations

import json

import pytest

from preau.arena.journal import Journal
from preau.arena.play import play_game
from preau.core.errors import DataError

from .command import plan

PLAN = plan("greedy,random")
GAMES = [play_game(PLAN, index, keep_record=index != 1) for index in range(3)]
IDENTITY = {"seed": 1, "engine": "x"}


@pytest.fixture
def path(tmp_path):
    with Journal(tmp_path / "games.jsonl", IDENTITY) as journal:
        for game in (GAMES[2], GAMES[0], GAMES[1]):
            journal.add(game)
    return tmp_path / "games.jsonl"


def test_what_was_written_is_there_again(path):
    with Journal(path, IDENTITY) as journal:
        assert {index: game.row() for index, game in journal.played.items()} == {
            index: GAMES[index].row() for index in range(3)
        }
        assert [journal.lacks(index, record=False) for index in range(4)] == [False, False, False, True]
        assert [journal.lacks(index, record=True) for index in range(4)] == [False, True, False, True]
        journal.add(play_game(PLAN, 1, keep_record=True))
        assert list(journal.records(3))[::2] == [GAMES[0].record, GAMES[2].record]


def test_a_file_cut_off_anywhere_keeps_its_whole_lines(path):
    whole = path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == 10]
    for cut in sorted({*range(ends[0] + 2), *range(ends[0], len(whole), 97), *ends, *(end - 1 for end in ends)}):
        path.write_bytes(whole[:cut])
        with Journal(path, IDENTITY) as journal:
            assert len(journal.played) == max(0, sum(end <= cut for end in ends) - 1)
            for index in (2, 0, 1):
                if journal.lacks(index, record=False):
                    journal.add(GAMES[index])
        assert path.read_bytes() == whole


def test_a_damaged_line_in_the_middle_is_refused(path):
    lines = path.read_bytes().split(b"\n")
    for damage in (lines[1][:-5], b"{}", b"[1]", b"\0\0\0"):
        path.write_bytes(b"\n".join([lines[0], damage, *lines[2:]]))
        before = path.read_bytes()
        with pytest.raises(DataError, match="line 2") as caught:
            Journal(path, IDENTITY)
        assert "--fresh" in caught.value.hint
        assert path.read_bytes() == before


def test_another_plan_is_refused_until_asked_to_start_over(path):
    before = path.read_bytes()
    with pytest.raises(DataError, match="its seed is 1, this run's is 2"):
        Journal(path, IDENTITY | {"seed": 2})
    assert path.read_bytes() == before
    with Journal(path, IDENTITY | {"seed": 2}, fresh=True) as journal:
        assert journal.played == {}
    assert json.loads(path.read_text(encoding="utf-8"))["identity"]["seed"] == 2


@pytest.mark.parametrize("text", ["my notes", "my notes\nand more\n", '{"format": "something/1"}\n', "[]\n"])
@pytest.mark.parametrize("fresh", [False, True])
def test_a_file_of_something_else_is_never_touched(tmp_path, text, fresh):
    path = tmp_path / "games.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="no arena wrote it"):
        Journal(path, IDENTITY, fresh=fresh)
    assert path.read_text(encoding="utf-8") == text


def test_two_runs_cannot_write_one_file(path):
    with Journal(path, IDENTITY), pytest.raises(DataError, match="another run"):
        Journal(path, IDENTITY)
    with Journal(path, IDENTITY) as journal:
        assert len(journal.played) == 3
