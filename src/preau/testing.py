"""What every game promises, as checks that any game can be held to: those that ship, and those of packages.

Each check takes a game and a number of seats and raises an `AssertionError` for what it finds. They need the standard
library only, so they work with any tool for tests; with pytest a package says

    from preau.testing import cases

    @pytest.mark.parametrize(("check", "seats"), cases(GAME))
    def test_the_contract(check, seats):
        check(GAME, seats)
"""

from __future__ import annotations

import json
import pickle
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate, pairwise
from math import isclose, isfinite, nextafter, sqrt
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from .core.errors import MalformedAction, NotYourTurn, PreauError
from .core.gallery import gallery_faults
from .core.game import Game
from .core.match import Match
from .core.record import Record, read_records
from .core.shapes import event_faults, position_faults, refusal_faults
from .core.slate import Slate
from .core.state import NATURE, REFEREE, Action, Event, State, pick
from .core.texts import LANGUAGES, Texts

Check = Callable[[Game, int], None]

STEP_BACK = 0.25
"""How far progress may fall in one step: three cards of a hand that ends the game at seven are put away at once."""


FEW = 6
"""Decisions of one kind that are looked at closely."""


def cases(game: Game) -> list[tuple[Check, int]]:
    """Every check with every number of seats.

    >>> import preau
    >>> check, seats = cases(preau.game("recess"))[0]
    >>> check.__name__, seats
    ('goes_on_until_it_is_over', 3)
    >>> check(preau.game("recess"), seats)
    """
    return [(check, seats) for check in CHECKS for seats in game.seats]


def some_games(game: Game, seats: int, games: int = 2) -> Iterator[tuple[State, int | None, Action | None]]:
    """Positions of random games, with who acts next and what they will do; nobody and nothing at the end."""
    for seed in range(games):
        rng = Random(seed)
        state = game.start(seats, seed=seed)
        while not state.over:
            actor = state.to_act[int(rng.random() * len(state.to_act))]
            action = state.draw(rng) if actor == NATURE else rng.choice(state.legal(actor))
            yield state, actor, action
            state.apply(actor, action)
        yield state, None, None


def _decisions(game: Game, seats: int, games: int = 1) -> Iterator[tuple[State, int, Action]]:
    """The same without the ends."""
    for state, actor, action in some_games(game, seats, games):
        if actor is not None and action is not None:
            yield state, actor, action


# Play.


def goes_on_until_it_is_over(game: Game, seats: int) -> None:
    """Whoever owes a decision can take one, and nobody else; at the end everybody has a score and a rank."""
    for state, actor, action in some_games(game, seats):
        if actor is None:
            assert state.over
            assert state.to_act == ()
            assert sorted(seat for group in state.ranking() for seat in group) == list(range(seats))
            assert len(state.scores()) == seats
            continue
        assert action in state.legal(actor)
        for other in (*range(seats), NATURE):
            assert bool(state.legal(other)) == (other in state.to_act)


def progress_goes_from_none_to_all(game: Game, seats: int) -> None:
    """It begins at 0, ends at 1, falls little in a step, and is greater in each third of a game than before."""
    progress: list[float] = []
    for state, actor, _ in some_games(game, seats, games=3):
        progress.append(state.progress())
        if actor is None:
            assert progress[0] == 0.0
            assert progress[-1] == 1.0
            assert max(progress[:-1]) < 1.0
            assert max(before - after for before, after in pairwise(progress)) <= STEP_BACK
            third = len(progress) // 3
            early, middle, late = (mean(progress[third * part : third * (part + 1)]) for part in range(3))
            assert early < middle < late
            progress = []


def chances_add_up(game: Game, seats: int) -> None:
    """What nature may do is what is listed, and the chances sum to 1."""
    for state, actor, _ in _decisions(game, seats):
        if actor == NATURE:
            outcomes = state.outcomes()
            assert tuple(action for action, _ in outcomes) == state.legal(NATURE)
            assert isclose(sum(chance for _, chance in outcomes), 1.0, rel_tol=1e-6)
            assert all(chance > 0 for _, chance in outcomes)


