"""What every game promises of its texts, its shapes and its data files."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ..core.errors import PreauError
from ..core.gallery import gallery_faults
from ..core.game import Game
from ..core.match import Match
from ..core.shapes import event_faults, position_faults, refusal_faults
from ..core.state import NATURE, Action, State
from ..core.texts import LANGUAGES, Texts
from ..core.themes import Count
from ..learn.book import book_faults
from ..learn.lessons import lesson_faults
from ..learn.puzzles import puzzles_of
from .helpers import refused_with, seen_by, some_games, some_options

GAMES = 60
"""Random games that are played to see how games end, at most."""
DECISIONS = 10_000
"""Decisions after which no further one is begun."""


def texts_are_there_in_both_languages(game: Game, seats: int) -> None:
    """Every prompt, event and rule has its words, for every pair of eyes."""
    texts = [game.texts(language) for language in LANGUAGES]
    assert all(set(one.messages) == set(texts[0].messages) for one in texts)
    names = [f"player {seat}" for seat in range(seats)]
    match = Match.new(game, seats, seed=seats)
    rng = Random(3)
    happened = list(match.opening)
    while True:
        for event in happened:
            assert f"rule.{event.rule}" in texts[0], event.rule
        for who in (None, *range(seats)):
            asked = match.state.prompt(who)
            said = [(str(asked["key"]), asked), *((f"event.{one['key']}", one) for one in seen_by(happened, who))]
            for key, params in said:
                assert all(one.say(key, params, names) for one in texts)
        if match.over:
            return
        seat = match.to_act[0]
        happened = match.apply(seat, rng.choice(match.legal(seat)))


def has_every_text_that_is_asked_for(game: Game, seats: int) -> None:
    """The page, the command line and reports find their texts in both languages: of options and their values, chapters
    and rules, points, endings and tie-breaks, events, prompts and refusals, puzzles and the challenge.
    """
    missing = [
        f"{language}: there is no text {key!r}, for {what}"
        for language in LANGUAGES
        for key, what in _texts_asked_for(game)
        if key not in game.texts(language)
    ]
    assert not missing, "; ".join(missing)


def _texts_asked_for(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the key of each text that is asked for of every game, and what it is for."""
    yield "about", "the page that offers the game"
    yield "seat", "players without a name"
    yield "points", "scores"
    for option in game.options:
        yield f"option.{option.name}", f"the option {option.name}"
        named = option.choices if option.type == "choice" else option.named
        for value in (*named, *(("random",) if option.type == "seat" else ())):
            yield f"option.{option.name}.{value}", f"the value {value} of the option {option.name}"
        if option.rule:
            yield f"rule.{option.rule}", f"the rule of the option {option.name}"
    facts = game.facts
    for name, first in facts.chapters:
        yield f"chapter.{name}", f"the chapter {name} in facts.json"
        yield f"rule.{first}", f"the first rule of the chapter {name} in facts.json"
    if facts.settle_ties:
        yield f"rule.{facts.settle_ties}", "settle_ties in facts.json"
    if game.challenge is not None:
        yield "challenge.about", "challenge.json"
    for name, theme in game.themes.items():
        for key in (
            f"puzzle.{name}",
            f"puzzle.{name}.task",
            *((f"puzzle.{name}.worth",) if isinstance(theme, Count) else ()),
        ):
            yield key, f"the theme {name} in themes.py"
    shapes = game.part("shapes")
    yield from ((f"event.{key}", f"the event {key} in shapes.py") for key in shapes.EVENTS)
    yield from ((key, "its prompt in shapes.py") for key in shapes.PROMPTS)
    yield from ((f"why.{key}", f"the refusal {key} in shapes.py") for key in shapes.REASONS)


def its_texts_can_be_said(game: Game, seats: int) -> None:
    """Every message of both languages can be read, those of the lab too, and those that get no parameters be said."""
    faults = [
        f"{where}/{language}.json: {key}: {reason}"
        for language in LANGUAGES
        for where, texts in (("texts", game.texts(language)), ("texts/lab", _lab_texts(game, language)))
        for key, reason in texts.faults()
    ]
    assert not faults, "; ".join(faults)


def has_words_for_how_games_end(game: Game, seats: int) -> None:
    """Of many random games: the last prompt, the reason (`ending.`), the tie-break and the points have texts."""
    rng = Random(seats)
    results: dict[tuple[str, str], State] = {}
    decisions = 0
    for seed in range(GAMES):
        if decisions >= DECISIONS:
            break
        options = some_options(game, seats, Random(seed)) if seed % 4 == 3 else None
        state = game.start(seats, options, seed=seed)
        decisions += game.playout(state, rng)
        result = state.result()
        results.setdefault((result.reason, result.tie_break), state)
    for language in LANGUAGES:
        texts = game.texts(language)
        known = {*texts.messages, *_lab_texts(game, language).messages}
        for (reason, tie_break), state in results.items():
            assert reason, f"a game ended without a reason: {state.result()}"
            assert f"ending.{reason}" in known, f"{language}: there is no text 'ending.{reason}', for reports"
            if tie_break:
                assert f"tie_break.{tie_break}" in texts, f"{language}: there is no text 'tie_break.{tie_break}'"
            prompt = state.prompt(None)
            assert texts.say(str(prompt["key"]), prompt)
            for score in (0, 1, 2, *state.scores()):
                assert texts.say("points", {"n": score})


