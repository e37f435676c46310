"""What every game promises of secrets: no seat learns what it may not know, and samplers know no more."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from ..core.errors import PreauError
from ..core.game import Game
from ..core.state import NATURE, Action, Event, State, who
from .helpers import (
    FEW,
    Place,
    Sample,
    decisions,
    difference,
    differences,
    plain,
    sample_of_decisions,
    seen_by,
    some_of_each_kind,
    value_at,
    written,
)

GAMES_FOR_SECRETS = 6
"""Random games in which the checks look for secret decisions; every second one has random options."""
POSITIONS = 60
"""Positions in which worlds are drawn for all seats; in a game without secrets there is one world only."""
POSITIONS_OPEN = 15
ANSWERS = 20
"""Answers of each seat that are given while several seats owe one, at most."""
CHOICES = 24
"""Choices of several seats at once that are looked at closely."""
ALTERNATIVES = 8
"""Other actions that are tried in the place of one."""
FIRST_DRAWS = 100
DRAWS = 8_000
"""Positions drawn from a view: at least, and at most until every possible value was seen."""
EXPECTED = 1_000
"""Positions that are drawn before a decision, to see which values are likely after it."""
HITS = 3
"""Times that a likely value is among these, at least."""
OFTEN = 20
"""Times that an outcome of chance is expected in all draws, at least, if it has to be among them."""
SMALL = 16
"""With at most so many different values, each one that is possible must be drawn."""


def seats_learn_nothing_they_may_not_know(game: Game, seats: int) -> None:
    """Non-interference: worlds drawn from a seat's view look the same to it, before and after what others do."""
    rng = Random(11)
    for state, actor, action in sample_of_decisions(game, seats, POSITIONS if game.secrets else POSITIONS_OPEN, rng):
        _views_fit_together(state)
        for seat in range(seats):
            other = game.sampler(plain(state.view(seat))).draw(rng)
            told = difference(_all_that_is_shown(state, [], seat), _all_that_is_shown(other, [], seat))
            assert not told, f"seat {seat} can tell the position from one that was drawn from its view: {told}"
            if actor != seat and action in other.legal(actor):
                told = _told_by(state.copy(), other, actor, action, seat)
                assert not told, f"seat {seat} learns from {action} of {who(actor)} what its view does not show: {told}"


def _views_fit_together(state: State) -> None:
    """Require that `State.views` gives the same as `State.view`."""
    eyes = [*range(state.seats), None]
    alike, own = state.views(eyes)
    for seat, one in zip(eyes, own, strict=True):
        assert one, f"views(): seat {seat} has nothing of its own, not even its seat"
        twice = sorted(alike.keys() & one.keys())
        assert not twice, f"views(): {twice} is both in what all see and in what seat {seat} sees"
        fault = difference(state.view(seat), {**alike, **one})
        assert not fault, f"view({seat}) and views() differ: {fault}"


def _told_by(one: State, two: State, actor: int, action: Action, seat: int) -> str:
    """Describe how an action shows a seat in which of two worlds it is, which looked the same to it before.

    Where the action reveals something, the seat's views differ afterwards. Where they do not, the events must be the
    same, unless both worlds have become one.
    """
    events = [plain(seen_by(world.apply(actor, action), seat)) for world in (one, two)]
    views = [plain(world.view(seat)) for world in (one, two)]
    if events[0] == events[1]:
        legal = [[action.text for action in world.legal(seat)] for world in (one, two)]
        return difference({"view": views[0], "legal": legal[0]}, {"view": views[1], "legal": legal[1]})
    return difference({"events": events[0]}, {"events": events[1]}) if views[0] == views[1] and one != two else ""


