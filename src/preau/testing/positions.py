"""What every game promises of its positions, its actions and its records."""

from __future__ import annotations

import json
import pickle
import tempfile
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any, get_args, get_origin

from ..core.errors import MalformedAction, NotYourTurn, PreauError
from ..core.game import Game
from ..core.match import Match
from ..core.record import Record, read_records
from ..core.slate import Slate
from ..core.state import NATURE, Action, State, who
from .helpers import decisions, difference, plain, refused_with, some_games

COMPARED = 30
"""Positions in which parts of others are tried, of a few random games."""
ACTIONS = 8
"""Actions whose positions are compared, of each decision."""
OTHERS = 10
"""Other positions whose parts are tried in each of them."""


def json_keeps_everything(game: Game, seats: int) -> None:
    """Written and read back, a position is the same."""
    for state, actor, _ in some_games(game, seats, games=1):
        again = game.load(json.loads(json.dumps(state.to_json())))
        assert again == state
        assert hash(again) == hash(state)
        fault = difference(_content(state), _content(again))
        assert not fault, f"written as JSON and read back, {fault}"
        if actor is not None:
            assert again.legal(actor) == state.legal(actor)


def equal_keys_mean_equal_positions(game: Game, seats: int) -> None:
    """Positions with equal keys are equal as JSON, which holds all there is (`json_keeps_everything`). Only options may
    differ, where they make no difference.

    Compared are positions of random games, those after different actions in one position, and what the game loads when
    one part of a position as JSON is replaced by that of another; most such mixtures are refused.
    """
    rng = Random(16)
    found: dict[tuple[object, ...], Any] = {}
    for state, actor, _ in some_games(game, seats, games=4, varied=True):
        fault = _unlike(game, found.setdefault(state.key(), plain(state.to_json())), state)
        assert not fault, f"two positions have the same key, but {fault}"
        if actor is not None:
            _keys_tell_actions_apart(game, state, actor, rng)
    positions = list(found.values())
    for one in rng.sample(positions, min(COMPARED, len(positions))):
        key = game.load(one).key()
        for other in rng.sample(positions, min(OTHERS, len(positions))):
            for part in one.keys() & other.keys():
                mixed = _loaded(game, {**one, part: other[part]}) if one[part] != other[part] else None
                if mixed is not None and mixed.key() == key:
                    fault = _unlike(game, one, mixed)
                    assert not fault, (
                        f"positions that differ in {part!r} have the same key, but {fault}. If {part!r} follows from "
                        "the rest, let `load` refuse a position in which it does not"
                    )


def _keys_tell_actions_apart(game: Game, state: State, actor: int, rng: Random) -> None:
    """Require that positions after some different actions have equal keys only if they are equal."""
    after: dict[tuple[object, ...], tuple[Action, Any]] = {}
    legal = state.legal(actor)
    for action in rng.sample(legal, min(ACTIONS, len(legal))):
        twin = state.copy()
        twin.advance(actor, action)
        other, position = after.setdefault(twin.key(), (action, plain(twin.to_json())))
        fault = _unlike(game, position, twin)
        assert not fault, f"after {other} and after {action} of {who(actor)} positions have the same key, but {fault}"


def _unlike(game: Game, one: dict[str, Any], two: State) -> str:
    """Describe how a position, as JSON, differs from another: in more than options without an effect on it."""
    other = plain(two.to_json())
    if one == other:
        return ""
    contents = [_content(state) for state in (game.load(one), two)]
    for content in contents:
        for part in (content["position"], *content["view"].values()):
            part.pop("options", None)
    return difference(*contents)


def _loaded(game: Game, data: dict[str, Any]) -> State | None:
    """Load a position that is mixed from two; None, if the game has no such position."""
    try:
        return game.load(data)
    except Exception:  # a game that looks closely refuses it, others fail
        return None


def _content(state: State) -> dict[str, Any]:
    """Return all that tells a position from another, as JSON data."""
    content: dict[str, Any] = plain(
        {
            "position": state.to_json(),
            "to_act": state.to_act,
            "legal": {actor: [action.text for action in state.legal(actor)] for actor in state.to_act},
            "view": {viewer: state.view(viewer) for viewer in (None, *range(state.seats))},
            "scores": state.scores(),
            "progress": state.progress(),
            "diagram": state.diagram(),
        }
    )
    return content


