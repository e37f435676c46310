"""What every game promises of secrets: no seat learns what it may not know, and samplers know no more."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

from ..core.errors import PreauError
from ..core.game import Game
from ..core.state import NATURE, Action, Event, State, who
from .helpers import FEW, decisions, difference, differences, plain, seen_by, some_of_each_kind, value_at, written

GAMES_FOR_SECRETS = 6
"""Random games in which the checks look for secret decisions."""
ALTERNATIVES = 8
"""Other actions that are tried in the place of one."""
FIRST_DRAWS = 100
DRAWS = 8_000
"""Positions drawn from a view: at least, and at most until every possible value was seen."""
SMALL = 16
"""With at most so many different values, each one that is possible must be drawn."""


def seats_learn_nothing_they_may_not_know(game: Game, seats: int) -> None:
    """Non-interference: worlds drawn from a seat's view look the same to it, before and after what others do."""
    rng = Random(11)
    for turn, (state, actor, action) in enumerate(decisions(game, seats)):
        if turn % 5:
            continue
        eyes = [*range(seats), None]
        alike, own = state.views(eyes)
        assert all(own)
        assert not any(alike.keys() & one.keys() for one in own)
        assert [{**alike, **one} for one in own] == [state.view(seat) for seat in eyes]
        for seat in range(seats):
            view = plain(state.view(seat))
            other = game.sampler(view).draw(rng)
            assert plain(other.view(seat)) == view
            assert other.legal(seat) == state.legal(seat)
            assert game.observe(other, seat) == game.observe(state, seat)
            assert other.prompt(seat) == state.prompt(seat)
            assert other.to_act == state.to_act
            if actor != seat and action in other.legal(actor):
                one, two = state.copy(), other
                seen_one, seen_two = one.apply(actor, action), two.apply(actor, action)
                if plain(seen_by(seen_one, seat)) == plain(seen_by(seen_two, seat)):
                    assert one.view(seat) == two.view(seat)
                    assert one.legal(seat) == two.legal(seat)


def choices_made_at_once_stay_secret(game: Game, seats: int) -> None:
    """While several seats owe a decision, the others cannot tell which action a seat took until all have answered.

    Two copies of a position get two different actions of one seat, and the same answers of all other seats but the
    last. All other seats and spectators must find both copies alike: who is to act, views, events, prompts, legal
    actions, refusals, observations and diagrams.
    """
    rng = Random(14)
    known = Counter[object]()
    for state, _, _ in decisions(game, seats, games=GAMES_FOR_SECRETS):
        for seat in state.to_act if len(state.to_act) > 1 else ():
            kind = (state.prompt(seat)["key"], len(state.to_act))
            legal = state.legal(seat)
            if len(legal) > 1 and known[kind] < FEW:
                known[kind] += 1
                one, other = rng.sample(legal, 2)
                told = _told_apart(state, seat, one, other)
                assert not told, (
                    f"{one} and {other} of seat {seat} must look alike until all of {list(state.to_act)} have "
                    f"answered, but {told}"
                )


def _told_apart(state: State, seat: int, one: Action, two: Action) -> str:
    """Describe how a seat or a spectator can tell which of two actions a seat took, before all have answered."""
    worlds = [state.copy(), state.copy()]
    waiting = [other for other in state.to_act if other != seat]
    actor, actions = seat, [one, two]
    for _ in range(len(waiting)):
        events = [world.apply(actor, action) for world, action in zip(worlds, actions, strict=True)]
        for world, action in zip(worlds, actions, strict=True):
            if list(world.to_act) != waiting:
                return f"after {action} of seat {actor} the seats to act are {list(world.to_act)}, not {waiting}"
        for viewer in (*(other for other in range(state.seats) if other != seat), None):
            looks = [_all_that_is_shown(world, seen, viewer) for world, seen in zip(worlds, events, strict=True)]
            if found := difference(*looks):
                return f"{'a spectator' if viewer is None else f'seat {viewer}'} can tell them apart: {found}"
        actor = waiting.pop(0)
        actions = [worlds[0].legal(actor)[0]] * 2
    return ""


def _all_that_is_shown(state: State, events: list[Event], viewer: int | None) -> dict[str, Any]:
    """Return all that a seat (None: a spectator) can learn from a step: what it is sent and what it can ask for."""
    alike, (own,) = state.views([viewer])
    shown: dict[str, Any] = {
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
    it. Wherever these differ, the positions drawn from that view must differ too.
    """
    rng = Random(15)
    known = Counter[object]()
    for state, actor, action in decisions(game, seats, games=GAMES_FOR_SECRETS if game.secrets else 0):
        kind = (actor == NATURE, action.text.split()[0])
        viewers = [seat for seat in range(seats) if seat != actor]
        if known[kind] >= FEW or not viewers:
            continue
        viewer = rng.choice(viewers)
        view = _after(state, actor, action).view(viewer)
        legal = [one for one in state.legal(actor) if one is not action]
        others = rng.sample(legal, min(len(legal), ALTERNATIVES))
        alike = [one for one in others if _after(state, actor, one).view(viewer) == view]
        if alike:
            known[kind] += 1
            fault = _never_drawn(state, actor, [action, *alike], viewer, rng)
            assert not fault, f"after {action} of {who(actor)}, the sampler of the view of seat {viewer} {fault}"


def _after(state: State, actor: int, action: Action) -> State:
    """Return the position after an action."""
    after = state.copy()
    after.advance(actor, action)
    return after


def _never_drawn(state: State, actor: int, actions: list[Action], viewer: int, rng: Random) -> str:
    """Describe what is so after one of these actions, which leave the viewer the same view, but never in positions
    drawn from that view. What other seats remember of the action is left out (`State.forget`).
    """
    view = plain(_after(state, actor, actions[0]).view(viewer))
    unremembered = state.copy()
    unremembered.forget()
    possible = [plain(_of_others(_after(unremembered, actor, action), viewer)) for action in actions]
    places = {place for other in possible[1:] for place in differences(possible[0], other)}
    wanted = {place: {_text(value_at(world, place)) for world in possible} for place in places}
    drawn = {place: set[str]() for place in places}
    sampler = state.game.sampler(view)
    for number in range(DRAWS):
        if number >= FIRST_DRAWS and not any(map(_unlike_enough, wanted.values(), drawn.values())):
            return ""
        world = _of_others(sampler.draw(rng), viewer)
        for place in places:
            drawn[place].add(_text(value_at(world, place)))
    for place in sorted(places, key=written):
        if _unlike_enough(wanted[place], drawn[place]):
            missing = ", ".join(sorted(wanted[place] - drawn[place]))
            shown = ", ".join(sorted(drawn[place])[:SMALL])
            return f"never draws {missing} for {written(place)}, only {shown}"
    return ""


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
        shown = look(after, events, seat)
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
        if look(trial, trial.apply(actor, one), seat) == shown:
            return True
    return False


def look(state: State, events: list[Event], seat: int | None) -> tuple[Any, ...]:
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
        shown = look(after, after.apply(actor, action), None)
        worlds = [game.sampler(state.view(seat)).draw(rng) for seat in range(seats)]
        for world in (state, *worlds):
            for other in world.legal(actor):
                trial = world.copy()
                if look(trial, trial.apply(actor, other), None) == shown:
                    assert world.tells(actor, other) == told, f"{action} of seat {actor} does not tell as {other} does"


def _ends(state: State, actor: int, action: Action) -> bool:
    """Whether the game is over after an action; then nothing is taken back any more."""
    after = state.copy()
    after.advance(actor, action)
    return after.over
