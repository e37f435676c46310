"""Making puzzles: the same seed makes the same ones, whoever does it."""

from __future__ import annotations

import json

import pytest

import preau
from preau.cli.puzzles import in_processes
from preau.core import NATURE, SetupError
from preau.learn.generate import make
from preau.learn.proofs import check
from preau.learn.puzzles import puzzles
from tests.core.auction import GAME as AUCTION


def test_a_seed_makes_the_same_puzzles_in_any_number_of_processes(monkeypatch):
    monkeypatch.setattr("preau.learn.generate.BATCH", 2)  # a few games are enough
    game = preau.game("recess")
    told: list[int] = []
    one = make(game, 1, 2, note=told.append)
    two = make(game, 1, 2, in_processes(2))
    assert one.dump() == two.dump()
    assert told[-1] == 2
    assert [check(puzzle) for puzzle in one.puzzles] == [[], []]


@pytest.mark.parametrize("name", [name for name in preau.game_ids() if preau.game(name).themes])
def test_a_puzzle_stands_in_the_game_it_names(name):
    """Bots that play the game again come through the very position, at the step that is told."""
    puzzle = min(puzzles(name), key=lambda one: one.id)
    source = puzzle.source
    bots = [source["bots"]] * source["seats"]
    match = preau.play(name, bots, options=puzzle.position["options"], seed=source["seed"])
    decisions = [at for at, entry in enumerate(match.record.entries) if entry.actor != NATURE]
    there = match.record.replay(decisions[source["step"]])
    assert json.dumps(there.to_json()) == json.dumps(puzzle.position)


def test_a_game_without_themes_is_refused():
    with pytest.raises(SetupError, match="has no themes"):
        make(AUCTION, 1, 3)