def answers_have_the_declared_types(game: Game, seats: int) -> None:
    """Everything a position returns has the declared type: compiled callers raise a `TypeError` for a list that should
    be a tuple, and plain Python does not.
    """
    for action in game.actions():
        assert isinstance(action.number, int), f"the number of {action} is {action.number!r}, no int"
        assert isinstance(action.text, str), f"the text of action {action.number} is {action.text!r}, no str"
    for state, actor, action_taken in some_games(game, seats, games=1):
        for name, value, wanted in _answers(state, actor, action_taken):
            assert _is(value, wanted), f"{name} is {value!r}, not {_named(wanted)}"


def _answers(state: State, actor: int | None, action: Action | None) -> Iterator[tuple[str, object, Any]]:
    """Yield what a position returns: the call, its result, and the declared type; the simplest calls first."""
    yield "to_act", state.to_act, tuple[int, ...]
    yield "over", state.over, bool
    for one in (*range(state.seats), NATURE):
        yield f"legal({one})", state.legal(one), tuple[Action, ...]
        if one != NATURE and one in state.to_act:
            yield f"zombie({one})", state.zombie(one), Action
    yield "outcomes()", state.outcomes(), list[tuple[Action, float]]
    yield "racers()", state.racers(), tuple[int, ...]
    yield "referee()", state.referee(), tuple[Action, ...]
    yield "key()", state.key(), tuple[object, ...]
    yield "scores()", state.scores(), tuple[int, ...]
    yield "progress()", state.progress(), float
    yield "to_json()", state.to_json(), dict
    for viewer in (*range(state.seats), None):
        yield f"view({viewer})", state.view(viewer), dict
        yield f"prompt({viewer})", state.prompt(viewer), dict
        yield f"diagram({viewer})", state.diagram(viewer), str
    yield "ranking()", state.ranking(), tuple[tuple[int, ...], ...]
    yield "result().reason", state.result().reason, str
    yield "result().tie_break", state.result().tie_break, str
    if actor is None or action is None:
        return
    if actor != NATURE:
        yield f"tells({actor}, {action})", state.tells(actor, action), bool
    for event in state.copy().apply(actor, action):
        yield "the key of an event", event.key, str
        yield f"the rule of the event {event.key!r}", event.rule, str
        yield f"the secret of the event {event.key!r}", event.secret, Mapping | None


def _is(value: object, wanted: Any) -> bool:
    """Return whether a value has a type as compiled code checks it.

    >>> _is((1, 2), tuple[int, ...]), _is([1, 2], tuple[int, ...]), _is(1, float)
    (True, False, True)
    """
    origin, inside = get_origin(wanted), get_args(wanted)
    if origin is list:
        return isinstance(value, list) and all(_is(one, inside[0]) for one in value)
    if origin is tuple and inside[-1] is ...:
        return isinstance(value, tuple) and all(_is(one, inside[0]) for one in value)
    if origin is tuple:
        return isinstance(value, tuple) and len(value) == len(inside) and all(map(_is, value, inside))
    return isinstance(value, (float, int) if wanted is float else wanted)


def _named(wanted: Any) -> str:
    return str(wanted).replace("preau.core.state.", "") if get_origin(wanted) else wanted.__name__


def copies_stand_alone(game: Game, seats: int) -> None:
    """What is done to a copy is not done to the original; with and without events the same happens."""
    for state, actor, action in decisions(game, seats):
        before = state.key()
        twin = state.copy()
        assert twin == state
        first = twin.apply(actor, action)
        assert state.key() == before
        other = state.copy()
        assert other.apply(actor, action.text.upper()) == first
        assert other == twin
        quiet = state.copy()
        quiet.advance(actor, action)
        assert quiet == twin


def numbers_and_texts_belong_to_one_action(game: Game, seats: int) -> None:
    """Numbers, text forms and the mask of observations name the same actions."""
    for state, actor, _ in decisions(game, seats):
        table = game.actions(state.options)
        for legal in state.legal(actor):
            assert table[legal.number].text == legal.text
            assert state.action(f"  {legal.text.upper()} ") is legal
        seat = actor if actor != NATURE else 0
        seen = game.observe(state, seat)
        mask = [number for number, on in enumerate(seen.mask) if on]
        assert mask == sorted(legal.number for legal in state.legal(seat))
        assert len(seen.values) == seen.layout.size
        assert len(seen.mask) == len(table)
        assert all(isfinite(value) for value in seen.values)