class _Point(Random):
    """A source of chance that gives one number, once."""

    def __init__(self, point: float) -> None:
        super().__init__(0)
        self.points = [point]

    def random(self) -> float:
        return self.points.pop()


def draws_what_the_list_of_outcomes_gives(game: Game, seats: int) -> None:
    """Also for the numbers on the borders between outcomes, where a rounding error would show."""
    for state, actor, _ in _decisions(game, seats):
        if actor != NATURE:
            assert state.outcomes() == []
            with _refused(NotYourTurn):
                state.draw(Random(1))
            continue
        outcomes = state.outcomes()
        points = [0.0, nextafter(1.0, 0.0)]
        for border in accumulate(chance for _, chance in outcomes):
            points += [nextafter(border, 0.0), border, nextafter(border, 1.0)]
        for point in points:
            if point < 1.0:
                assert state.draw(_Point(point)) is pick(outcomes, _Point(point))


def draws_as_often_as_it_is_likely(game: Game, seats: int) -> None:
    """Of many draws each outcome gets its share."""
    rng = Random(5)
    for state, actor, _ in _decisions(game, seats):
        if actor == NATURE and len(state.outcomes()) > 2 and rng.random() < 0.05:
            drawn = Counter(state.draw(rng) for _ in range(3_000))
            for action, chance in state.outcomes():
                assert abs(drawn[action] - 3_000 * chance) < 6 * sqrt(3_000 * chance * (1 - chance))


def allows_what_it_lists(game: Game, seats: int) -> None:
    """Of all actions of the game, and of actions that only look like its own. What people read they may type."""
    every = [*game.actions(), *(Action(action.number, action.text) for action in game.actions())]
    assert all(game.typed(game.shown(action.text)) == action.text for action in game.actions())
    for number, (state, _, _) in enumerate(some_games(game, seats, games=1)):
        if number % 10 == 0:
            for actor in (*range(seats), NATURE, REFEREE):
                listed = state.referee() if actor == REFEREE else state.legal(actor)
                assert [action for action in every if state.allows(actor, action)] == list(listed)


def plays_inside_as_outside(game: Game, seats: int) -> None:
    """A game that the engine plays out by itself is the one that is played from outside, action by action."""
    inside = game.start(seats, seed=3)
    outside = inside.copy()
    decisions = game.playout(inside, Random(4))
    assert decisions > 0
    assert inside.over
    rng = Random(4)
    while actors := outside.to_act:
        if actors == (NATURE,):
            outside.advance(NATURE, outside.draw(rng))
        else:
            legal = outside.legal(actors[0])
            outside.advance(actors[0], legal[int(rng.random() * len(legal))])
            decisions -= 1
    assert outside == inside
    assert decisions == 0


def absent_seats_do_something_legal(game: Game, seats: int) -> None:
    """What is done for somebody who is away."""
    for state, actor, _ in _decisions(game, seats):
        if actor != NATURE:
            assert state.zombie(actor) in state.legal(actor)


# Positions and actions.


def json_keeps_everything(game: Game, seats: int) -> None:
    """Written and read back, a position is the same."""
    for state, actor, _ in some_games(game, seats, games=1):
        again = game.load(json.loads(json.dumps(state.to_json())))
        assert again == state
        assert hash(again) == hash(state)
        if actor is not None:
            assert again.legal(actor) == state.legal(actor)


def copies_stand_alone(game: Game, seats: int) -> None:
    """What is done to a copy is not done to the original; with and without events the same happens."""
    for state, actor, action in _decisions(game, seats):
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
    for state, actor, _ in _decisions(game, seats):
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
            clean = Slate(1, layout.size)
            state.write(seat, clean)
            for row, here in ((seats, state), (seat, state), (seats, state.copy())):
                used.turn_to(row)
                here.write(seat, used)
                assert used.numbers[used.base : used.base + layout.size] == clean.numbers