def _lab_texts(game: Game, language: str) -> Texts:
    """Return the words of a game for the lab; none, if it has no such file."""
    folder = game.folder / "texts" / "lab"
    return Texts.read(folder, language) if folder.is_dir() else Texts(language, {})


def puts_actions_into_words(game: Game, seats: int) -> None:
    """An `action.` text can be said of every action that begins with its word: it asks for no text that is missing."""
    for language in LANGUAGES:
        texts = game.texts(language)
        for action in game.actions():
            verb, *words = action.text.split()
            if f"action.{verb}" in texts:
                try:
                    texts.say(f"action.{verb}", {str(at): word for at, word in enumerate(words, 1)})
                except PreauError as error:
                    raise AssertionError(f"{language}: action.{verb} cannot be said of {action}: {error}") from None


def its_lesson_can_be_followed(game: Game, seats: int) -> None:
    """Every exercise of `lessons.json` is played, right and wrong, and has its texts."""
    faults = lesson_faults(game)
    assert not faults, "lessons.json: " + "; ".join(faults)


def its_rule_book_shows_what_it_says(game: Game, seats: int) -> None:
    """Every figure of `book.json` is played: what it claims happens, is legal or is refused, and it has its texts."""
    faults = book_faults(game)
    assert not faults, "book.json: " + "; ".join(faults)


def its_puzzles_can_be_played(game: Game, seats: int) -> None:
    """Every puzzle of `puzzles.json` begins with a legal position, in which its solution is legal."""
    for puzzle in puzzles_of(game):
        state = game.load(puzzle.position)
        legal = [action.text for action in state.legal(puzzle.seat)]
        for action in (*puzzle.best, puzzle.line[0]):
            assert action in legal, f"puzzles.json: {puzzle.id}: {action!r} is not legal for seat {puzzle.seat}"


def shows_what_is_in_its_box(game: Game, seats: int) -> None:
    """Everything in its gallery has a picture's name, texts and a rule; a game without a gallery shows nothing."""
    assert gallery_faults(game) == []


def counts_what_it_declares(game: Game, seats: int) -> None:
    """What the lab counts stands in a table that the game declares, and has a name in both languages (`lab.py`)."""
    start = game.start(seats, seed=1)
    tables = {table.name: table for table in game.counted(start)}
    rng, state, watch = Random(1), start.copy(), game.watch(start)
    while not state.over:
        actor = state.to_act[0]
        action = state.draw(rng) if actor == NATURE else rng.choice(state.legal(actor))
        for event in state.apply(actor, action):
            watch.see(event)
    watch.end(state)
    for name, column, thing, seat, times in watch.rows():
        assert column in [one.name for one in tables[str(name)].columns]
        assert thing in tables[str(name)].things
        assert 0 <= int(seat) < seats
        assert int(times) > 0
    for language in LANGUAGES if tables else ():
        words = _lab_texts(game, language)
        for table in tables.values():
            assert set(table.blank) <= set(table.things)
            named = [f"{table.words}.{thing}" for thing in table.things if table.words]
            columns = [f"column.{column.name}" for column in table.columns]
            for key in (table.name, f"{table.name}.about", f"ending.{state.result().reason}", *columns, *named):
                assert key in words or key in game.texts(language), f"{language}: {key}"


def has_the_shapes_it_declares(game: Game, seats: int) -> None:
    """Views, prompts, events, options, results and refusals are what `shapes.py` says, no key more or less."""
    for turn, (state, actor, action) in enumerate(some_games(game, seats)):
        wrong = position_faults(state)
        if actor is not None and action is not None:
            wrong += event_faults(state, state.copy().apply(actor, action))
            if turn % 5 == 0:
                wrong += _faults_of_refusals(state, actor)
        assert not wrong, "; ".join(wrong)


def _faults_of_refusals(state: State, actor: int) -> list[str]:
    legal = state.legal(actor)
    others: list[Action | str] = [one for one in state.game.actions(state.options) if one not in legal]
    wrong = []
    for wanted in ["dance on the table", *others]:
        with refused_with(PreauError) as refused:
            state.apply(actor, wanted)
        wrong += refusal_faults(state, refused[0])
    return wrong
