"""Why an action of Recess! is good or bad: what hints say, each checked on the position it is said of.

Everything is public, so all of it is certain but what others will do, of which nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from ...core.reasons import Reason, Step, because, do
from ...core.state import Json
from .actions import LEAVE, MOVE, NUN, PASS, SHARE, SHOVE, SKIP, STAY, TATTLE, RecessAction
from .means import staying
from .position import (
    FIGHT,
    LAST_CHILD,
    MOST_ATTACKERS,
    NUN_0,
    TELLING,
    child_of,
    has,
    is_girl,
    name,
    of_seat,
    seat_of,
    who_of,
)
from .rules import RecessState
from .yard import CELL_NAMES, CELLS


def advice(step: Step, seat: int) -> Json:
    """What to do, in a few words."""
    before, after, action = _facts(step)
    kind = action.kind
    cell = CELL_NAMES[action.cell] if action.cell >= 0 else ""
    if kind == MOVE:
        return _walk(step, seat, cell, tells=after.phase == TELLING)
    if kind == TATTLE:
        return do("tattle", nun=action.who, cell=cell)
    if kind == NUN:
        return do("nun", nun=action.who, to=cell)
    if kind == SHOVE and before.hand >= NUN_0:
        return do("shove_nun", nun=before.hand - NUN_0, to=cell)
    if kind == SHOVE:
        return do("shove", child=name(before.hand), owner=seat_of(before.hand), to=cell)
    if kind in (STAY, LEAVE):
        return do("stay" if kind == STAY else "leave", cell=cell)
    if kind == SKIP and before.movement:
        return do("skip", movement=before.movement)
    return do({PASS: "pass", SHARE: "share"}.get(kind, "nun_stays"))


def _walk(step: Step, seat: int, cell: str, *, tells: bool) -> Json:
    """Walking, by where the walk ends (R16 to R21)."""
    for event in step.events:
        data = event.data
        if event.key == "kiss":
            return do("kiss", seat=seat, child=data["child"], partner=data["partner"], cell=cell)
        if event.key == "fight":
            return do("pin", seat=seat, child=data["child"], victim=data["victim"], owner=data["owner"], cell=cell)
        if event.key == "break_up":
            return do("break_up", seat=seat, child=data["child"], cell=cell)
    child = name(cast(RecessAction, step.action).who)
    return do("to_nun" if tells else "walk", seat=seat, child=child, to=cell)


def reasons(first: Step, rest: Iterator[Step], seat: int) -> list[Reason]:
    """What speaks for and against the first action of a tale."""
    before, after, action = _facts(first)
    found = list(_happens(first, seat))
    if action.kind == STAY:
        found += _stays(before, action)
    elif action.kind == LEAVE and has(before.watched, who_of(before.ground[action.cell] - FIGHT)):
        found.append(because(8.0, "escapes"))
    elif action.kind == NUN:
        found += _looks(before, after, action.who, seat)
    elif action.kind == MOVE and not after.over:
        found += _stands(after, child_of(seat, action.who), seat)
    elif action.kind == SHOVE and before.hand < NUN_0:
        found += _shoved(after, before.hand, action.cell, seat)
    return found + list(_then(rest, seat))


def _facts(step: Step) -> tuple[RecessState, RecessState, RecessAction]:
    return cast(RecessState, step.before), cast(RecessState, step.after), cast(RecessAction, step.action)


# What happens at once.


def _happens(step: Step, seat: int) -> Iterator[Reason]:
    _, after, _ = _facts(step)
    for event in step.events:
        data = event.data
        if event.key == "kiss":
            yield _kissed(after, seat)
        elif event.key == "coin" and data["seat"] == seat:
            taken = cast(int, data["coins"])
            yield because(10.0 if taken else -3.0, "coin" if taken else "no_coin", owner=data["owner"])
        elif event.key == "fight":
            yield because(4.0, "unseen")
            if after.coins[cast(int, data["owner"])]:
                yield because(5.0, "again")
        elif event.key == "detention":
            yield from _caught(cast(Json, data), seat)
        elif event.key == "break_up":
            yield from _broken_up(cast(Json, data), seat)
        elif event.key == "let_go":
            yield because(-1.0, "let_go", victim=data["victim"], owner=data["owner"])


def _kissed(after: RecessState, seat: int) -> Reason:
    """R33, R36: the kiss ends the game; who wins then."""
    winners = list(after.result().winners)
    weight = 100.0 if winners == [seat] else 50.0 if seat in winners else -100.0
    winner = winners[0] if len(winners) == 1 else -1
    return because(weight, "kiss", coins=after.coins[seat], winners=winners, winner=winner)


def _caught(data: Json, seat: int) -> Iterator[Reason]:
    """R30, R11: who is caught loses a movement in the next turn; who lay under the attacker is free."""
    attacker = {"attacker": data["attacker"], "bully": data["bully"]}
    yield because(-9.0 if data["bully"] == seat else 7.0, "caught", **attacker)
    if data["owner"] == seat:
        yield because(6.0, "freed", victim=data["victim"], owner=seat)


def _broken_up(data: Json, seat: int) -> Iterator[Reason]:
    """R26: the victim gets up, and the attacker's seat takes no more coins there."""
    if data["owner"] == seat:
        yield because(7.0, "freed", victim=data["victim"], owner=seat)
    if data["bully"] != seat:
        yield because(3.0, "spoils", bully=data["bully"])


