"""Making puzzles: bots play, and every position is asked what can be found in it.

The same seed makes the same puzzles, on every machine and in however many processes: games are played by number, in
batches, and what was found is chosen from in the order of the games. Nothing depends on time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil
from random import Random
from typing import NamedTuple

from ..bots.base import Budget
from ..bots.bot_match import BotMatch
from ..bots.levels import explain
from ..bots.registry import make_bot
from ..bots.seated import SeatedBot
from ..core.errors import SetupError
from ..core.game import Game
from ..core.match import Match
from ..core.registry import find_game
from ..core.state import Json, State
from ..core.themes import Chance, Theme
from .chances import estimate
from .grading import judge, known
from .proofs import NoPuzzle, Proof, prove
from .puzzles import Collection, Puzzle, identity

BATCH = 6
"""Games that are played before it is asked again which themes still want puzzles."""
MOST_GAMES = 1_200
THEMES = 7
"""Over how many themes the puzzles are spread at least, where there are so many."""
MOST_OF_A_DIFFICULTY = 0.45
MOST_ALIKE = 0.6
"""The largest part of the puzzles of a theme that may have the same answer."""
MOST_WINNING = 0.1
"""The largest part of all ways through a turn that may reach the goal."""
MOST_FIRST = 0.5
"""The largest part of the first choices that may be right."""
TRIES = 4
"""How often a bot tries a puzzle, to tell how difficult it is."""
GLANCES = ((40, 0.1), (200, 0.07))
"""Before chances are estimated with care: how many games, and how far ahead the best choices must be."""
SECOND_OPINION = Budget(600)
"""How long a search thinks about what was estimated: it must come to the same."""
NARROW = 0.12
"""A gap in the chance to win that is not seen at a glance."""
MOST_LETTERS = 3_200
"""The longest position that is kept, written as JSON."""


class Hunt(NamedTuple):
    """The games to be searched for puzzles about some themes."""

    game: str
    seed: int
    wanted: tuple[str, ...]

    def seed_of(self, number: int) -> int:
        """The seed of a game."""
        return Random(f"puzzles {self.seed}/{number}").getrandbits(32)

    def name_of(self, number: int) -> str:
        """A game in words, for errors."""
        return f"game {number} (seed {self.seed_of(number)})"

    def play(self, number: int) -> list[Puzzle]:
        """What is found in a game: at most one puzzle of a theme, a difficulty and a kind of answer."""
        game = find_game(self.game)
        seed = self.seed_of(number)
        table = game.tables[number % len(game.tables)]
        source = {"seed": seed, "seats": table.seats, "bots": table.bot}
        match = Match.new(game, table.seats, dict(table.options), seed)
        bots = BotMatch(match, {seat: make_bot(table.bot) for seat in range(table.seats)}, seed)
        found: dict[tuple[str, int, str], Puzzle] = {}
        step = 0
        while not match.over:
            seat = match.to_act[0]
            themes = [game.themes[name] for name in self.wanted]
            puzzle = _found(themes, match.state, seat, {**source, "step": step})
            if puzzle is not None:
                found.setdefault((puzzle.theme, puzzle.difficulty, puzzle.best[0].split()[0]), puzzle)
            bots.step()
            step += 1
        bots.close()
        return list(found.values())


Play = Callable[[Hunt, Sequence[int]], Iterable[list[Puzzle]]]


def one_by_one(hunt: Hunt, numbers: Sequence[int]) -> Iterator[list[Puzzle]]:
    """Search the games one after another."""
    return map(hunt.play, numbers)


def make(
    game: Game, seed: int, count: int, play: Play = one_by_one, note: Callable[[int], None] = lambda _: None
) -> Collection:
    """So many puzzles, spread over themes and difficulties. `play` searches games, in order; `note` is told how many
    puzzles there are.
    """
    if not game.themes:
        raise SetupError(f"{game.id} has no themes", field="game", hint="It has no puzzles.")
    of_a_theme = count // min(THEMES, len(game.themes)) + 1
    of_a_difficulty = ceil(count * MOST_OF_A_DIFFICULTY)
    alike = max(1, int(of_a_theme * MOST_ALIKE))
    for_all = count >= len(game.themes)  # then each theme has a place, however late its first puzzle is found
    chosen: dict[str, Puzzle] = {}
    themes: Counter[str] = Counter()
    difficulties: Counter[int] = Counter()
    answers: Counter[tuple[str, str]] = Counter()
    for first in range(0, MOST_GAMES, BATCH):
        wanted = tuple(name for name in game.themes if themes[name] < of_a_theme)
        for puzzles in play(Hunt(game.id, seed, wanted), range(first, first + BATCH)):
            for puzzle in puzzles:
                answer = (puzzle.theme, puzzle.best[0])
                full = themes[puzzle.theme] >= of_a_theme or difficulties[puzzle.difficulty] >= of_a_difficulty
                kept_free = sum(name != puzzle.theme and not themes[name] for name in game.themes) if for_all else 0
                room = count - kept_free - len(chosen)
                if full or answers[answer] >= alike or room <= 0 or puzzle.id in chosen:
                    continue
                answers[answer] += 1
                chosen[puzzle.id] = puzzle
                themes[puzzle.theme] += 1
                difficulties[puzzle.difficulty] += 1
            note(len(chosen))
        if len(chosen) >= count:
            order = list(game.themes)
            rows = sorted(chosen.values(), key=lambda one: (order.index(one.theme), one.difficulty, one.id))
            command = f"preau puzzles make {game.id} --seed {seed} --count {count}"
            return Collection(game.id, game.rules_version, command, tuple(rows))
    raise SetupError(
        f"{MOST_GAMES} games hold {len(chosen)} puzzles only",
        field="--count",
        hint="Ask for fewer, or try another seed.",
    )


def _found(themes: Sequence[Theme], state: State, seat: int, source: Json) -> Puzzle | None:
    """What can be found in a position: one thing, for the same position is not asked about twice."""
    if not themes or len(state.legal(seat)) < 2:
        return None
    view = state.view(seat)
    world = known(state.game, view)
    glanced = False
    for theme in themes:
        for task in theme.tasks(world, seat):
            if isinstance(theme, Chance) and not glanced:
                if not _promising(state.game, view, world, seat, source):
                    return None  # the themes that estimate come last, and they ask the same
                glanced = True
            puzzle = _puzzle(theme, state, seat, task, source)
            if puzzle is not None:
                return puzzle
    return None


def _promising(game: Game, view: Json, world: State, seat: int, source: Json) -> bool:
    """Whether one choice, or a few, seem to win much oftener than all others."""
    legal = world.legal(seat)
    for games, ahead in GLANCES:
        shares = [one.share for one in estimate(game, view, seat, legal, f"{source} {games}", games)]
        if max(shares[at] - shares[at + 1] for at in range(len(shares) // 2)) < ahead:
            return False
    return True


def _puzzle(theme: Theme, state: State, seat: int, task: Json, source: Json) -> Puzzle | None:
    position = state.to_json()
    if len(json.dumps(position)) > MOST_LETTERS:
        return None
    name = identity(state.game.id, theme.name, task, seat, position)
    try:
        proof = prove(theme, state, seat, task, name)
    except NoPuzzle:
        return None
    if not _worth_finding(proof, len(state.legal(seat))) or not _agreed(proof, state.view(seat)):
        return None
    puzzle = Puzzle(
        name, state.game.id, theme.name, task, 1, seat, position, proof.best, proof.line, proof.figures, source
    )
    return puzzle._replace(difficulty=_difficulty(puzzle, state))


def _worth_finding(proof: Proof, choices: int) -> bool:
    """Whether few ways lead there, so that it takes a thought to find one."""
    if proof.figures["kind"] == "turn" and proof.figures["winning"] > MOST_WINNING * proof.figures["ways"]:
        return False
    return len(proof.best) <= MOST_FIRST * choices


def _agreed(proof: Proof, view: Json) -> bool:
    """Whether a search that looks further than play by a policy comes to the same, where it was only estimated."""
    return proof.figures["kind"] != "chance" or explain(view, SECOND_OPINION)["best"] in proof.best


def _difficulty(puzzle: Puzzle, state: State) -> int:
    """From 1 to 3: more for a long solution, for few right ways among many, and for what a bot does not find."""
    found = sum(_try(puzzle, state, number) for number in range(TRIES))
    points = sum(found <= few for few in (TRIES // 2, 0))
    points += sum(len(puzzle.line) >= length for length in (3, 5))
    if puzzle.proof["kind"] == "turn":
        ways: float = puzzle.proof["ways"] / puzzle.proof["winning"]
        points += sum(ways >= many for many in (30, 300))
        return 1 + (points >= 2) + (points >= 4)
    choices = len(state.legal(puzzle.seat)) / len(puzzle.best)
    points += sum(choices >= many for many in (3, 6))
    if puzzle.proof["kind"] == "chance":
        shares = [figures[0] for figures in puzzle.proof["chances"].values()]
        points += int(shares[len(puzzle.best) - 1] - shares[len(puzzle.best)] < NARROW)
    return 1 + (points >= 2) + (points >= 3)


def _try(puzzle: Puzzle, state: State, number: int) -> bool:
    """Whether a bot, which does not know what is asked, does it by itself."""
    bot = SeatedBot(make_bot(puzzle.source["bots"]), puzzle.seat, number)
    state = state.copy()
    actions: list[str] = []
    while puzzle.seat in state.to_act:
        action = bot.choose(state)
        actions.append(action.text)
        verdict = judge(puzzle, actions)
        if verdict != "open":
            return verdict == "reached"
        state.advance(puzzle.seat, action)
    return False