def sees_the_same_on_a_slate_that_was_used(game: Game, seats: int) -> None:
    """What was written on a slate before, of another seat or another position, leaves no trace: neither on a row that
    all seats share nor on rows that one seat has to itself, of this position and of a copy.
    """
    used: Slate | None = None
    for state, _, _ in some_games(game, seats):
        layout = game.layout(state)
        used = used or Slate(seats + 1, layout.size)
        for seat in range(seats):
            clean = _strict_slate(layout.size)
            state.write(seat, clean)
            for row, here in ((seats, state), (seat, state), (seats, state.copy())):
                used.turn_to(row)
                here.write(seat, used)
                assert used.numbers[used.base : used.base + layout.size] == clean.numbers


def _strict_slate(width: int) -> Slate:
    """Make a slate with one row that refuses, also in plain Python, the arguments that the compiled one refuses."""
    if not isinstance(Slate.put, FunctionType):
        return Slate(1, width)

    class Strict(Slate):
        """Checks the types of sequences; numbers that are no whole numbers fail by themselves."""

        def ones(self, start: int, places: list[int]) -> None:
            super().ones(start, _required(list, places, "ones"))

        def ones_free(self, start: int, places: list[int], taken: bytes) -> None:
            super().ones_free(start, _required(list, places, "ones_free"), _required(bytes, taken, "ones_free"))

        def fill(self, start: int, numbers: list[int], first: int, count: int) -> None:
            super().fill(start, _required(list, numbers, "fill"), first, count)

        def around(self, start: int, numbers: list[int], first: int) -> None:
            super().around(start, _required(list, numbers, "around"), first)

        def rest(self, start: int, whole: bytes, part: int) -> None:
            super().rest(start, _required(bytes, whole, "rest"), part)

    return Strict(1, width)


def _required(kind: type, value: Any, method: str) -> Any:
    assert isinstance(value, kind), f"Slate.{method} takes a {kind.__name__}, not {value!r}"
    return value


def refusals_change_nothing(game: Game, seats: int) -> None:
    """What is no action, not one's turn or not legal is refused with a reason, and nothing has happened."""
    for turn, (state, actor, _) in enumerate(some_games(game, seats, games=1)):
        if turn > 60:
            break
        before = state.copy()
        with refused_with(MalformedAction) as garbled:
            state.apply(actor if actor is not None else 0, "dance on the table")
        assert garbled[0].rule
        for other in (*range(seats), NATURE):
            if other not in state.to_act:
                with refused_with(NotYourTurn):
                    state.apply(other, game.actions(state.options)[0])
                continue
            legal = state.legal(other)
            for illegal in [one for one in game.actions(state.options) if one not in legal][:1]:
                with refused_with(PreauError) as refused:
                    state.apply(other, illegal)
                assert refused[0].rule or isinstance(refused[0], NotYourTurn), f"{illegal}: the refusal names no rule"
                assert str(refused[0]), f"{illegal}: the refusal says nothing"
        assert state == before


def pickles(game: Game, seats: int) -> None:
    """Positions and actions go to other processes, where the game is found by its id."""
    for turn, (state, actor, action) in enumerate(decisions(game, seats)):
        if turn % 7 == 0:
            assert pickle.loads(pickle.dumps(state)) == state
            again = pickle.loads(pickle.dumps(action))
            assert again.text == action.text
            assert state.check(actor, again) is action


# Records.


def records_replay_without_a_seed(game: Game, seats: int) -> None:
    """A record is a game: saved, read, checked, and played again from it alone."""
    match = Match.new(game, seats, seed=5)
    rng = Random(5)
    while not match.over:
        seat = match.to_act[-1]
        match.apply(seat, rng.choice(match.legal(seat)))
    with tempfile.TemporaryDirectory() as folder:
        match.record.save(Path(folder) / "game.json")
        again = Record.load(Path(folder) / "game.json")
        assert again.to_json() == json.loads(json.dumps(match.record.to_json()))
        assert again.verify() == match.state
        middle = len(again.entries) // 2
        assert again.replay(middle).copy() == again.replay(middle)
        (Path(folder) / "many.jsonl").write_text(match.record.dump_line() * 3, encoding="utf-8")
        assert len([record.verify() for record in read_records(Path(folder) / "many.jsonl")]) == 3


def undo_goes_back_to_an_equal_position(game: Game, seats: int) -> None:
    """What is taken back has not happened."""
    match = Match.new(game, seats, seed=9)
    rng = Random(9)
    trail: list[State] = [match.state.copy()]
    for _ in range(25):
        if match.over:
            break
        seat = match.to_act[0]
        match.apply(seat, rng.choice(match.legal(seat)))
        trail.append(match.state.copy())
    for back in (1, 2):
        match.undo(back)
        trail = trail[:-back]
        assert match.state == trail[-1]
        assert match.record.result is None
    match.undo(10_000)
    assert match.state == trail[0]