def refusals_change_nothing(game: Game, seats: int) -> None:
    """What is no action, not one's turn or not legal is refused with a reason, and nothing has happened."""
    for turn, (state, actor, _) in enumerate(some_games(game, seats, games=1)):
        if turn > 60:
            break
        before = state.copy()
        with _refused(MalformedAction) as garbled:
            state.apply(actor if actor is not None else 0, "dance on the table")
        assert garbled[0].rule
        for other in (*range(seats), NATURE):
            if other not in state.to_act:
                with _refused(NotYourTurn):
                    state.apply(other, game.actions(state.options)[0])
            else:
                legal = state.legal(other)
                with _refused(PreauError) as refused:
                    state.apply(other, next(one for one in game.actions(state.options) if one not in legal))
                assert refused[0].rule or isinstance(refused[0], NotYourTurn)
                assert str(refused[0])
        assert state == before


def pickles(game: Game, seats: int) -> None:
    """Positions and actions go to other processes, where the game is found by its id."""
    for turn, (state, actor, action) in enumerate(_decisions(game, seats)):
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


# What leaves the game.


def seats_learn_nothing_they_may_not_know(game: Game, seats: int) -> None:
    """Non-interference: worlds drawn from a seat's view look the same to it, before and after what others do."""
    rng = Random(11)
    for turn, (state, actor, action) in enumerate(_decisions(game, seats)):
        if turn % 5:
            continue
        eyes = [*range(seats), None]
        alike, own = state.views(eyes)
        assert all(own)
        assert not any(alike.keys() & one.keys() for one in own)
        assert [{**alike, **one} for one in own] == [state.view(seat) for seat in eyes]
        for seat in range(seats):
            view = _plain(state.view(seat))
            other = game.sampler(view).draw(rng)
            assert _plain(other.view(seat)) == view
            assert other.legal(seat) == state.legal(seat)
            assert game.observe(other, seat) == game.observe(state, seat)
            assert other.prompt(seat) == state.prompt(seat)
            assert other.to_act == state.to_act
            if actor != seat and action in other.legal(actor):
                one, two = state.copy(), other
                seen_one, seen_two = one.apply(actor, action), two.apply(actor, action)
                if _plain(_seen(seen_one, seat)) == _plain(_seen(seen_two, seat)):
                    assert one.view(seat) == two.view(seat)
                    assert one.legal(seat) == two.legal(seat)


def tells_nothing(before: State, actor: int, action: Action, rng: Random, worlds: int = 24) -> bool:
    """Whether a decision looks as if it tells no seat anything hidden: a search for what `State.tells` must not miss.

    For each seat, worlds are drawn that look the same to it before the decision. In each of them the actor must have
    an action (its own eyes know which: this one) after which everything looks as it does now. However many worlds are
    drawn, the one that gives a secret away may not be among them, so that a yes here is not a promise.
    """
    after = before.copy()
    events = after.apply(actor, action)
    if any(seat != actor for event in events for seat in event.secret or ()):
        return False  # somebody was told something in private
    for seat in range(before.seats):
        shown = _look(after, events, seat)
        sampler = before.game.sampler(before.view(seat))
        for _ in range(worlds):
            if not _could_look_so(sampler.draw(rng), actor, action, seat, shown):
                return False
    return True


def _could_look_so(world: State, actor: int, action: Action, seat: int, shown: tuple[Any, ...]) -> bool:
    """Whether, in this world, the actor can do something that looks to a seat like what was shown."""
    legal = world.legal(actor)
    same = [one for one in legal if one.text == action.text]
    for one in same if same or seat == actor else legal:
        trial = world.copy()
        if _look(trial, trial.apply(actor, one), seat) == shown:
            return True
    return False


def _look(state: State, events: list[Event], seat: int | None) -> tuple[Any, ...]:
    """All that a seat (None: a spectator) is shown of a step: what happened, the position, and what it may do next."""
    legal = [action.text for action in state.legal(seat)] if seat is not None and seat in state.to_act else []
    return _seen(events, seat), state.view(seat), legal