def _stays(before: RecessState, action: RecessAction) -> Iterator[Reason]:
    """R10, R11: a stayer costs a movement, and goes on taking coins as long as nobody stops it."""
    _, movement, risk = staying(before, before.ground[action.cell] - FIGHT)
    if movement > 0:
        yield because(-2.0, "costs", movement=movement)
    if risk == "detention":
        yield because(-8.0, "watched_fight")
    elif not before.seen(action.cell):
        yield because(4.0, "unseen")


# How a child stands.


def _stands(state: RecessState, child: int, seat: int) -> Iterator[Reason]:
    """What a child of the seat's own can look forward to where it stands upright now, and what it must fear."""
    cell = state.where[child]
    if cell >= CELLS or has(state.attackers, child) or state.phase == TELLING:
        return
    if state.yard.safety[cell]:
        yield because(2.0, "safe")
    elif (nun := _watcher(state, cell)) >= 0:
        yield because(2.0, "watched", nun=nun)
    else:
        hunter = next(_hunters(state, cell, seat), -1)
        if hunter >= 0:
            yield because(-4.0, "in_reach", attacker=name(hunter), bully=seat_of(hunter))
        else:
            yield because(2.5, "out_of_reach")
    for partner in range(child_of(seat, 0 if is_girl(child) else 2), child_of(seat, 2 if is_girl(child) else 4)):
        if _meets(state, cell, partner) and _kiss_wins(state, seat):
            yield because(6.0, "near_kiss", partner=name(partner))
            break
    for prey in _prey(state, cell, seat):
        yield because(3.0, "aims", victim=name(prey), owner=seat_of(prey))
        break


def _watcher(state: RecessState, cell: int) -> int:
    """R24: the first nun that sees a cell, or -1."""
    for nun in (0, 1):
        if state.yard.sight[CELLS * state.where[NUN_0 + nun] + cell]:
            return nun
    return -1


def _is_near(state: RecessState, start: int, end: int) -> bool:
    """R14: whether one movement of 3, 2 or 1 steps leads from one cell to the other."""
    return any(end in state.yard.walks(steps)[start] for steps in (1, 2, 3))


def _hunters(state: RecessState, cell: int, seat: int) -> Iterator[int]:
    """R18: children of others that one movement could bring onto a cell in which no nun looks."""
    for child in range(4 * state.seats):
        owner = seat_of(child)
        if owner == seat or has(state.pinned | state.detained, child):
            continue
        attacks = sum(has(of_seat(state.attackers, owner), who) for who in range(4)) - has(state.attackers, child)
        if attacks < MOST_ATTACKERS and _is_near(state, state.where[child], cell):
            yield child


def _prey(state: RecessState, cell: int, seat: int) -> Iterator[int]:
    """R18: upright children of others, out of any nun's sight, that one movement from a cell leads onto."""
    for child in range(4 * state.seats):
        spot = state.where[child]
        if seat_of(child) == seat or spot >= CELLS or state.yard.safety[spot] or has(state.pinned, child):
            continue
        upright = state.ground[spot] <= LAST_CHILD
        if upright and not state.seen(spot) and state.coins[seat_of(child)] and _is_near(state, cell, spot):
            yield child


def _meets(state: RecessState, cell: int, partner: int) -> bool:
    """R33: whether a child on the cell and its partner could meet unseen with one movement."""
    spot = state.where[partner]
    held = has(state.pinned | state.detained | state.attackers, partner)
    return spot < CELLS and not held and not state.seen(spot) and _is_near(state, cell, spot)