def choices_made_at_once_stay_secret(game: Game, seats: int) -> None:
    """While several seats owe a decision, the others cannot tell which action a seat took until all have answered.

    Two copies of a position get two different actions of one seat, and the same further answers until one seat is left
    to answer; a seat may be asked more than once. All other seats and spectators must find both copies alike: who is to
    act, views, events, prompts, legal actions, refusals, observations and diagrams.
    """
    rng = Random(14)
    for state, seat in _choices_made_at_once(game, seats, rng):
        one, other = rng.sample(state.legal(seat), 2)
        told = _told_apart(state, seat, one, other)
        assert not told, (
            f"{one} and {other} of seat {seat} must look alike until all of {list(state.to_act)} have answered, "
            f"but {told}"
        )


def _choices_made_at_once(game: Game, seats: int, rng: Random) -> list[tuple[State, int]]:
    """Draw decisions that a seat takes while others owe one, too: from all parts of random games, and as many with
    each prompt.
    """
    kept = Sample[tuple[State, int]](CHOICES, rng)
    for state, _, _ in decisions(game, seats, games=GAMES_FOR_SECRETS, varied=True):
        for seat in state.to_act if len(state.to_act) > 1 else ():
            if len(state.legal(seat)) < 2:
                continue
            kind = (state.prompt(seat)["key"], _part(state))
            if kept.takes(kind):
                kept.put(kind, (state.copy(), seat))
    return kept.mixed()[:CHOICES]


def _part(state: State) -> int:
    """Return the tenth of its game that a position is in."""
    return int(10 * state.progress())


def _told_apart(state: State, seat: int, one: Action, two: Action) -> str:
    """Describe how a seat or a spectator can tell which of two actions a seat took, before all have answered."""
    worlds = [state.copy(), state.copy()]
    waiting = set(state.to_act)
    actor, actions = seat, [one, two]
    for _ in range(ANSWERS * len(waiting)):
        events = [world.apply(actor, action) for world, action in zip(worlds, actions, strict=True)]
        asked = [set(world.to_act) for world in worlds]
        if asked[0] != asked[1]:
            return " and ".join(
                f"after {action} of seat {actor} the seats to act are {list(world.to_act)}"
                for world, action in zip(worlds, actions, strict=True)
            )
        if not asked[0] or not asked[0] <= waiting:
            return ""  # all have answered
        for viewer in (*(other for other in range(state.seats) if other != seat), None):
            looks = [_all_that_is_shown(world, seen, viewer) for world, seen in zip(worlds, events, strict=True)]
            if found := difference(*looks):
                return f"{_named(viewer)} can tell them apart: {found}"
        waiting = asked[0]
        actor = next((other for other in worlds[0].to_act if other != seat), seat)
        alike = [action for action in worlds[0].legal(actor) if action in worlds[1].legal(actor)]
        if len(waiting) == 1 or not alike:
            return ""
        actions = alike[:1] * 2
    return ""