def what_tells_nothing_looks_the_same_in_all_worlds(game: Game, seats: int) -> None:
    """What may be taken back without asking (`State.tells`) has told nobody anything."""
    rng = Random(12)
    for state, actor, action in _some_of_each_kind(game, seats):
        if not state.tells(actor, action) and not _ends(state, actor, action):
            assert tells_nothing(state, actor, action, rng, worlds=6), f"{action} of seat {actor} told something"


def whether_it_tells_is_no_secret(game: Game, seats: int) -> None:
    """`State.tells` follows from what a spectator sees: in all worlds that a seat holds possible, whatever looks like
    the decision to a spectator tells something, or nothing, like it.
    """
    rng = Random(13)
    for state, actor, action in _some_of_each_kind(game, seats):
        told = state.tells(actor, action)
        after = state.copy()
        shown = _look(after, after.apply(actor, action), None)
        worlds = [game.sampler(state.view(seat)).draw(rng) for seat in range(seats)]
        for world in (state, *worlds):
            for other in world.legal(actor):
                trial = world.copy()
                if _look(trial, trial.apply(actor, other), None) == shown:
                    assert world.tells(actor, other) == told, f"{action} of seat {actor} does not tell as {other} does"


def _some_of_each_kind(game: Game, seats: int) -> Iterator[tuple[State, int, Action]]:
    """Decisions of seats in random games, a few with each first word."""
    known = Counter[str]()
    for state, actor, action in _decisions(game, seats, games=6):
        kind = action.text.split()[0]
        if actor != NATURE and known[kind] < FEW:
            known[kind] += 1
            yield state, actor, action


def _ends(state: State, actor: int, action: Action) -> bool:
    """Whether the game is over after an action; then nothing is taken back any more."""
    after = state.copy()
    after.advance(actor, action)
    return after.over


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
            said = [(str(asked["key"]), asked), *((f"event.{one['key']}", one) for one in _seen(happened, who))]
            for key, params in said:
                assert all(one.say(key, params, names) for one in texts)
        if match.over:
            return
        seat = match.to_act[0]
        happened = match.apply(seat, rng.choice(match.legal(seat)))


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
        words = Texts.read(game.folder / "texts" / "lab", language)
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
        with _refused(PreauError) as refused:
            state.apply(actor, wanted)
        wrong += refusal_faults(state, refused[0])
    return wrong


def _plain(data: Any) -> Any:
    """As it arrives elsewhere."""
    return json.loads(json.dumps(data))


def _seen(events: list[Event], seat: int | None) -> list[dict[str, Any]]:
    """What a seat sees of events."""
    return [event.seen_by(seat) for event in events]


@contextmanager
def _refused(kind: type[PreauError]) -> Iterator[list[PreauError]]:
    """What is done inside has to be refused; the list then holds the refusal."""
    found: list[PreauError] = []
    try:
        yield found
    except kind as error:
        found.append(error)
        return
    raise AssertionError(f"no {kind.__name__} was raised")


CHECKS: tuple[Check, ...] = (
    goes_on_until_it_is_over,
    progress_goes_from_none_to_all,
    chances_add_up,
    draws_what_the_list_of_outcomes_gives,
    draws_as_often_as_it_is_likely,
    allows_what_it_lists,
    plays_inside_as_outside,
    absent_seats_do_something_legal,
    json_keeps_everything,
    copies_stand_alone,
    numbers_and_texts_belong_to_one_action,
    sees_the_same_on_a_slate_that_was_used,
    refusals_change_nothing,
    pickles,
    records_replay_without_a_seed,
    undo_goes_back_to_an_equal_position,
    seats_learn_nothing_they_may_not_know,
    what_tells_nothing_looks_the_same_in_all_worlds,
    whether_it_tells_is_no_secret,
    texts_are_there_in_both_languages,
    shows_what_is_in_its_box,
    counts_what_it_declares,
    has_the_shapes_it_declares,
)
"""All of them, from the simple to the subtle."""