def _kiss_wins(state: RecessState, seat: int) -> bool:
    """R33, R36: whether a kiss would win with the coins as they are."""
    coins = [count - min(2, count) for count in state.coins]
    mine = state.coins[seat] + sum(min(2, count) for other, count in enumerate(state.coins) if other != seat)
    return all(mine >= count for other, count in enumerate(coins) if other != seat)


def _shoved(state: RecessState, child: int, cell: int, seat: int) -> Iterator[Reason]:
    """R28: where a child was shoved to; one's own may be in danger there, another's within reach."""
    if seat_of(child) == seat:
        if state.where[child] == cell:
            yield from _stands(state, child, seat)
        return
    for action in state.listed if state.active == seat else ():
        if action.kind == MOVE and action.cell == cell and state.ground[cell] == 1 + child:
            yield because(6.0, "prey", seat=seat, child=name(action.who), victim=name(child), owner=seat_of(child))
            return


# What a nun sees.


def _looks(before: RecessState, after: RecessState, nun: int, seat: int) -> Iterator[Reason]:
    """R24, R31: fights that a nun comes to see, and children that she protects by looking."""
    mine = [cell for cell in after.fights() if seat_of(after.ground[cell] - FIGHT) == seat]
    seen = [cell for cell in after.fights() if after.seen(cell)]
    for cell in seen:
        bully = seat_of(after.ground[cell] - FIGHT)
        if bully == seat:
            yield because(-7.0, "sees_mine", cell=CELL_NAMES[cell])
        elif not before.seen(cell):
            yield because(5.0, "sees", bully=bully, cell=CELL_NAMES[cell])
    if mine and not any(after.seen(cell) for cell in mine):
        yield because(6.0, "hidden")
    for child in range(child_of(seat, 0), child_of(seat, 4)):
        cell = after.where[child]
        upright = cell < CELLS and not has(after.pinned | after.attackers | after.detained, child)
        if not upright or after.yard.safety[cell] or before.seen(cell) or _watcher(after, cell) != nun:
            continue
        if next(_hunters(after, cell, seat), -1) >= 0:
            yield because(4.0, "guards", seat=seat, child=name(child))
            break
    yield from _parted(before, after, seat)
    yield from _cleared(before, after, seat)


def _parted(before: RecessState, after: RecessState, seat: int) -> Iterator[Reason]:
    """R33: couples of others that could have met unseen, and cannot any more."""
    for other in range(after.seats):
        if other == seat:
            continue
        pairs = [(child_of(other, boy), child_of(other, girl)) for boy in (0, 1) for girl in (2, 3)]
        if any(_could_kiss(before, *pair) for pair in pairs) and not any(_could_kiss(after, *pair) for pair in pairs):
            yield because(5.0, "parts", owner=other)
            return


def _could_kiss(state: RecessState, one: int, other: int) -> bool:
    """R33: whether one movement of either would bring two children of a couple together unseen."""
    held = state.pinned | state.detained
    return any(
        not has(held, walker) and _meets(state, state.where[walker], partner)
        for walker, partner in ((one, other), (other, one))
    )


def _cleared(before: RecessState, after: RecessState, seat: int) -> Iterator[Reason]:
    """R18: children of others within reach that a nun no longer protects by looking."""
    for child in range(child_of(seat, 0), child_of(seat, 4)):
        if has(after.pinned | after.detained | after.attackers, child):
            continue
        for prey in _prey(after, after.where[child], seat):
            if before.seen(after.where[prey]):
                about = {"seat": seat, "child": name(child)}
                yield because(3.0, "clears", victim=name(prey), owner=seat_of(prey), **about)
                return


# What else the turn brings.


def _then(rest: Iterator[Step], seat: int) -> Iterator[Reason]:
    """The first thing worth telling that the seat itself can do later in the same turn."""
    for step in rest:
        for event in step.events if step.actor == seat else ():
            data = cast(Json, event.data)
            if event.key == "turn":
                return
            if event.key == "kiss":
                wins = seat in step.after.result().winners
                yield because(60.0 if wins else -20.0, "then_kiss", **_some(data, "seat", "child", "partner", "cell"))
                return
            if event.key == "fight":
                yield because(3.5, "then_pin", **_some(data, "seat", "child", "victim", "owner", "cell"))
                return
            if event.key == "detention":
                own = data["bully"] == seat
                key = "then_detained" if own else "then_caught"
                yield because(-7.0 if own else 4.0, key, **_some(data, "attacker", "bully"))
                return


def _some(data: Json, *fields: str) -> Json:
    return {field: data[field] for field in fields}