def _named(viewer: int | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


def _all_that_is_shown(state: State, events: list[Event], viewer: int | None) -> dict[str, Any]:
    """Return all that a seat (None: a spectator) can learn from a step: what it is sent and what it can ask for."""
    alike, (own,) = state.views([viewer])
    shown: dict[str, Any] = {
        "to_act": list(state.to_act),
        "racers": list(state.racers()),
        "event": {one["key"]: one for one in seen_by(events, viewer)},
        "events": seen_by(events, viewer),
        "view": plain({**alike, **own}),
        "prompt": state.prompt(viewer),
        "diagram": state.diagram(viewer),
    }
    if viewer is not None:
        legal = state.legal(viewer)
        seen = state.game.observe(state, viewer)
        shown["legal"] = [action.text for action in legal]
        shown["observation"] = {piece.name: list(seen.piece(piece.name)) for piece in seen.layout.pieces}
        shown["mask"] = list(seen.mask)
        illegal = next((one for one in state.game.actions(state.options) if one not in legal), None)
        if illegal is not None:
            shown["refusal"] = _refusal(state, viewer, illegal)
    return shown


def _refusal(state: State, seat: int, action: Action) -> dict[str, Any]:
    """Return what a seat is told when it tries an illegal action."""
    try:
        state.copy().apply(seat, action)
    except PreauError as error:
        return {"message": str(error), "rule": error.rule, "key": error.key, "params": plain(error.params)}
    return {"message": "accepted"}


def samplers_draw_every_possible_world(game: Game, seats: int) -> None:
    """What a seat cannot know differs from one drawn position to another, and no possible value of it is left out.

    Where other actions than the one taken leave a seat the same view, the positions after them are possible worlds for
    it. It is told the same events in all of them, and wherever they differ, the positions drawn from that view must
    differ too. A game in which that happens has secrets. What two seats chose at once is drawn in all combinations.
    """
    rng = Random(15)
    for state, actor, viewer, (action, *alike) in _hidden_decisions(game, seats, rng):
        where = f"after {action} of {who(actor)}"
        assert game.secrets, f"{where} the view of {_named(viewer)} is that of {alike[0]}, but `secrets` is False"
        fault = _told_by_events(state, actor, [action, *alike], viewer)
        assert not fault, f"{where} {fault}"
        likely = [one for one in (action, *alike) if _likely(state, actor, one)]
        if viewer is not None and len(likely) > 1:
            fault = _never_drawn(state, actor, likely, viewer, rng)
            assert not fault, f"{where}, the sampler of the view of seat {viewer} {fault}"
    for state, seat in _choices_made_at_once(game, seats, rng):
        fault = _never_drawn_together(state, seat, rng)
        assert not fault, f"the sampler {fault}"


def _hidden_decisions(game: Game, seats: int, rng: Random) -> list[tuple[State, int, int | None, list[Action]]]:
    """Draw decisions of which another seat or a spectator cannot see what was decided, each with that viewer, the
    action taken and others that look alike: from all parts of random games, and as many with each word.
    """
    kept = Sample[tuple[State, int, int | None, list[Action]]](FEW, rng)
    for state, actor, action in decisions(game, seats, games=GAMES_FOR_SECRETS if game.secrets else 1, varied=True):
        for viewer in (rng.choice([seat for seat in range(seats) if seat != actor]), None):
            if alike := _indistinguishable(state, actor, action, viewer, rng):
                kind = (actor == NATURE, action.text.split()[0], _part(state), viewer is None)
                if kept.takes(kind):
                    kept.put(kind, (state.copy(), actor, viewer, [action, *alike]))
    return kept.all()


def _indistinguishable(state: State, actor: int, action: Action, viewer: int | None, rng: Random) -> list[Action]:
    """Return some other actions that lead to another position, but leave the viewer the same view."""
    after = _after(state, actor, action)
    view = after.view(viewer)
    legal = [one for one in state.legal(actor) if one is not action]
    others = [(one, _after(state, actor, one)) for one in rng.sample(legal, min(len(legal), ALTERNATIVES))]
    return [one for one, other in others if other.view(viewer) == view and other != after]


def _after(state: State, actor: int, action: Action) -> State:
    """Return the position after an action."""
    after = state.copy()
    after.advance(actor, action)
    return after


def _told_by_events(state: State, actor: int, actions: list[Action], viewer: int | None) -> str:
    """Describe how events tell the viewer which of these actions was taken, which leave it the same view."""
    told = [{"events": plain(seen_by(state.copy().apply(actor, action), viewer))} for action in actions]
    for action, other in zip(actions[1:], told[1:], strict=True):
        if fault := difference(told[0], other):
            return f"{_named(viewer)} has the view it has after {action}, but is told something else: {fault}"
    return ""


def _likely(state: State, actor: int, action: Action) -> bool:
    """Whether an action is so likely that draws without it are no chance: any one of a seat; of nature one that is
    expected `OFTEN`, or as often as others where there are many.
    """
    if actor != NATURE:
        return True
    outcomes = state.outcomes()
    chance = next(chance for one, chance in outcomes if one is action)
    return chance * DRAWS >= OFTEN or 2 * chance * len(outcomes) >= 1


def _never_drawn(state: State, actor: int, actions: list[Action], viewer: int, rng: Random) -> str:
    """Describe what is so after one of these actions, which leave the viewer the same view, but never in positions
    drawn from that view. What other seats remember of the action is left out (`State.forget`).
    """
    view = plain(_after(state, actor, actions[0]).view(viewer))
    unremembered = state.copy()
    unremembered.forget()
    possible = [plain(_of_others(_after(unremembered, actor, action), viewer)) for action in actions]
    places = {place for other in possible[1:] for place in differences(possible[0], other)}
    if not places:
        return ""
    wanted = {place: {_text(value_at(world, place)) for world in possible} for place in places}
    drawn = {place: set[str]() for place in places}
    sampler = state.game.sampler(view)
    for number in range(DRAWS):
        if number >= FIRST_DRAWS and not any(_unlike_enough(wanted[place], drawn[place]) for place in wanted):
            return ""
        if number == EXPECTED:
            hits = _expected_elsewhere(state, actor, viewer, view, drawn, rng)
            wanted = {place: _likely_ones(values, drawn[place], hits[place]) for place, values in wanted.items()}
        world = _of_others(sampler.draw(rng), viewer)
        for place in wanted:
            drawn[place].add(_text(value_at(world, place)))
    for place in sorted(wanted, key=written):
        if _unlike_enough(wanted[place], drawn[place]):
            missing = ", ".join(sorted(wanted[place] - drawn[place]))
            shown = ", ".join(sorted(drawn[place])[:SMALL])
            return f"never draws {missing} for {written(place)}, only {shown}"
    return ""


def _expected_elsewhere(
    state: State, actor: int, viewer: int, view: Any, drawn: Mapping[Place, set[str]], rng: Random
) -> dict[Place, Counter[str]]:
    """Count the values that places have and that were not drawn, in positions that are drawn before an action and in
    which the actor then takes any action that leaves the viewer this view. What needs an unlikely position is rare.
    """
    hits = {place: Counter[str]() for place in drawn}
    sampler = state.game.sampler(plain(state.view(viewer)))
    for _ in range(EXPECTED):
        world = sampler.draw(rng)
        legal = world.legal(actor)
        if not legal:
            continue
        action = world.draw(rng) if actor == NATURE else rng.choice(legal)
        if plain(_after(world, actor, action).view(viewer)) == view:
            world.forget()
            after = _of_others(_after(world, actor, action), viewer)
            for place, known in drawn.items():
                if (value := _text(value_at(after, place))) not in known:
                    hits[place][value] += 1
    return hits


def _likely_ones(values: set[str], drawn: set[str], hits: Counter[str]) -> set[str]:
    """Return the values that are likely; all of them, where only one was drawn and any other is likely."""
    likely = {value for value in values if value in drawn or hits[value] >= HITS}
    return values if likely <= drawn and len(drawn) == 1 and hits.total() >= HITS else likely


def _never_drawn_together(state: State, one: int, rng: Random) -> str:
    """Describe two actions that two seats may have taken at once, each of which is drawn often from the view of a third
    seat, but never both.
    """
    others = [seat for seat in state.to_act if seat != one and len(state.legal(seat)) > 1]
    if len(others) < 2:
        return ""
    two, viewer = rng.sample(others, 2)
    choices = [rng.sample(state.legal(seat), 2) for seat in (one, two)]
    before = state.copy()
    before.forget()
    worlds = {
        (first, second): _after(_after(before, one, first), two, second)
        for first in choices[0]
        for second in choices[1]
    }
    seen = {both: plain(_of_others(world, viewer)) for both, world in worlds.items()}
    known, *more = [plain(_after(_after(state, one, first), two, second).view(viewer)) for first, second in worlds]
    if any(view != known for view in more):
        return ""  # the viewer was shown them
    places = _places_of_each(list(seen.values()))
    if places is None:
        return ""
    wanted = {both: tuple(_text(value_at(world, place)) for place in places) for both, world in seen.items()}
    drawn = Counter[tuple[str, ...]]()
    sampler = state.game.sampler(known)
    for number in range(1, DRAWS + 1):
        world = _of_others(sampler.draw(rng), viewer)
        drawn[tuple(_text(value_at(world, place)) for place in places)] += 1
        if number % FIRST_DRAWS == 0 and all(drawn[both] for both in wanted.values()):
            return ""
        if number == 5 * FIRST_DRAWS and min(_expected(drawn, both) for both in wanted.values()) * DRAWS < OFTEN:
            return ""  # it would take too many draws
    for (first, second), both in wanted.items():
        if not drawn[both]:
            return (
                f"of the view of seat {viewer} draws {first} of seat {one} and {second} of seat {two}, but never both"
            )
    return ""


def _places_of_each(worlds: list[Any]) -> tuple[Place, Place] | None:
    """Return where the first of two choices shows in four worlds, whatever the second one is, and where the second."""
    neither, second, first, both = worlds
    found = []
    for changed, other in ((first, second), (second, first)):
        alone = set(differences(neither, changed)) - set(differences(neither, other))
        found.append(
            [place for place in sorted(alone, key=written) if value_at(changed, place) == value_at(both, place)]
        )
    return (found[0][0], found[1][0]) if all(found) else None


def _expected(drawn: Counter[tuple[str, ...]], both: tuple[str, ...]) -> float:
    """Return how often two values would be drawn together, as a share, if they had nothing to do with each other."""
    total = drawn.total()
    shares = [sum(count for values, count in drawn.items() if values[at] == both[at]) / total for at in (0, 1)]
    return shares[0] * shares[1]


def _unlike_enough(wanted: set[str], drawn: set[str]) -> bool:
    """Return whether the drawn values leave out a possible one: any one, where there are few; else all but one."""
    return not wanted <= drawn if len(wanted | drawn) <= SMALL else len(drawn) < 2


def _of_others(state: State, viewer: int) -> dict[str, Any]:
    """Return the views of all other seats: what is hidden from the viewer is in one of them."""
    return {f"view of seat {seat}": state.view(seat) for seat in range(state.seats) if seat != viewer}


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


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
        shown = observed(after, events, seat)
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
        if observed(trial, trial.apply(actor, one), seat) == shown:
            return True
    return False


def observed(state: State, events: list[Event], seat: int | None) -> tuple[Any, ...]:
    """All that a seat (None: a spectator) is shown of a step: what happened, the position, and what it may do next."""
    legal = [action.text for action in state.legal(seat)] if seat is not None and seat in state.to_act else []
    return seen_by(events, seat), state.view(seat), legal


def what_tells_nothing_looks_the_same_in_all_worlds(game: Game, seats: int) -> None:
    """What may be taken back without asking (`State.tells`) has told nobody anything."""
    rng = Random(12)
    for state, actor, action in some_of_each_kind(game, seats):
        if not state.tells(actor, action) and not _ends(state, actor, action):
            assert tells_nothing(state, actor, action, rng, worlds=6), f"{action} of seat {actor} told something"


def whether_it_tells_is_no_secret(game: Game, seats: int) -> None:
    """`State.tells` follows from what a spectator sees: in all worlds that a seat holds possible, whatever looks like
    the decision to a spectator tells something, or nothing, like it.
    """
    rng = Random(13)
    for state, actor, action in some_of_each_kind(game, seats):
        told = state.tells(actor, action)
        after = state.copy()
        shown = observed(after, after.apply(actor, action), None)
        worlds = [game.sampler(state.view(seat)).draw(rng) for seat in range(seats)]
        for world in (state, *worlds):
            for other in world.legal(actor):
                trial = world.copy()
                if observed(trial, trial.apply(actor, other), None) == shown:
                    assert world.tells(actor, other) == told, f"{action} of seat {actor} does not tell as {other} does"


def _ends(state: State, actor: int, action: Action) -> bool:
    """Whether the game is over after an action; then nothing is taken back any more."""
    after = state.copy()
    after.advance(actor, action)
    return after.over
